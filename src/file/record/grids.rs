//! Stage 2, records: puzzles in grids of nine lines, plain, spaced or framed, one or many in a text.
//!
//! * Spaces, tabs, `|` and all non-ASCII bytes (box-drawing characters) are ignored within a line. Nine cells may also be a list
//!   as in `notation.rs`: with commas, semicolons or brackets.
//! * A line without other bytes is blank, and so is one of brackets alone, unless its commas make it a row of empty cells. One that
//!   starts with `#` is a comment. One that starts with a letter (except `x`, which is a blank cell) or `[` is a title, unless it is
//!   the name of a grid and its first row in brackets. Before the first row of a record, so is a number, a date, a time or a rating.
//!   A complete grid after a title with a word such as "solution" is not a puzzle.
//! * A line of only `-` `+` `=` `*` is a rule and is ignored, and so is one of more than nine such bytes and `.` `:` `'` `` ` `` `,`
//!   `_` `x`. Nine `-` or `*` may also be a row of blanks: they are if the head of the text contains rows with such blanks among
//!   digits.
//! * Every other line is a row. `nine_lines.rs` says which rows are a record.

use std::ops::Range;

use memchr::{memchr3, memrchr};

use super::choose::is_solution_label;
use super::format::{Division, Format, Record};
use super::nine_lines::{Grid, Line, NineLines};
use super::{PREFETCH_DISTANCE, Records, count_lines, line_at, notation};
use crate::grid::{CELLS, Puzzle, PuzzleError, is_cell};
use crate::simd::{self, Portable, SimdLevel};
use crate::text::convert;

/// Grids of clues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Grids {
    /// Whether nine `-` or `*` in a line are blank cells.
    pub(crate) dashes_are_blanks: bool,
}

impl Format for Grids {
    fn name(&self) -> &'static str {
        "grids"
    }

    fn division(&self) -> Division {
        Division::Never("grids of nine lines")
    }

    fn record<'t>(&self, text: &'t [u8], start: usize) -> Record<'t> {
        let record = self.record_at(text, start);
        match &record.cells {
            Ok(cells)
                if notation::is_complete(cells) && is_called_solution(&text[..start.min(text.len())]) =>
            {
                Record { cells: Err(PuzzleError::CompleteGrid), ..record }
            }
            _ => record,
        }
    }

    fn may_be_solution(&self, text: &[u8], start: usize) -> bool {
        is_called_solution(&text[..start])
    }

    fn read(&self, _: SimdLevel, text: &[u8], records: &mut Records, limit: usize) -> usize {
        records.clear();
        let (mut at, mut ahead) = (0, Ahead::NONE);
        // The offset of the lines after the last record.
        let mut between = 0;
        while records.len() < limit {
            simd::prefetch(text, at + PREFETCH_DISTANCE);
            // Between records a title has no meaning, unless it is in brackets.
            if starts_title(text, at) {
                at += line_at(text, at).len() + 1;
                continue;
            }
            let mut puzzle = Puzzle::EMPTY;
            if let Some(lines) = self.dense_grid(text, at, &mut ahead, &mut puzzle) {
                records.push(lines.start, Some(puzzle));
                records.commented += commented(text, between, lines.start);
                at = lines.end;
            } else if let Some(plain) = self.plain_grid(text, at) {
                records.push(plain.start, Some(plain.puzzle));
                records.commented += commented(text, between, plain.start);
                at = plain.end;
            } else if let Some(grid) = self.next(text, at) {
                let puzzle = grid.fault.is_none().then(|| Puzzle::try_from(&grid.cells[..]).ok()).flatten();
                records.push(grid.start, puzzle);
                records.commented += commented(text, between, grid.end);
                at = grid.end;
            } else {
                records.commented += commented(text, between, text.len());
                at = text.len();
                break;
            }
            between = at;
        }
        at = at.min(text.len());
        records.lines = count_lines(&text[..at]);
        at
    }

    fn last_boundary(&self, text: &[u8]) -> Option<usize> {
        if let Some(title) = last_title(&text[..memrchr(b'\n', text)? + 1]) {
            return Some(title);
        }
        let mut ahead = Ahead::NONE;
        self.boundary_after(text, |text, at| {
            let dense = self.dense_grid(text, at, &mut ahead, &mut { Puzzle::EMPTY }).map(|lines| lines.end);
            dense.or_else(|| self.plain_grid(text, at).map(|plain| plain.end))
        })
    }
}

impl NineLines for Grids {
    const PER_CELL: usize = 1;

    fn plain(self, text: &[u8], at: usize) -> Option<Grid> {
        let Plain { start, end, cells, .. } = self.plain_grid(text, at)?;
        Some(Grid { start, end, ended_by_text: false, examined: 0, fault: None, cells: cells.to_vec() })
    }

    fn kind(self, line: &[u8]) -> Line {
        let mut visible = line.iter().filter(|&&byte| !is_ignored(byte)).peekable();
        match visible.peek() {
            // Delimiters alone are nine empty cells, also in brackets.
            None | Some(b',' | b';' | b'[' | b'(' | b'{')
                if line.iter().all(|byte| BETWEEN_CELLS.contains(byte))
                    && notation::row_of(line).is_some() =>
            {
                Line::Row
            }
            None if line.iter().any(|&byte| byte == b'|' || !byte.is_ascii()) => Line::Rule,
            None => Line::Blank,
            Some(b'#') => Line::Comment,
            Some(_) if line.iter().all(|byte| BETWEEN_CELLS.contains(byte)) => Line::Rule,
            Some(byte) if **byte == b'[' || is_letter(**byte) => {
                if has_row(line) {
                    Line::Row
                } else {
                    Line::Title
                }
            }
            _ => {
                let (mut count, mut only_rule, mut only_cells) = (0, true, true);
                for &byte in visible {
                    count += 1;
                    only_rule &= matches!(byte, b'-' | b'+' | b'=' | b'*');
                    only_cells &= is_cell(byte);
                }
                let is_row = !(only_rule || (count > 9 && is_frame(line)))
                    || (self.dashes_are_blanks && only_cells && count == 9);
                if is_row { Line::Row } else { Line::Rule }
            }
        }
    }

    fn add(self, line: &[u8], cells: &mut Vec<u8>) -> Result<(), PuzzleError> {
        let (before, mut result) = (cells.len(), Ok(()));
        for (column, &byte) in (1..).zip(line).filter(|(_, byte)| !is_ignored(**byte)) {
            if !is_cell(byte) {
                result = result.and(Err(PuzzleError::BadCharacter { column, byte }));
            }
            cells.push(byte);
        }
        let count = cells.len() - before;
        if (count != 9 || result.is_err())
            && let Some(row) = notation::row_of(line)
        {
            cells.truncate(before);
            cells.extend(row);
            return Ok(());
        }
        match count {
            9 => result,
            count => result.and(Err(PuzzleError::RowLength { cells: count as u32 })),
        }
    }

    fn is_number(self, line: &[u8]) -> bool {
        is_number(line) && !is_row_of_nine(line)
    }

    /// Numbers of columns, and dates of nine characters, are rows of nine cells too.
    fn may_be_title(self, line: &[u8], cells: &[u8]) -> bool {
        COLUMN_NUMBERS.contains(&cells) || (line.trim_ascii().len() == 9 && is_number(line))
    }
}

/// Bytes between the cells of a list.
const BETWEEN_CELLS: &[u8] = b" \t\r[](){},;";
const COLUMN_NUMBERS: [&[u8]; 2] = [b"012345678", b"123456789"];

/// Whether a line is a rule with other bytes than the usual ones.
fn is_frame(line: &[u8]) -> bool {
    let is_part = |&byte: &u8| b"-+=*.:'`,_x".contains(&byte) || is_ignored(byte);
    let is_run = |run: &[u8]| [&b"---"[..], b"===", b"***", b"___"].contains(&run);
    line.iter().all(is_part) && line.windows(3).any(is_run)
}

/// Whether a line is a number, a date, a time or a rating, which is a title between grids.
fn is_number(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let parts: Vec<&[u8]> = line.split(|byte| b"-./:".contains(byte)).collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    let separators: Vec<u8> = line.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect();
    if !parts.iter().all(|part| part.iter().all(u8::is_ascii_digit)) {
        return false;
    }
    match (&lengths[..], &separators[..]) {
        ([1..=8], []) | ([1..=7, 0], b"." | b":") => true,
        ([1..=2, 1..=2, 4] | [4, 1..=2, 1..=2], b"--" | b"//" | b"..") => true,
        ([1..=2, 2] | [1..=2, 2, 2], b":" | b"::") => true,
        ([1..=2, 1], b".") => true,
        (lengths, b"./." | b"./././" | b"././.") => lengths.iter().all(|length| (1..=2).contains(length)),
        _ => false,
    }
}

/// The digits of nine rows, and of nine that were examined ahead, with the offset of these.
struct Ahead {
    at: usize,
    digits: [[u8; DENSE]; 2],
}

impl Ahead {
    const NONE: Ahead = Ahead { at: usize::MAX, digits: [[0; DENSE]; 2] };
}

/// A valid record found by the fast path.
struct Plain {
    start: usize,
    end: usize,
    cells: [u8; CELLS],
    puzzle: Puzzle,
}

impl Grids {
    /// The fast path: the first record at or after `at`, if it has nine rows of nine cells and only blank lines and rules
    /// before and between them. `None` if the slow path has to decide.
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
            } else if !(line.is_rule() || line.is_short_blank() && rows % 3 == 0) {
                return None;
            }
            end += line.length + 1;
        }
        let mut puzzle = Puzzle::EMPTY;
        let is_record = self.no_tenth_row(text, end)? && !looks_like_title(&cells);
        (convert(Portable, &cells, &mut puzzle) && is_record).then_some(Plain { start, end, cells, puzzle })
    }

    /// The fastest path: a record of nine lines of digits and `.` at `at` or after blank lines. Returns its range.
    #[inline(always)]
    fn dense_grid(
        self,
        text: &[u8],
        at: usize,
        ahead: &mut Ahead,
        puzzle: &mut Puzzle,
    ) -> Option<Range<usize>> {
        let blank_lines = text.get(at..)?.iter().take_while(|&&byte| byte == b'\n').count();
        let start = at + blank_lines;
        let end = start + DENSE;
        let [digits, next] = &mut ahead.digits;
        if ahead.at == start {
            std::mem::swap(digits, next);
        } else if !dense_lines(text, start, digits) {
            return None;
        }
        if looks_like_title(&text[start..]) {
            return None;
        }
        // Nine more rows are another record.
        if text.get(end) != Some(&b'\n') && dense_lines(text, end, next) {
            ahead.at = end;
        } else if !self.no_tenth_row(text, end)? {
            return None;
        }
        for (row, line) in puzzle.0.chunks_exact_mut(9).zip(digits.chunks_exact(10)) {
            row.copy_from_slice(&line[..9]);
        }
        Some(start..end)
    }

    /// Whether nine rows before `end` are a record: no row follows them, or at least two do. `None` if the slow path has to decide.
    fn no_tenth_row(self, text: &[u8], end: usize) -> Option<bool> {
        if text.get(end) == Some(&b'\n') { Some(true) } else { self.no_tenth_among_lines(text, end) }
    }

    #[inline(never)]
    fn no_tenth_among_lines(self, text: &[u8], mut end: usize) -> Option<bool> {
        let mut rows = 0;
        while rows < 2 {
            let line = Scan::line(text, end, &mut [0; 16])?;
            if line.is_row_of_nine(self) {
                rows += 1;
            } else if line.is_short_blank() {
                return Some(rows == 0);
            } else if !line.is_rule() {
                return None;
            }
            end += line.length + 1;
        }
        Some(true)
    }
}

/// Whether the first of these rows may be a title. Never false if it may.
#[inline(always)]
fn looks_like_title(rows: &[u8]) -> bool {
    let row: &[u8; 9] = rows.first_chunk().expect("nine rows");
    let is_digit = |at: usize| row[at].is_ascii_digit();
    // Dates of nine characters have digits and a separator there. Without branches, because they would be unpredictable.
    let may_be_date = is_digit(0) & is_digit(3) & !is_digit(4) & is_digit(5) & is_digit(8);
    let are_numbers = (row[..8] == *b"01234567") | (row[..8] == *b"12345678");
    (may_be_date | are_numbers) && (are_numbers || is_number(row))
}

/// Whether a byte starts a title.
fn is_letter(byte: u8) -> bool {
    byte.is_ascii_alphabetic() && !is_cell(byte)
}

/// Whether there is a title that starts with a letter at `at`.
fn starts_title(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(|&byte| is_letter(byte)) && !has_row(line_at(text, at))
}

/// Whether a line that starts like a title has a row in brackets.
fn has_row(line: &[u8]) -> bool {
    memchr3(b'[', b'{', b'(', line).is_some() && notation::row_of(line).is_some()
}

/// The number of grids in the lines of a text from `start` to `end`, which are no records, if each row is in a comment.
#[inline(always)]
fn commented(text: &[u8], start: usize, end: usize) -> u64 {
    let lines = &text[start..end];
    // Fewer bytes are no nine rows. Without branches, so that the loop is vectorised.
    let may_comment = |any, &byte: &u8| {
        let letter = (byte | 0x20).wrapping_sub(b'a');
        any | (byte == b'#') | ((letter < 26) & (letter != b'x' - b'a'))
    };
    if lines.len() < DENSE || !lines.iter().fold(false, may_comment) { 0 } else { commented_grids(lines) }
}

/// Batches end after records and before titles. Between lines of the same kind they do not, so the number does not depend on them.
#[inline(never)]
fn commented_grids(text: &[u8]) -> u64 {
    let (mut grids, mut rows, mut is_hash) = (0, 0, false);
    for line in text.split(|&byte| byte == b'\n') {
        let is_comment = line.trim_ascii_start().starts_with(b"#");
        let is_row = is_commented_row(line);
        // Of a frame, the other lines are no rows.
        rows = match is_hash == is_comment && (is_row || is_comment) {
            true => rows + u64::from(is_row),
            false => u64::from(is_row),
        };
        is_hash = is_comment;
        grids += rows / 9;
        rows %= 9;
    }
    grids
}

/// Whether a line is a row of a grid after `#`, or after a word such as `REM`.
fn is_commented_row(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    match line {
        [b'#', row @ ..] => is_row_of_nine(row),
        [first, ..] if is_letter(*first) => {
            let word = line.iter().position(|byte| !byte.is_ascii_alphabetic()).unwrap_or(line.len());
            line[word..].starts_with(b" ") && is_row_of_nine(&line[word..])
        }
        _ => false,
    }
}

/// Whether the last line of the text before a grid, blank lines aside, is a title that calls the grid a solution.
fn is_called_solution(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    let title = &before[memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    let mut words = title.split(|byte| !byte.is_ascii_alphabetic());
    !is_row_of_nine(title) && words.any(is_solution_label)
}

/// The size of nine lines of nine cells each.
const DENSE: usize = 90;

/// A mask of the line feeds among these bytes.
const ENDS: [u8; DENSE] = {
    let mut ends = [0; DENSE];
    let mut at = 9;
    while at < DENSE {
        ends[at] = 0xFF;
        at += 10;
    }
    ends
};

/// Whether nine lines at `at` consist of nine digits and `.` each. Sets their digits, with those of line feeds.
#[inline(always)]
fn dense_lines(text: &[u8], at: usize, digits: &mut [u8; DENSE]) -> bool {
    let Some(lines) = text.get(at..).and_then(<[u8]>::first_chunk::<DENSE>) else { return false };
    // All bytes are converted and checked at once, line feeds included, so that the loop is vectorised.
    let mut invalid = 0;
    for ((digit, &byte), &end) in digits.iter_mut().zip(lines).zip(&ENDS) {
        let value = byte.wrapping_sub(b'0');
        *digit = if value <= 9 { value } else { 0 };
        let not_cell = if (value > 9) & (byte != b'.') { 0xFF } else { 0 };
        invalid |= (end & (byte ^ b'\n')) | (!end & not_cell);
    }
    invalid == 0
}

/// Summary of a line.
struct Scan {
    /// Without the line feed.
    length: usize,
    cells: usize,
    /// The union of the kinds of its bytes.
    kinds: u8,
}

/// A cell, except those of [`DASH`].
const CELL: u8 = 1;
/// A blank cell that is also a part of rules.
const DASH: u8 = 2;
/// Another part of rules.
const LINE: u8 = 4;
/// A frame between cells.
const FRAME: u8 = 8;
/// Any other byte.
const OTHER: u8 = 16;

/// The kind of each byte; 0 for whitespace.
const KINDS: [u8; 256] = {
    let mut kinds = [OTHER; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b' ' | b'\t' | b'\r' => 0,
            b'-' | b'*' => DASH,
            b'+' | b'=' => LINE,
            b'0'..=b'9' | b'.' | b'_' | b'?' | b'x' | b'X' => CELL,
            b'|' | 128.. => FRAME,
            _ => OTHER,
        };
        byte += 1;
    }
    kinds
};

impl Scan {
    /// Scans the line at `at` and copies its first 16 cells to `row`. `None` if the line is too long or has no line feed.
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

    /// Whether the line is a row of nine cells.
    fn is_row_of_nine(&self, grids: Grids) -> bool {
        let needed = if grids.dashes_are_blanks { CELL | DASH } else { CELL };
        self.cells == 9 && self.kinds & (LINE | OTHER) == 0 && self.kinds & needed != 0
    }

    /// Whether the line is a rule, given that it is not a row.
    fn is_rule(&self) -> bool {
        self.kinds & (CELL | OTHER) == 0 && self.kinds != 0
    }

    /// Whether the line is blank. Eight tabs may be nine empty cells.
    fn is_short_blank(&self) -> bool {
        self.kinds == 0 && self.length < 8
    }
}

/// The offset of the last title of `text` if it is near the end and not at the start. Everything before a title is
/// complete.
fn last_title(text: &[u8]) -> Option<usize> {
    let mut end = text.len();
    for _ in 0..64 {
        let start = memchr::memrchr(b'\n', text.get(..end.checked_sub(1)?)?)? + 1;
        let line = &text[start..end];
        let is_title = (line[0] == b'[' || is_letter(line[0])) && !has_row(line);
        if is_title && !is_commented_row(line) {
            return Some(start);
        }
        end = start;
    }
    None
}

/// Whether a byte is ignored between cells.
fn is_ignored(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'|' | FORM_FEED | END_OF_FILE) || !byte.is_ascii()
}

/// The end of a page, and the end of a file of DOS.
const FORM_FEED: u8 = 0x0C;
const END_OF_FILE: u8 = 0x1A;

/// Whether nine `-` or `*` in a line are cells: they are if a row of `text` contains them among digits.
pub(super) fn dashes_are_blanks(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    lines.any(|line| {
        let cells = line.iter().filter(|&&byte| !is_ignored(byte));
        let has = |wanted: fn(u8) -> bool| cells.clone().any(|&byte| wanted(byte));
        cells.clone().count() == 9
            && cells.clone().all(|&byte| is_cell(byte))
            && has(|byte| byte.is_ascii_digit())
            && has(|byte| matches!(byte, b'-' | b'*'))
    })
}

/// Whether the first line of a text is a row of nine cells.
pub(super) fn starts_with_row(text: &[u8]) -> bool {
    text.split(|&byte| byte == b'\n').next().is_some_and(is_row_of_nine)
}

/// Whether a line is a row of nine cells, possibly with frames.
pub(super) fn is_row_of_nine(line: &[u8]) -> bool {
    let mut cells = line.iter().filter(|&&byte| !is_ignored(byte));
    let is_plain = cells.clone().count() == 9 && cells.all(|&byte| is_cell(byte));
    is_plain || (!line.starts_with(b"#") && notation::row_of(line).is_some())
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
            1 => "-{9}|-{3}\\+-{5}|\\*{9}|-{3}\\+-{3}\\+-{3}|===|\\| *\\||├─┼─┤",
            1 => "|[ \t\r]|#.{0,4}|Grid [0-9]|\\[State\\]|\\[Puzzle\\]|[1-9a]{9}",
            1 => "(#|# |REM )[1-9.]{9}",
            1 => "17 clues|30\\.4\\.2016|123456789|\\.---\\.-----\\.|\u{c}|x|'''|a = \\[\"[1-9.]{9}\",|Grid \\[[1-9]\\]",
        ];
        (row, 0..40).prop_map(|(row, more)| if more == 0 { format!("{row}{}", " ".repeat(70)) } else { row })
    }

    proptest! {
        #[test]
        fn fast_path_slow_path_and_splits_give_the_same_records(
            pieces in prop::collection::vec(prop_oneof![
                1 => prop::collection::vec(line(), 1..4),
                3 => prop::collection::vec("[0-9.]{9}", 9),
                1 => (line(), prop::collection::vec("[0-9.]{9}", 9)).prop_map(|(title, rows)| {
                    [vec![String::new(), title], rows, vec![String::new()]].concat()
                }),
                1 => prop::collection::vec("([1-9.]{9} ){9}", 1),
                1 => ("#|REM ", 6..12_usize).prop_map(|(word, rows)| vec![format!("{word}53..7...."); rows]),
                1 => prop::sample::select(&[
                    "---------", "123+456+789", "1234a56789", "1234a6789", "         5",
                ][..])
                    .prop_map(|line| vec![line.to_owned(); 9]),
                2 => prop::collection::vec("[1-9.] [1-9.] [1-9.]  [1-9.] [1-9.] [1-9.]  [1-9.] [1-9.] [1-9.]", 3),
            ], 0..14),
            dashes_are_blanks: bool,
            ended: bool,
            at in any::<prop::sample::Index>(),
        ) {
            let mut text = pieces.concat().join("\n");
            if ended {
                text.push('\n');
            }
            let (grids, text) = (Grids { dashes_are_blanks }, text.as_bytes());
            let mut slow = Vec::new();
            let mut end = 0;
            while let Some(grid) = grids.seek(text, end, |_, _, _| None) {
                slow.push((grid.start, grid.fault.is_none().then(|| Puzzle::try_from(&grid.cells[..]).unwrap())));
                end = grid.end;
            }
            let read = |text: &[u8], from: usize| {
                let mut records = Records::default();
                assert_eq!(grids.read(SimdLevel::PORTABLE, text, &mut records, usize::MAX), text.len());
                (records.listed(from), records.commented)
            };
            let (whole, commented) = read(text, 0);
            prop_assert_eq!(&whole, &slow);
            for limit in 1..4 {
                let (mut at, mut lines, mut comments) = (0, 0, 0);
                let mut parts = Vec::new();
                while at < text.len() {
                    let (start, mut records) = (at, Records::default());
                    at += grids.read(SimdLevel::PORTABLE, &text[start..], &mut records, limit);
                    prop_assert!(records.len() == limit || at == text.len());
                    (lines, comments) = (lines + records.lines, comments + records.commented);
                    parts.extend(records.listed(start));
                }
                prop_assert_eq!(&parts, &slow);
                prop_assert_eq!((lines, comments), (super::super::count_lines(text), commented));
            }
            if let Some(cut) = grids.last_boundary(&text[..at.index(text.len() + 1)]) {
                let (head, tail) = text.split_at(cut);
                let ((first, before), (second, after)) = (read(head, 0), read(tail, cut));
                prop_assert_eq!(([first, second].concat(), before + after), (slow, commented));
            }
        }
    }

    #[test]
    fn brackets_and_commas_alone_are_nine_empty_cells_or_none() {
        for (line, expected) in [
            ("[, , , , , , , , ],", Line::Row),
            (",,,,,,,,", Line::Row),
            ("], [", Line::Rule),
            ("[", Line::Rule),
            ("]);", Line::Rule),
        ] {
            assert_eq!(Grids::default().kind(line.as_bytes()), expected, "{line}");
        }
    }

    /// A number alone is a title between grids.
    #[test]
    fn a_clue_between_delimiters_is_a_row() {
        for row in ["\t\t\t\t\t\t\t\t8", "8\t\t\t\t\t\t\t\t\r", ",,8,,,,,,"] {
            let grid = format!("{row}\n{row}\n{}", "1\t2\t3\t4\t5\t6\t7\t\t\n".repeat(7));
            let mut records = Records::default();
            Grids::default().read(SimdLevel::PORTABLE, grid.repeat(2).as_bytes(), &mut records, usize::MAX);
            assert_eq!(records.starts(), [0, grid.len() as u32], "{grid}");
        }
    }

    #[test]
    fn grids_in_comments_are_counted() {
        let grid = |before: &str| format!("{before}53..7....\n").repeat(9);
        for (text, expected) in [
            (grid("# "), 1),
            (grid("REM ") + &grid("#"), 2),
            (grid("# ").replacen('\n', "\n# ---\n", 3), 1),
            (grid("# ").replacen('\n', "\n\n", 1), 0),
            (grid("") + &grid("").replace("53", "# 53"), 1),
            (grid("").replacen('\n', &format!("\n{}", grid("# ")), 1), 1),
        ] {
            let mut records = Records::default();
            Grids::default().read(SimdLevel::PORTABLE, text.as_bytes(), &mut records, usize::MAX);
            assert_eq!(records.commented, expected, "{text}");
        }
    }
}
