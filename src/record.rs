//! Stage 2, records: one line <-> one puzzle. Every syntax rule is here.

use crate::grid::{CELLS, Invalid, Puzzle};

/// What stands for no cell in [`CELL_OF_BYTE`].
const BAD: u8 = 0xff;

/// The cell that a byte stands for.
const CELL_OF_BYTE: [u8; 256] = {
    let mut table = [BAD; 256];
    let blanks = b".0-_*?xX";
    let mut i = 0;
    while i < blanks.len() {
        table[blanks[i] as usize] = 0;
        i += 1;
    }
    let mut digit = 1;
    while digit <= 9 {
        table[b'0' as usize + digit] = digit as u8;
        digit += 1;
    }
    table
};

/// Reads one record: 81 cells and nothing else.
pub fn parse(line: &[u8]) -> Result<Puzzle, Invalid> {
    if line.len() < CELLS {
        return Err(Invalid::TooShort { cells: line.len() as u32 });
    }
    if line.len() > CELLS {
        return Err(Invalid::TooLong);
    }
    let mut cells = [0; CELLS];
    for (cell, &byte) in cells.iter_mut().zip(line) {
        *cell = CELL_OF_BYTE[byte as usize];
    }
    let bad = |column| Invalid::BadCharacter { column: column as u32 + 1, byte: line[column] };
    Puzzle::from_cells(cells).ok_or_else(|| bad(cells.iter().position(|&cell| cell == BAD).unwrap_or(0)))
}
