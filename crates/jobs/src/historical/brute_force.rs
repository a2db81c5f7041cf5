//! `brute-force`: tries the digits 1 to 9 in the first blank cell in reading order.
//!
//! Each digit is placed first. Then the row, the column and the box of the cell are scanned for repeated digits, with
//! a set of nine bits for each.

use std::ops::ControlFlow;

use super::{SearchState, houses};
use rapidoku::grid::{CELLS, HOUSE_CELLS};

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    fill(&mut cells.clone(), state)
}

fn fill(cells: &mut [u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    let Some(cell) = cells.iter().position(|&digit| digit == 0) else {
        return state.add_solution(cells);
    };
    for digit in 1..=9 {
        state.count_guess()?;
        cells[cell] = digit;
        if fits(cell, cells) {
            fill(cells, state)?;
        }
    }
    cells[cell] = 0;
    ControlFlow::Continue(())
}

fn fits(cell: usize, cells: &[u8; CELLS]) -> bool {
    houses(cell).into_iter().all(|house| is_unique(&HOUSE_CELLS[house], cells))
}

/// Whether no digit occurs twice in a house.
fn is_unique(house: &[u8; 9], cells: &[u8; CELLS]) -> bool {
    let mut seen = 0_u16;
    let mut digits = house.iter().map(|&cell| cells[cell as usize]).filter(|&digit| digit != 0);
    digits.all(|digit| {
        let before = seen;
        seen |= 1 << digit;
        seen != before
    })
}
