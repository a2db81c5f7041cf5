//! Stage 2, records: recognition of pencilmarks, 729 characters with nine for each of the 81 cells in reading order.
//!
//! The 729 characters are a field of a row, so `rows.rs` does the rest. [`Candidates`](crate::Candidates) documents the
//! characters.

use super::is_delimiter;
use crate::grid::{CELLS, MARK_DIGITS, MARKS, fits};

/// Whether a field is probably meant as pencilmarks, possibly with errors.
pub(super) fn looks_like(field: &[u8]) -> bool {
    if !(MARKS * 3 / 4..MARKS * 5 / 4).contains(&field.len()) || field.iter().any(|&byte| is_delimiter(byte))
    {
        return false;
    }
    let places = || field.iter().zip(MARK_DIGITS.iter().cycle());
    let fitting = places().filter(|(byte, digit)| fits(**byte, **digit)).count();
    let candidates = places().filter(|(byte, digit)| byte == digit).count();
    // After a missing or inserted character the rest is shifted, so half of the marks is enough. The number of candidates
    // excludes a row of blanks and two solutions side by side.
    candidates >= CELLS / 2 && fitting * 2 >= field.len()
}
