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

use super::cells;
use super::{AHEAD, Records};
use crate::grid::{CELLS, Puzzle, PuzzleError, is_cell, parse_line};
use crate::simd::{self, Portable};

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
    pub puzzle: Result<Puzzle, (usize, PuzzleError)>,
    /// The cells as they stand.
    pub cells: Vec<u8>,
}

impl Grids {
    /// Reads every record of `text`.
    pub(super) fn read(self, text: &[u8], records: &mut Records) {
        records.forget();
        let mut at = 0;
        loop {
            simd::prefetch(text, at + AHEAD);
            // Between records a title says nothing, unless it is in brackets.
            if text.get(at).is_some_and(|&byte| byte.is_ascii_alphabetic() && !is_cell(byte)) {
                at += super::line_at(text, at).len() + 1;
                continue;
            }
            let mut puzzle = Puzzle::EMPTY;
            if let Some(end) = dense_grid(text, at, &mut puzzle) {
                records.push(at, puzzle);
                at = end;
            } else if let Some(plain) = self.plain_grid(text, at) {
                records.push(plain.start, plain.puzzle);
                at = plain.end;
            } else if let Some(grid) = self.next(text, at) {
                records.push(grid.start, grid.puzzle.unwrap_or(Puzzle::MALFORMED));
                at = grid.end;
            } else {
                break;
            }
        }
        records.lines = super::lines_of(text);
    }

    /// The end of the last record that is complete whatever follows `text`, or of some record not far before.
    pub(super) fn last_cut(self, text: &[u8]) -> Option<usize> {
        let whole_lines = &text[..memchr::memrchr(b'\n', text)? + 1];
        if let Some(title) = last_title(whole_lines) {
            return Some(title);
        }
        let mut end = 0;
        loop {
            let mut unused = Puzzle::EMPTY;
            if let Some(dense) = dense_grid(whole_lines, end, &mut unused) {
                end = dense;
            } else if let Some(plain) = self.plain_grid(whole_lines, end) {
                end = plain.end;
            } else if let Some(grid) = self.next(whole_lines, end).filter(|grid| !grid.cut_short) {
                end = grid.end;
            } else {
                return (end > 0).then_some(end);
            }
        }
    }

    /// The first record at or after `at`, which is not within one.
    pub(super) fn next(self, text: &[u8], at: usize) -> Option<Grid> {
        self.seek(text, at, Self::plain_grid)
    }

    /// Likewise, with `fast` to try first wherever a record may start.
    fn seek(self, text: &[u8], at: usize, fast: fn(Self, &[u8], usize) -> Option<Plain>) -> Option<Grid> {
        let (mut at, mut in_state) = (at, false);
        let mut grid = None;
        let mut rows = 0;
        while at < text.len() {
            if grid.is_none()
                && !in_state
                && let Some(plain) = fast(self, text, at)
            {
                return Some(plain.into());
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
                self.blame(at, PuzzleError::BadCharacter { column, byte });
            }
            self.cells.push(byte);
        }
        match self.cells.len() - before {
            9 => {}
            cells => self.blame(at, PuzzleError::RowLength { cells: cells as u32 }),
        }
    }

    /// The first trouble is the one to report.
    fn blame(&mut self, at: usize, trouble: PuzzleError) {
        if self.puzzle.is_ok() {
            self.puzzle = Err((at, trouble));
        }
    }

    fn ended(mut self, end: usize, cut_short: bool) -> Grid {
        (self.end, self.cut_short) = (end, cut_short);
        if self.puzzle.is_ok() {
            let short = PuzzleError::TooShort { cells: self.cells.len() as u32 };
            self.puzzle = parse_line(&self.cells).map_err(|_| (self.start, short));
        }
        self
    }
}

/// A record without trouble.
struct Plain {
    start: usize,
    end: usize,
    cells: [u8; CELLS],
    puzzle: Puzzle,
}

impl From<Plain> for Grid {
    fn from(Plain { start, end, cells, puzzle }: Plain) -> Grid {
        Grid { start, end, cut_short: false, puzzle: Ok(puzzle), cells: cells.to_vec() }
    }
}

impl Grids {
    /// The fast path: the first record at or after `at`, if nothing but blank lines and rules is before and between
    /// its rows, and nine cells in each of these. `None` says nothing.
    fn plain_grid(self, text: &[u8], at: usize) -> Option<Plain> {
        let (mut start, mut end, mut rows) = (at, at, 0);
        let mut cells = [0; CELLS];
        while rows < 9 {
            let mut row = [0; 16];
            let line = Scan::line(text, end, &mut row)?;
            if line.is_row_of_nine(self) {
                cells[9 * rows..9 * rows + 9].copy_from_slice(&row[..9]);
                start = if rows == 0 { end } else { start };
                rows += 1;
            } else if !(line.is_rule() || line.is_blank() && rows % 3 == 0) {
                return None;
            }
            end += line.length + 1;
        }
        let mut puzzle = Puzzle::EMPTY;
        cells::convert(Portable, &cells, &mut puzzle).then_some(Plain { start, end, cells, puzzle })
    }
}

/// Bytes of nine lines of nothing but nine cells.
const DENSE: usize = 90;

/// Which of them are line ends: all bits of a byte.
const ENDS: [u8; DENSE] = {
    let mut ends = [0; DENSE];
    let mut at = 9;
    while at < DENSE {
        ends[at] = 0xFF;
        at += 10;
    }
    ends
};

/// The fastest path: such a record at `at` with digits and `.` only, and where the next one starts.
#[inline(always)]
fn dense_grid(text: &[u8], at: usize, puzzle: &mut Puzzle) -> Option<usize> {
    let lines: &[u8; DENSE] = text.get(at..)?.first_chunk()?;
    // All bytes at once, line ends too, so that rows are copied when all is done.
    let (mut digits, mut strange) = ([0; DENSE], 0);
    for ((digit, &byte), &end) in digits.iter_mut().zip(lines).zip(&ENDS) {
        let value = byte.wrapping_sub(b'0');
        *digit = if value <= 9 { value } else { 0 };
        let no_cell = if (value > 9) & (byte != b'.') { 0xFF } else { 0 };
        strange |= (end & (byte ^ b'\n')) | (!end & no_cell);
    }
    if strange != 0 {
        return None;
    }
    for (row, line) in puzzle.0.chunks_exact_mut(9).zip(digits.chunks_exact(10)) {
        row.copy_from_slice(&line[..9]);
    }
    Some(at + DENSE)
}

/// What is in a line, by a look at each byte.
struct Scan {
    /// Without the line feed.
    length: usize,
    cells: usize,
    /// The kinds of its bytes.
    kinds: u8,
}

/// Cells, other than those of [`DASH`].
const CELL: u8 = 1;
/// Cells that rules are made of, too.
const DASH: u8 = 2;
/// Other parts of rules.
const LINE: u8 = 4;
/// What stands between cells and is to be seen.
const FRAME: u8 = 8;
/// All else that counts.
const STRANGE: u8 = 16;

/// The kind of each byte; 0 for white space.
const KINDS: [u8; 256] = {
    let mut kinds = [STRANGE; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' => 0,
            b'-' | b'*' => DASH,
            b'+' | b'=' => LINE,
            b'0'..=b'9' | b'.' | b'_' | b'?' | b'x' | b'X' => CELL,
            b'|' | 128.. => FRAME,
            _ => STRANGE,
        };
        byte += 1;
    }
    kinds
};

impl Scan {
    /// Looks at the line at `at`, unless it is long or the last one without an end, and puts its cells, if they are
    /// not more than there is room for, to `row`.
    #[inline(always)]
    fn line(text: &[u8], at: usize, row: &mut [u8; 16]) -> Option<Scan> {
        let (mut cells, mut kinds) = (0, 0);
        for (length, &byte) in text.get(at..)?.iter().take(64).enumerate() {
            if byte == b'\n' {
                return Some(Scan { length, cells, kinds });
            }
            let kind = KINDS[byte as usize];
            row[cells % 16] = byte;
            cells += usize::from(kind & (CELL | DASH) != 0);
            kinds |= kind;
        }
        None
    }

    /// Whether nothing but nine cells counts in it.
    fn is_row_of_nine(&self, grids: Grids) -> bool {
        let needed = if grids.rules_are_rows { CELL | DASH } else { CELL };
        self.cells == 9 && self.kinds & (LINE | STRANGE) == 0 && self.kinds & needed != 0
    }

    /// Whether it is a rule, if it is no row.
    fn is_rule(&self) -> bool {
        self.kinds & (CELL | STRANGE) == 0 && self.kinds != 0
    }

    fn is_blank(&self) -> bool {
        self.kinds == 0
    }
}

/// Where the last title of `text` starts, if one is near its end and not at its start. Whatever is before a title
/// is complete.
fn last_title(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    for _ in 0..64 {
        let start = memchr::memrchr(b'\n', text.get(..end.checked_sub(1)?)?)? + 1;
        if text[start] == b'[' || (text[start].is_ascii_alphabetic() && !is_cell(text[start])) {
            return Some(start);
        }
        end = start;
    }
    None
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Lines of all kinds, mostly rows.
    fn line() -> impl Strategy<Value = String> {
        let row = prop_oneof![
            8 => "[0-9.]{9}",
            4 => "[1-9.] [1-9.] [1-9.] ?\\| ?[1-9x] [1-9.] [1-9-] \\| [1-9.] [1-9*] [1-9.]\\r?",
            1 => "│[1-9.]{3}│[1-9.]{3}│[1-9-]{3}│",
            1 => "[0-9x.*-]{8,10}",
            1 => "-{9}|\\*{9}|-{3}\\+-{3}\\+-{3}|===|\\| *\\||├─┼─┤",
            1 => "|[ \t\r]|#.{0,4}|Grid [0-9]|\\[State\\]|\\[Puzzle\\]|[1-9a]{9}",
        ];
        (row, 0..40).prop_map(|(row, more)| if more == 0 { format!("{row}{}", " ".repeat(70)) } else { row })
    }

    proptest! {
        #[test]
        fn the_fast_path_and_all_cuts_find_the_same_records(
            pieces in prop::collection::vec(prop_oneof![
                1 => prop::collection::vec(line(), 1..4),
                3 => prop::collection::vec("[0-9.]{9}", 9),
                2 => prop::collection::vec("[1-9.] [1-9.] [1-9.]  [1-9.] [1-9.] [1-9.]  [1-9.] [1-9.] [1-9.]", 3),
            ], 0..14),
            rules_are_rows: bool,
            ended: bool,
            at in any::<prop::sample::Index>(),
        ) {
            let mut text = pieces.concat().join("\n");
            if ended {
                text.push('\n');
            }
            let (grids, text) = (Grids { rules_are_rows }, text.as_bytes());
            let mut slow = Vec::new();
            let mut end = 0;
            while let Some(grid) = grids.seek(text, end, |_, _, _| None) {
                slow.push((grid.start, grid.puzzle.unwrap_or(Puzzle::MALFORMED)));
                end = grid.end;
            }
            let read = |text: &[u8], from: usize| {
                let mut records = Records::default();
                grids.read(text, &mut records);
                let starts = records.starts.into_iter().map(move |start| start as usize + from);
                starts.zip(records.puzzles).collect::<Vec<_>>()
            };
            prop_assert_eq!(&read(text, 0), &slow);
            if let Some(cut) = grids.last_cut(&text[..at.index(text.len() + 1)]) {
                let (head, tail) = text.split_at(cut);
                prop_assert_eq!([read(head, 0), read(tail, cut)].concat(), slow);
            }
        }
    }
}
