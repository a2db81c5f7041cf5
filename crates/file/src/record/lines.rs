//! Stage 2, records: **lines**, a puzzle at the start of each line.
//!
//! Each line that is neither blank nor a comment is a record. Leading spaces are skipped; then come the puzzle text
//! and, after a space, tab, `,` `;` `:` `|` or `#`, the note. The note is carried, never interpreted, with two
//! exceptions: if its first field is a complete grid, that is the solution; 81 or more cells in a row that are not a
//! complete grid make the record invalid, because lines were joined, or the solution comes first.

use std::borrow::Cow;

use memchr::memchr;

use super::cells::{is_complete, long_runs, plain_cells, puzzle_text};
use super::format::{Format, Record};
use super::{LineFormat, ReadLines, Records, line_at, line_end};
use crate::grid::{CELLS, MARKS, Puzzle, PuzzleError};
use crate::simd::{Simd, SimdLevel};
use crate::text::convert;

/// A puzzle at the start of each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Whether zeros are put before numbers, see [`InputOptions::pads`](super::InputOptions::pads).
    pub pads: bool,
}

/// Whether a byte ends the puzzle of a line.
pub fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';' | b':' | b'|' | b'#')
}

/// The first field of a text, and the rest from the separator on.
fn split_field(text: &[u8]) -> (&[u8], &[u8]) {
    // Nearly all fields have one of these lengths. Without an early exit, LLVM uses vectors.
    let has_length = |&n: &usize| {
        text.get(n).is_none_or(|&byte| is_separator(byte))
            && text.get(..n).is_some_and(|field| !field.iter().fold(false, |any, &byte| any | is_separator(byte)))
    };
    let end = [CELLS, MARKS].into_iter().find(has_length);
    text.split_at(end.or_else(|| text.iter().position(|&byte| is_separator(byte))).unwrap_or(text.len()))
}

/// The text of the puzzle of a line, with its offset, and the rest of the line.
fn split(line: &[u8]) -> (usize, &[u8], &[u8]) {
    let start = line.iter().take_while(|&&byte| byte == b' ').count();
    let (puzzle, rest) = split_field(&line[start..]);
    (start, puzzle, rest)
}

/// The note in the rest of a line.
fn note(rest: &[u8]) -> &[u8] {
    &rest[rest.iter().take_while(|&&byte| is_separator(byte)).count()..]
}

/// Whether a note has 81 cells in a row that are not a complete grid.
#[inline]
fn has_other_puzzle(note: &[u8]) -> bool {
    // Most long notes start with a solution.
    let rest = match note.split_at_checked(CELLS) {
        Some((cells, rest)) if is_complete(cells) && rest.first().is_none_or(|&byte| is_separator(byte)) => rest,
        _ => note,
    };
    rest.len() >= CELLS && long_runs(rest).any(|run| !is_complete(run))
}

impl Lines {
    /// The cells of the puzzle at the start of a line.
    pub fn puzzle<'t>(&self, line: &'t [u8]) -> Result<Cow<'t, [u8]>, PuzzleError> {
        let (start, puzzle, _) = split(line);
        puzzle_text(puzzle.into(), self.pads).map_err(|error| error.moved(start))
    }

    /// The note of a record, if it has one.
    pub fn note<'t>(&self, record: &'t [u8]) -> Option<&'t [u8]> {
        Some(note(split(line_at(record)).2).trim_ascii()).filter(|note| !note.is_empty())
    }
}

impl Format for Lines {
    fn record<'t>(&self, record: &'t [u8]) -> Record<'t> {
        let line = line_at(record);
        let cells = self.puzzle(line).and_then(|cells| {
            if has_other_puzzle(note(split(line).2)) { Err(PuzzleError::JoinedLines) } else { Ok(cells) }
        });
        Record { length: line_end(record, 0), line: 0, cells }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        level.run(ReadLines { records, text, format: self, limit })
    }

    fn cells_of_puzzle<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        // The puzzle is at the start of nearly all lines.
        plain_cells(record).filter(|_| !self.pads).or_else(|| self.puzzle(line_at(record)).ok())
    }

    /// The note, if there is one.
    fn values<'t>(&self, record: &'t [u8], _: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        // Most lines end after the puzzle.
        if record.get(CELLS).is_some_and(|byte| *byte != b'\n') {
            values.extend(self.note(record).map(Cow::Borrowed));
        }
    }

    fn solution<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        // Most lines end after the puzzle.
        let line = Some(line_at(record)).filter(|line| line.len() > 2 * CELLS)?;
        let (field, _) = split_field(note(split(line).2));
        is_complete(field).then_some(Cow::Borrowed(field))
    }
}

impl LineFormat for Lines {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        let (cells, rest) = text.split_first_chunk()?;
        let end = match *rest.first()? {
            b'\n' => 0,
            b'\r' if rest.get(1) == Some(&b'\n') => 1,
            byte if is_separator(byte) => {
                memchr(b'\n', rest).filter(|&length| !has_other_puzzle(&rest[1..length.max(1)]))?
            }
            _ => return None,
        };
        convert(s, cells, puzzle).then_some(CELLS + end + 1)
    }

    fn is_comment(&self, line: &[u8]) -> bool {
        line.starts_with(b"#")
    }
}
