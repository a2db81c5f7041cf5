//! `small-model`: as `small-model-clone`, with one model for the whole search.
//!
//! What a level has set it takes back when it returns, so nothing is cloned.

use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, box_of, column_of, row_of};

struct Model {
    cells: [u8; CELLS],
    /// `has[kind][index][digit - 1]`, kinds being rows, columns and boxes.
    has: [[[bool; 9]; 9]; 3],
}

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let mut model = Model { cells: *cells, has: Default::default() };
    for (cell, &digit) in cells.iter().enumerate().filter(|(_, digit)| **digit != 0) {
        model.mark(cell, digit, true);
    }
    limits(0, &mut model, journal)
}

fn limits(from: usize, model: &mut Model, journal: &mut Journal) -> ControlFlow<()> {
    let Some(cell) = (from..CELLS).find(|&cell| model.cells[cell] == 0) else {
        return journal.solution(&model.cells);
    };
    for digit in 1..=9 {
        if !model.allows(cell, digit) {
            continue;
        }
        journal.guess()?;
        model.cells[cell] = digit;
        model.mark(cell, digit, true);
        limits(cell + 1, model, journal)?;
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
