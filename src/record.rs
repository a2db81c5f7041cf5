//! Stage 2, records: one line <-> one puzzle. Every syntax rule is here.

use crate::grid::{Invalid, Puzzle};

/// Reads one record.
pub fn parse(_line: &[u8]) -> Result<Puzzle, Invalid> {
    todo!()
}
