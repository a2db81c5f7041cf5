//! The scalar engine, for one puzzle at a time: bit sets of candidates, singles, locked candidates, and a guess.
//!
//! It finds the solutions of one puzzle at a time. It is also the oracle that the lane engine is tested against, so
//! clarity comes before speed.
//!
//! # State
//!
//! For each digit one set of 81 bits: the cells that may still hold it. A set is a `u128` with one
//! band in each 32-bit word, so that a band comes out with a shift and never straddles two registers:
//!
//! ```text
//! bits 96..128   64..91        32..59        0..27
//! (unused)       band 2        band 1        band 0      within a band: bit 9 * row + column
//! ```
//!
//! # Inference
//!
//! `Grid::propagate` repeats two steps until nothing changes:
//!
//! 1. For each digit whose set changed, `confine`: within a band, the digit takes one minirow (three
//!    cells of a row within a box) from each box and each row, hence one of six configurations. A table
//!    indexed by the nine minirows that are still possible gives the union of the configurations that
//!    fit. This is locked candidates, pointing and claiming, to closure. The same is done for the
//!    minicolumns of each stack. A box left with one minirow and one minicolumn has a hidden single;
//!    hidden singles of rows and columns come out the same way, since a row with a single place left
//!    for the digit has one minirow, which then is the only one in its box.
//! 2. Naked singles, found for all 81 cells at once by counting candidates with bit-sliced saturating
//!    counters: `once |= w; twice |= once & w` over the nine sets.
//!
//! # Search
//!
//! Depth-first ([`search`]), always at a cell with the minimum of remaining values (MRV; `Grid::branch` breaks
//! ties). Its lowest digit is tried first, then the grid without that candidate, where the choice is made
//! anew. So the order of solutions depends on the puzzle only. The stack holds at most 81 grids of 176 bytes,
//! because each level settles an open cell.
//!
//! # Prior art
//!
//! Bands of 27 bits, and tables indexed by the minirows of a band, are those of JCZSolve. Box configurations are those
//! of tdoku.

mod guess;
mod search;
mod tables;

pub(crate) use search::{FindOne, Search};
use tables::{BANDS, MINIROWS, ONE_COLUMN, STACKS};

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Candidates, PEERS, Puzzle, Solution, bits};
use crate::outcome::{Limits, Outcome, OutcomesMut, PuzzleSlice, Status};

/// A set of cells, see the drawing in the [module documentation](self).
type Cells = u128;

/// Every cell of a grid.
const ALL: Cells = {
    let band = (1 << 27) - 1;
    band | band << 32 | band << 64
};

/// The bit number of a cell.
const fn bit_of(cell: usize) -> usize {
    cell / 27 * 32 + cell % 27
}

/// The cell of a bit number.
const fn cell_of(bit: usize) -> usize {
    bit - bit / 32 * 5
}

/// For each bit number: the cells that are left of a digit's set once the digit is placed there.
const PLACED: [Cells; 96] = {
    let mut table = [0; 96];
    let mut cell = 0;
    while cell < CELLS {
        let mut keep = ALL;
        let mut i = 0;
        while i < PEERS[cell].len() {
            keep &= !(1 << bit_of(PEERS[cell][i] as usize));
            i += 1;
        }
        table[bit_of(cell)] = keep;
        cell += 1;
    }
    table
};

/// The bands of a set.
fn bands(cells: Cells) -> [u32; 3] {
    [cells as u32, (cells >> 32) as u32, (cells >> 64) as u32]
}

/// The cells with clues. Finding them first, without a branch per cell, halves the time to set up a grid.
fn given_cells(puzzle: &Puzzle) -> Cells {
    let (all, _) = puzzle.cells().as_chunks::<27>();
    let band = |n: usize| all[n].iter().rfold(0, |set, &digit| set << 1 | (digit != 0) as u32);
    cells([band(0), band(1), band(2)])
}

/// The set of three bands.
fn cells([top, middle, bottom]: [u32; 3]) -> Cells {
    top as Cells | (middle as Cells) << 32 | (bottom as Cells) << 64
}

/// Reduces one digit's set to its locked candidates, and finds its singles (cells that are alone in
/// their box): `(set, singles)`, or `None` when a band or stack has no configuration left.
fn confine(set: Cells) -> Option<(Cells, Cells)> {
    let mut bands = bands(set);
    loop {
        let mut one_row = [0; 3];
        // Bit 9 * band + column: the digit may be in this column of this band.
        let mut columns = 0;
        for (band, cells) in bands.iter_mut().enumerate() {
            let row = |n: u32| MINIROWS[(*cells >> (9 * n) & 511) as usize] as u32;
            let known = BANDS[(row(0) | row(1) << 3 | row(2) << 6) as usize & 511];
            *cells &= known.keep;
            if *cells == 0 {
                return None;
            }
            one_row[band] = known.one_row;
            columns |= ((*cells | *cells >> 9 | *cells >> 18) & 511) << (9 * band);
        }
        let mut keep = 0;
        for stack in 0..3 {
            let map = columns >> (3 * stack) & 0o7_007_007;
            keep |= STACKS[((map | map >> 6 | map >> 12) & 511) as usize] << (3 * stack);
        }
        if columns & !keep == 0 {
            let single = |band: usize| bands[band] & one_row[band] & ONE_COLUMN[(columns >> (9 * band) & 511) as usize];
            return Some((cells(bands), cells([single(0), single(1), single(2)])));
        }
        for (band, cells) in bands.iter_mut().enumerate() {
            // Each of the band's nine column bits goes to all three rows.
            *cells &= (keep >> (9 * band) & 511) * 0o1_001_001;
        }
    }
}

/// The state of a search: the candidate cells of each digit.
#[derive(Clone)]
pub(crate) struct Grid {
    /// The cells that may hold each digit (`digit - 1`).
    candidates: [Cells; 9],
    /// Cells whose digit is not settled. A settled cell is in the set of its digit only.
    open: Cells,
    /// Digits (a bit each) whose set lost a cell since [`confine`] last looked.
    moved: u16,
}

impl Grid {
    /// The clues, and the candidates that they leave to other cells. `None` if two clues clash.
    pub(crate) fn new(puzzle: &Puzzle) -> Option<Grid> {
        let mut candidates = [ALL; 9];
        let mut clues = [0; 9];
        let given = given_cells(puzzle);
        let open = ALL & !given;
        for bit in bits(given) {
            let digit = puzzle.cells()[cell_of(bit)] as usize - 1;
            if candidates[digit] >> bit & 1 == 0 {
                return None;
            }
            candidates[digit] &= PLACED[bit];
            clues[digit] |= 1 << bit;
        }
        for (set, clues) in candidates.iter_mut().zip(clues) {
            *set &= open | clues;
        }
        Some(Grid { candidates, open, moved: 0x1ff })
    }

    /// The same for candidates. A cell with one candidate is a clue.
    pub(crate) fn of_candidates(candidates: &Candidates) -> Option<Grid> {
        let mut grid = Grid::new(&candidates.clues())?;
        let mut sets = [[0_u32; 9]; 3];
        let (bands_of_cells, _) = candidates.cells().as_chunks::<27>();
        for (sets, cells) in sets.iter_mut().zip(bands_of_cells) {
            // All digits side by side.
            for &allowed in cells.iter().rev() {
                for (digit, set) in sets.iter_mut().enumerate() {
                    *set = *set << 1 | (allowed & 1 << digit != 0) as u32;
                }
            }
        }
        for (digit, mine) in grid.candidates.iter_mut().enumerate() {
            *mine &= cells(sets.map(|band| band[digit]));
        }
        Some(grid)
    }

    /// Removes cells from the sets of all digits but `digit`, which counts from 0 here and below.
    fn settle(&mut self, cells: Cells, digit: usize) {
        let mine = self.candidates[digit];
        let mut moved = 0;
        for set in self.candidates.iter_mut().rev() {
            moved = moved << 1 | (*set & cells != 0) as u16;
            *set &= !cells;
        }
        self.moved |= moved;
        self.candidates[digit] = mine;
        self.open &= !cells;
    }

    /// Settles a cell by its bit number.
    fn place(&mut self, bit: usize, digit: usize) {
        self.settle(1 << bit, digit);
        self.candidates[digit] &= PLACED[bit];
    }

    /// Applies all inference until nothing changes; `false` on a contradiction.
    fn propagate(&mut self) -> bool {
        loop {
            if !self.confine_digits() {
                return false;
            }
            let (mut once, mut twice) = (0, 0);
            for set in self.candidates {
                twice |= once & set;
                once |= set;
            }
            if once != ALL {
                return false;
            }
            let singles = once & !twice & self.open;
            if singles == 0 {
                return true;
            }
            self.open &= !singles;
            for (digit, set) in self.candidates.iter_mut().enumerate() {
                let mine = *set & singles;
                self.moved |= ((mine != 0) as u16) << digit;
                for bit in bits(mine) {
                    *set &= PLACED[bit];
                }
            }
        }
    }

    /// [`confine`]s digits and settles their singles until no digit's set moves; false on a contradiction.
    fn confine_digits(&mut self) -> bool {
        let mut digit = 8;
        while self.moved != 0 {
            // Round robin, so that a digit is looked at after several others have been.
            let later = self.moved & (!1 << digit);
            digit = (if later != 0 { later } else { self.moved }).trailing_zeros() as usize;
            let Some((set, singles)) = confine(self.candidates[digit]) else { return false };
            self.candidates[digit] = set;
            let settled = singles & self.open;
            if settled != 0 {
                self.settle(settled, digit);
            }
            self.moved &= !(1 << digit);
        }
        true
    }

    /// Removes a candidate.
    fn remove(&mut self, bit: usize, digit: usize) {
        self.candidates[digit] &= !(1 << bit);
        self.moved |= 1 << digit;
    }

    /// Writes the digits of a solved grid, each plus `zero`.
    fn write(&self, zero: u8, row: &mut [u8]) {
        for (digit, &set) in (zero + 1..).zip(&self.candidates) {
            for bit in bits(set) {
                row[cell_of(bit)] = digit;
            }
        }
    }

    /// The candidates of all cells.
    fn to_candidates(&self) -> Candidates {
        let mut cells = [0; CELLS];
        for (digit, &set) in self.candidates.iter().enumerate() {
            for bit in bits(set) {
                cells[cell_of(bit)] |= 1 << digit;
            }
        }
        Candidates::from_cells(cells).expect("sets of nine digits")
    }

    /// A solved grid's digits.
    pub(crate) fn solution(&self) -> Solution {
        let mut cells = [0; CELLS];
        self.write(0, &mut cells);
        Solution::from_cells(cells).expect("a solved grid has a digit in each cell")
    }
}

/// Solves puzzles into `outcomes`, which has one entry for each. Stops when `cancel` is set.
pub(crate) fn solve_batch(
    puzzles: PuzzleSlice,
    limits: Limits,
    mut outcomes: OutcomesMut,
    find_one: FindOne,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    let mut search = Search::new(limits);
    for k in 0..puzzles.len() {
        let grid = match puzzles {
            PuzzleSlice::Clues(puzzles) => Grid::new(&puzzles[k]),
            PuzzleSlice::Candidates(all) => Grid::of_candidates(&all[k]),
        };
        outcomes.set_counts(k, Status::Invalid, 0, 0);
        let Some(grid) = grid else { continue };
        search.start(grid);
        let mut is_first = true;
        while let Some(solved) = search.next_solved(find_one, Some(cancel))? {
            if std::mem::take(&mut is_first) {
                // The line feed is already there.
                solved.write(b'0', &mut outcomes.rows[k]);
            }
        }
        let Outcome { status, solutions, guesses, .. } = search.outcome();
        (outcomes.status[k], outcomes.solutions[k], outcomes.guesses[k]) = (status, solutions, guesses);
    }
    Ok(())
}
