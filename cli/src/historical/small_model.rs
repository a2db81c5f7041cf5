//! `small-model`: like `small-model-clone`, with one model for the whole search.
//!
//! Each level undoes its changes when it returns, so nothing is cloned.

use std::ops::ControlFlow;

use super::SearchState;
use rapidoku::grid::{CELLS, box_of, column_of, row_of};

struct Model {
    cells: [u8; CELLS],
    /// `has[kind][index][digit - 1]`: whether a house contains a digit. The kinds are rows, columns and boxes.
    has: [[[bool; 9]; 9]; 3],
}

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    let mut model = Model { cells: *cells, has: Default::default() };
    for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        model.mark(cell, digit, true);
    }
    search(0, &mut model, state)
}

fn search(from: usize, model: &mut Model, state: &mut SearchState) -> ControlFlow<()> {
    let Some(cell) = (from..CELLS).find(|&cell| model.cells[cell] == 0) else {
        return state.add_solution(&model.cells);
    };
    for digit in 1..=9 {
        if !model.allows(cell, digit) {
            continue;
        }
        state.count_guess()?;
        model.cells[cell] = digit;
        model.mark(cell, digit, true);
        search(cell + 1, model, state)?;
        model.mark(cell, digit, false);
    }
    model.cells[cell] = 0;
    ControlFlow::Continue(())
}

impl Model {
    fn allows(&self, cell: usize, digit: u8) -> bool {
        let [rows, columns, boxes] = &self.has;
        let value = digit as usize - 1;
        !rows[row_of(cell)][value] && !columns[column_of(cell)][value] && !boxes[box_of(cell)][value]
    }

    fn mark(&mut self, cell: usize, digit: u8, has: bool) {
        for (houses, house) in self.has.iter_mut().zip([row_of(cell), column_of(cell), box_of(cell)]) {
            houses[house][digit as usize - 1] = has;
        }
    }
}
