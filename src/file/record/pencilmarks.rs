//! Stage 2, records: recognition of pencilmarks, 729 characters with nine for each of the 81 cells in reading order.
//!
//! The 729 characters are a field of a row, so `rows.rs` does the rest. [`Candidates`](crate::Candidates) documents the
//! characters.

use crate::file::bytes::is_delimiter;
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Pencilmarks whose first `candidates` marks are digits, repeated up to this length.
    fn marks(candidates: usize, length: usize) -> Vec<u8> {
        let mark = |(at, &digit): (usize, &u8)| if at < candidates { digit } else { b'.' };
        MARK_DIGITS.iter().cycle().take(length).enumerate().map(mark).collect()
    }

    #[test]
    fn probable_pencilmarks() {
        for (field, is_expected) in [
            (marks(MARKS, MARKS), true),
            (marks(MARKS, MARKS * 3 / 4), true),
            (marks(MARKS, MARKS * 3 / 4 - 1), false),
            (marks(MARKS, MARKS * 5 / 4 - 1), true),
            (marks(MARKS, MARKS * 5 / 4), false),
            // Few candidates, and a row of blanks.
            (marks(CELLS / 2, MARKS), true),
            (marks(CELLS / 2 - 1, MARKS), false),
            (marks(0, MARKS), false),
            // Marks in wrong places: half of them may be.
            ([marks(365, 365), vec![b'x'; 365]].concat(), true),
            ([marks(365, 365), vec![b'x'; 366]].concat(), false),
        ] {
            let text = String::from_utf8_lossy(&field);
            assert_eq!(looks_like(&field), is_expected, "{}: {text}", field.len());
        }
    }
}
