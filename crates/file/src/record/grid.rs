//! Stage 2, records: **grid**, a puzzle in nine rows.
//!
//! A *row* is a line with exactly nine cells after spaces, tabs, `|` and `,` are removed, and nothing else (here `-` is
//! not a cell). A *rule* is a line of three or more of `-` `+` `=` `|` `:` `*` and spaces; a line that could be both is
//! a rule. A *broken row* is any other line, no comment, with 81 cells in a row, or whose first nine characters after
//! white space are cells or such as are removed. A record is a run of rows and broken rows; rules within it are
//! ignored. Any other line (blank, title, comment) ends the run. A run of nine rows is a puzzle; any other is one
//! invalid record.

use std::borrow::Cow;

use memchr::memrchr;

use super::cells::has_long_run;
use super::format::{Division, Format, Record};
use super::{Records, line_at, line_end, trim};
use crate::grid::{CELLS, Puzzle, PuzzleError, is_between_cells, is_cell, is_rule, parse_cells, row_cells};
use crate::simd::SimdLevel;

/// A puzzle in nine rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grid;

/// A line of a text with grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Row([u8; 9]),
    Broken,
    Rule,
    Other,
}

impl Line {
    fn of(line: &[u8]) -> Line {
        match row_cells(line) {
            Some([b'*', b'*', b'*', b'*', b'*', b'*', b'*', b'*', b'*']) if is_rule(line) => Line::Rule,
            Some(cells) => Line::Row(cells),
            None if is_rule(line) => Line::Rule,
            None if line.starts_with(b"#") => Line::Other,
            None => {
                let is_of_row = |byte: &u8| is_between_cells(*byte) || (is_cell(*byte) && *byte != b'-');
                let start = trim(line).get(..9);
                if start.is_some_and(|start| start.iter().all(is_of_row)) || has_long_run(line) {
                    Line::Broken
                } else {
                    Line::Other
                }
            }
        }
    }
}

/// The rows of a record while it is read.
#[derive(Clone, Copy, Debug)]
struct Run {
    rows: usize,
    cells: [u8; CELLS],
    /// The first broken row, from 1, and its offset.
    broken: Option<(usize, usize)>,
    /// The offset after the last row.
    end: usize,
}

impl Run {
    const NONE: Run = Run { rows: 0, cells: [0; CELLS], broken: None, end: 0 };

    /// Adds the line at `at` of a text, which ends at `end`. Returns `false` if it ends the run.
    fn add(&mut self, text: &[u8], at: usize, end: usize) -> bool {
        match Line::of(line_at(&text[at..])) {
            Line::Rule => return true,
            Line::Other => return false,
            Line::Broken => self.broken = self.broken.or(Some((self.rows + 1, at))),
            Line::Row(cells) => {
                if let Some(row) = self.cells.as_chunks_mut().0.get_mut(self.rows) {
                    *row = cells;
                }
            }
        }
        (self.rows, self.end) = (self.rows + 1, end);
        true
    }

    /// The run at the start of a text.
    fn of(text: &[u8]) -> Run {
        let (mut run, mut at) = (Run::NONE, 0);
        while at < text.len() {
            let end = line_end(text, at);
            if !run.add(text, at, end) {
                break;
            }
            at = end;
        }
        run
    }

    fn puzzle(&self) -> Result<Puzzle, PuzzleError> {
        match (self.rows, self.broken) {
            (_, Some((line, _))) if self.rows == 9 => Err(PuzzleError::BrokenRow { line: line as u32 }),
            (9, _) => parse_cells(&self.cells),
            (rows, _) => Err(PuzzleError::RowCount { rows: u32::try_from(rows).unwrap_or(u32::MAX) }),
        }
    }
}

/// The size of nine rows without anything between cells.
const PLAIN: usize = CELLS + 9;

/// The puzzle of such rows at the start of a text, if they are a whole record with one character for blanks. Saves
/// nearly all time.
fn plain_puzzle(text: &[u8]) -> Option<Puzzle> {
    let (rows, rest) = text.split_first_chunk::<PLAIN>()?;
    let mut cells = [0; CELLS];
    let mut are_plain = true;
    for (cells, row) in cells.as_chunks_mut::<9>().0.iter_mut().zip(rows.as_chunks::<10>().0) {
        cells.copy_from_slice(&row[..9]);
        are_plain &= row[9] == b'\n';
    }
    let blank = if cells.contains(&b'.') { b'.' } else { b'0' };
    are_plain &= cells.iter().fold(true, |all, &byte| all & ((b'1'..=b'9').contains(&byte) | (byte == blank)));
    (are_plain && Line::of(line_at(rest)) == Line::Other)
        .then(|| Puzzle::of_cells(cells.map(|byte| if byte == blank { 0 } else { byte - b'0' })))
}

/// The number of rows of the first record of a text.
pub fn rows_of_first(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() && !matches!(Line::of(line_at(&text[at..])), Line::Row(_) | Line::Broken) {
        at = line_end(text, at);
    }
    Run::of(&text[at..]).rows
}

/// Whether a line is a row of a grid.
pub fn is_row(line: &[u8]) -> bool {
    matches!(Line::of(line), Line::Row(_))
}

impl Format for Grid {
    fn division(&self) -> Division {
        Division::Never("grids")
    }

    fn record<'t>(&self, record: &'t [u8]) -> Record<'t> {
        let run = Run::of(record);
        let line = run.broken.map_or(0, |(_, at)| at);
        let cells = run.puzzle().map(|_| Cow::Owned(run.cells.to_vec()));
        Record { length: run.end, line, cells }
    }

    fn read(&self, _: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        records.clear_counts();
        records.puzzles.clear();
        records.starts.clear();
        let (mut run, mut start, mut at) = (Run::NONE, 0, 0);
        while at < text.len() && records.len() < limit {
            if run.rows == 0 {
                start = at;
                if let Some(puzzle) = plain_puzzle(&text[at..]) {
                    records.push(at, Some(puzzle));
                    // An empty line usually follows. It ends no other run, so it is skipped here.
                    let is_blank = text.get(at + PLAIN) == Some(&b'\n');
                    at += PLAIN + usize::from(is_blank);
                    records.lines += 9 + u64::from(is_blank);
                    continue;
                }
            }
            let end = line_end(text, at);
            if !run.add(text, at, end) {
                let line = line_at(&text[at..]);
                records.commented += u64::from(line.starts_with(b"#") && has_long_run(line));
                if run.rows > 0 {
                    records.push(start, run.puzzle().ok());
                    run = Run::NONE;
                }
            }
            records.lines += 1;
            at = end;
        }
        if run.rows > 0 && records.len() < limit {
            records.push(start, run.puzzle().ok());
        }
        at
    }

    /// The end of the last line that ends a run.
    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        let mut end = memrchr(b'\n', text)? + 1;
        while end > 0 {
            let start = memrchr(b'\n', &text[..end - 1]).map_or(0, |at| at + 1);
            if Line::of(line_at(&text[start..])) == Line::Other {
                return Some(end);
            }
            end = start;
        }
        None
    }
}
