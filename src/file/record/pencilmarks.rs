//! Recognition of puzzles in pencilmarks: 729 characters, nine for each of the 81 cells in reading order.
//!
//! The 729 characters are a field of a row, as the 81 cells of a plain puzzle are in a table, so that everything else
//! is in `rows.rs`. [`Candidates`](crate::Candidates) documents the characters.

use super::is_delimiter;
use crate::grid::{CELLS, MARK_DIGITS, MARKS, fits};

/// Whether a field is probably meant as pencilmarks, possibly with some errors.
pub(super) fn is_like(field: &[u8]) -> bool {
    if !(MARKS * 3 / 4..MARKS * 5 / 4).contains(&field.len()) || field.iter().any(|&byte| is_delimiter(byte))
    {
        return false;
    }
    let places = || field.iter().zip(MARK_DIGITS.iter().cycle());
    let fitting = places().filter(|(byte, digit)| fits(**byte, **digit)).count();
    let candidates = places().filter(|(byte, digit)| byte == digit).count();
    // After an inserted or missing character the rest is out of step, so half is enough. The number of candidates
    // excludes a row of blanks and two solutions side by side.
    candidates >= CELLS / 2 && fitting * 2 >= field.len()
}
