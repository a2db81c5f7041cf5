//! Stage 4, rows: the text of a record that is not a puzzle, as a line of a format without quotes.

use crate::file::record::{has_possible_puzzle, is_record};
use crate::grid::CELLS;

/// Takes the place of a record that is not a puzzle in formats without text. Its digits clash, so that it is invalid too.
pub const NOT_PUZZLE: [u8; CELLS] = [b'1'; CELLS];

/// Appends the text of a record that is not a puzzle as a line that is read as a record, but not as a puzzle.
///
/// Bytes that have a meaning between fields or lines are escaped as in messages (`\n`, `\x20`) in a text that could be taken
/// for several records, for a puzzle, for a comment or for a blank line.
#[cold]
pub fn push_not_puzzle(text: &mut Vec<u8>, record: &[u8]) {
    let has_special = record.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'"'));
    if record.is_empty() {
        text.extend_from_slice(b"\"\"");
    } else if has_special || !is_record(record) || has_possible_puzzle(record) {
        for (k, &byte) in record.iter().enumerate() {
            match byte {
                b'\n' | b'\r' | b'\t' => text.extend(byte.escape_ascii()),
                b' ' | b',' | b';' | b'|' | b':' | b'\'' | b'"' => push_hex(text, byte),
                b'#' if k == 0 => push_hex(text, byte),
                _ => text.push(byte),
            }
        }
    } else {
        text.extend_from_slice(record);
    }
    text.push(b'\n');
}

fn push_hex(text: &mut Vec<u8>, byte: u8) {
    text.extend_from_slice(format!("\\x{byte:02x}").as_bytes());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::file::record::{Layout, Records};
    use crate::simd::SimdLevel;

    proptest! {
        #[test]
        fn a_record_that_is_not_a_puzzle_stays_one(
            parts in prop::collection::vec(
                prop_oneof![
                    "[1-9.]{81}",
                    "([1-9]|\\.){729}",
                    "[#\"',;:| \t\r\n\\\\]",
                    "[a-z0-9]{0,5}",
                    any::<String>(),
                ],
                0..6,
            ),
        ) {
            let record = parts.concat();
            for layout in [Layout::lines().clone(), Layout::pencilmarks()] {
                let mut records = Records::default();
                records.read_as(&layout, record.as_bytes(), SimdLevel::detect());
                if record.trim().len() == record.len() && record.lines().count() == 1 && records.len() == 1 && records.is_puzzle(0) {
                    continue;
                }
                let mut text = Vec::new();
                push_not_puzzle(&mut text, record.as_bytes());
                records.read_as(&layout, &text, SimdLevel::detect());
                let text = String::from_utf8_lossy(&text);
                prop_assert_eq!((records.len(), records.lines()), (1, 1), "{}", text);
                prop_assert!(!records.is_puzzle(0), "{}", text);
            }
        }
    }

    #[test]
    fn only_what_has_a_meaning_is_escaped() {
        let puzzle = "1".repeat(81);
        for (record, line) in [
            ("a, b; c", "a, b; c"),
            ("", "\"\""),
            (" \t", "\\x20\\t"),
            ("# #", "\\x23\\x20#"),
            ("a\r\nb c", "a\\r\\nb\\x20c"),
            ("\"a", "\\x22a"),
            (&format!("{puzzle} x"), &format!("{puzzle}\\x20x")),
            (&puzzle[1..], &puzzle[1..]),
        ] {
            let mut text = Vec::new();
            push_not_puzzle(&mut text, record.as_bytes());
            assert_eq!(String::from_utf8(text).unwrap(), format!("{line}\n"));
        }
    }
}
