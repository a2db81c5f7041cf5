//! Stage 2, records: the trait of input formats.
//!
//! A format says where a record ends, and what its cells are or why it has none; all else about records is derived from
//! that. A new format implements [`Format`] in a file of its own; a [`Layout`](super::Layout) has any format.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;
use std::io;

use memchr::{memchr, memrchr};

use super::{Records, line_at, line_feeds, quotes};
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError};
use crate::simd::SimdLevel;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'t> {
    /// The offset after its last line. May be beyond the text by one, if the last line has no line feed.
    pub end: usize,
    /// The offset of the line with the puzzle, or with the error.
    pub line: usize,
    /// The 81 cells or 729 pencilmarks as in the input, or the reason why the record is not a puzzle.
    pub cells: Result<Cow<'t, [u8]>, PuzzleError>,
}

impl Record<'_> {
    /// The reason why the record is invalid: it is not a puzzle, or its clues clash.
    pub fn error(self) -> Option<PuzzleError> {
        match self.cells {
            Err(error) => Some(error),
            Ok(cells) if cells.len() == CELLS => Puzzle::try_from(&*cells).ok()?.clash(),
            Ok(marks) => Candidates::try_from(&*marks).ok()?.clues().clash(),
        }
    }
}

/// How the first record after an offset is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Division {
    /// Each line is a record.
    Lines,
    /// Each record is a row of a table with this delimiter. Quoted fields may contain line breaks.
    Rows(u8),
    /// Only the text from the start of the input tells. These words name such inputs.
    Never(&'static str),
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The line without its end.
    pub line: Vec<u8>,
    /// Whether a carriage return and a line feed end it.
    pub is_crlf: bool,
}

/// A format of inputs, with its parameters such as the column of the puzzles.
///
/// `text` is a sequence of complete records, and `start` the offset of one of them. With other values the results are
/// meaningless, but no method panics.
pub trait Format: Any + Debug + Send + Sync {
    /// The name in messages and statistics.
    fn name(&self) -> &'static str;

    /// How the first record after an offset is found.
    fn division(&self) -> Division;

    /// The record at `start`.
    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t>;

    /// Replaces the records by the first `limit` of `text`, or a few more: the same as from [`Format::record`]. Returns the
    /// number of bytes read.
    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize;

    /// The end of the last record that is complete whatever follows `text`, which starts between records.
    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        match self.division() {
            Division::Rows(delimiter) => quotes::last_boundary(text, delimiter),
            _ => memrchr(b'\n', text).map(|at| at + 1),
        }
    }

    /// The same as [`Record::end`]. Formats override it to save time.
    fn end(&self, text: &[u8], start: usize) -> usize {
        match self.division() {
            Division::Lines => start.saturating_add(line_at(text, start).len()).saturating_add(1),
            _ => self.record(text, start).end,
        }
    }

    /// The same as [`Record::cells`] of a record that is known to be a puzzle. Formats override it to save time.
    fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        self.record(text, start).cells.ok()
    }

    /// The text of the record where its puzzle should be, for a record that is not a puzzle. By default its lines, with
    /// spaces for line breaks.
    fn puzzle_text<'t>(&self, text: &'t [u8], start: usize) -> Cow<'t, [u8]> {
        let end = self.end(text, start).min(text.len());
        let lines = text.get(start..end).unwrap_or_default().trim_ascii_end();
        match memchr(b'\n', lines) {
            None => Cow::Borrowed(lines),
            Some(_) => lines.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect(),
        }
    }

    /// Whether the puzzles are pencilmarks.
    fn has_pencilmarks(&self) -> bool {
        false
    }

    /// Whether the complete grid at `start` may be no puzzle, because there may be another field for it, or a label: whether
    /// [`Format::record`] has to tell. [`Format::read`] need not check it.
    fn may_be_solution(&self, _: &[u8], _start: usize) -> bool {
        false
    }

    /// The names of the columns if the format is a table; numbers from 1 if there is no header.
    fn columns(&self) -> Option<&[String]> {
        None
    }

    /// The names as bytes, because they need not be UTF-8.
    fn column_bytes(&self) -> Vec<Vec<u8>> {
        self.columns().unwrap_or_default().iter().map(|name| name.clone().into_bytes()).collect()
    }

    /// The header of a table.
    fn header(&self) -> Option<&Header> {
        None
    }

    /// Replaces `values` by the values of the columns of a record, see [`Layout::values`](super::Layout::values).
    fn values<'t>(&self, _: &'t [u8], _: usize, _as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
    }

    /// Whether there is a column of solutions, or 81 of them.
    fn has_solution(&self) -> bool {
        false
    }

    /// The content of the solution column, and its offset in the record.
    fn solution<'t>(&self, _: &'t [u8], _: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        None
    }

    /// Whether each record is a line, or several lines, of its own.
    fn has_lines(&self) -> bool {
        true
    }

    /// The number of lines that end in a part of a text. Formats without lines count records.
    fn count_lines(&self, part: &[u8]) -> u64 {
        line_feeds(part)
    }

    /// What must come before the end of the input, if its start tells it: the number of bytes of all records, or of end tags.
    fn expected(&self) -> Option<u64> {
        None
    }

    /// Subtracts what a batch has from what is expected. `None` is the end of the input.
    ///
    /// # Errors
    /// When the input has more or less.
    fn check_expected(&self, expected: u64, _batch: Option<&[u8]>) -> io::Result<u64> {
        Ok(expected)
    }
}
