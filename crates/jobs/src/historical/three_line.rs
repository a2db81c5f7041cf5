//! `three-line`: a line of 81 digits, and recursion at its first zero.
//!
//! A hash set of the digits in use is filled from all 81 cells: cells that share a row, column or box with the zero
//! contribute their digit, the others contribute 0. The digits that are not in the set are tried in turn. The
//! original exits at the first line without a zero.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::{SearchState, sees};
use rapidoku::grid::CELLS;

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    recurse(&mut cells.clone(), state)
}

fn recurse(line: &mut [u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    let Some(zero) = line.iter().position(|&digit| digit == 0) else {
        return state.add_solution(line);
    };
    let taken: HashSet<u8> = (0..CELLS).map(|other| if sees(other, zero) { line[other] } else { 0 }).collect();
    for digit in (1..=9).filter(|digit| !taken.contains(digit)) {
        state.count_guess()?;
        line[zero] = digit;
        recurse(line, state)?;
    }
    line[zero] = 0;
    ControlFlow::Continue(())
}
