//! Stage 2, records: candidate grids, as programs and forums write them (`.sdx`, Simple Sudoku, HoDoKu).
//!
//! A row has nine groups, separated by spaces, tabs, `|` or non-ASCII bytes (box-drawing characters). A group has the
//! candidates of a cell: different digits, possibly after a `u` (SudoCue: placed by the player). `.` or `0` alone stands for
//! all nine candidates, `-` alone for none. Rules may also have `.` `:` `'` `,` besides the characters of other grids. All else
//! is as in grids of clues, see `grids.rs` and `nine_lines.rs`.

use super::format::{Division, Format, Record};
use super::nine_lines::{Line, NineLines};
use super::{Records, count_lines};
use crate::grid::{Candidates, PuzzleError, parse_candidates};
use crate::simd::SimdLevel;

/// Grids of lists of candidates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CandidateGrids;

impl Format for CandidateGrids {
    fn name(&self) -> &'static str {
        "candidate grids"
    }

    fn division(&self) -> Division {
        Division::Never("grids of nine lines")
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        self.record_at(text, start)
    }

    fn read(&self, _: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        records.clear();
        let mut at = 0;
        while records.len() < limit {
            let Some(grid) = self.next(text, at) else {
                at = text.len();
                break;
            };
            let marks = grid.fault.is_none().then(|| parse_candidates(&grid.cells).ok()).flatten();
            records.push_pencilmarks(grid.start, marks);
            at = grid.end;
        }
        records.lines = count_lines(&text[..at]);
        at
    }

    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        self.boundary_after(text, |_, _| None)
    }

    fn has_pencilmarks(&self) -> bool {
        true
    }
}

impl NineLines for CandidateGrids {
    const PER_CELL: usize = 9;

    fn kind(self, line: &[u8]) -> Line {
        kind(line)
    }

    fn add(self, line: &[u8], marks: &mut Vec<u8>) -> Result<(), PuzzleError> {
        add(line, marks)
    }
}

/// Whether a byte separates groups.
fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'|') || !byte.is_ascii()
}

/// The groups of a line.
fn groups(line: &[u8]) -> impl Iterator<Item = &[u8]> + Clone {
    line.split(|&byte| is_separator(byte)).filter(|group| !group.is_empty())
}

/// The kind of a line.
fn kind(line: &[u8]) -> Line {
    let mut all = groups(line);
    let Some(first) = all.clone().next() else {
        let has_frame = line.iter().any(|&byte| byte == b'|' || !byte.is_ascii());
        return if has_frame { Line::Rule } else { Line::Blank };
    };
    match first {
        [b'#', ..] => Line::Comment,
        [b'u' | b'U', b'1'..=b'9', ..] => Line::Row,
        [b'[' | b'a'..=b'z' | b'A'..=b'Z', ..] => Line::Title,
        _ => {
            let is_rule = all.clone().flatten().all(|byte| b"-+=*.:',".contains(byte));
            let are_cells = all.clone().all(|group| matches!(group, b"." | b"-"))
                && (all.clone().count() == 9 || all.any(|group| group == b"."));
            if is_rule && !are_cells { Line::Rule } else { Line::Row }
        }
    }
}

/// Appends the candidates of a row to `marks`, nine characters for each group.
///
/// # Errors
/// The first error. There are marks for each group nevertheless.
fn add(line: &[u8], marks: &mut Vec<u8>) -> Result<(), PuzzleError> {
    let (mut result, mut count) = (Ok(()), 0);
    for group in groups(line) {
        let start = group.as_ptr() as usize - line.as_ptr() as usize;
        let set = set(group).unwrap_or_else(|at| {
            let error = PuzzleError::BadCharacter { column: (start + at) as u32 + 1, byte: group[at] };
            result = result.and(Err(error));
            0
        });
        marks.extend((1..=9).map(|digit| if set >> (digit - 1) & 1 == 1 { b'0' + digit } else { b'.' }));
        count += 1;
    }
    result.and(if count == 9 { Ok(()) } else { Err(PuzzleError::RowLength { cells: count }) })
}

/// The set of a group, or the position of its first bad character.
fn set(group: &[u8]) -> Result<u16, usize> {
    match group {
        b"." | b"0" => return Ok(Candidates::NINE),
        b"-" => return Ok(0),
        _ => {}
    }
    let skipped = usize::from(matches!(group, [b'u' | b'U', _, ..]));
    let mut set = 0;
    for (at, byte) in group.iter().enumerate().skip(skipped) {
        match byte {
            b'1'..=b'9' if set >> (byte - b'1') & 1 == 0 => set |= 1 << (byte - b'1'),
            _ => return Err(at),
        }
    }
    Ok(set)
}

/// Whether the lines of a text are probably rows of candidates: several have nine groups, and in a good part of them a cell
/// has two or more.
pub(super) fn look_like<'t>(lines: impl Iterator<Item = &'t [u8]>) -> bool {
    let (mut rows, mut marked) = (0, 0);
    for line in lines {
        let groups = || groups(line);
        let is_row = groups().take(10).count() == 9 && groups().all(|group| set(group).is_ok());
        rows += usize::from(is_row);
        marked += usize::from(
            is_row && groups().any(|group| group.iter().filter(|byte| byte.is_ascii_digit()).count() > 1),
        );
    }
    rows >= 5 && marked >= 2 && marked * 5 >= rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_kinds() {
        for (line, expected) in [
            ("", Line::Blank),
            (" \t\r", Line::Blank),
            ("| |", Line::Rule),
            (".---------.----.", Line::Rule),
            (":---------+----+:\r", Line::Rule),
            ("'---------'----'", Line::Rule),
            ("*-----------*", Line::Rule),
            ("------+-------+------", Line::Rule),
            ("#C comment", Line::Comment),
            ("[State]", Line::Title),
            ("Version 4.2n", Line::Title),
            ("u1 23 456 7 8 9 1 2 3", Line::Row),
            ("| 1 23 456 | 7 8 9 | 1 2 3 |", Line::Row),
            (". . . | . . . | . . .", Line::Row),
            ("- - - - - - - - -", Line::Row),
            ("- - - - - - - -", Line::Rule),
            (". . . . . . . .", Line::Row),
            ("1 2", Line::Row),
        ] {
            assert_eq!(kind(line.as_bytes()), expected, "{line}");
        }
    }

    #[test]
    fn groups_are_sets() {
        let mut marks = Vec::new();
        assert_eq!(add("|u1 32 . | 0 - 123456789│7 8 U9|\r".as_bytes(), &mut marks), Ok(()));
        let expected = [
            "1........",
            ".23......",
            "123456789",
            "123456789",
            ".........",
            "123456789",
            "......7..",
            ".......8.",
            "........9",
        ];
        assert_eq!(str::from_utf8(&marks).unwrap(), expected.concat());
        for (line, error) in [
            ("1 2 3 4 5 6 7 8", "row of 8 cells instead of 9"),
            ("1 2 3 4 5 6 7 8 9 1", "row of 10 cells instead of 9"),
            ("1 2 3 44 5 6 7 8 9", "bad character '4' in column 8"),
            ("1 2 3 4 5 6 7 8 u", "bad character 'u' in column 17"),
            ("1 2 3 4 5 6 7 8 9-1", "bad character '-' in column 18"),
        ] {
            assert_eq!(add(line.as_bytes(), &mut marks).unwrap_err().to_string(), error);
        }
    }
}
