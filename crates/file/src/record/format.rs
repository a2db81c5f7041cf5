//! Stage 2, records: the trait of input formats.
//!
//! A format says where a record ends, and what its cells are or why it has none; all else about records is derived from
//! that. A record is a pure function of its own bytes, and of the header of a table. A new format implements [`Format`]
//! in a file of its own.

use std::any::Any;
use std::borrow::Cow;
use std::fmt::Debug;

use memchr::{memchr, memrchr};

use super::Records;
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError};
use crate::simd::SimdLevel;

/// A record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'t> {
    /// The number of its bytes, with the line end if it has one.
    pub length: usize,
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

/// A format of inputs, with its parameters such as the column of the puzzles.
///
/// `record` is a text that starts with a record and ends with it or with what is between it and the next one. With
/// other texts the results are meaningless, but no method panics.
pub trait Format: Any + Debug + Send + Sync {
    /// How the first record after an offset is found.
    fn division(&self) -> Division {
        Division::Lines
    }

    /// The record at the start of a text.
    fn record<'t>(&self, record: &'t [u8]) -> Record<'t>;

    /// Replaces the records by the first `limit` of `text`, or a few more: the same as from [`Format::record`]. Returns
    /// the number of bytes read.
    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize;

    /// The end of the last record that is complete whatever follows `text`, which starts between records.
    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        memrchr(b'\n', text).map(|at| at + 1)
    }

    /// The same as [`Record::cells`] of a record that is known to be a puzzle. Formats override it to save time.
    fn cells_of_puzzle<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        self.record(record).cells.ok()
    }

    /// The text of the record where its puzzle should be, for a record that is not a puzzle. By default its lines, with
    /// spaces for line breaks.
    fn puzzle_text<'t>(&self, record: &'t [u8]) -> Cow<'t, [u8]> {
        let length = self.record(record).length.min(record.len());
        let lines = record[..length].trim_ascii_end();
        match memchr(b'\n', lines) {
            None => Cow::Borrowed(lines),
            Some(_) => lines.iter().map(|&byte| if byte == b'\n' { b' ' } else { byte }).collect(),
        }
    }

    /// Replaces `values` by the values of the columns of a record, see [`Layout::values`](super::Layout::values).
    fn values<'t>(&self, _: &'t [u8], _as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
    }

    /// What stands where the record gives its solution.
    fn solution<'t>(&self, _: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        None
    }

    /// The number of bytes of all records, if the start of the input tells it.
    fn expected(&self) -> Option<u64> {
        None
    }
}
