//! Parsing of single puzzles: a line of 81 cells, a grid of nine lines, or 729 pencilmarks.

use super::{CELLS, Candidates, Puzzle, PuzzleError};

impl TryFrom<&[u8]> for Puzzle {
    type Error = PuzzleError;

    fn try_from(text: &[u8]) -> Result<Puzzle, PuzzleError> {
        parse_puzzle(text)
    }
}

impl TryFrom<&[u8]> for Candidates {
    type Error = PuzzleError;

    fn try_from(marks: &[u8]) -> Result<Candidates, PuzzleError> {
        parse_candidates(marks)
    }
}

/// Reads a line of 81 cells or a grid of nine lines. White space around the text is ignored.
fn parse_puzzle(text: &[u8]) -> Result<Puzzle, PuzzleError> {
    // Nearly all texts are 81 cells and nothing else.
    if let Ok(cells) = text.try_into()
        && let Some(digits) = digits(cells)
    {
        return Ok(Puzzle(digits));
    }
    let text = text.trim_ascii();
    if text.contains(&b'\n') { parse_grid(text) } else { parse_line(text) }
}

/// Reads 81 cells at the start of a line without its line feed. A separator and any text may follow.
///
/// # Errors
/// The first error from the left. Clashing clues are not an error here, see [`Puzzle::clash`].
pub fn parse_line(line: &[u8]) -> Result<Puzzle, PuzzleError> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    if let Some((cells, rest)) = line.split_first_chunk::<CELLS>()
        && let Some(digits) = digits(cells)
    {
        let may_end = rest.first().is_none_or(|&byte| is_separator(byte));
        return if may_end { Ok(Puzzle(digits)) } else { Err(PuzzleError::TooLong) };
    }
    match (1..).zip(line).find(|&(_, &byte)| !is_cell(byte)) {
        Some((column, &byte)) => Err(PuzzleError::BadCharacter { column, byte }),
        None => Err(PuzzleError::TooShort { cells: line.len() as u32 }),
    }
}

/// Reads a field that has 81 cells and nothing else.
///
/// # Errors
/// The first error from the left. Other than in [`parse_line`], separators are bad characters.
#[cfg(feature = "file")]
pub(crate) fn parse_field(field: &[u8]) -> Result<Puzzle, PuzzleError> {
    let read = parse_line(field);
    if field.len() == CELLS && read.is_ok() {
        return read;
    }
    Err(match field.iter().position(|&byte| !is_cell(byte)) {
        Some(at) if at < CELLS => PuzzleError::BadCharacter { column: at as u32 + 1, byte: field[at] },
        _ => read.err().unwrap_or(PuzzleError::TooLong),
    })
}

/// The digits of 81 cells, `0` for a blank, or `None` if a byte is not a cell. Without branches, so that LLVM uses vectors.
#[inline]
fn digits(cells: &[u8; CELLS]) -> Option<[u8; CELLS]> {
    let mut digits = [0; CELLS];
    let mut all_cells = true;
    for (digit, &byte) in digits.iter_mut().zip(cells) {
        let value = byte.wrapping_sub(b'0');
        *digit = if value <= 9 { value } else { 0 };
        all_cells &= is_cell(byte);
    }
    all_cells.then_some(digits)
}

/// Whether a byte separates the cells of a record from the text after them.
#[inline(always)]
pub fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';')
}

/// Whether a byte is a cell: a digit or a blank.
#[inline(always)]
pub(crate) fn is_cell(byte: u8) -> bool {
    // Bitwise or: LLVM vectorises a chain of comparisons only if there are no branches.
    let is_blank = (byte == b'.')
        | (byte == b'-')
        | (byte == b'_')
        | (byte == b'*')
        | (byte == b'?')
        | (byte | 0x20 == b'x');
    byte.is_ascii_digit() | is_blank
}

/// Reads nine lines of nine cells. A line with fewer or more cells is [`PuzzleError::TooShort`] (with the number of
/// cells up to there) or [`PuzzleError::TooLong`].
fn parse_grid(text: &[u8]) -> Result<Puzzle, PuzzleError> {
    let lines = || text.split(|&byte| byte == b'\n');
    let is_frame = |line: &[u8]| line.iter().all(|byte| b"-+=*| \t\r".contains(byte));
    let nine_others = lines().filter(|line| !is_frame(line)).count() == 9;

    // The cells as one line, and the column of each in its own line.
    let mut line_of_cells = Vec::with_capacity(CELLS);
    let mut columns = Vec::with_capacity(CELLS);
    for line in lines() {
        let cells = || line.iter().enumerate().filter(|(_, byte)| !b" \t\r|".contains(byte));
        let count = cells().count();
        let has_rule_only_byte = line.iter().any(|byte| b"+=".contains(byte));
        if is_frame(line) && (nine_others || count != 9 || has_rule_only_byte) {
            continue;
        }
        line_of_cells.extend(cells().map(|(_, byte)| byte));
        columns.extend(cells().map(|(column, _)| column as u32 + 1));
        if count < 9 {
            return Err(PuzzleError::TooShort { cells: line_of_cells.len() as u32 });
        }
        if count > 9 {
            return Err(PuzzleError::TooLong);
        }
    }
    parse_line(&line_of_cells).map_err(|error| match error {
        PuzzleError::BadCharacter { column, byte } => {
            PuzzleError::BadCharacter { column: columns[column as usize - 1], byte }
        }
        other => other,
    })
}

/// The number of characters of a puzzle in pencilmarks.
pub(crate) const MARKS: usize = 9 * CELLS;

/// The digit that stands for a candidate at each position.
pub(crate) const MARK_DIGITS: [u8; MARKS] = {
    let mut digits = [0; MARKS];
    let mut at = 0;
    while at < MARKS {
        digits[at] = b'1' + (at % 9) as u8;
        at += 1;
    }
    digits
};

/// Reads 729 pencilmarks.
pub(crate) fn parse_candidates(marks: &[u8]) -> Result<Candidates, PuzzleError> {
    if let Ok(marks) = marks.try_into()
        && let Some(candidates) = convert_marks(marks)
    {
        return Ok(candidates);
    }
    let misfit = (1..).zip(marks.iter().zip(&MARK_DIGITS)).find(|(_, (byte, digit))| !fits(**byte, **digit));
    Err(match misfit {
        Some((column, (&byte, digit))) => PuzzleError::BadPencilmark { column, byte, digit: digit - b'0' },
        None => PuzzleError::PencilmarkCount { marks: marks.len() as u32 },
    })
}

/// Whether a byte may stand at the position of a digit.
#[inline(always)]
pub(crate) fn fits(byte: u8, digit: u8) -> bool {
    (byte == digit) | (byte == b'.') | (byte == b'0')
}

fn convert_marks(marks: &[u8; MARKS]) -> Option<Candidates> {
    if !marks.iter().zip(&MARK_DIGITS).fold(true, |all, (&byte, &digit)| all & fits(byte, digit)) {
        return None;
    }
    let (all, _) = marks.as_chunks::<9>();
    let mut cells = [0; CELLS];
    for (cell, marks) in cells.iter_mut().zip(all) {
        let (eight, ninth) = marks.split_first_chunk().expect("nine are more than eight");
        // A valid mark is a candidate if it is above '0': the addition then carries into the top bit of its byte. The
        // multiplication gathers the top bits of all bytes in the highest byte.
        let carries = u64::from_le_bytes(*eight) + u64::from_le_bytes([0x7f - b'0'; 8]);
        let set = (carries >> 7 & 0x0101_0101_0101_0101).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        *cell = set as u16 | u16::from(ninth[0] > b'0') << 8;
    }
    Candidates::from_cells(cells)
}
