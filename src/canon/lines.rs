//! The lines of a grid, one vector each.

use super::tables::Places;
use crate::grid::CELLS;

/// Rows, then columns, each in the first nine bytes of a vector. The rest is zero.
pub type Lines = [[u8; 16]; 18];

/// Fills `lines`, which are zero after the ninth byte.
#[inline(always)]
pub fn fill(cells: &[u8; CELLS], lines: &mut Lines) {
    let (rows, columns) = lines.split_at_mut(9);
    let mut words = [0; 9];
    for (i, row) in cells.as_chunks::<9>().0.iter().enumerate() {
        rows[i][..9].copy_from_slice(row);
        words[i] = u64::from_le_bytes(*row.first_chunk().expect("a row has eight cells"));
        columns[8][i] = row[8];
    }
    for (column, byte) in columns.iter_mut().zip(words[8].to_le_bytes()) {
        column[8] = byte;
    }
    // Transposes eight by eight bytes: exchanges blocks of one byte, of two by two, and of four by four.
    for (step, mask) in [(1, 0x00ff_00ff_00ff_00ff), (2, 0x0000_ffff_0000_ffff), (4, 0x0000_0000_ffff_ffff)] {
        for i in (0..8).filter(|i| i & step == 0) {
            let differing = (words[i] >> (8 * step) ^ words[i + step]) & mask;
            words[i + step] ^= differing;
            words[i] ^= differing << (8 * step);
        }
    }
    for (column, word) in columns.iter_mut().zip(&words[..8]) {
        column[..8].copy_from_slice(&word.to_le_bytes());
    }
}

/// The place of each digit in each line; 15 for a digit that is not there, and for the other bytes.
#[inline(always)]
pub fn fill_places(cells: &[u8; CELLS], places: &mut [Places; 18]) {
    *places = [[15; 16]; 18];
    let (rows, columns) = places.split_at_mut(9);
    for (r, cells) in cells.as_chunks::<9>().0.iter().enumerate() {
        for (c, &digit) in cells.iter().enumerate() {
            rows[r][digit as usize & 15] = c as u8;
            columns[c][digit as usize & 15] = r as u8;
        }
    }
}
