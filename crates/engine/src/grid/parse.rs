//! Parsing of single puzzles: a line of 81 cells, a grid of nine lines, or 729 pencilmarks. The rules of cells and rows
//! are here, for the whole crate.

use super::{CELLS, Candidates, Puzzle, PuzzleError};

impl TryFrom<&[u8]> for Puzzle {
    type Error = PuzzleError;

    /// Reads a line of 81 cells or a grid of nine lines. White space around the text is ignored.
    fn try_from(text: &[u8]) -> Result<Puzzle, PuzzleError> {
        // Nearly all texts are 81 cells and nothing else.
        if let Ok(cells) = text.try_into()
            && let Some(digits) = digits(cells)
        {
            return Ok(Puzzle(digits));
        }
        let text = text.trim_ascii();
        if text.contains(&b'\n') { parse_grid(text) } else { parse_cells(text) }
    }
}

impl TryFrom<&[u8]> for Candidates {
    type Error = PuzzleError;

    /// Reads 729 pencilmarks: for each cell the nine digits, each itself or a blank.
    fn try_from(marks: &[u8]) -> Result<Candidates, PuzzleError> {
        if let Some(cells) = marks.try_into().ok().and_then(sets) {
            return Ok(Candidates::of_sets(cells));
        }
        for (at, &byte) in marks.iter().enumerate() {
            let (digit, column) = (at % 9, at as u32 + 1);
            if byte == b'1' + digit as u8 {
                if at >= MARKS {
                    break;
                }
            } else if !is_cell(byte) {
                return Err(PuzzleError::BadCharacter { column, byte });
            } else if (b'1'..=b'9').contains(&byte) {
                return Err(PuzzleError::BadPencilmark { column, byte, digit: digit as u8 + 1 });
            }
        }
        let cells = marks.len() as u32;
        Err(if marks.len() == MARKS { PuzzleError::MixedBlanks } else { PuzzleError::CellCount { cells } })
    }
}

/// The sets of digits of 729 pencilmarks, or `None` if they have an error.
fn sets(marks: &[u8; MARKS]) -> Option<[u16; CELLS]> {
    static DIGITS: [[u8; 9]; CELLS] = [*b"123456789"; CELLS];
    let (mut wrong, mut zero, mut other) = (0, 0, 0);
    let mut is_there = [0; MARKS];
    // Bytes without branches, so that LLVM uses vectors.
    for ((is_there, &byte), &digit) in is_there.iter_mut().zip(marks).zip(DIGITS.as_flattened()) {
        *is_there = u8::from(byte == digit);
        wrong |= u8::from((byte != digit) & (!is_cell(byte) | (b'1'..=b'9').contains(&byte)));
        zero |= u8::from(byte == b'0');
        other |= u8::from(!byte.is_ascii_digit());
    }
    let mut sets = [0; CELLS];
    for (set, &[low @ .., high]) in sets.iter_mut().zip(is_there.as_chunks::<9>().0) {
        // The product has byte i of the first eight in bit 56 + i.
        let low = u64::from_le_bytes(low).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        *set = low as u16 | u16::from(high) << 8;
    }
    (wrong == 0 && zero & other == 0).then_some(sets)
}

/// Reads 81 cells and nothing else.
///
/// # Errors
/// The first error from the left. Clashing clues are not an error here, see [`Puzzle::clash`].
#[doc(hidden)]
pub fn parse_cells(text: &[u8]) -> Result<Puzzle, PuzzleError> {
    // The search for a bad character has branches, and few texts have one.
    let cells: Option<&[u8; CELLS]> = text.try_into().ok();
    if let Some(digits) = cells.and_then(digits) {
        return Ok(Puzzle(digits));
    }
    Err(match (1..).zip(text).find(|&(_, &byte)| !is_cell(byte)) {
        Some((column, &byte)) => PuzzleError::BadCharacter { column, byte },
        None if cells.is_some() => PuzzleError::MixedBlanks,
        None => PuzzleError::CellCount { cells: text.len() as u32 },
    })
}

/// The digits of 81 cells, `0` for a blank. `None` if a byte is not a cell, or `0` is beside another blank: then the
/// digits may be 0 to 8. Without branches, so that LLVM uses vectors.
#[inline]
#[doc(hidden)]
pub fn digits(cells: &[u8; CELLS]) -> Option<[u8; CELLS]> {
    let mut digits = [0; CELLS];
    let (mut all_cells, mut zero, mut other) = (true, false, false);
    for (digit, &byte) in digits.iter_mut().zip(cells) {
        let value = byte.wrapping_sub(b'0');
        *digit = if value <= 9 { value } else { 0 };
        all_cells &= is_cell(byte);
        zero |= value == 0;
        other |= value > 9;
    }
    (all_cells && !(zero && other)).then_some(digits)
}

/// Whether a byte is a cell: a digit or a blank.
#[inline(always)]
#[doc(hidden)]
pub fn is_cell(byte: u8) -> bool {
    // Bitwise or: LLVM vectorises a chain of comparisons only if there are no branches.
    let is_blank =
        (byte == b'.') | (byte == b'-') | (byte == b'_') | (byte == b'*') | (byte == b'?') | (byte | 0x20 == b'x');
    byte.is_ascii_digit() | is_blank
}

/// Whether a line of a grid is a rule: three or more of `-` `+` `=` `|` `:` `*` and spaces, and not spaces alone.
#[doc(hidden)]
pub fn is_rule(line: &[u8]) -> bool {
    line.len() >= 3 && line.iter().all(|byte| b"-+=|:* ".contains(byte)) && line.iter().any(|&byte| byte != b' ')
}

/// Whether a byte between the cells of a row is ignored.
#[doc(hidden)]
pub fn is_between_cells(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|' | b',')
}

/// The cells of a row of a grid: exactly nine, and nothing else but what may be between them. `-` is not one of them,
/// because it is in rules.
#[doc(hidden)]
pub fn row_cells(line: &[u8]) -> Option<[u8; 9]> {
    let (mut cells, mut count) = ([0; 9], 0);
    for &byte in line.iter().filter(|byte| !is_between_cells(**byte)) {
        *cells.get_mut(count).filter(|_| is_cell(byte) && byte != b'-')? = byte;
        count += 1;
    }
    (count == 9).then_some(cells)
}

/// Reads nine rows; rules are ignored.
fn parse_grid(text: &[u8]) -> Result<Puzzle, PuzzleError> {
    let mut cells = Vec::with_capacity(CELLS);
    for (line, row) in (1..).zip(text.split(|&byte| byte == b'\n')) {
        let row = row.strip_suffix(b"\r").unwrap_or(row);
        if !is_rule(row) {
            cells.extend(row_cells(row).ok_or(PuzzleError::BrokenRow { line })?);
        }
    }
    match cells.len() {
        CELLS => parse_cells(&cells),
        cells => Err(PuzzleError::RowCount { rows: (cells / 9) as u32 }),
    }
}

/// The number of characters of a puzzle in pencilmarks.
#[doc(hidden)]
pub const MARKS: usize = 9 * CELLS;
