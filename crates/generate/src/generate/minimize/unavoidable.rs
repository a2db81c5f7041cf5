//! Small unavoidable sets of a grid: sets of cells that can be filled in another way while the rest stays. A puzzle
//! with one solution has a clue in each of them.
//!
//! Cells are sets of 81 bits. The [cycles](super::cycles) of two lines are those that the removal of clues uses; here
//! all sets are listed, for questions about many sets of clues of one grid.

use crate::grid::CELLS;

/// Adds the cycles of two rows of a band and of two columns of a stack: exchanging the lines in them gives another
/// grid.
pub fn add_lines(grid: &[u8; CELLS], sets: &mut Vec<u128>) {
    // The distance between cells of a line, and between lines.
    for (along, across) in [(1, 9), (9, 1)] {
        for first in 0..9 {
            let second = first - first % 3 + (first + 1) % 3;
            let cell = |line: usize, at: usize| across * line + along * at;
            let mut places = [0; 10];
            for at in 0..9 {
                places[grid[cell(second, at)] as usize] = at;
            }
            let mut seen = 0_u16;
            for start in 0..9 {
                let (mut at, mut set) = (start, 0);
                while seen >> at & 1 == 0 {
                    seen |= 1 << at;
                    set |= 1 << cell(first, at) | 1 << cell(second, at);
                    at = places[grid[cell(first, at)] as usize];
                }
                if set != 0 {
                    sets.push(set);
                }
            }
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

/// The cells of a set.
pub fn bits(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        lowest
    })
}

/// The row, the column and the box of a cell, as houses.
fn houses(cell: u8) -> [usize; 3] {
    let cell = cell as usize;
    [cell / 9, 9 + cell % 9, 18 + cell / 27 * 3 + cell % 9 / 3]
}
