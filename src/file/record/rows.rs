//! Rows of fields: CSV and its relatives.
//!
//! * Fields are separated by one delimiter; with a space, by any number of them.
//! * A field that starts with `"` ends with the next one that is not doubled. Its row ends with its line
//!   all the same: a line feed within quotes makes the row invalid ([`PuzzleError::OpenQuote`]), because rows
//!   are read by several threads from the middle of the file.
//! * The puzzle is the whole of its field, with or without quotes. What follows it is not looked at.
//!
//! The same of puzzles in pencilmarks, for which see `pencilmarks.rs`.
//!
//! Where the cells of a puzzle stand is found by going over the fields before them; cells contain no
//! quotes, so they always stand in the text as they are, and nothing is copied.

use std::borrow::Cow;
use std::cell::RefCell;

use memchr::{memchr, memchr2};

use super::Lined;
use super::cells::read_plain;
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, is_cell, parse_candidates, parse_line};
use crate::simd::Simd;

/// Which field of a row is what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// Between fields.
    pub(crate) delimiter: u8,
    /// Index of the field that holds the puzzle.
    pub(crate) puzzle: usize,
    /// Whether puzzles are in pencilmarks.
    pub(crate) pencilmarks: bool,
    /// Index of the field that holds its solution, if there is one.
    pub(crate) solution: Option<usize>,
    /// Names of the fields; numbers from 1 where there is no header.
    pub(crate) names: Vec<String>,
    /// The header as it stands, without its line end.
    pub(crate) header: Option<Vec<u8>>,
}

impl Rows {
    /// All fields of a row (without its line feed) as they are meant, up to one whose quotes do not end. Forgets those
    /// there were before.
    pub(crate) fn texts<'t>(&self, row: &'t [u8], texts: &mut Vec<Cow<'t, str>>) {
        texts.clear();
        let whole = row;
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let has_quotes = memchr(b'"', row).is_some();
        // Then all of it is looked at once.
        let plain = if has_quotes { None } else { str::from_utf8(row).ok() };
        let mut start = first_start(row, self.delimiter);
        while let Ok(end) = end_of(row, start, self.delimiter) {
            texts.push(match plain.and_then(|row| row.get(start..end)) {
                Some(text) => Cow::Borrowed(text),
                None => String::from_utf8_lossy(self.unquoted(&row[start..end]).1),
            });
            if end == row.len() {
                break;
            }
            start = next_start(row, end, self.delimiter);
        }
        // Few rows have a field with quotes in it.
        let holds_quotes = |text: &Cow<str>| text.contains('"');
        if has_quotes && texts.iter().any(holds_quotes) {
            let meant = split(whole, self.delimiter);
            for (text, meant) in texts.iter_mut().zip(meant).filter(|(text, _)| holds_quotes(text)) {
                *text = Cow::Owned(String::from_utf8_lossy(&meant).into_owned());
            }
        }
    }

    /// The puzzle of a row in pencilmarks, without its line feed.
    pub(super) fn candidates(&self, row: &[u8]) -> Result<Candidates, PuzzleError> {
        let (start, field) = self.field(row, self.puzzle)?;
        parse_candidates(field).map_err(|invalid| invalid.moved(start))
    }

    /// The field as it stands, without quotes around it, and where in the row it starts.
    pub(super) fn field<'t>(&self, row: &'t [u8], index: usize) -> Result<(usize, &'t [u8]), PuzzleError> {
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let start = start_of(row, self.delimiter, index)?;
        let end = end_of(row, start, self.delimiter)?;
        let (quote, field) = self.unquoted(&row[start..end]);
        Ok((start + quote, field))
    }

    /// A field without quotes around it, and how many bytes that takes from its start.
    fn unquoted<'t>(&self, field: &'t [u8]) -> (usize, &'t [u8]) {
        match field {
            [b'"', inner @ .., b'"'] if self.delimiter != b' ' => (1, inner),
            plain => (0, plain),
        }
    }
}

impl Lined for Rows {
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
        // Separators end a record, but here they are in the field.
        let invalid = match field.iter().position(|&byte| !is_cell(byte)) {
            Some(at) if at < CELLS => PuzzleError::BadCharacter { column: at as u32 + 1, byte: field[at] },
            _ => read.err().unwrap_or(PuzzleError::TooLong),
        };
        Err(invalid.moved(start))
    }
}

/// Where field `index` of the row at the head of `text` starts.
#[inline(always)]
fn start_of(text: &[u8], delimiter: u8, index: usize) -> Result<usize, PuzzleError> {
    let mut at = first_start(text, delimiter);
    for fields in 1..=index {
        at = end_of(text, at, delimiter)?;
        if text.get(at) != Some(&delimiter) {
            return Err(PuzzleError::MissingField { field: index as u32 + 1, fields: fields as u32 });
        }
        at = next_start(text, at, delimiter);
    }
    Ok(at)
}

/// Where the first field of a row starts.
#[inline(always)]
fn first_start(text: &[u8], delimiter: u8) -> usize {
    if delimiter == b' ' { spaces(text) } else { 0 }
}

/// Where the field behind the delimiter at `end` starts.
#[inline(always)]
fn next_start(text: &[u8], end: usize, delimiter: u8) -> usize {
    end + if delimiter == b' ' { spaces(&text[end..]) } else { 1 }
}

/// The end of the field that starts at `at`: its delimiter, or the end of the row.
#[inline(always)]
fn end_of(text: &[u8], mut at: usize, delimiter: u8) -> Result<usize, PuzzleError> {
    if text.get(at) == Some(&b'"') && delimiter != b' ' {
        at = end_of_quotes(text, at)?;
    }
    Ok(memchr2(delimiter, b'\n', &text[at..]).map_or(text.len(), |length| at + length))
}

/// Behind the quote that ends what the quote at `at` begins.
#[cold]
fn end_of_quotes(text: &[u8], at: usize) -> Result<usize, PuzzleError> {
    let mut end = at + 1;
    loop {
        match memchr2(b'"', b'\n', &text[end..]) {
            Some(length) if text[end + length] == b'"' => end += length + 1,
            _ => return Err(PuzzleError::OpenQuote { column: at as u32 + 1 }),
        }
        if text.get(end) != Some(&b'"') {
            return Ok(end);
        }
        end += 1;
    }
}

fn spaces(text: &[u8]) -> usize {
    text.iter().take_while(|&&byte| byte == b' ').count()
}

/// The fields of a row (without its line feed) as they are meant: without quotes.
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
        // Unquoted, a row is no longer than before; each field but the first costs a byte.
        let (mut bytes, mut ends) = (vec![0; row.len() + 1], vec![0; row.len() + 2]);
        let (_, read, written, fields) = reader.read_record(row, &mut bytes, &mut ends);
        let (_, _, more, last) = reader.read_record(&row[read..], &mut bytes[written..], &mut ends[fields..]);
        bytes.truncate(written + more);
        let mut start = 0;
        let field = |&end: &usize| bytes[std::mem::replace(&mut start, end)..end].to_vec();
        ends[..fields + last].iter().map(field).collect()
    })
}

/// Lends a reader of CSV: to build one takes 20 us, so the last one is kept. (Copies of them do not work in 0.1.13.)
fn with_reader<T>(delimiter: u8, read: impl FnOnce(&mut csv_core::Reader) -> T) -> T {
    thread_local! {
        static LAST: RefCell<Option<(u8, csv_core::Reader)>> = const { RefCell::new(None) };
    }
    LAST.with_borrow_mut(|last| {
        if last.as_ref().is_none_or(|(of, _)| *of != delimiter) {
            // By default a carriage return within the row would end it.
            let terminator = csv_core::Terminator::Any(b'\n');
            let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).terminator(terminator).build();
            *last = Some((delimiter, reader));
        }
        let (_, reader) = last.as_mut().expect("it was put there");
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
        fn texts_are_what_the_fields_mean(
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
            let mut texts = vec!["of another row".into()];
            rows.texts(&row, &mut texts);
            let meant = split(&row, delimiter);
            for index in 0..26 {
                let expected = rows.field(&row, index).ok().map(|(_, field)| {
                    let has_quotes = field.contains(&b'"');
                    let field = if has_quotes { meant.get(index).map_or(&[][..], |field| field) } else { field };
                    String::from_utf8_lossy(field).into_owned()
                });
                prop_assert_eq!(texts.get(index).map(|text| text.to_string()), expected, "field {}", index);
            }
        }
    }
}
