//! Stage 2, records: a puzzle at the start of each line. The documentation of `record` has the rules.

use std::borrow::Cow;

use memchr::memchr;

use super::choose::check_others;
use super::format::{Division, Format, Record};
use super::rulers::{is_rule, is_ruler};
use super::{HEAD, LineFormat, Records, cells, line_at, notation};
use crate::file::bytes::{BYTE_ORDER_MARK, is_delimiter, is_record};
use crate::grid::{CELLS, Puzzle, PuzzleError, is_cell, is_separator, parse_line};
use crate::simd::{Simd, SimdLevel};

/// The greatest number of spaces and tabs before a puzzle.
pub(super) const INDENT: usize = 16;

/// The number of bytes before the puzzle of a line: a byte order mark, if files were put together, spaces and tabs.
#[inline]
fn indent(line: &[u8]) -> usize {
    let mark = if line.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    mark + line[mark..].iter().take(INDENT).take_while(|&&byte| byte == b' ' || byte == b'\t').count()
}

/// A puzzle at the start of each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Whether a note follows some puzzle in the lines that were examined.
    pub has_notes: bool,
    /// Whether notes follow less than half of the puzzles there. Then another puzzle is no note, but a lost line feed.
    pub notes_are_rare: bool,
    /// Whether some of these notes start with a complete grid, the solution.
    pub has_solutions: bool,
    /// Whether zeros are put before numbers, see [`InputOptions::pads`](super::InputOptions::pads).
    pub pads: bool,
    /// Whether there are rulers in the lines that were examined, which are no records.
    pub has_rulers: bool,
}

impl Lines {
    /// The cells of the puzzle of a line.
    fn cells<'t>(&self, line: &'t [u8]) -> Result<Cow<'t, [u8]>, PuzzleError> {
        let start = indent(line);
        let line = &line[start..];
        let error = match parse_line(line) {
            Ok(_) => {
                let cells = &line[..CELLS];
                check_others(cells, || {
                    let rest = &line[CELLS..line.len().min(HEAD - start)];
                    let before = rest.iter().take_while(|byte| is_delimiter(**byte)).count();
                    let fields = rest.split(|byte| is_delimiter(*byte));
                    fields.chain([&rest[before..]]).map(Cow::Borrowed).collect()
                })?;
                return match self.notes_are_rare && note(line).is_some_and(is_puzzle_with_blanks) {
                    true => Err(PuzzleError::TooLong),
                    false => Ok(Cow::Borrowed(cells)),
                };
            }
            Err(error) => error,
        };
        // A number that is too short may have lost zeros.
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_number = digits < CELLS
            && match &line[digits..] {
                [] | [b'\r'] => true,
                [byte, ..] => is_separator(*byte),
            };
        match notation::read_field(&line[..digits], self.pads) {
            Ok(cells) if is_number => Ok(cells),
            Err(lost @ PuzzleError::LostZeros { .. }) if is_number => Err(lost),
            _ => match line.get(CELLS) {
                Some(&byte) if error == PuzzleError::TooLong && !is_cell(byte) => {
                    Err(PuzzleError::BadCharacter { column: (start + CELLS) as u32 + 1, byte })
                }
                _ => Err(error.moved(start)),
            },
        }
    }
}

impl Format for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn division(&self) -> Division {
        Division::Lines
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        let line = line_at(text, start);
        Record { end: self.end(text, start), line: start, cells: self.cells(line) }
    }

    fn read(&self, level: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        records.read_lines(level, text, self, limit)
    }

    fn may_be_solution(&self, text: &[u8], start: usize) -> bool {
        // Few lines go on after a complete grid.
        !matches!(text.get(start.saturating_add(CELLS)), None | Some(b'\n' | b'\r'))
    }

    // A solver that does not look at its puzzles never reports an invalid one, so the range may be too long.
    fn cells_of_puzzle<'t>(&self, text: &'t [u8], start: usize) -> Option<Cow<'t, [u8]>> {
        let line = text.get(start..)?;
        match line.first()? {
            // The puzzle is at the start of nearly all lines.
            byte if !self.pads && is_cell(*byte) => line.get(..CELLS).map(Cow::Borrowed),
            _ => self.cells(line_at(text, start)).ok(),
        }
    }

    /// The rest of the line after the puzzle and separators.
    fn solution<'t>(&self, text: &'t [u8], start: usize) -> Option<(usize, Cow<'t, [u8]>)> {
        let line = line_at(text, start);
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let mut at = indent(line);
        // A number to which zeros are added has fewer cells.
        at += line[at..].iter().take(CELLS).take_while(|&&byte| is_cell(byte)).count();
        at += line[at..].iter().take_while(|&&byte| is_separator(byte)).count();
        Some((at, Cow::Borrowed(&line[at..])))
    }

    fn has_solution(&self) -> bool {
        self.has_solutions
    }

    /// The note after a puzzle, if it has one.
    fn values<'t>(&self, text: &'t [u8], start: usize, _: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        values.clear();
        // Most lines end after the puzzle.
        if !matches!(text.get(start.saturating_add(CELLS)), None | Some(b'\n' | b'\r')) {
            values.extend(note(line_at(text, start)).map(Cow::Borrowed));
        }
    }
}

impl LineFormat for Lines {
    #[inline(always)]
    fn read_plain<S: Simd>(&self, s: S, text: &[u8], puzzle: &mut Puzzle) -> Option<usize> {
        if self.has_rulers && is_rule(text[0]) {
            return None;
        }
        let ends = |byte| is_separator(byte) && !self.notes_are_rare;
        cells::read_plain(s, text, puzzle, ends, |rest| memchr(b'\n', rest))
    }

    fn record_length(&self, text: &[u8]) -> usize {
        line_at(text, 0).len()
    }

    fn parse(&self, line: &[u8]) -> Result<Puzzle, PuzzleError> {
        Puzzle::try_from(&*self.cells(line)?)
    }

    fn is_record(&self, line: &[u8]) -> bool {
        is_record(line) && !(self.has_rulers && is_ruler(&line[..line.len().min(HEAD)]))
    }
}

/// Whether a note starts with a puzzle that has blanks.
fn is_puzzle_with_blanks(note: &[u8]) -> bool {
    parse_line(note).is_ok_and(|puzzle| puzzle.clue_count() < CELLS)
}

/// The text after the puzzle at the start of a line, without the separator and spaces around it.
pub(super) fn note(line: &[u8]) -> Option<&[u8]> {
    let line = &line[indent(line)..];
    let rest = line.get(CELLS..)?.trim_ascii();
    let note = rest.strip_prefix(b",").or(rest.strip_prefix(b";")).unwrap_or(rest).trim_ascii_start();
    (!note.is_empty() && parse_line(line).is_ok()).then_some(note)
}
