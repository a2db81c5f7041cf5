//! Complete grids, drawn uniformly.
//!
//! Filling a grid by a randomised search is biased: a grid is the more likely the fewer others share its beginnings.
//! Here every grid has the same probability, exactly. The column sets of the three bands and their fills are drawn with
//! the right weights from [tables](super::column_sets), then digits, stacks and columns get a random order.

use std::array;

use super::column_sets::{ColumnSets, Drawn};
use super::random::Random;
use crate::grid::CELLS;

/// The first cell of each row of a band, for each order of the rows (`ROW_ORDERS` of the tables). The last two are not
/// used.
const ROW_STARTS: [[u8; 3]; 8] =
    [[0, 9, 18], [9, 18, 0], [18, 0, 9], [0, 18, 9], [9, 0, 18], [18, 9, 0], [0; 3], [0; 3]];

/// Grids drawn at a time, which takes less time than one by one.
pub(super) const AT_A_TIME: usize = 8;

/// The complete grids with numbers from `first`, and what is left of their streams of random numbers.
pub(super) fn numbered(seed: u64, first: u64) -> ([[u8; CELLS]; AT_A_TIME], [Random; AT_A_TIME]) {
    let mut randoms = array::from_fn(|k| Random::stream(seed, first.wrapping_add(k as u64)));
    (draw_many(&mut randoms), randoms)
}

/// Draws a complete grid from each of these streams of random numbers.
fn draw_many<const N: usize>(randoms: &mut [Random; N]) -> [[u8; CELLS]; N] {
    let drawn = ColumnSets::get().draw(randoms);
    let mut streams = randoms.iter_mut();
    drawn.map(|bands| fill(&bands, streams.next().expect("as many")))
}

/// Draws a complete grid.
pub(super) fn draw(random: &mut Random) -> [u8; CELLS] {
    let [grid] = draw_many(array::from_mut(random));
    grid
}

/// Fills a grid, with random names of digits and a random order of stacks and columns.
fn fill(bands: &[Drawn<'_>; 3], random: &mut Random) -> [u8; CELLS] {
    let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut names);
    let mut stacks = [0, 1, 2];
    random.shuffle(&mut stacks);
    // Indices of tables are masked, because checks and divisions would take half of the time.
    let columns = stacks.map(|stack| {
        let mut columns = [3 * stack, 3 * stack + 1, 3 * stack + 2];
        random.shuffle(&mut columns);
        [columns[0], columns[1], columns[2], 0]
    });
    let mut cells = [0; 128];
    for (first, Drawn { boxes, digits, fill }) in [0, 27, 54].into_iter().zip(bands) {
        for (k, &digit) in digits.iter().enumerate() {
            let rows = &ROW_STARTS[(fill >> (3 * k) & 7) as usize];
            for stack in 0..3 {
                let column = columns[stack][boxes[stack][digit as usize] as usize & 3];
                cells[(first + rows[stack] + column) as usize & 127] = names[digit as usize];
            }
        }
    }
    *cells.first_chunk().expect("there are 81 cells")
}
