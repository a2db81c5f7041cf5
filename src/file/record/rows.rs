//! Stage 2, records: puzzles in tables (CSV and similar formats).
//!
//! * Fields are separated by one delimiter, or by any number of spaces.
//! * A field that starts with `"` ends with the next `"` that is not doubled. It may contain line breaks; `quotes.rs`
//!   defines where such a row ends. A quote that is not closed makes the row invalid ([`PuzzleError::OpenQuote`]).
//! * The puzzle must be the complete content of its field, with or without quotes and white space, in any notation of
//!   `notation.rs`. Of later fields, only the quotes are examined.
//! * The header again is no record, because tables that were put together have several. A row that starts with `#` is a record if
//!   it has a puzzle, or as many fields as such a row among the lines that were examined, otherwise a comment.
//!
//! The same holds for puzzles in pencilmarks, see `pencilmarks.rs`.
//!
//! The puzzle is found by scanning the fields before it. Cells contain no quotes, so they are read in place.

use std::borrow::Cow;
use std::cell::RefCell;

use memchr::{memchr, memchr_iter, memchr2, memmem, memrchr};

use super::cells::read_plain;
use super::choose::{PUZZLES, check_others, named, not_derived};
use super::format::{Division, Format, Header, Record};
use super::rulers::{is_rule, is_ruler};
use super::{LineFormat, Records, notation, quotes};
use crate::file::bytes::{BYTE_ORDER_MARK, is_record};
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, parse_candidates};
use crate::simd::{Simd, SimdLevel};

/// The columns of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rows {
    /// The byte between fields.
    pub(crate) delimiter: u8,
    /// Index of the column of puzzles.
    pub(crate) puzzle: usize,
    /// Whether the puzzles are pencilmarks.
    pub(crate) pencilmarks: bool,
    /// Whether a complete grid beside another field that may be the puzzle is invalid: not in a column that the user chose.
    pub(crate) checks_others: bool,
    /// Whether zeros are put before numbers, see [`InputOptions::pads`](super::InputOptions::pads).
    pub(crate) pads: bool,
    /// Whether there are rulers in the lines that were examined, which are no records.
    pub(crate) has_rulers: bool,
    /// The number of fields of a row that starts with `#`, if such rows are records.
    pub(crate) hashed: Option<usize>,
    /// Index of the column of solutions, if there is one.
    pub(crate) solution: Option<usize>,
    /// Column names; numbers from 1 without a header.
    pub(crate) names: Vec<String>,
    pub(crate) header: Option<Header>,
}

impl Rows {
    /// Rows of pencilmarks without other fields.
    pub(super) fn pencilmarks() -> Rows {
        Rows {
            delimiter: b',',
            puzzle: 0,
            pencilmarks: true,
            checks_others: false,
            pads: false,
            has_rulers: false,
            hashed: None,
            solution: None,
            names: Vec::new(),
            header: None,
        }
    }

    /// The row (without its last line feed) that starts at `start`; empty if that is beyond the text.
    #[inline]
    pub(crate) fn row_at<'t>(&self, text: &'t [u8], start: usize) -> &'t [u8] {
        let text = text.get(start..).unwrap_or_default();
        let end = match memchr2(b'\n', b'"', text) {
            Some(at) if text[at] == b'"' => quotes::row_length(text, self.delimiter),
            at => at.unwrap_or(text.len()),
        };
        &text[..end]
    }

    /// The offset of the field of the puzzle in the line at the start of `text`, if its quotes end in this line.
    #[inline(always)]
    pub(super) fn start_in_line(&self, text: &[u8]) -> Option<usize> {
        start_of::<true>(text, self.delimiter, self.puzzle).ok()
    }

    /// Replaces `values` by the unquoted values of the fields of a row (without line feed). If a quote is not closed, the
    /// last value is the rest of the row, with the quote. It starts with the field of the puzzle, if that is before the quote: where the
    /// values are written, all quotes are closed, and the puzzle must not become valid.
    pub(crate) fn fields<'t>(&self, row: &'t [u8], values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        let whole = row;
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let has_quotes = memchr(b'"', row).is_some();
        let mut start = first_start(row, self.delimiter);
        let open = loop {
            let Ok(end) = end_of::<false>(row, start, self.delimiter) else {
                values.truncate(self.puzzle);
                let rest = start_of::<false>(row, self.delimiter, values.len()).unwrap_or(start);
                break Some(&row[rest..]);
            };
            values.push(Cow::Borrowed(self.unquoted(&row[start..end]).1));
            if end == row.len() {
                break None;
            }
            start = next_start(row, end, self.delimiter);
        };
        // Doubled quotes within a field are rare.
        let holds_quotes = |value: &Cow<[u8]>| memchr(b'"', value).is_some();
        if has_quotes && values.iter().any(holds_quotes) {
            let fields = split(whole, self.delimiter);
            for (value, field) in values.iter_mut().zip(fields).filter(|(value, _)| holds_quotes(value)) {
                *value = Cow::Owned(field);
            }
        }
        values.extend(open.map(Cow::Borrowed));
    }

    /// The pencilmarks of a row without its line feed.
    pub(super) fn candidates(&self, row: &[u8]) -> Result<Candidates, PuzzleError> {
        let (start, field) = self.trimmed_field(row, self.puzzle)?;
        let candidates = parse_candidates(field).map_err(|invalid| invalid.moved(start))?;
        self.check_quotes(row, start)?;
        Ok(candidates)
    }

    /// Whether a row that is no comment has the tabs of all columns. Then it is a record, although it may look blank.
    fn has_all_tabs(&self, row: &[u8]) -> bool {
        let tabs = memchr_iter(b'\t', row).count();
        self.delimiter == b'\t' && !row.starts_with(b"#") && tabs > 0 && tabs + 1 == self.names.len()
    }

    /// Whether a row that starts with `#` is a record, not a comment or a header.
    fn is_hashed_record(&self, row: &[u8]) -> bool {
        let has_fields = || {
            let fields = split(row, self.delimiter);
            self.hashed == Some(fields.len()) && !named(&fields[self.puzzle], &PUZZLES)
        };
        self.parse(row).is_ok() || (self.hashed.is_some() && has_fields())
    }

    /// The end of the line at the start of `text`, if the fields after the one that ends at `at` have closed quotes. The line
    /// is a row then: no well-formed row of several lines starts with it, because a quote would be open at its end.
    #[cold]
    fn closed_line_end(&self, text: &[u8], mut at: usize) -> Option<usize> {
        loop {
            at = end_of::<true>(text, at, self.delimiter).ok()?;
            match *text.get(at)? {
                b'\n' => return Some(at),
                _ => at = next_start(text, at, self.delimiter),
            }
        }
    }

    /// Checks that the quotes of all fields after the one with the content at `start` are closed.
    fn check_quotes(&self, row: &[u8], mut start: usize) -> Result<(), PuzzleError> {
        if memchr(b'"', &row[start..]).is_none() {
            return Ok(());
        }
        loop {
            let end = end_of::<false>(row, start, self.delimiter)?;
            if end == row.len() {
                return Ok(());
            }
            start = next_start(row, end, self.delimiter);
        }
    }

    /// A field without surrounding quotes, and its offset in the row.
    fn field<'t>(&self, row: &'t [u8], index: usize) -> Result<(usize, &'t [u8]), PuzzleError> {
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        let start = start_of::<false>(row, self.delimiter, index)?;
        let end = end_of::<false>(row, start, self.delimiter)?;
        let (quote, field) = self.unquoted(&row[start..end]);
        Ok((start + quote, field))
    }

    /// The same without white space around the quotes and within them.
    pub(super) fn trimmed_field<'t>(
        &self,
        row: &'t [u8],
        index: usize,
    ) -> Result<(usize, &'t [u8]), PuzzleError> {
        let (start, field) = self.field(row, index)?;
        let (before, field) = trimmed(field);
        let (quote, field) = self.unquoted(field);
        let (within, field) = trimmed(field);
        Ok((start + before + quote + within, field))
    }

    /// The cells of the puzzle of a row, and the offset of its field.
    fn cells<'t>(&self, row: &'t [u8]) -> Result<(usize, Cow<'t, [u8]>), PuzzleError> {
        let (start, field) = self.trimmed_field(row, self.puzzle)?;
        let cells = notation::read_field(field, self.pads).map_err(|invalid| invalid.moved(start))?;
        self.check_quotes(row, start)?;
        if self.checks_others {
            check_others(&cells, || {
                let mut fields = Vec::new();
                self.fields(row, &mut fields);
                not_derived(&self.names, fields)
            })?;
        }
        Ok((start, cells))
    }

    /// Removes surrounding quotes. Returns the number of bytes removed at the start, and the rest.
    fn unquoted<'t>(&self, field: &'t [u8]) -> (usize, &'t [u8]) {
        match field {
            [b'"', inner @ .., b'"'] if self.delimiter != b' ' => (1, inner),
            plain => (0, plain),
        }
    }
}

impl Format for Rows {
    fn name(&self) -> &'static str {
        if self.pencilmarks { "pencilmarks" } else { "table" }
    }

    fn division(&self) -> Division {
        Division::Rows(self.delimiter)
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        let row = self.row_at(text, start);
        let found = match self.pencilmarks {
            true => self
                .candidates(row)
                .and_then(|_| self.trimmed_field(row, self.puzzle))
                .map(|(at, marks)| (at, marks.into())),
            false => self.cells(row),
        };
        let place = match &found {
            Ok((place, _)) => *place,
            Err(error) => error
                .column()
                .map(|column| column as usize - 1)
                .or(self.trimmed_field(row, self.puzzle).ok().map(|(start, _)| start))
                .unwrap_or(0),
        };
        let line = memrchr(b'\n', &row[..place]).map_or(0, |at| at + 1);
        let end = start.saturating_add(row.len()).saturating_add(1);
        let cells = found.map(|(_, cells)| cells).map_err(|error| error.moved_back(line));
        Record { end, line: start.saturating_add(line), cells }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        if self.pencilmarks {
            return records.read_pencilmarks(self, &|row| self.candidates(row), text, limit);
        }
        records.read_lines(level, text, self, limit)
    }

    fn end(&self, text: &[u8], start: usize) -> usize {
        start.saturating_add(self.row_at(text, start).len()).saturating_add(1)
    }

    fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        let (_, field) = self.trimmed_field(self.row_at(text, start), self.puzzle).ok()?;
        match field.len() == CELLS || self.pencilmarks {
            true => Some(Cow::Borrowed(field)),
            false => notation::read_field(field, self.pads).ok(),
        }
    }

    /// The field, or the row if it does not reach the column.
    fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        let row = self.row_at(text, start);
        let mut fields = Vec::new();
        self.fields(row, &mut fields);
        match self.puzzle < fields.len() {
            true => fields.swap_remove(self.puzzle),
            false => Cow::Borrowed(row.trim_ascii_end()),
        }
    }

    fn has_pencilmarks(&self) -> bool {
        self.pencilmarks
    }

    fn may_be_solution(&self, _: &[u8], _: usize) -> bool {
        self.checks_others
    }

    fn columns(&self) -> Option<&[String]> {
        Some(&self.names)
    }

    fn column_bytes(&self) -> Vec<Vec<u8>> {
        match &self.header {
            Some(header) => {
                let names = split(&header.line, self.delimiter);
                // The first name may be missing.
                let missing = vec![Vec::new(); self.names.len().saturating_sub(names.len())];
                missing.into_iter().chain(names.iter().map(|name| name.trim_ascii().to_vec())).collect()
            }
            None => self.names.iter().map(|name| name.clone().into_bytes()).collect(),
        }
    }

    fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    fn values<'t>(&self, text: &'t [u8], start: usize, _: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        self.fields(self.row_at(text, start), values);
    }

    fn has_solution(&self) -> bool {
        self.solution.is_some()
    }

    fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        let (offset, field) = self.trimmed_field(self.row_at(text, start), self.solution?).ok()?;
        Some((offset, notation::read_field(field, false).unwrap_or(Cow::Borrowed(field))))
    }
}

impl LineFormat for Rows {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        if text[0] == b'#' {
            return None;
        }
        let mut start = start_of::<true>(text, self.delimiter, self.puzzle).ok()?;
        let is_quoted = text.get(start) == Some(&b'"');
        start += usize::from(is_quoted);
        if self.has_rulers && text.get(start).is_some_and(|&byte| is_rule(byte)) {
            return None;
        }
        let end = if is_quoted { b'"' } else { self.delimiter };
        let line_end = |rest: &[u8]| {
            let after = usize::from(is_quoted);
            match after + memchr2(b'\n', b'"', &rest[after..])? {
                at if rest[at] == b'\n' => Some(at),
                _ => self.closed_line_end(text, start + CELLS + after).map(|end| end - start - CELLS),
            }
        };
        let next = read_plain(s, &text[start..], puzzle, |byte| byte == end, line_end)?;
        if is_quoted {
            let ends = |byte: &u8| *byte == self.delimiter || matches!(byte, b'\r' | b'\n');
            let is_closed = text[start + CELLS] == b'"' && text.get(start + CELLS + 1).is_some_and(ends);
            return is_closed.then_some(start + next);
        }
        Some(start + next)
    }

    fn record_length(&self, text: &[u8]) -> usize {
        quotes::row_length(text, self.delimiter)
    }

    fn parse(&self, row: &[u8]) -> Result<Puzzle, PuzzleError> {
        let (_, cells) = self.cells(row)?;
        Puzzle::try_from(&*cells)
    }

    /// The header may stand in front of each of several files that were put together. A row that starts with `#` is a comment
    /// unless it has a puzzle.
    fn is_record(&self, row: &[u8]) -> bool {
        let line = row.strip_prefix(BYTE_ORDER_MARK).unwrap_or(row);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match &self.header {
            Some(header) if header.line == line => false,
            _ if self.has_rulers && is_ruler(line) => false,
            // The rule below the header of a table in Markdown.
            Some(_)
                if self.delimiter == b'|'
                    && line.starts_with(b"|")
                    && line.iter().all(|byte| b"|-: \t".contains(byte))
                    && memmem::find(line, b"---").is_some() =>
            {
                self.parse(row).is_ok()
            }
            _ => {
                is_record(row)
                    || (row.starts_with(b"#") && self.is_hashed_record(row))
                    || self.has_all_tabs(row)
            }
        }
    }
}

/// A field without white space around it, and the number of bytes before it.
fn trimmed(field: &[u8]) -> (usize, &[u8]) {
    let rest = field.trim_ascii_start();
    (field.len() - rest.len(), rest.trim_ascii_end())
}

// The following functions read either a row that has been cut out of its text, or (`IN_LINE`) the line at the start of a
// text; quotes that are not closed in that line are an error then.

/// The offset of field `index` of the row at the start of `text`.
#[inline(always)]
fn start_of<const IN_LINE: bool>(text: &[u8], delimiter: u8, index: usize) -> Result<usize, PuzzleError> {
    let mut at = first_start(text, delimiter);
    for fields in 1..=index {
        at = end_of::<IN_LINE>(text, at, delimiter)?;
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
fn end_of<const IN_LINE: bool>(text: &[u8], mut at: usize, delimiter: u8) -> Result<usize, PuzzleError> {
    if text.get(at) == Some(&b'"') && delimiter != b' ' {
        at = end_of_quotes::<IN_LINE>(text, at)?;
    }
    Ok(memchr2(delimiter, b'\n', &text[at..]).map_or(text.len(), |length| at + length))
}

#[cold]
fn end_of_quotes<const IN_LINE: bool>(text: &[u8], at: usize) -> Result<usize, PuzzleError> {
    let end = if IN_LINE { quotes::end_in_line(text, at) } else { quotes::end_of_quotes(text, at) };
    end.ok_or(PuzzleError::OpenQuote { column: to_u32(at.saturating_add(1)) })
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
        let (result, _, written, mut fields) = reader.read_record(row, &mut bytes, &mut ends);
        // A row of several lines may be one for another delimiter only. Then its first line is read.
        if result == csv_core::ReadRecordResult::InputEmpty {
            fields += reader.read_record(b"", &mut bytes[written..], &mut ends[fields..]).3;
        }
        let mut start = 0;
        let field = |&end: &usize| bytes[std::mem::replace(&mut start, end)..end].to_vec();
        ends[..fields].iter().map(field).collect()
    })
}

/// Calls `read` with a cached CSV reader, because building one takes 20 us. There is one for each delimiter, because the
/// recognition of a format tries all of them in turn. (Clones of a reader do not work in csv-core 0.1.13.)
fn with_reader<T>(delimiter: u8, read: impl FnOnce(&mut csv_core::Reader) -> T) -> T {
    thread_local! {
        static READERS: RefCell<Vec<(u8, csv_core::Reader)>> = const { RefCell::new(Vec::new()) };
    }
    READERS.with_borrow_mut(|readers| {
        let at = readers.iter().position(|(of, _)| *of == delimiter).unwrap_or_else(|| {
            // By default, a carriage return within the row would end it.
            let terminator = csv_core::Terminator::Any(b'\n');
            let reader = csv_core::ReaderBuilder::new().delimiter(delimiter).terminator(terminator).build();
            readers.push((delimiter, reader));
            readers.len() - 1
        });
        let reader = &mut readers[at].1;
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
            puzzle in 0..4_usize,
        ) {
            let rows = Rows { delimiter, puzzle, ..Rows::pencilmarks() };
            let mut row = row.into_bytes();
            if is_broken {
                row.retain(|&byte| byte != 0xC3);
            }
            let mut values = vec![b"of another row"[..].into()];
            rows.fields(&row, &mut values);
            let unquoted_fields = split(&row, delimiter);
            let is_open = |index: &usize| matches!(rows.field(&row, *index), Err(PuzzleError::OpenQuote { .. }));
            let last = (0..26).find(is_open).map(|index| index.min(puzzle));
            for index in 0..26 {
                let expected = match rows.field(&row, index) {
                    _ if last.is_some_and(|last| last < index) => None,
                    // The rest of the row.
                    _ if last == Some(index) => {
                        let start = start_of::<false>(&row, delimiter, index).unwrap();
                        Some(&row.strip_suffix(b"\r").unwrap_or(&row)[start..])
                    }
                    Ok((_, field)) if field.contains(&b'"') => {
                        Some(unquoted_fields.get(index).map_or(&[][..], |field| field))
                    }
                    Ok((_, field)) => Some(field),
                    Err(_) => None,
                };
                prop_assert_eq!(values.get(index).map(|value| &**value), expected, "field {}", index);
            }
        }
    }
}
