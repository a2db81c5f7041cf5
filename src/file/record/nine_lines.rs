//! Stage 2, records: puzzles in nine lines. `grids.rs` has the rows of clues, `candidate_grids.rs` those of candidates.
//!
//! Nine rows are a record. A title before the ninth row, or a blank line after a number of rows other than three or six,
//! ends the record, which is invalid then. The lines from `[State]` to the next title are not records: Sudoku programs store
//! the player's progress there. A record starts with the line of its first row.

use std::borrow::Cow;

use memchr::memrchr;

use super::format::Record;
use super::line_at;
use crate::grid::{CELLS, PuzzleError};

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    Comment,
    Rule,
    Title,
    Row,
}

/// A record and its position.
pub(super) struct Grid {
    pub start: usize,
    /// The offset after its last line.
    pub end: usize,
    /// Whether it ended because the text ended.
    pub ended_by_text: bool,
    /// The offset of the first faulty line and its error.
    pub fault: Option<(usize, PuzzleError)>,
    /// The bytes of the cells, or the pencilmarks.
    pub cells: Vec<u8>,
}

/// The syntax of the lines.
pub(super) trait NineLines: Copy {
    /// The number of bytes of [`Grid::cells`] for each cell.
    const PER_CELL: usize;

    /// The kind of a line.
    fn kind(self, line: &[u8]) -> Line;

    /// Appends the cells of a row.
    ///
    /// # Errors
    /// The first error. The number of cells counts nevertheless.
    fn add(self, line: &[u8], cells: &mut Vec<u8>) -> Result<(), PuzzleError>;

    /// Whether a line that could be a row is a title before the first row of a record.
    fn is_number(self, _: &[u8]) -> bool {
        false
    }

    /// The fast path: the first record at or after `at`. `None` if [`NineLines::seek`] has to decide.
    fn plain(self, _: &[u8], _at: usize) -> Option<Grid> {
        None
    }

    /// The first record at or after `at`, which must be between records.
    fn next(self, text: &[u8], at: usize) -> Option<Grid> {
        self.seek(text, at, Self::plain)
    }

    /// The same, and tries `fast` wherever a record may start.
    fn seek(self, text: &[u8], at: usize, fast: fn(Self, &[u8], usize) -> Option<Grid>) -> Option<Grid> {
        let (mut at, mut in_state) = (at, false);
        let mut grid = None;
        let mut rows = 0;
        while at < text.len() {
            if grid.is_none()
                && !in_state
                && let Some(grid) = fast(self, text, at)
            {
                return Some(grid);
            }
            let line = line_at(text, at);
            let next = (at + line.len() + 1).min(text.len());
            match self.kind(line) {
                Line::Title => {
                    if rows > 0 {
                        return grid.map(|grid: Grid| grid.ended::<Self>(at, false));
                    }
                    in_state = line.trim_ascii().eq_ignore_ascii_case(b"[state]");
                }
                Line::Blank if rows % 3 != 0 => return grid.map(|grid| grid.ended::<Self>(next, false)),
                Line::Row if rows == 0 && self.is_number(line) => {}
                Line::Row if !in_state => {
                    let grid = grid.get_or_insert_with(|| Grid::starting(at));
                    if let Err(error) = self.add(line, &mut grid.cells) {
                        grid.fault.get_or_insert((at, error));
                    }
                    rows += 1;
                    if rows == 9 {
                        break;
                    }
                }
                _ => {}
            }
            at = next;
        }
        let end = if rows == 9 { (at + line_at(text, at).len() + 1).min(text.len()) } else { at };
        grid.map(|grid| grid.ended::<Self>(end, rows < 9))
    }

    /// The record at `start`, for [`Format::record`](super::format::Format::record).
    fn record_at<'t>(self, text: &[u8], start: usize) -> Record<'t> {
        let Some(Grid { start, end, fault, cells, .. }) = self.next(text, start) else {
            return Record { end: text.len(), line: start, cells: Err(PuzzleError::TooShort { cells: 0 }) };
        };
        match fault {
            Some((line, error)) => Record { end, line, cells: Err(error) },
            None => Record { end, line: start, cells: Ok(Cow::Owned(cells)) },
        }
    }

    /// The end of the last record of the complete lines of `text` that is complete whatever follows. `fast` is the end of
    /// the record at an offset, or `None` if the slow path has to decide.
    fn boundary_after(self, text: &[u8], fast: impl Fn(&[u8], usize) -> Option<usize>) -> Option<usize> {
        let whole_lines = &text[..memrchr(b'\n', text)? + 1];
        let mut end = 0;
        loop {
            let next = fast(whole_lines, end).or_else(|| {
                self.next(whole_lines, end).filter(|grid| !grid.ended_by_text).map(|grid| grid.end)
            });
            match next {
                Some(next) => end = next,
                None => return (end > 0).then_some(end),
            }
        }
    }
}

impl Grid {
    fn starting(start: usize) -> Grid {
        Grid { start, end: start, ended_by_text: false, fault: None, cells: Vec::new() }
    }

    fn ended<L: NineLines>(mut self, end: usize, ended_by_text: bool) -> Grid {
        (self.end, self.ended_by_text) = (end, ended_by_text);
        if self.cells.len() != CELLS * L::PER_CELL {
            let short = PuzzleError::TooShort { cells: (self.cells.len() / L::PER_CELL) as u32 };
            self.fault.get_or_insert((self.start, short));
        }
        self
    }
}
