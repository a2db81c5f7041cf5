//! Stage 2, records: the ends of the rows of a table, whose quoted fields may contain line breaks.
//!
//! * A line that starts with `#` is a comment, whatever quotes it has. Quotes have no meaning if spaces separate the fields.
//! * A line with an even number of quotes is a row.
//! * A line with an odd number of quotes, and the following lines up to the next one with an odd number, are one row if
//!   they are well-formed together and have at most [`MAX_JOINED`] bytes. Well-formed: quotes surround whole fields, and
//!   those within a field are doubled.
//! * Otherwise the line with the odd number is a row by itself. A quote in it is not closed, or does not start a field.
//!
//! These rules give the rows of RFC 4180 for every table that follows it. A stray quote affects no other line than its
//! own, unless the lines up to the next odd one are well-formed by accident.
//!
//! The number of quotes of a line decides whether it is examined further, and the search for the end of a row stops at the
//! next odd line, so the rules take linear time for any text.

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use crate::simd;

/// The maximal size in bytes of a row of several lines.
pub const MAX_JOINED: usize = 1 << 20;

/// The length of the row (without its last line feed) at the start of `text`.
pub fn row_length(text: &[u8], delimiter: u8) -> usize {
    let (line, is_odd) = line_length(text, delimiter);
    match is_odd.then(|| join(text, line, delimiter)) {
        Some(Join::Row(length)) => length,
        _ => line,
    }
}

/// The end of the first row that ends at or after `size`; the end of `text` if there is none.
pub fn first_end(text: &[u8], size: usize, delimiter: u8) -> usize {
    let tail = text.get(size - 1..).unwrap_or_default();
    let end = memchr(b'\n', tail).map_or(text.len(), |length| size + length);
    // The fast path for files without quotes.
    let Some(mut at) = first_quoted_line(&text[..end], delimiter) else { return end };
    loop {
        at += even_lines(&text[at..end]);
        if at == end {
            return end;
        }
        at += row_length(&text[at..], delimiter) + 1;
        if at >= size.min(text.len()) {
            return at.min(text.len());
        }
    }
}

/// The end of the last row that is complete whatever follows `text`.
pub fn last_boundary(text: &[u8], delimiter: u8) -> Option<usize> {
    let lines = &text[..memrchr(b'\n', text)? + 1];
    let Some(mut at) = first_quoted_line(lines, delimiter) else { return Some(lines.len()) };
    loop {
        at += even_lines(&lines[at..]);
        if at >= lines.len() {
            return Some(lines.len());
        }
        let (line, is_odd) = line_length(&lines[at..], delimiter);
        let length = match is_odd.then(|| join(&lines[at..], line, delimiter)) {
            Some(Join::Row(length)) => length,
            // A row that ended later would be too long, unless fewer bytes follow than it may have.
            Some(Join::NoEnd) if text.len() - at <= MAX_JOINED => return (at > 0).then_some(at),
            _ => line,
        };
        at += length + 1;
    }
}

/// The length of the lines at the start of `text` that have an even number of quotes each: they are rows, or comments.
/// The last line need not end with a line feed.
///
/// The number of quotes before a byte is even or odd; a line feed after an odd number ends the first odd line. 64 bytes
/// are examined at a time: the prefix sums modulo 2 of their quotes are an exclusive or of shifted masks.
fn even_lines(text: &[u8]) -> usize {
    let (chunks, rest) = text.as_chunks::<64>();
    let mut last = [0; 64];
    last[..rest.len()].copy_from_slice(rest);
    // All ones if the number of quotes before the chunk is odd.
    let mut carry = 0;
    for (k, chunk) in chunks.iter().chain([&last]).enumerate() {
        let mut odd = simd::equal_bytes(chunk, b'"');
        if odd | carry == 0 {
            continue;
        }
        for shift in [1, 2, 4, 8, 16, 32] {
            odd ^= odd << shift;
        }
        odd ^= carry;
        carry = ((odd as i64) >> 63) as u64;
        let ends = odd & simd::equal_bytes(chunk, b'\n');
        if ends != 0 {
            let end = 64 * k + ends.trailing_zeros() as usize;
            return memrchr(b'\n', &text[..end]).map_or(0, |at| at + 1);
        }
    }
    if carry == 0 { text.len() } else { memrchr(b'\n', text).map_or(0, |at| at + 1) }
}

/// The start of the first line with a quote that has a meaning.
fn first_quoted_line(text: &[u8], delimiter: u8) -> Option<usize> {
    if delimiter == b' ' {
        return None;
    }
    let quote = memchr(b'"', text)?;
    Some(memrchr(b'\n', &text[..quote]).map_or(0, |at| at + 1))
}

/// The length of the line at the start of `text`, and whether it has an odd number of quotes that have a meaning.
#[inline]
fn line_length(text: &[u8], delimiter: u8) -> (usize, bool) {
    let length = memchr(b'\n', text).unwrap_or(text.len());
    let has_quotes = delimiter != b' ' && text.first() != Some(&b'#');
    (length, has_quotes && memchr_iter(b'"', &text[..length]).count() % 2 == 1)
}

/// Whether a line with an odd number of quotes starts a row of several lines.
enum Join {
    /// The length of the row.
    Row(usize),
    /// The lines up to the next one with an odd number of quotes are not well-formed.
    Malformed,
    /// There is no other such line, or it is too far away.
    NoEnd,
}

/// Examines a row whose first line has this length and an odd number of quotes.
#[cold]
fn join(text: &[u8], line: usize, delimiter: u8) -> Join {
    // One byte more, so that the line feed after the longest row is found.
    let text = &text[..text.len().min(MAX_JOINED + 1)];
    let mut at = line;
    // The first line alone may be too long.
    while let Some(length) = text.get(at..).and_then(|rest| memchr(b'"', rest)) {
        at += length;
        let end = memchr(b'\n', &text[at..]).map_or(text.len(), |length| at + length);
        if end > MAX_JOINED {
            break;
        }
        if memchr_iter(b'"', &text[at..end]).count() % 2 == 1 {
            return if is_well_formed(&text[..end], delimiter) { Join::Row(end) } else { Join::Malformed };
        }
        at = end;
    }
    Join::NoEnd
}

/// Whether quotes in a row surround whole fields, and those within a field are doubled.
pub fn is_well_formed(row: &[u8], delimiter: u8) -> bool {
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    let mut at = 0;
    loop {
        let end = if row.get(at) == Some(&b'"') {
            match end_of_quotes(row, at) {
                Some(end) => end,
                None => return false,
            }
        } else {
            memchr2(delimiter, b'"', &row[at..]).map_or(row.len(), |length| at + length)
        };
        match row.get(end) {
            None => return true,
            Some(&byte) if byte == delimiter => at = end + 1,
            Some(_) => return false,
        }
    }
}

/// The offset after the closing quote of the quoted field at `at`.
pub fn end_of_quotes(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    loop {
        end += memchr(b'"', &text[end..])? + 1;
        if text.get(end) != Some(&b'"') {
            return Some(end);
        }
        end += 1;
    }
}

/// The same if the quote is closed in the line of the field.
pub fn end_in_line(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at + 1;
    loop {
        end += memchr2(b'"', b'\n', &text[end..])? + 1;
        match (text[end - 1], text.get(end)) {
            (b'\n', _) => return None,
            (_, Some(b'"')) => end += 1,
            _ => return Some(end),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The ends of all rows, including their line feeds.
    fn ends(text: &[u8], delimiter: u8) -> Vec<usize> {
        let mut ends = Vec::new();
        let mut at = 0;
        while at < text.len() {
            at = (at + row_length(&text[at..], delimiter) + 1).min(text.len());
            ends.push(at);
        }
        ends
    }

    #[test]
    fn a_line_that_is_longer_than_any_row_is_a_row() {
        for length in [MAX_JOINED, MAX_JOINED + 1, MAX_JOINED + 2, 2 * MAX_JOINED] {
            let text = [&b"\""[..], &vec![b'1'; length - 1], b"\n\"a\nb\"\n"].concat();
            assert_eq!(ends(&text, b','), [length + 1, length + 7], "{length}");
            assert_eq!(first_end(&text, 1, b','), length + 1);
            assert_eq!(last_boundary(&text, b','), Some(length + 7));
        }
    }

    /// The last line feed of the row may follow, so the row must not be divided before it.
    #[test]
    fn a_row_of_the_greatest_length_is_not_divided() {
        let row = [b"\"", "a\n".repeat(MAX_JOINED / 2 - 1).as_bytes(), b"\""].concat();
        assert_eq!(row.len(), MAX_JOINED);
        let text = [b"first\n", &*row, b"\nlast\n"].concat();
        assert_eq!(row_length(&text[6..], b','), MAX_JOINED);
        for length in [100, MAX_JOINED - 1, MAX_JOINED] {
            assert_eq!(last_boundary(&text[..6 + length], b','), Some(6), "{length}");
        }
        assert_eq!(last_boundary(&text[..6 + MAX_JOINED + 1], b','), Some(6 + MAX_JOINED + 1));
    }

    #[test]
    fn rows_of_one_and_of_several_lines() {
        let cases: [(&str, &[usize]); 9] = [
            ("a,b\nc\n", &[4, 6]),
            ("\"a\nb\"\nc", &[6, 7]),
            ("a,\"\n\",\"\r\n\"\r\nc\n", &[12, 14]),
            // Not closed, closed before other text, and quotes within fields.
            ("\"a\nb\nc", &[3, 5, 6]),
            ("\"a\n\"b\nc\"\n", &[3, 9]),
            ("5\" a\n6\" b\n", &[5, 10]),
            // A comment, doubled quotes, and a row that ends with the text.
            ("# \"\n\"\n\"\n", &[4, 8]),
            ("\"\"\"\n\"\"\"\n\"\"\n", &[8, 11]),
            ("a\n\"\n\"", &[2, 5]),
        ];
        for (text, expected) in cases {
            assert_eq!(ends(text.as_bytes(), b','), expected, "{text:?}");
        }
        assert_eq!(ends(b"\"\n\"\n", b' '), [2, 4]);
    }

    proptest! {
        #[test]
        fn lines_with_an_even_number_of_quotes(text in "([ab,\n]|\"\"|\n){0,90}\"?[ab\n\"]{0,40}") {
            let text = text.as_bytes();
            let mut expected = 0;
            for line in text.split_inclusive(|&byte| byte == b'\n') {
                if line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1 {
                    break;
                }
                expected += line.len();
            }
            prop_assert_eq!(even_lines(text), expected);
        }

        #[test]
        fn batches_end_between_rows(
            text in "[ab,;\"\"\"\n\n\r#]{0,60}",
            size in 1..60usize,
            at in any::<prop::sample::Index>(),
            delimiter in prop::sample::select(&b",; "[..]),
        ) {
            let text = text.as_bytes();
            let ends = ends(text, delimiter);
            let first = ends.iter().copied().find(|end| *end >= size).unwrap_or(text.len());
            prop_assert_eq!(first_end(text, size, delimiter), first);
            // Whatever follows.
            let head = &text[..at.index(text.len() + 1)];
            if let Some(end) = last_boundary(head, delimiter) {
                prop_assert!(ends.contains(&end) && head[end - 1] == b'\n');
            }
            // Rows of a batch are found without the text after it.
            for &end in &ends {
                let before: Vec<_> = ends.iter().copied().filter(|other| *other <= end).collect();
                prop_assert_eq!(self::ends(&text[..end], delimiter), before);
            }
        }
    }
}
