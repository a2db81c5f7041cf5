//! Puzzles and solutions: grids of 81 digits.

use std::fmt;
use std::str::FromStr;

use super::{CELLS, Cell, HOUSE_CELLS, House, PuzzleError};

/// A grid of clues and blanks: 81 cells in reading order, each `0` (blank) or `1..=9`.
///
/// Prints as a line of 81 characters with `.` for blanks, and with `{:#}` as a framed grid:
///
/// ```text
/// 5 3 . | . 7 . | . . .
/// 6 . . | 1 9 5 | . . .
/// . 9 8 | . . . | . 6 .
/// ------+-------+------
/// 8 . . | . 6 . | . . 3
/// ```
///
/// Parses from both. Blanks are any of `.` `0` `-` `_` `*` `?` `x` `X`; `0` is not beside another one. A text of
/// several lines is read as nine rows of nine cells: spaces, tabs, commas and `|` between cells are ignored, and rules
/// (lines of three or more of `-` `+` `=` `|` `:` `*` and spaces). Here `-` is not a cell.
///
/// Clues may clash (the same digit twice in a house): [`Puzzle::clash`] finds the first clash, and solving such a
/// puzzle gives [`Status::Invalid`](crate::outcome::Status::Invalid).
///
/// ```
/// use rapidoku::Puzzle;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// assert_eq!(puzzle.clue_count(), 30);
/// assert_eq!(puzzle.to_string(), line);
/// assert_eq!(Puzzle::try_from(line.as_bytes())?, puzzle);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Puzzle(pub(crate) [u8; CELLS]);

/// A complete grid: 81 cells in reading order, each `1..=9`. Parses from and prints like a [`Puzzle`].
///
/// A value need not obey the rules of Sudoku: [`verify::check`](crate::verify::check) tests that.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Solution([u8; CELLS]);

impl Puzzle {
    /// A puzzle of cells that are known to be digits or 0.
    #[doc(hidden)]
    pub const fn of_cells(cells: [u8; CELLS]) -> Puzzle {
        Puzzle(cells)
    }

    /// The cells, in which only digits and 0 may be written.
    #[doc(hidden)]
    pub const fn cells_mut(&mut self) -> &mut [u8; CELLS] {
        &mut self.0
    }

    /// The grid without clues.
    pub const EMPTY: Puzzle = Puzzle([0; CELLS]);

    /// Takes the place of a text that is not a puzzle in a batch: its clues clash, so its status is
    /// [`Status::Invalid`](crate::outcome::Status::Invalid) without a search. A puzzle may have the same clues.
    #[doc(hidden)]
    pub const CLASHING: Puzzle = {
        let mut cells = [0; CELLS];
        cells[0] = 1;
        cells[1] = 1;
        Puzzle(cells)
    };

    /// Makes a puzzle from 81 cells in reading order, `0` for a blank. Returns `None` if a cell is above 9.
    #[inline]
    pub fn from_cells(cells: [u8; CELLS]) -> Option<Puzzle> {
        // Without an early exit, so that LLVM uses vectors.
        cells.iter().fold(true, |all, &digit| all & (digit <= 9)).then_some(Puzzle(cells))
    }

    /// The 81 cells in reading order, `0` for a blank.
    pub const fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The 81 cells as ASCII digits, `.` for a blank.
    pub fn to_ascii(&self) -> [u8; CELLS] {
        self.0.map(|digit| if digit == 0 { b'.' } else { b'0' + digit })
    }

    /// The number of clues, `0..=81`.
    pub fn clue_count(&self) -> usize {
        self.0.iter().map(|&digit| u8::from(digit != 0)).sum::<u8>().into()
    }

    /// The first clash of two clues, as [`PuzzleError::Clash`]: houses in order (rows, columns, boxes), cells in
    /// reading order.
    pub fn clash(&self) -> Option<PuzzleError> {
        for (house, cells) in HOUSE_CELLS.iter().enumerate() {
            let mut first = [None; 10];
            for &cell in cells {
                let digit = self.0[cell as usize];
                if digit == 0 {
                    continue;
                }
                if let Some(earlier) = first[digit as usize].replace(cell) {
                    let cells = [Cell(earlier), Cell(cell)];
                    return Some(PuzzleError::Clash { digit, house: House(house as u8), cells });
                }
            }
        }
        None
    }
}

impl Solution {
    /// Makes a solution from 81 cells in reading order. Returns `None` if a cell is not `1..=9`. The rules of
    /// Sudoku are not checked.
    pub fn from_cells(cells: [u8; CELLS]) -> Option<Solution> {
        // Like `Puzzle::from_cells`.
        cells.iter().fold(true, |all, digit| all & (1..=9).contains(digit)).then_some(Solution(cells))
    }

    /// The 81 cells in reading order, each `1..=9`.
    pub const fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// The 81 cells as ASCII digits.
    pub fn to_ascii(&self) -> [u8; CELLS] {
        self.0.map(|digit| b'0' + digit)
    }
}

/// A complete grid as a puzzle without blanks.
impl From<Solution> for Puzzle {
    fn from(solution: Solution) -> Puzzle {
        Puzzle(solution.0)
    }
}

/// A puzzle without blanks as a complete grid; [`PuzzleError::Blank`] otherwise.
impl TryFrom<Puzzle> for Solution {
    type Error = PuzzleError;

    fn try_from(Puzzle(cells): Puzzle) -> Result<Solution, PuzzleError> {
        match cells.iter().position(|&digit| digit == 0) {
            Some(blank) => Err(PuzzleError::Blank(Cell(blank as u8))),
            None => Ok(Solution(cells)),
        }
    }
}

impl TryFrom<&[u8]> for Solution {
    type Error = PuzzleError;

    fn try_from(text: &[u8]) -> Result<Solution, PuzzleError> {
        // Nearly all texts are 81 digits.
        if let Ok(mut cells) = <[u8; CELLS]>::try_from(text) {
            cells.iter_mut().for_each(|byte| *byte = byte.wrapping_sub(b'0'));
            if let Some(solution) = Solution::from_cells(cells) {
                return Ok(solution);
            }
        }
        Puzzle::try_from(text)?.try_into()
    }
}

macro_rules! as_text {
    ($grid:ident) => {
        impl FromStr for $grid {
            type Err = PuzzleError;

            fn from_str(text: &str) -> Result<$grid, PuzzleError> {
                text.as_bytes().try_into()
            }
        }

        impl fmt::Display for $grid {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write_cells(&self.to_ascii(), f)
            }
        }

        impl fmt::Debug for $grid {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({self})", stringify!($grid))
            }
        }
    };
}

as_text!(Puzzle);
as_text!(Solution);

fn write_cells(symbols: &[u8; CELLS], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if !f.alternate() {
        return f.write_str(str::from_utf8(symbols).expect("cells are ASCII"));
    }
    let mut text = Vec::new();
    push_grid(&mut text, symbols);
    f.write_str(str::from_utf8(&text).expect("cells are ASCII").trim_end())
}

/// Appends nine lines of nine symbols separated by spaces, with rules between the boxes.
#[doc(hidden)]
pub fn push_grid(text: &mut Vec<u8>, symbols: &[u8; CELLS]) {
    for (row, line) in symbols.chunks_exact(9).enumerate() {
        if row == 3 || row == 6 {
            text.extend_from_slice(b"------+-------+------\n");
        }
        for (column, symbol) in line.iter().enumerate() {
            let before: &[u8] = match column {
                0 => b"",
                3 | 6 => b" | ",
                _ => b" ",
            };
            text.extend_from_slice(before);
            text.push(*symbol);
        }
        text.push(b'\n');
    }
}
