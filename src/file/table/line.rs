//! Stage 4, rows: the text of a record that is not a puzzle, as a line of a format without quotes.

use std::borrow::Cow;

use crate::file::bytes::{CTRL_Z, is_record, skip_byte_order_mark};
use crate::file::record::{has_possible_puzzle, long_runs, reads_as_puzzle};
use crate::grid::{CELLS, is_cell, parse_candidates};

/// Takes the place of a record that is not a puzzle in formats without text. Its digits clash, so that it is invalid too.
pub const NOT_PUZZLE: [u8; CELLS] = [b'1'; CELLS];

/// The text of a record that is not a puzzle, for a field. If it alone would be read as one, its first cell is escaped: it is the
/// solution of another field, or in a notation that the input does not allow.
#[cold]
pub fn not_puzzle_field(text: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let content = skip_byte_order_mark(&text).trim_ascii();
    if !reads_as_puzzle(content) && parse_candidates(content).is_err() {
        return text;
    }
    let first = text.iter().position(|&byte| is_cell(byte)).unwrap_or(0);
    let mut escaped = text[..first].to_vec();
    push_hex(&mut escaped, text[first]);
    escaped.extend_from_slice(&text[first + 1..]);
    Cow::Owned(escaped)
}

/// Appends the text of a record that is not a puzzle as a line that is read as a record, but not as a puzzle.
///
/// Bytes that have a meaning between fields or lines are escaped as in messages (`\n`, `\x20`) in a text that could be taken
/// for several records, for a puzzle, or for no record, such as a comment or a blank line. In the first line of an output they are
/// escaped in every text, and so is its first byte, unless it resembles a puzzle: that line must not be a header, a count or the start of
/// a document.
#[cold]
pub fn push_not_puzzle(text: &mut Vec<u8>, record: &[u8], is_first: bool) {
    let record = &*not_puzzle_field(Cow::Borrowed(record));
    let escapes_first = !is_record(record) || (is_first && may_be_start(record));
    let has_special = record.iter().any(|byte| matches!(byte, b'\n' | b'\r' | b'"'));
    if record.is_empty() {
        text.extend_from_slice(b"\"\"");
    } else if escapes_first || has_special || long_runs(record).next().is_some() {
        for (k, &byte) in record.iter().enumerate() {
            match byte {
                b'\n' | b'\r' | b'\t' => text.extend(byte.escape_ascii()),
                b' ' | b',' | b';' | b'|' | b':' | b'\'' | b'"' | CTRL_Z => push_hex(text, byte),
                _ if k == 0 && escapes_first => push_hex(text, byte),
                _ => text.push(byte),
            }
        }
    } else {
        text.extend_from_slice(record);
    }
    text.push(b'\n');
}

/// Whether a first line that is not a puzzle could be a header, a count or the start of a document.
pub fn may_be_start(line: &[u8]) -> bool {
    !(line.first().is_some_and(|&byte| byte == b'\\' || is_cell(byte)) && has_possible_puzzle(line))
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
                    "[1-9.]{729}",
                    "[._*-]{81}|[.0]{729}",
                    "[#\"',;:|^~& \t\r\n\\\\\u{1a}\u{feff}]",
                    "[a-z0-9]{0,5}",
                    "[])}(;]|\\([0-9] rows\\)",
                    any::<String>(),
                ],
                0..6,
            ),
            is_first: bool,
        ) {
            let record = parts.concat();
            for layout in [Layout::lines().clone(), Layout::pencilmarks()] {
                let (mut records, mut text) = (Records::default(), Vec::new());
                push_not_puzzle(&mut text, record.as_bytes(), is_first);
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
            ("\u{1a} a", "\u{1a} a"),
            ("\u{1a} ", "\\x1a\\x20"),
            (" ];", "\\x20]\\x3b"),
            ("(3 rows)", "\\x283\\x20rows)"),
            ("# #", "\\x23\\x20#"),
            ("a\r\nb c", "a\\r\\nb\\x20c"),
            ("\"a", "\\x22a"),
            (&format!("{puzzle} x"), &format!("{puzzle}\\x20x")),
            (&puzzle[1..], &puzzle[1..]),
            (&format!("{},", ".".repeat(729)), &format!("{}\\x2c", ".".repeat(729))),
        ] {
            let mut text = Vec::new();
            push_not_puzzle(&mut text, record.as_bytes(), false);
            assert_eq!(String::from_utf8(text).unwrap(), format!("{line}\n"));
        }
    }

    #[test]
    fn what_would_be_a_puzzle_or_a_header_is_escaped() {
        let (puzzle, short) = ("1".repeat(81), "1.".repeat(40));
        let list = format!("[{}]", ["2"; 81].join(", "));
        for (record, first, other) in [
            (&*puzzle, format!("\\x31{}", &puzzle[1..]), format!("\\x31{}", &puzzle[1..])),
            (
                &list,
                format!("\\x5b\\x32{}", &list[2..].replace(", ", "\\x2c\\x20")),
                format!("[\\x32{}", &list[2..]),
            ),
            (&short, short.clone(), short.clone()),
            ("Title", "\\x54itle".to_owned(), "Title".to_owned()),
            ("12", "\\x312".to_owned(), "12".to_owned()),
            ("{a, b}", "\\x7ba\\x2c\\x20b}".to_owned(), "{a, b}".to_owned()),
        ] {
            for (is_first, line) in [(true, first), (false, other)] {
                let mut text = Vec::new();
                push_not_puzzle(&mut text, record.as_bytes(), is_first);
                assert_eq!(String::from_utf8(text).unwrap(), format!("{line}\n"));
            }
        }
    }
}
