//! `subsets`: finds all solutions with two rules on the set of possible digits of each square.
//!
//! 1. For every group (row, column or box) and every set A of digits: count the squares of the group whose possible
//!    digits are a subset of A. If there are exactly as many as A has digits, remove the digits of A from the other
//!    squares of the group, and apply the rule again to all groups of each square that changed. If there are more,
//!    there is no solution.
//! 2. When rule 1 changes nothing, assume each possible digit of the next undecided square in turn, and apply rule 1.
//!
//! With one digit in A, rule 1 is the naked single; with eight digits, the hidden single.

use std::ops::ControlFlow;

use super::{SearchState, houses};
use rapidoku::grid::{CELLS, HOUSE_CELLS, HOUSES};

/// A set of digits: bit `d` stands for digit `d + 1`.
type Set = u16;

const ALL: Set = 0b1_1111_1111;

type Squares = [Set; CELLS];

pub fn solve(cells: &[u8; CELLS], state: &mut SearchState) -> ControlFlow<()> {
    let mut squares = cells.map(|digit| if digit == 0 { ALL } else { 1 << (digit - 1) });
    if (0..HOUSES).all(|group| confine(group, 0, &mut squares)) {
        assume(&squares, state)?;
    }
    ControlFlow::Continue(())
}

/// Applies rule 1 to a group, and to the groups of squares that it changes. Returns `false` on a contradiction.
///
/// `changed` is the new set of a square of the group: only sets A that contain it may have gained a square.
fn confine(group: usize, changed: Set, squares: &mut Squares) -> bool {
    let members = HOUSE_CELLS[group].map(usize::from);
    for set in (1..ALL).filter(|set| changed & !set == 0) {
        let inside = members.map(|square| squares[square] & !set == 0);
        let count = inside.iter().map(|&inside| u32::from(inside)).sum::<u32>();
        if count > set.count_ones() {
            return false;
        }
        if count == set.count_ones() {
            let mut outside = members.iter().zip(inside).filter(|(_, inside)| !inside);
            if !outside.all(|(&square, _)| remove(set, square, squares)) {
                return false;
            }
        }
    }
    true
}

/// Removes digits from a square and, if that changes it, applies rule 1 to its groups.
fn remove(digits: Set, square: usize, squares: &mut Squares) -> bool {
    let rest = squares[square] & !digits;
    if rest == squares[square] {
        return true;
    }
    squares[square] = rest;
    rest != 0 && houses(square).into_iter().all(|group| confine(group, rest, squares))
}

/// Applies rule 2.
fn assume(squares: &Squares, state: &mut SearchState) -> ControlFlow<()> {
    let Some(square) = squares.iter().position(|set| set.count_ones() > 1) else {
        return state.add_solution(&squares.map(|set| set.trailing_zeros() as u8 + 1));
    };
    for digit in (0..9).map(|d| 1 << d).filter(|digit| squares[square] & digit != 0) {
        state.count_guess()?;
        let mut assumed = *squares;
        if remove(!digit, square, &mut assumed) {
            assume(&assumed, state)?;
        }
    }
    ControlFlow::Continue(())
}
