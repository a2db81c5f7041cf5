//! `model-clone`: a model of 81 x 9 booleans says which digits are possible, and is cloned at every level.
//!
//! A digit that is set in a cell is eliminated from the cell's row, column and box. A cell that is left with
//! a single value by this has that value set as well: secondary elimination. The next cell with several
//! values gets each of them in turn, in a clone of the model.

use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, PEERS};

/// `model[cell][digit - 1]`: whether the cell may hold the digit.
type Model = [[bool; 9]; CELLS];

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let mut model = [[true; 9]; CELLS];
    for (cell, &digit) in cells.iter().enumerate() {
        if digit != 0 && !set(cell, digit as usize - 1, &mut model) {
            return ControlFlow::Continue(());
        }
    }
    limits(&model, journal)
}

fn limits(model: &Model, journal: &mut Journal) -> ControlFlow<()> {
    let Some(cell) = model.iter().position(|values| single(values).is_none()) else {
        return journal.solution(&model.map(|values| single(&values).expect("all are single") as u8 + 1));
    };
    for value in (0..9).filter(|&value| model[cell][value]) {
        journal.guess()?;
        let mut clone = *model;
        if set(cell, value, &mut clone) {
            limits(&clone, journal)?;
        }
    }
    ControlFlow::Continue(())
}

/// Leaves only `value` to a cell; `false` when it or a peer is left without any.
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

/// The only possible value, if it is only one.
fn single(values: &[bool; 9]) -> Option<usize> {
    let mut possible = (0..9).filter(|&value| values[value]);
    possible.next().filter(|_| possible.next().is_none())
}
