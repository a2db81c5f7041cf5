//! `small-model-clone`: the model shrinks to what each row, column and box has already, still cloned.
//!
//! The next blank cell gets every digit that its row, column and box lack, each in a clone of grid and model.

use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, box_of, column_of, row_of};

#[derive(Clone)]
struct Model {
    cells: [u8; CELLS],
    /// `has[kind][index][digit - 1]`, kinds being rows, columns and boxes.
    has: [[[bool; 9]; 9]; 3],
}

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let mut model = Model { cells: *cells, has: Default::default() };
    for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        model.set(cell, digit);
    }
    limits(0, &model, journal)
}

fn limits(from: usize, model: &Model, journal: &mut Journal) -> ControlFlow<()> {
    let Some(cell) = (from..CELLS).find(|&cell| model.cells[cell] == 0) else {
        return journal.solution(&model.cells);
    };
    for digit in (1..=9).filter(|&digit| model.allows(cell, digit)) {
        journal.guess()?;
        let mut clone = model.clone();
        clone.set(cell, digit);
        limits(cell + 1, &clone, journal)?;
    }
    ControlFlow::Continue(())
}

impl Model {
    fn allows(&self, cell: usize, digit: u8) -> bool {
        let [rows, columns, boxes] = &self.has;
        let value = digit as usize - 1;
        !rows[row_of(cell)][value] && !columns[column_of(cell)][value] && !boxes[box_of(cell)][value]
    }

    fn set(&mut self, cell: usize, digit: u8) {
        self.cells[cell] = digit;
        for (houses, house) in self.has.iter_mut().zip([row_of(cell), column_of(cell), box_of(cell)]) {
            houses[house][digit as usize - 1] = true;
        }
    }
}
