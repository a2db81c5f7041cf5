//! Puzzles in pencilmarks: nine characters for each of the 81 cells in reading order.
//!
//! Character `d` of a cell is the digit `d` where it is a candidate, and `.` or `0` where it is none. So the
//! cells stand in 729 characters, which are a field of their line as the 81 of a [`Puzzle`](crate::grid::Puzzle) are
//! in a table: what is written in `rows.rs` holds for them.

use super::is_delimiter;
use crate::grid::{CELLS, Candidates, Invalid};

/// Characters of a puzzle.
const MARKS: usize = 9 * CELLS;

/// What stands for a candidate in each place.
const DIGITS: [u8; MARKS] = {
    let mut digits = [0; MARKS];
    let mut at = 0;
    while at < MARKS {
        digits[at] = b'1' + (at % 9) as u8;
        at += 1;
    }
    digits
};

/// Reads a field.
pub(super) fn parse(field: &[u8]) -> Result<Candidates, Invalid> {
    if let Ok(marks) = field.try_into()
        && let Some(candidates) = convert(marks)
    {
        return Ok(candidates);
    }
    let misfit = (1..).zip(field.iter().zip(&DIGITS)).find(|(_, (byte, digit))| !fits(**byte, **digit));
    Err(match misfit {
        Some((column, (&byte, digit))) => Invalid::BadPencilmark { column, byte, digit: digit - b'0' },
        None => Invalid::PencilmarkCount { marks: field.len() as u32 },
    })
}

/// Whether it may be meant for pencilmarks, give or take some mistakes.
pub(super) fn is_like(field: &[u8]) -> bool {
    if !(MARKS * 3 / 4..MARKS * 5 / 4).contains(&field.len()) || field.iter().any(|&byte| is_delimiter(byte))
    {
        return false;
    }
    let places = || field.iter().zip(DIGITS.iter().cycle());
    let fitting = places().filter(|(byte, digit)| fits(**byte, **digit)).count();
    let candidates = places().filter(|(byte, digit)| byte == digit).count();
    // What goes wrong half-way may be out of step from there. A row of blanks is none, nor are two solutions.
    candidates >= CELLS / 2 && fitting * 2 >= field.len()
}

#[inline(always)]
fn fits(byte: u8, digit: u8) -> bool {
    (byte == digit) | (byte == b'.') | (byte == b'0')
}

fn convert(marks: &[u8; MARKS]) -> Option<Candidates> {
    if !marks.iter().zip(&DIGITS).fold(true, |all, (&byte, &digit)| all & fits(byte, digit)) {
        return None;
    }
    let (all, _) = marks.as_chunks::<9>();
    let mut cells = [0; CELLS];
    for (cell, marks) in cells.iter_mut().zip(all) {
        let (eight, ninth) = marks.split_first_chunk().expect("nine are more than eight");
        // What fits is a candidate if it is above '0': then this carries into the top bit of its byte. The factor
        // brings those of all bytes into the topmost byte, side by side.
        let carries = u64::from_le_bytes(*eight) + u64::from_le_bytes([0x7f - b'0'; 8]);
        let set = (carries >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        *cell = set as u16 | u16::from(ninth[0] > b'0') << 8;
    }
    Candidates::from_cells(cells)
}
