//! `small-model`: like `small-model-clone`, with one model for the whole search.
//!
//! Each level undoes its changes when it returns, so nothing is cloned.

use std::ops::ControlFlow;

use super::SearchState;
use super::small_model_clone::Model;
use rapidoku::grid::CELLS;

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    search(0, &mut Model::new(cells), state)
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
