//! The hidden singles at the start of puzzles, and the puzzles that singles solve, one puzzle in each lane.
//!
//! A set of candidates has a lane for each puzzle, so that the compiler can use vector instructions. Functions are
//! inlined into the kernels.

use super::singles::IN_BLOCK_AND_LINE;
use super::tables::NINE;
use super::{Rating, Technique};
use crate::grid::{CELLS, Candidates};
use crate::simd::{Kernel, Simd};

/// The puzzles of a kernel.
pub const LANES: usize = 16;

pub type Lanes = [u16; LANES];
type Board = [[Lanes; NINE]; NINE];

/// Finds the hidden singles at the start of at most [`LANES`] puzzles that have a solution, until there are none: first
/// those of blocks and of full houses, then, if `lines`, those of all houses.
pub struct Opening<'a> {
    pub given: &'a [Candidates],
    pub lines: bool,
}

/// The hidden singles that were placed at the start.
pub struct Opened {
    /// The candidates that are left; none in a filled cell.
    left: Board,
    /// The number of cells that were placed, and of those that are left.
    placed: Lanes,
    open: Lanes,
    /// Not 0 if the first one is in a block, not in a row or column; and if rows and columns that are not full were
    /// needed.
    in_block: Lanes,
    has_lines: Lanes,
}

/// All bits of the lane if the condition holds.
#[inline(always)]
fn mask(condition: bool) -> u16 {
    if condition { u16::MAX } else { 0 }
}

/// Finds the candidates that only one cell of a house has; of rows and columns in the lanes of `full`, only if the
/// others are filled. Returns the lanes with any.
#[inline(always)]
fn singles(left: &Board, full: &Lanes, found: &mut Board) -> Lanes {
    let mut columns = [[[0; LANES]; 2]; NINE];
    let add = |[once, twice]: &mut [Lanes; 2], sets: &Lanes| {
        for lane in 0..LANES {
            twice[lane] |= once[lane] & sets[lane];
            once[lane] |= sets[lane];
        }
    };
    // What has one place in each block and row.
    let (mut blocks, mut rows) = ([[[0; LANES]; 3]; 3], [[0; LANES]; NINE]);
    for ((band, blocks), rows) in left.chunks_exact(3).zip(&mut blocks).zip(rows.chunks_exact_mut(3)) {
        let mut in_blocks = [[[0; LANES]; 2]; 3];
        for (sets, single) in band.iter().zip(rows) {
            let mut row = [[0; LANES]; 2];
            for column in 0..NINE {
                let mut in_line = sets[column];
                for lane in 0..LANES {
                    in_line[lane] |= full[lane] & mask(in_line[lane] != 0);
                }
                add(&mut row, &in_line);
                add(&mut columns[column], &in_line);
                add(&mut in_blocks[column / 3], &sets[column]);
            }
            for lane in 0..LANES {
                single[lane] = row[0][lane] & !row[1][lane];
            }
        }
        for i in 0..3 {
            for lane in 0..LANES {
                blocks[i][lane] = in_blocks[i][0][lane] & !in_blocks[i][1][lane];
            }
        }
    }
    for [once, twice] in &mut columns {
        for lane in 0..LANES {
            once[lane] &= !twice[lane];
        }
    }
    let mut any = [0; LANES];
    for (row, (sets, found)) in left.iter().zip(found).enumerate() {
        for column in 0..NINE {
            for lane in 0..LANES {
                let single = rows[row][lane] | columns[column][0][lane] | blocks[row / 3][column / 3][lane];
                found[column][lane] = sets[column][lane] & single;
                any[lane] |= found[column][lane];
            }
        }
    }
    for lane in &mut any {
        *lane = mask(*lane != 0);
    }
    any
}

/// The number of sets with any members.
#[inline(always)]
fn count(board: &Board) -> Lanes {
    let mut count = [0; LANES];
    for sets in board.as_flattened() {
        for lane in 0..LANES {
            count[lane] += (sets[lane] != 0) as u16;
        }
    }
    count
}

/// Removes the candidates of placed cells, and those that see their digits. Returns the lanes in which some are left.
#[inline(always)]
fn place(left: &mut Board, placed: &Board) -> Lanes {
    let (mut rows, mut columns, mut blocks) = ([[0; LANES]; NINE], [[0; LANES]; NINE], [[[0; LANES]; 3]; 3]);
    for (row, sets) in placed.iter().enumerate() {
        for column in 0..NINE {
            for lane in 0..LANES {
                rows[row][lane] |= sets[column][lane];
                columns[column][lane] |= sets[column][lane];
                blocks[row / 3][column / 3][lane] |= sets[column][lane];
            }
        }
    }
    let mut any = [0; LANES];
    for (row, (left, sets)) in left.iter_mut().zip(placed).enumerate() {
        for column in 0..NINE {
            for lane in 0..LANES {
                let seen = rows[row][lane] | columns[column][lane] | blocks[row / 3][column / 3][lane];
                left[column][lane] &= mask(sets[column][lane] == 0) & !seen;
                any[lane] |= left[column][lane];
            }
        }
    }
    for lane in &mut any {
        *lane = mask(*lane != 0);
    }
    any
}

/// The candidates of puzzles, each in a lane.
#[inline(always)]
fn in_lanes(puzzles: &[Candidates]) -> Board {
    let mut board = [[[0; LANES]; NINE]; NINE];
    for (lane, given) in puzzles.iter().enumerate() {
        for (sets, &set) in board.as_flattened_mut().iter_mut().zip(given.cells()) {
            sets[lane] = set;
        }
    }
    board
}

impl Kernel for Opening<'_> {
    type Output = Opened;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Opened {
        let (all, none) = ([u16::MAX; LANES], [0; LANES]);
        let (mut left, mut found) = ([[[Candidates::NINE; LANES]; NINE]; NINE], in_lanes(self.given));
        // Lanes with pencilmarks do not count, nor those with full houses at the start.
        let mut counts = all;
        for sets in found.as_flattened_mut() {
            for lane in 0..LANES {
                let is_clue = mask(sets[lane] & sets[lane].wrapping_sub(1) == 0);
                counts[lane] &= is_clue | mask(sets[lane] == Candidates::NINE);
                sets[lane] &= is_clue;
            }
        }
        let mut is_left = place(&mut left, &found);
        for (sets, found) in left.as_flattened().iter().zip(found.as_flattened_mut()) {
            for lane in 0..LANES {
                found[lane] = mask(sets[lane] != 0);
            }
        }
        let mut full = found;
        let has_full = singles(&found, &none, &mut full);
        let mut placed = count(&left);
        // The lanes in which all rows and columns are looked at.
        let (mut used, mut has_lines, mut in_block) = (none, none, None);
        loop {
            let mut full = used;
            for lane in &mut full {
                *lane = !*lane;
            }
            let some = singles(&left, &full, &mut found);
            in_block.get_or_insert(some);
            let mut goes_on = some;
            for lane in 0..LANES {
                has_lines[lane] |= used[lane] & some[lane];
                goes_on[lane] |= !used[lane] & is_left[lane] & mask(self.lines);
                used[lane] |= goes_on[lane] & !some[lane];
            }
            if goes_on == none {
                break;
            }
            is_left = place(&mut left, &found);
        }
        let (open, in_block) = (count(&left), in_block.unwrap_or(none));
        for lane in 0..LANES {
            placed[lane] = (placed[lane] - open[lane]) & counts[lane] & !has_full[lane];
        }
        Opened { left, placed, open, in_block, has_lines }
    }
}

/// Counts the cells of puzzles that hidden and naked singles leave empty.
pub struct Singles<'a>(pub &'a [Candidates]);

impl Kernel for Singles<'_> {
    type Output = Lanes;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Lanes {
        let none = [0; LANES];
        let (mut left, mut found) = (in_lanes(self.0), [[none; NINE]; NINE]);
        loop {
            let mut any = singles(&left, &none, &mut found);
            for (sets, found) in left.as_flattened().iter().zip(found.as_flattened_mut()) {
                for lane in 0..LANES {
                    found[lane] |= sets[lane] & mask(sets[lane] & sets[lane].wrapping_sub(1) == 0);
                    any[lane] |= found[lane];
                }
            }
            if any == none {
                return count(&left);
            }
            place(&mut left, &found);
        }
    }
}

impl Opened {
    /// Counts the hidden singles of a puzzle. Returns whether there are any; not for pencilmarks, nor if the first one
    /// is in a full house.
    pub fn count(&self, lane: usize, rating: &mut Rating) -> bool {
        let [block, line] = IN_BLOCK_AND_LINE;
        if self.placed[lane] == 0 {
            return false;
        }
        rating.ed = if self.in_block[lane] != 0 { block } else { line };
        rating.ep = rating.ed;
        rating.er = if self.has_lines[lane] != 0 { line } else { block };
        rating.counts[Technique::HiddenSingle as usize] = self.placed[lane];
        true
    }

    /// Whether no cell of a puzzle is empty any more.
    pub fn is_complete(&self, lane: usize) -> bool {
        self.open[lane] == 0
    }

    /// The candidates that are left; none in a filled cell.
    pub fn candidates(&self, lane: usize) -> [u16; CELLS] {
        std::array::from_fn(|cell| self.left.as_flattened()[cell][lane])
    }
}
