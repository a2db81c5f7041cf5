//! Complete grids, drawn uniformly.
//!
//! Filling a grid by a randomised search is biased: a grid is the more likely the fewer others share its beginnings. Here
//! every grid has the same probability, exactly. The column sets of the three bands and their fills are drawn with the right
//! weights from [tables](super::column_sets), then digits, stacks and columns get a random order.

use super::column_sets::{ColumnSets, Drawn, ROW_ORDERS};
use super::random::Random;
use crate::grid::CELLS;

/// Requests the memory that the first steps of [`draw`] read. The tables are larger than the nearest caches.
#[inline]
pub(super) fn prefetch(random: &mut Random) {
    ColumnSets::get().prefetch(random);
}

/// Draws a complete grid.
pub(super) fn draw(random: &mut Random) -> [u8; CELLS] {
    let drawn = ColumnSets::get().draw(random);
    let mut names = [1, 2, 3, 4, 5, 6, 7, 8, 9];
    random.shuffle(&mut names);
    let mut stacks = [0, 1, 2];
    random.shuffle(&mut stacks);
    let columns = stacks.map(|stack| {
        let mut columns = [3 * stack, 3 * stack + 1, 3 * stack + 2];
        random.shuffle(&mut columns);
        columns
    });
    let mut cells = [0; CELLS];
    for (band, Drawn { boxes, digits, fill }) in cells.as_chunks_mut::<27>().0.iter_mut().zip(&drawn) {
        for (k, &digit) in digits.iter().enumerate() {
            let digit = digit as usize % 9;
            let rows = &ROW_ORDERS[(fill >> (3 * k) & 7) as usize % ROW_ORDERS.len()];
            for stack in 0..3 {
                let column = columns[stack][boxes[stack][digit] as usize % 3];
                band[9 * rows[stack] as usize + column] = names[digit];
            }
        }
    }
    cells
}
