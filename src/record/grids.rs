//! Grids of nine lines: plain, spaced or framed, one or many in a text.
//!
//! * Spaces, tabs, `|` and all bytes that are not ASCII (drawn frames) count for nothing.
//! * A line of nothing else is blank; one that starts with `#` is a comment; one that starts with a letter
//!   (other than `x`, which is a blank cell) or `[` is a title.
//! * A line of nothing but `-` `+` `=` `*` is a rule and counts for nothing. Nine `-` or `*` may also be a row
//!   of blanks: they are where such blanks stand among digits in the head of the text.
//! * Every other line is a row; nine of them are a record. A title before the ninth, or a blank line after other
//!   than three or six rows, ends the record, which is invalid.
//! * What follows a line `[State]`, up to the next title, is no record: players' programs save there how
//!   far they have come.
//!
//! A record starts with the line of its first row.

use memchr::memchr;

use super::Records;
use super::cells::{self, is_cell};
use crate::grid::{CELLS, Invalid, Puzzle};
use crate::simd::Portable;

/// How grids are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grids {
    /// Whether nine `-` or `*` in a line are cells.
    pub(crate) rules_are_rows: bool,
}

/// What a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    Blank,
    Comment,
    Rule,
    Title,
    Row,
}

/// A record found.
pub(super) struct Grid {
    pub start: usize,
    /// Behind its last line.
    pub end: usize,
    /// Whether it ended because the text did.
    pub cut_short: bool,
    /// The puzzle, or where the line in trouble starts, and the trouble.
    pub puzzle: Result<Puzzle, (usize, Invalid)>,
    /// The cells as they stand.
    pub cells: Vec<u8>,
}

impl Grids {
    /// Reads every record of `text`.
    pub(super) fn read(self, text: &[u8], records: &mut Records) {
        records.puzzles.clear();
        records.starts.clear();
        let mut at = 0;
        while let Some(grid) = self.next(text, at) {
            records.puzzles.push(grid.puzzle.unwrap_or(Puzzle::MALFORMED));
            records.starts.push(super::start_32(grid.start));
            at = grid.end;
        }
        records.lines = super::lines_of(text);
    }

    /// The end of the last record that is complete whatever follows `text`.
    pub(super) fn last_cut(self, text: &[u8]) -> Option<usize> {
        let whole_lines = &text[..memchr::memrchr(b'\n', text)? + 1];
        let mut end = None;
        while let Some(grid) = self.next(whole_lines, end.unwrap_or(0)).filter(|grid| !grid.cut_short) {
            end = Some(grid.end);
        }
        end
    }

    /// The first record at or after `at`, which is not within one.
    pub(super) fn next(self, text: &[u8], at: usize) -> Option<Grid> {
        let (mut at, mut in_state) = (at, false);
        let mut grid = None;
        let mut rows = 0;
        while at < text.len() {
            if grid.is_none()
                && !in_state
                && let Some(grid) = plain_grid(text, at)
            {
                return Some(grid);
            }
            let line = super::line_at(text, at);
            let next = (at + line.len() + 1).min(text.len());
            match self.kind(line) {
                Line::Title => {
                    if rows > 0 {
                        return grid.map(|grid: Grid| grid.ended(at, false));
                    }
                    in_state = line.trim_ascii().eq_ignore_ascii_case(b"[state]");
                }
                Line::Blank if rows % 3 != 0 => return grid.map(|grid| grid.ended(next, false)),
                Line::Row if !in_state => {
                    grid.get_or_insert_with(|| Grid::starting(at)).add(line, at);
                    rows += 1;
                    if rows == 9 {
                        return grid.map(|grid| grid.ended(next, false));
                    }
                }
                _ => {}
            }
            at = next;
        }
        grid.map(|grid| grid.ended(at, true))
    }

    pub(super) fn kind(self, line: &[u8]) -> Line {
        let mut dark = line.iter().filter(|&&byte| !counts_for_nothing(byte)).peekable();
        match dark.peek() {
            None if line.iter().any(|&byte| byte == b'|' || !byte.is_ascii()) => Line::Rule,
            None => Line::Blank,
            Some(b'#') => Line::Comment,
            Some(b'[') => Line::Title,
            Some(byte) if byte.is_ascii_alphabetic() && !is_cell(**byte) => Line::Title,
            _ => {
                let (mut count, mut only_rule, mut only_cells) = (0, true, true);
                for &byte in dark {
                    count += 1;
                    only_rule &= matches!(byte, b'-' | b'+' | b'=' | b'*');
                    only_cells &= is_cell(byte);
                }
                let is_row = !only_rule || (self.rules_are_rows && only_cells && count == 9);
                if is_row { Line::Row } else { Line::Rule }
            }
        }
    }
}

impl Grid {
    fn starting(start: usize) -> Grid {
        Grid { start, end: start, cut_short: false, puzzle: Ok(Puzzle::EMPTY), cells: Vec::new() }
    }

    /// Adds the row `line`, which stands at `at`.
    fn add(&mut self, line: &[u8], at: usize) {
        let before = self.cells.len();
        for (column, &byte) in (1..).zip(line).filter(|(_, byte)| !counts_for_nothing(**byte)) {
            if !is_cell(byte) {
                self.blame(at, Invalid::BadCharacter { column, byte });
            }
            self.cells.push(byte);
        }
        match self.cells.len() - before {
            9 => {}
            cells => self.blame(at, Invalid::RowLength { cells: cells as u32 }),
        }
    }

    /// The first trouble is the one to report.
    fn blame(&mut self, at: usize, trouble: Invalid) {
        if self.puzzle.is_ok() {
            self.puzzle = Err((at, trouble));
        }
    }

    fn ended(mut self, end: usize, cut_short: bool) -> Grid {
        (self.end, self.cut_short) = (end, cut_short);
        if self.puzzle.is_ok() {
            let short = Invalid::TooShort { cells: self.cells.len() as u32 };
            self.puzzle = cells::parse(&self.cells).map_err(|_| (self.start, short));
        }
        self
    }
}

/// The fast path: the record at `at`, if it is nine lines of nothing but nine cells. `None` says nothing.
fn plain_grid(text: &[u8], at: usize) -> Option<Grid> {
    let lines: &[u8; 90] = text[at..].first_chunk()?;
    let mut cells = [0; CELLS];
    for (row, line) in cells.chunks_exact_mut(9).zip(lines.chunks_exact(10)) {
        row.copy_from_slice(&line[..9]);
        // Lines of `-` or `*` are looked at with more care.
        if line[9] != b'\n' || line[0] == b'-' || line[0] == b'*' {
            return None;
        }
    }
    let mut puzzle = Puzzle::EMPTY;
    let end = at + lines.len();
    let found = |puzzle| Grid { start: at, end, cut_short: false, puzzle: Ok(puzzle), cells: cells.to_vec() };
    cells::convert(Portable, &cells, &mut puzzle).then(|| found(puzzle))
}

/// Whether it may stand between cells.
fn counts_for_nothing(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'|') || !byte.is_ascii()
}

/// Whether nine `-` or `*` in a line of this text are cells: where such stand among digits, they are.
pub(super) fn rules_are_rows(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| {
        let cells = line.iter().filter(|&&byte| !counts_for_nothing(byte));
        let has = |wanted: fn(u8) -> bool| cells.clone().any(|&byte| wanted(byte));
        cells.clone().count() == 9
            && cells.clone().all(|&byte| is_cell(byte))
            && has(|byte| byte.is_ascii_digit())
            && has(|byte| matches!(byte, b'-' | b'*'))
    })
}

/// Whether a line has nine cells and nothing else but frames.
pub(super) fn is_row_of_nine(line: &[u8]) -> bool {
    let mut cells = line.iter().filter(|&&byte| !counts_for_nothing(byte));
    cells.clone().count() == 9 && cells.all(|&byte| is_cell(byte)) && memchr(b',', line).is_none()
}
