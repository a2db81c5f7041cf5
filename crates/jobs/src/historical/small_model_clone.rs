//! `small-model-clone`: the model holds only the digits of each row, column and box. It is still cloned.
//!
//! The search tries every digit that the row, column and box of the next blank cell lack, each in a clone of the grid
//! and the model.

use std::ops::ControlFlow;

use super::SearchState;
use rapidoku::grid::{CELLS, box_of, column_of, row_of};

#[derive(Clone)]
pub(super) struct Model {
    pub cells: [u8; CELLS],
    /// `has[kind][index][digit - 1]`: whether a house contains a digit. The kinds are rows, columns and boxes.
    has: [[[bool; 9]; 9]; 3],
}

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    search(0, &Model::new(cells), state)
}

fn search(from: usize, model: &Model, state: &mut SearchState) -> ControlFlow<()> {
    let Some(cell) = (from..CELLS).find(|&cell| model.cells[cell] == 0) else {
        return state.add_solution(&model.cells);
    };
    for digit in (1..=9).filter(|&digit| model.allows(cell, digit)) {
        state.count_guess()?;
        let mut clone = model.clone();
        clone.cells[cell] = digit;
        clone.mark(cell, digit, true);
        search(cell + 1, &clone, state)?;
    }
    ControlFlow::Continue(())
}

impl Model {
    pub fn new(cells: &[u8; CELLS]) -> Model {
        let mut model = Model { cells: *cells, has: Default::default() };
        for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit != 0) {
            model.mark(cell, digit, true);
        }
        model
    }

    pub fn allows(&self, cell: usize, digit: u8) -> bool {
        let [rows, columns, boxes] = &self.has;
        let value = digit as usize - 1;
        !rows[row_of(cell)][value] && !columns[column_of(cell)][value] && !boxes[box_of(cell)][value]
    }

    /// Sets whether the houses of a cell contain a digit.
    pub fn mark(&mut self, cell: usize, digit: u8, has: bool) {
        for (houses, house) in self.has.iter_mut().zip([row_of(cell), column_of(cell), box_of(cell)]) {
            houses[house][digit as usize - 1] = has;
        }
    }
}
