//! Stage 2, records: puzzles in nine lines. `grids.rs` has the rows of clues, `candidate_grids.rs` those of candidates.
//!
//! Nine rows are a record. A title before the ninth row, or a blank line after a number of rows other than three or six,
//! ends the record, which is invalid then. The lines from `[State]` or `[PencilMarks]` to the next title are not records: Sudoku
//! programs store the player's progress there. A record starts with the line of its first row.
//!
//! Before the first row, a line that is not a row is a title if exactly nine rows follow it. Ten rows are an invalid record, because
//! the first of them may be a title that looks like a row.

use std::borrow::Cow;

use memchr::memrchr;

use super::format::Record;
use super::line_at;
use crate::grid::{CELLS, PuzzleError, is_cell};

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
    /// The offset up to which the text was examined to tell whether the line before is a title.
    pub examined: usize,
    /// The offset of the first faulty line and its error.
    pub fault: Option<(usize, PuzzleError)>,
    /// The bytes of the cells, or the pencilmarks.
    pub cells: Vec<u8>,
}

/// Rows that follow one another.
pub(super) struct Rows {
    count: usize,
    /// The offset after the last one.
    end: usize,
    /// The offset up to which the text was examined; the greatest number if more would have been.
    examined: usize,
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

    /// Whether a row with these cells is a title if nine rows follow it.
    fn may_be_title(self, _: &[u8], _cells: &[u8]) -> bool {
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
        let (mut rows, mut examined) = (0, 0);
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
                    let is_named = |name: &[u8]| line.trim_ascii().eq_ignore_ascii_case(name);
                    in_state = is_named(b"[state]") || is_named(b"[pencilmarks]");
                }
                Line::Blank if rows % 3 != 0 => return grid.map(|grid| grid.ended::<Self>(next, false)),
                Line::Row
                    if rows == 0
                        && (self.is_number(line) || self.is_title(line, text, next, &mut examined)) => {}
                Line::Row if !in_state => {
                    let record = grid.get_or_insert_with(|| Grid { examined, ..Grid::starting(at) });
                    if let Err(error) = self.add(line, &mut record.cells) {
                        record.fault.get_or_insert((at, error));
                    }
                    rows += 1;
                    if rows == 9 {
                        return grid.map(|grid| self.with_next_row(grid, text, next));
                    }
                }
                _ => {}
            }
            at = next;
        }
        grid.map(|grid| grid.ended::<Self>(at, true))
    }

    /// Ends a record of nine rows at `end`. If exactly one more row follows, it belongs to the record, which is invalid then.
    fn with_next_row(self, grid: Grid, text: &[u8], end: usize) -> Grid {
        let rows = self.rows(text, end, 9);
        let end = if rows.count == 10 { rows.end } else { end };
        let mut grid = grid.ended::<Self>(end, rows.examined == usize::MAX);
        if rows.count == 10 {
            grid.fault.get_or_insert((grid.start, PuzzleError::TooLong));
        }
        grid
    }

    /// Whether a line before the first row is a title because of the lines from `next` on. Otherwise, sets the offset up to which they
    /// were examined.
    fn is_title(self, line: &[u8], text: &[u8], next: usize, examined: &mut usize) -> bool {
        let mut cells = Vec::new();
        let error = self.add(line, &mut cells);
        if error.is_ok() && !self.may_be_title(line, &cells) {
            return false;
        }
        // A few words alone are not a damaged row.
        let is_text = matches!(error, Err(PuzzleError::BadCharacter { .. }))
            && line.iter().filter(|&&byte| is_cell(byte)).count() < 5
            && (next == text.len() || matches!(self.kind(line_at(text, next)), Line::Blank | Line::Title));
        if is_text {
            return true;
        }
        let rows = self.rows(text, next, 0);
        if rows.count != 9 {
            *examined = rows.examined;
        }
        rows.count == 9
    }

    /// Counts rows from `at` on, after `count` others, up to eleven.
    fn rows(self, text: &[u8], mut at: usize, mut count: usize) -> Rows {
        let (mut end, mut cells) = (at, Vec::new());
        while at < text.len() && count < 11 {
            let line = line_at(text, at);
            at = (at + line.len() + 1).min(text.len());
            match self.kind(line) {
                Line::Comment | Line::Rule => {}
                Line::Blank if count.is_multiple_of(3) && count < 9 => {}
                Line::Row => {
                    cells.clear();
                    if self.add(line, &mut cells).is_err() || count == 9 && self.may_be_title(line, &cells) {
                        return Rows { count, end, examined: at };
                    }
                    (count, end) = (count + 1, at);
                }
                Line::Blank | Line::Title => return Rows { count, end, examined: at },
            }
        }
        Rows { count, end, examined: if count < 11 { usize::MAX } else { at } }
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
    fn boundary_after(
        self,
        text: &[u8],
        mut fast: impl FnMut(&[u8], usize) -> Option<usize>,
    ) -> Option<usize> {
        let whole_lines = &text[..memrchr(b'\n', text)? + 1];
        let (mut end, mut examined, mut boundary) = (0, 0, None);
        loop {
            let next = fast(whole_lines, end).or_else(|| {
                let grid = self.next(whole_lines, end).filter(|grid| !grid.ended_by_text)?;
                examined = examined.max(grid.examined);
                Some(grid.end)
            });
            let Some(next) = next else { return boundary };
            end = next;
            // Without the text after it, what was examined would not be the same.
            if end >= examined {
                boundary = Some(end);
            }
        }
    }
}

impl Grid {
    fn starting(start: usize) -> Grid {
        Grid { start, end: start, ended_by_text: false, examined: 0, fault: None, cells: Vec::new() }
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
