//! `three-line`: a line of 81 digits, and recursion at its first zero.
//!
//! A hash of the digits taken is filled from all 81 cells: those that share row, column or box with the zero
//! give their digit, the others give 0. The digits that are not in it follow one another at the zero. The
//! original leaves at the first line without a zero.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, box_of, column_of, row_of};

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    recurse(&mut cells.clone(), journal)
}

fn recurse(line: &mut [u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let Some(zero) = line.iter().position(|&digit| digit == 0) else {
        return journal.solution(line);
    };
    let sees = |other| {
        row_of(other) == row_of(zero) || column_of(other) == column_of(zero) || box_of(other) == box_of(zero)
    };
    let taken: HashSet<u8> = (0..CELLS).map(|other| if sees(other) { line[other] } else { 0 }).collect();
    for digit in (1..=9).filter(|digit| !taken.contains(digit)) {
        journal.guess()?;
        line[zero] = digit;
        recurse(line, journal)?;
    }
    line[zero] = 0;
    ControlFlow::Continue(())
}
