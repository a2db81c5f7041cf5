//! Stage 2, records: puzzles in tables (CSV and similar formats).
//!
//! * Fields are separated by one delimiter, or by any number of spaces.
//! * A field that starts with `"` ends with the next `"` that is not doubled. A row ends with its line in any case: a
//!   quoted line feed makes the row invalid ([`PuzzleError::OpenQuote`]), because threads start reading in the middle of
//!   the file.
//! * The puzzle must be the complete content of its field, with or without quotes. Later fields are not examined.
//!
//! The same holds for puzzles in pencilmarks, see `pencilmarks.rs`.
//!
//! The puzzle is found by scanning the fields before it. Cells contain no quotes, so they are read in place.

use std::borrow::Cow;
use std::cell::RefCell;

use memchr::{memchr, memchr2};

use super::LineFormat;
use super::cells::read_plain;
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, is_cell, parse_candidates, parse_line};
use crate::simd::Simd;

/// The columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The byte between fields.
    pub(crate) delimiter: u8,
    /// Index of the column of puzzles.
    pub(crate) puzzle: usize,
    /// Whether the puzzles are pencilmarks.
    pub(crate) pencilmarks: bool,
    /// Index of the column of solutions, if there is one.
    pub(crate) solution: Option<usize>,
    /// Column names; numbers from 1 without a header.
    pub(crate) names: Vec<String>,
    /// The header line without its line end.
    pub(crate) header: Option<Vec<u8>>,
}

impl Rows {
    /// Replaces `values` by the unquoted values of the fields of a row (without line feed), up to the first field with an
    /// open quote.
    pub(crate) fn values<'t>(&self, row: &'t [u8], values: &mut Vec<Cow<'t, str>>) {
        values.clear();
        let whole = row;
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let has_quotes = memchr(b'"', row).is_some();
        // A row without quotes is validated as UTF-8 once instead of once per field.
        let plain = if has_quotes { None } else { str::from_utf8(row).ok() };
        let mut start = first_start(row, self.delimiter);
        while let Ok(end) = end_of(row, start, self.delimiter) {
            values.push(match plain.and_then(|row| row.get(start..end)) {
                Some(text) => Cow::Borrowed(text),
                None => String::from_utf8_lossy(self.unquoted(&row[start..end]).1),
            });
            if end == row.len() {
                break;
            }
            start = next_start(row, end, self.delimiter);
        }
        // Doubled quotes within a field are rare.
        let holds_quotes = |text: &Cow<str>| text.contains('"');
        if has_quotes && values.iter().any(holds_quotes) {
            let fields = split(whole, self.delimiter);
            for (value, field) in values.iter_mut().zip(fields).filter(|(value, _)| holds_quotes(value)) {
                *value = Cow::Owned(String::from_utf8_lossy(&field).into_owned());
            }
        }
    }

    /// The pencilmarks of a row without its line feed.
    pub(super) fn candidates(&self, row: &[u8]) -> Result<Candidates, PuzzleError> {
        let (start, field) = self.field(row, self.puzzle)?;
        parse_candidates(field).map_err(|invalid| invalid.moved(start))
    }

    /// A field without surrounding quotes, and its offset in the row.
    pub(super) fn field<'t>(&self, row: &'t [u8], index: usize) -> Result<(usize, &'t [u8]), PuzzleError> {
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let start = start_of(row, self.delimiter, index)?;
        let end = end_of(row, start, self.delimiter)?;
        let (quote, field) = self.unquoted(&row[start..end]);
        Ok((start + quote, field))
    }

    /// Removes surrounding quotes. Returns the number of bytes removed at the start, and the rest.
    fn unquoted<'t>(&self, field: &'t [u8]) -> (usize, &'t [u8]) {
        match field {
            [b'"', inner @ .., b'"'] if self.delimiter != b' ' => (1, inner),
            plain => (0, plain),
        }
    }
}

impl LineFormat for Rows {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        if text[0] == b'#' {
            return None;
        }
        let mut start = start_of(text, self.delimiter, self.puzzle).ok()?;
        let is_quoted = text.get(start) == Some(&b'"');
        start += usize::from(is_quoted);
        let end = if is_quoted { b'"' } else { self.delimiter };
        let next = read_plain(s, &text[start..], puzzle, |byte| byte == end)?;
        if is_quoted {
            let ends = |byte: &u8| *byte == self.delimiter || matches!(byte, b'\r' | b'\n');
            let is_closed = text[start + CELLS] == b'"' && text.get(start + CELLS + 1).is_some_and(ends);
            return is_closed.then_some(start + next);
        }
        Some(start + next)
    }

    fn parse(&self, row: &[u8]) -> Result<Puzzle, PuzzleError> {
        let (start, field) = self.field(row, self.puzzle)?;
        let read = parse_line(field);
        if field.len() == CELLS && read.is_ok() {
            return read;
        }
        // Outside tables a separator ends the record; here it is a bad character of the field.
        let invalid = match field.iter().position(|&byte| !is_cell(byte)) {
            Some(at) if at < CELLS => PuzzleError::BadCharacter { column: at as u32 + 1, byte: field[at] },
            _ => read.err().unwrap_or(PuzzleError::TooLong),
        };
        Err(invalid.moved(start))
    }
}

/// The offset of field `index` of the row at the start of `text`.
#[inline(always)]
fn start_of(text: &[u8], delimiter: u8, index: usize) -> Result<usize, PuzzleError> {
    let mut at = first_start(text, delimiter);
    for fields in 1..=index {
        at = end_of(text, at, delimiter)?;
        if text.get(at) != Some(&delimiter) {
            return Err(PuzzleError::MissingField {
                field: to_u32(index.saturating_add(1)),
                fields: to_u32(fields),
            });
        }
        at = next_start(text, at, delimiter);
    }
    Ok(at)
}

/// The offset of the first field of a row.
#[inline(always)]
fn first_start(text: &[u8], delimiter: u8) -> usize {
    if delimiter == b' ' { spaces(text) } else { 0 }
}

/// The offset of the field after the delimiter at `end`.
#[inline(always)]
fn next_start(text: &[u8], end: usize, delimiter: u8) -> usize {
    end + if delimiter == b' ' { spaces(&text[end..]) } else { 1 }
}

/// The end of the field at `at`: the offset of its delimiter or of the line end.
#[inline(always)]
fn end_of(text: &[u8], mut at: usize, delimiter: u8) -> Result<usize, PuzzleError> {
    if text.get(at) == Some(&b'"') && delimiter != b' ' {
        at = end_of_quotes(text, at)?;
    }
    Ok(memchr2(delimiter, b'\n', &text[at..]).map_or(text.len(), |length| at + length))
}

/// The offset after the closing quote of the quoted field at `at`.
#[cold]
fn end_of_quotes(text: &[u8], at: usize) -> Result<usize, PuzzleError> {
    let mut end = at + 1;
    loop {
        match memchr2(b'"', b'\n', &text[end..]) {
            Some(length) if text[end + length] == b'"' => end += length + 1,
            _ => return Err(PuzzleError::OpenQuote { column: to_u32(at.saturating_add(1)) }),
        }
        if text.get(end) != Some(&b'"') {
            return Ok(end);
        }
        end += 1;
    }
}

/// Converts a number for an error message.
fn to_u32(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}

/// The unquoted values of the fields of a row (without line feed).
pub(crate) fn split(row: &[u8], delimiter: u8) -> Vec<Vec<u8>> {
    let row = row.strip_suffix(b"\r").unwrap_or(row);
    if delimiter == b' ' {
        let words = row.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
        return words.map(<[u8]>::to_vec).collect();
    }
    if memchr(b'"', row).is_none() {
        return row.split(|&byte| byte == delimiter).map(<[u8]>::to_vec).collect();
    }
    with_reader(delimiter, |reader| {
        // Unquoting makes a row no longer; each field but the first has a delimiter.
        let (mut bytes, mut ends) = (vec![0; row.len() + 1], vec![0; row.len() + 2]);
        let (_, read, written, fields) = reader.read_record(row, &mut bytes, &mut ends);
        let (_, _, more, last) = reader.read_record(&row[read..], &mut bytes[written..], &mut ends[fields..]);
        bytes.truncate(written + more);
        let mut start = 0;
        let field = |&end: &usize| bytes[std::mem::replace(&mut start, end)..end].to_vec();
        ends[..fields + last].iter().map(field).collect()
    })
}

/// Calls `read` with a cached CSV reader, because building one takes 20 us. (Clones of a reader do not work in csv-core
/// 0.1.13.)
fn with_reader<T>(delimiter: u8, read: impl FnOnce(&mut csv_core::Reader) -> T) -> T {
    thread_local! {
        static LAST: RefCell<Option<(u8, csv_core::Reader)>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(of, _)| *of != delimiter) {
            // By default, a carriage return within the row would end it.
            let terminator = csv_core::Terminator::Any(b'\n');
            let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).terminator(terminator).build();
            *last = Some((delimiter, reader));
        }
        let (_, reader) = last.as_mut().expect("set above");
        reader.reset();
        read(reader)
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_are_those_of_the_csv_reader(
            row in r#"[ab", ;\r\xE9]{0,24}"#,
            is_broken: bool,
            delimiter in prop::sample::select(&b",; "[..]),
        ) {
            let rows = Rows {
                delimiter,
                puzzle: 0,
                pencilmarks: false,
                solution: None,
                names: Vec::new(),
                header: None,
            };
            let mut row = row.into_bytes();
            if is_broken {
                row.retain(|&byte| byte != 0xC3);
            }
            let mut values = vec!["of another row".into()];
            rows.values(&row, &mut values);
            let unquoted_fields = split(&row, delimiter);
            for index in 0..26 {
                let expected = rows.field(&row, index).ok().map(|(_, field)| {
                    let has_quotes = field.contains(&b'"');
                    let field = if has_quotes { unquoted_fields.get(index).map_or(&[][..], |field| field) } else { field };
                    String::from_utf8_lossy(field).into_owned()
                });
                prop_assert_eq!(values.get(index).map(|text| text.to_string()), expected, "field {}", index);
            }
        }
    }
}
