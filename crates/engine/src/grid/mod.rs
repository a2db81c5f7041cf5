//! Puzzles, solutions, candidates, and the tables of cells, houses and peers.
//!
//! | name | shape | meaning |
//! |---|---|---|
//! | cell | `0..81` | `9 * row + column`, from the top left |
//! | digit | `1..=9` | `0` stands for a blank |
//! | house | `0..27` | rows `0..9`, columns `9..18`, boxes `18..27` (box `3 * band + stack`) |
//! | peer | 20 per cell | another cell of the same row, column or box |
//!
//! This module depends on no other module of the crate. The lane engine and the checker in
//! [`verify`](crate::verify) derive their own houses; tests compare both with these tables.

mod candidates;
mod error;
mod parse;
mod puzzle;
#[doc(hidden)]
pub mod random_symmetry;
mod rng;
mod symmetry;

use std::fmt;

pub use candidates::Candidates;
pub use error::PuzzleError;
#[doc(hidden)]
pub use parse::digits;
#[doc(hidden)]
pub use parse::{MARKS, is_between_cells, is_cell, is_rule, parse_cells, row_cells};
#[doc(hidden)]
pub use puzzle::push_grid;
pub use puzzle::{Puzzle, Solution};
#[doc(hidden)]
pub use rng::SplitMix64;
pub use symmetry::{ParseSymmetryError, Symmetry};

/// Cells of a grid.
pub const CELLS: usize = 81;
/// Houses (units) of a grid: nine rows, nine columns, nine boxes.
pub const HOUSES: usize = 27;

/// The row `0..9` of a cell.
pub const fn row_of(cell: usize) -> usize {
    cell / 9
}

/// The column `0..9` of a cell.
pub const fn column_of(cell: usize) -> usize {
    cell % 9
}

/// The box `0..9` of a cell, numbered `3 * band + stack`.
pub const fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// The cells of each house: rows, then columns, then boxes, each in reading order.
pub const HOUSE_CELLS: [[u8; 9]; HOUSES] = {
    let mut table = [[0; 9]; HOUSES];
    let mut house = 0;
    while house < 9 {
        let mut i = 0;
        while i < 9 {
            table[house][i] = (9 * house + i) as u8;
            table[9 + house][i] = (9 * i + house) as u8;
            let (top, left) = (house / 3 * 3, house % 3 * 3);
            table[18 + house][i] = (9 * (top + i / 3) + left + i % 3) as u8;
            i += 1;
        }
        house += 1;
    }
    table
};

/// The twenty peers of each cell, in ascending order.
pub const PEERS: [[u8; 20]; CELLS] = {
    let mut table = [[0; 20]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut other, mut n) = (0, 0);
        while other < CELLS {
            let sees =
                row_of(cell) == row_of(other) || column_of(cell) == column_of(other) || box_of(cell) == box_of(other);
            if other != cell && sees {
                table[cell][n] = other as u8;
                n += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    table
};

/// The members of a set, ascending.
#[inline]
#[doc(hidden)]
pub fn bits(mut set: u128) -> impl Iterator<Item = usize> + Clone {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let bit = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(bit)
    })
}

/// A house. Prints as `row 3`, `column 7` or `box 9`, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct House(
    /// Index `0..27` into [`HOUSE_CELLS`].
    pub u8,
);

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = ["row", "column", "box"][self.0 as usize / 9];
        write!(f, "{kind} {}", self.0 % 9 + 1)
    }
}

/// A cell. Prints as `r3c7`, row and column counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cell(
    /// Index `0..81`, `9 * row + column`.
    pub u8,
);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = self.0 as usize;
        write!(f, "r{}c{}", row_of(cell) + 1, column_of(cell) + 1)
    }
}
