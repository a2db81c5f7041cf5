//! Small unavoidable sets of a grid: sets of cells that can be filled in another way while the rest stays. A puzzle
//! with one solution has a clue in each of them.
//!
//! Cells are sets of 81 bits. The [cycles](super::cycles) of two lines are those that the removal of clues uses; here
//! all sets are listed, for questions about many sets of clues of one grid.

use super::cycles::Cycles;
use crate::grid::{CELLS, bits, box_of, column_of, row_of};
use crate::simd::SimdLevel;

/// Adds the cycles of two rows of a band and of two columns of a stack: exchanging the lines in them gives another
/// grid.
pub fn add_lines(level: SimdLevel, grid: &[u8; CELLS], sets: &mut Vec<u128>) {
    let cell = |line: usize, at: usize| if line < 9 { 9 * line + at } else { 9 * at + line - 9 };
    for (line, cycles) in Cycles::of_grid(level, grid).cycles.iter().enumerate() {
        let next = line - line % 3 + (line + 1) % 3;
        for (_, &cycle) in (0..).zip(cycles).filter(|(first, cycle)| cycle.trailing_zeros() == *first) {
            sets.push(bits(cycle.into()).map(|at| 1 << cell(line, at) | 1 << cell(next, at)).sum());
        }
    }
}

/// Adds the cells of two digits that are connected by houses, unless all are: exchanging the digits in them gives
/// another grid.
pub fn add_digits(grid: &[u8; CELLS], sets: &mut Vec<u128>) {
    // The cell of each digit in each house.
    let mut cells = [[0_u8; 27]; 10];
    for (cell, &digit) in (0..).zip(grid) {
        for house in houses(cell) {
            cells[digit as usize][house] = cell;
        }
    }
    for a in 1..10 {
        for b in a + 1..10 {
            let mut left: u128 = cells[a][..9].iter().map(|&cell| 1 << cell).sum();
            while left != 0 {
                // Each set has as many cells of both digits. It grows from a cell of the first digit.
                let (mut set, mut open) = (0_u128, left & left.wrapping_neg());
                while open != 0 {
                    let cell = open.trailing_zeros() as u8;
                    open &= open - 1;
                    left &= !(1 << cell);
                    set |= 1 << cell;
                    for house in houses(cell) {
                        let other = cells[b][house];
                        set |= 1 << other;
                        for house in houses(other) {
                            open |= 1 << cells[a][house] & left;
                        }
                    }
                }
                if set.count_ones() < 18 {
                    sets.push(set);
                }
            }
        }
    }
}

/// The row, the column and the box of a cell, as houses.
fn houses(cell: u8) -> [usize; 3] {
    let cell = cell as usize;
    [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)]
}
