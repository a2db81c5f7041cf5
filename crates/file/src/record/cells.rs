//! Stage 2, records: what a puzzle text is.
//!
//! A cell is a digit from 1 to 9 (a clue), or a blank: `.` `0` `_` `*` `?` `-` `x` `X`. A puzzle text is 81 cells, or
//! 729 pencilmarks (nine for each cell: the digit itself or a blank), without `0` beside another blank.

use std::borrow::Cow;

use crate::grid::{CELLS, Candidates, MARKS, Puzzle, PuzzleError, is_cell, parse_cells};

/// A text that is a puzzle, with zeros before 70 to 80 digits if `pads`.
pub(super) fn puzzle_text(text: Cow<'_, [u8]>, pads: bool) -> Result<Cow<'_, [u8]>, PuzzleError> {
    let length = text.len();
    if (70..CELLS).contains(&length) && text.iter().all(u8::is_ascii_digit) {
        let padded = || [&b"0".repeat(CELLS - length)[..], &text].concat();
        return if pads { Ok(padded().into()) } else { Err(PuzzleError::LostZeros { cells: length as u32 }) };
    }
    parse(&text).map(|_| text)
}

/// Parses a text from [`puzzle_text`]: its clues, and its pencilmarks if it has these.
pub(super) fn parse(text: &[u8]) -> Result<(Puzzle, Option<Candidates>), PuzzleError> {
    match text.len() {
        MARKS => Candidates::try_from(text).map(|marks| (marks.clues(), Some(marks))),
        _ => parse_cells(text).map(|puzzle| (puzzle, None)),
    }
}

/// The 81 cells at the start of a text if they are certainly a puzzle text of a record that is a puzzle.
#[inline]
pub(super) fn plain_cells(text: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (cells, rest) = text.split_at_checked(CELLS)?;
    (cells[0] != b' ' && !is_cell(*rest.first()?)).then_some(Cow::Borrowed(cells))
}

/// Whether a text is a complete grid.
pub(super) fn is_complete(text: &[u8]) -> bool {
    let Ok(cells) = <&[u8; CELLS]>::try_from(text) else { return false };
    // Without an early exit, so that LLVM uses vectors.
    cells.iter().fold(true, |all, byte| all & (b'1'..=b'9').contains(byte))
}

/// Checks that the puzzle of a record is not its solution.
///
/// # Errors
/// [`PuzzleError::CompleteGrid`] if the cells are a complete grid, and one of the other fields is a puzzle with blanks.
pub(super) fn check_others<'t>(
    cells: &[u8],
    mut others: impl Iterator<Item = Cow<'t, [u8]>>,
) -> Result<(), PuzzleError> {
    let is_open = |text: Cow<[u8]>| text.len() == CELLS && !is_complete(&text) && parse_cells(&text).is_ok();
    if is_complete(cells) && others.any(is_open) { Err(PuzzleError::CompleteGrid) } else { Ok(()) }
}

/// The ranges of 81 or more cells in a row that nothing else interrupts.
pub(super) fn long_runs(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    // Every run has a byte at a multiple of 81.
    let mut at = CELLS - 1;
    std::iter::from_fn(move || {
        while let Some(&byte) = text.get(at) {
            if !is_cell(byte) {
                at += CELLS;
                continue;
            }
            let start = text[..at].iter().rposition(|&byte| !is_cell(byte)).map_or(0, |before| before + 1);
            let end = at + text[at..].iter().position(|&byte| !is_cell(byte)).unwrap_or(text.len() - at);
            at = end + CELLS;
            if end - start >= CELLS {
                return Some(&text[start..end]);
            }
        }
        None
    })
}

/// Whether a text has 81 cells in a row.
pub fn has_long_run(text: &[u8]) -> bool {
    long_runs(text).next().is_some()
}
