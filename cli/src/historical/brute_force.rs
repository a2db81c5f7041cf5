//! `brute-force`: the first empty cell from the top-left gets 1 to 9 in turn.
//!
//! Each time the digit is put down first, and then the whole row, the whole column and the whole box of the
//! cell are looked through for a digit that stands twice, with a set of nine bits for each.

use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, HOUSE_CELLS, box_of, column_of, row_of};

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    fill(&mut cells.clone(), journal)
}

fn fill(cells: &mut [u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let Some(cell) = cells.iter().position(|&digit| digit == 0) else {
        return journal.solution(cells);
    };
    for digit in 1..=9 {
        journal.guess()?;
        cells[cell] = digit;
        if fits(cell, cells) {
            fill(cells, journal)?;
        }
    }
    cells[cell] = 0;
    ControlFlow::Continue(())
}

fn fits(cell: usize, cells: &[u8; CELLS]) -> bool {
    let houses = [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)];
    houses.into_iter().all(|house| is_unique(&HOUSE_CELLS[house], cells))
}

/// Whether no digit stands twice in a house.
fn is_unique(house: &[u8; 9], cells: &[u8; CELLS]) -> bool {
    let mut seen = 0_u16;
    for &cell in house {
        let digit = cells[cell as usize];
        if digit == 0 {
            continue;
        }
        let bit = 1 << (digit - 1);
        if seen & bit != 0 {
            return false;
        }
        seen |= bit;
    }
    true
}
