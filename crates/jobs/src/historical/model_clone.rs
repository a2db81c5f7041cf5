//! `model-clone`: a model of 81 x 9 booleans holds the possible digits, and is cloned at every level of the search.
//!
//! Setting a digit in a cell eliminates it from the row, column and box of the cell. If this leaves another cell with
//! a single value, that value is set as well (secondary elimination). The search tries each value of the next cell
//! with several values, in a clone of the model.

use std::ops::ControlFlow;

use super::SearchState;
use rapidoku::grid::{CELLS, PEERS};

/// `model[cell][digit - 1]`: whether the cell may hold the digit.
type Model = [[bool; 9]; CELLS];

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    let mut model = [[true; 9]; CELLS];
    for (cell, &digit) in cells.iter().enumerate() {
        if digit != 0 && !set(cell, digit as usize - 1, &mut model) {
            return ControlFlow::Continue(());
        }
    }
    search(&model, state)
}

fn search(model: &Model, state: &mut SearchState) -> ControlFlow<()> {
    let Some(cell) = model.iter().position(|values| single(values).is_none()) else {
        return state.add_solution(&model.map(|values| single(&values).expect("all are single") as u8 + 1));
    };
    for value in (0..9).filter(|&value| model[cell][value]) {
        state.count_guess()?;
        let mut clone = *model;
        if set(cell, value, &mut clone) {
            search(&clone, state)?;
        }
    }
    ControlFlow::Continue(())
}

/// Sets a cell to `value`. Returns `false` if this leaves the cell or a peer without values.
fn set(cell: usize, value: usize, model: &mut Model) -> bool {
    if !model[cell][value] {
        return false;
    }
    model[cell] = [false; 9];
    model[cell][value] = true;
    PEERS[cell].iter().all(|&peer| eliminate(peer as usize, value, model))
}

fn eliminate(cell: usize, value: usize, model: &mut Model) -> bool {
    if !model[cell][value] {
        return true;
    }
    model[cell][value] = false;
    match single(&model[cell]) {
        Some(last) => set(cell, last, model),
        None => model[cell].contains(&true),
    }
}

/// The value of a cell that has only one.
fn single(values: &[bool; 9]) -> Option<usize> {
    let mut possible = (0..9).filter(|&value| values[value]);
    possible.next().filter(|_| possible.next().is_none())
}
