//! Stage 2, records: one line <-> one puzzle. Every syntax rule is here.

use crate::grid::{CELLS, Invalid, Puzzle};

/// Reads one record.
pub fn parse(line: &[u8]) -> Result<Puzzle, Invalid> {
    let mut cells = [0; CELLS];
    if line.len() < CELLS {
        return Err(Invalid::TooShort { cells: line.len() as u32 });
    }
    if line.len() > CELLS {
        return Err(Invalid::TooLong);
    }
    for (i, (cell, &byte)) in cells.iter_mut().zip(line).enumerate() {
        *cell = match byte {
            b'1'..=b'9' => byte - b'0',
            b'.' | b'0' | b'-' | b'_' | b'*' | b'?' | b'x' | b'X' => 0,
            _ => return Err(Invalid::BadCharacter { column: i as u32 + 1, byte }),
        };
    }
    Ok(Puzzle::from_cells(cells).expect("digits are 0 to 9"))
}
