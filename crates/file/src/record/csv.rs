//! Stage 2, records: **csv**, a puzzle in a column of each row.
//!
//! The rules of quotes are in `quotes.rs`. Spaces around a field, outside and inside its quotes, are not part of it. A
//! row that equals the header is not a record, nor is a blank line without delimiters. `#` has no meaning. A row with
//! more or fewer fields than the first is invalid; so is a complete grid beside a puzzle with blanks, unless the column
//! was named.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memrchr};

use super::cells::{check_others, plain_cells, puzzle_text};
use super::format::{Division, Format, Record};
use super::quotes::{self, Chain, Field, Row};
use super::{LineFormat, ReadLines, Records, is_blank, line_at};
use crate::grid::{CELLS, Puzzle, PuzzleError};
use crate::simd::{Simd, SimdLevel};
use crate::text::convert;

/// A table with one delimiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csv {
    /// The byte between fields.
    pub delimiter: u8,
    /// The number of fields of a row.
    pub width: usize,
    /// Index of the column of puzzles.
    pub puzzle: usize,
    /// Index of the column of solutions, if there is one.
    pub solution: Option<usize>,
    /// Whether the user named the column of puzzles, so that only the solution may be a puzzle with blanks beside a
    /// complete grid.
    pub is_named: bool,
    /// Whether zeros are put before numbers, see [`InputOptions::pads`](super::InputOptions::pads).
    pub pads: bool,
    /// The header with its line end.
    pub header: Option<Vec<u8>>,
}

/// The values of the fields of the row at the start of a text; `None` if its quotes are wrong.
pub fn values_of(text: &[u8], delimiter: u8) -> Option<Vec<Cow<'_, [u8]>>> {
    let (_, fields) = row_of(text, delimiter)?;
    Some(fields.map(|(_, value)| value).collect())
}

/// The row at the start of a text, and its fields; `None` if its quotes are wrong.
fn row_of(text: &[u8], delimiter: u8) -> Option<(&[u8], impl Iterator<Item = Field<'_>>)> {
    match quotes::row(text, 0, delimiter, &mut Chain::default()) {
        (Row::End(end), _) => Some((&text[..end], quotes::fields(&text[..end], delimiter))),
        _ => None,
    }
}

impl Csv {
    /// The cells of the puzzle of a row with these fields.
    fn cells<'t>(&self, fields: &[Field<'t>]) -> Result<Cow<'t, [u8]>, PuzzleError> {
        if fields.len() != self.width || self.puzzle >= self.width {
            let [fields, expected] =
                [fields.len(), self.width.max(self.puzzle + 1)].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
            return Err(PuzzleError::FieldCount { fields, expected });
        }
        let cells = puzzle_text(fields[self.puzzle].1.clone(), self.pads)?;
        let is_other = |column: &usize| !self.is_named || self.solution == Some(*column);
        check_others(&cells, (0..fields.len()).filter(is_other).map(|column| fields[column].1.clone()))?;
        Ok(cells)
    }

    /// The offset of the field of the puzzle in a line, and whether it is quoted, if the fields before it need no other
    /// examination.
    #[inline(always)]
    fn puzzle_start(&self, text: &[u8]) -> Option<(usize, bool)> {
        let mut at = 0;
        for _ in 0..self.puzzle {
            at = self.field_end(text, at)?;
            if *text.get(at)? != self.delimiter {
                return None;
            }
            at += 1;
        }
        Some((at, *text.get(at)? == b'"'))
    }

    /// The end of a field in a line, if its quotes need no other examination: the offset of its delimiter or of the
    /// line end.
    #[inline(always)]
    fn field_end(&self, text: &[u8], at: usize) -> Option<usize> {
        match *text.get(at)? {
            b'"' => {
                let end = at + 1 + memchr2(b'\n', b'"', &text[at + 1..])?;
                (text[end] == b'"').then_some(end + 1)
            }
            b' ' => None,
            _ => {
                let end = at + memchr2(self.delimiter, b'\n', &text[at..])?;
                let is_crlf = text[end] == b'\n' && end > at && text[end - 1] == b'\r';
                Some(end - usize::from(is_crlf))
            }
        }
    }
}

impl Format for Csv {
    fn division(&self) -> Division {
        Division::Rows(self.delimiter)
    }

    fn record<'t>(&self, record: &'t [u8]) -> Record<'t> {
        let Some((row, fields)) = row_of(record, self.delimiter) else {
            let length = super::line_end(record, 0);
            return Record { length, line: 0, cells: Err(PuzzleError::WrongQuotes) };
        };
        let fields: Vec<_> = fields.collect();
        let start = fields.get(self.puzzle).map_or(0, |(start, _)| *start);
        let line = memrchr(b'\n', &row[..start]).map_or(0, |at| at + 1);
        let cells = self.cells(&fields).map_err(|error| error.moved(start - line));
        Record { length: row.len(), line, cells }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        level.run(ReadLines { records, text, format: self, limit })
    }

    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        quotes::last_boundary(text, self.delimiter)
    }

    fn cells_of_puzzle<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let at = self.puzzle_start(record).filter(|_| !self.pads);
        let plain = at.and_then(|(at, is_quoted)| plain_cells(record.get(at + usize::from(is_quoted)..)?));
        plain.or_else(|| self.record(record).cells.ok())
    }

    /// The field, or the row if it does not reach the column.
    fn puzzle_text<'t>(&self, record: &'t [u8]) -> Cow<'t, [u8]> {
        let field = row_of(record, self.delimiter).and_then(|(_, mut fields)| fields.nth(self.puzzle));
        field.map_or(Cow::Borrowed(line_at(record)), |(_, value)| value)
    }

    /// Of a row with wrong quotes, the line in place of the puzzle.
    fn values<'t>(&self, record: &'t [u8], _: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        match row_of(record, self.delimiter) {
            Some((_, fields)) => values.extend(fields.map(|(_, value)| value)),
            None => {
                values.resize(self.puzzle, Cow::Borrowed(b""));
                values.push(Cow::Borrowed(line_at(record)));
            }
        }
    }

    fn solution<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        let (_, mut fields) = row_of(record, self.delimiter)?;
        fields.nth(self.solution?).map(|(_, value)| value)
    }
}

impl LineFormat for Csv {
    const CHECKS_COMPLETE: bool = true;

    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        let (mut at, is_quoted) = self.puzzle_start(text)?;
        at += usize::from(is_quoted);
        let cells = text.get(at..)?.first_chunk()?;
        at += CELLS + usize::from(is_quoted);
        if is_quoted && *text.get(at - 1)? != b'"' {
            return None;
        }
        for _ in self.puzzle + 1..self.width {
            if *text.get(at)? != self.delimiter {
                return None;
            }
            at = self.field_end(text, at + 1)?;
        }
        let end = match *text.get(at)? {
            b'\n' => at + 1,
            b'\r' if text.get(at + 1) == Some(&b'\n') => at + 2,
            _ => return None,
        };
        (self.puzzle < self.width && convert(s, cells, puzzle)).then_some(end)
    }

    fn record_end(&self, text: &[u8], at: usize, chain: &mut Chain) -> usize {
        quotes::row(text, at, self.delimiter, chain).1
    }

    fn is_record(&self, lines: &[u8]) -> bool {
        if is_blank(lines) {
            return memchr(self.delimiter, lines).is_some();
        }
        let is_header = |header: &Vec<u8>| values_of(header, self.delimiter) == values_of(lines, self.delimiter);
        !self.header.as_ref().is_some_and(is_header)
    }
}
