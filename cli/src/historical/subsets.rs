//! `subsets`: two rules on the set of digits that each square may still hold; all solutions.
//!
//! 1. In a group (row, column or box), if the squares whose set lies inside A number exactly the size of A,
//!    they use up A: its digits go from all other squares of the group. Each square that changes by this has
//!    its own groups looked at again, recursively. If they outnumber A, the squares cannot all be filled.
//! 2. Otherwise assume a digit in the next square that is uncertain, and apply rule 1; then the next digit.
//!
//! A is every set of digits: with one digit this is the naked single, with eight the hidden one.

use std::ops::ControlFlow;

use super::Journal;
use rapidoku::grid::{CELLS, HOUSE_CELLS, HOUSES, box_of, column_of, row_of};

/// Bit `d` stands for digit `d + 1`.
type Set = u16;

const ALL: Set = 0b1_1111_1111;

type Squares = [Set; CELLS];

pub fn solve(cells: &[u8; CELLS], journal: &mut Journal) -> ControlFlow<()> {
    let mut squares = cells.map(|digit| if digit == 0 { ALL } else { 1 << (digit - 1) });
    if (0..HOUSES).all(|group| confine(group, 0, &mut squares)) {
        assume(&squares, journal)?;
    }
    ControlFlow::Continue(())
}

/// Rule 1 on one group, and on those that it changes; `false` when the squares contradict each other.
///
/// A square of the group has `changed` left: only sets A that contain this may have a square more than before.
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

/// Takes digits from a square; where that changes it, looks at its groups again.
fn remove(digits: Set, square: usize, squares: &mut Squares) -> bool {
    let rest = squares[square] & !digits;
    if rest == squares[square] {
        return true;
    }
    squares[square] = rest;
    rest != 0 && groups(square).into_iter().all(|group| confine(group, rest, squares))
}

fn groups(square: usize) -> [usize; 3] {
    [row_of(square), 9 + column_of(square), 18 + box_of(square)]
}

/// Rule 2.
fn assume(squares: &Squares, journal: &mut Journal) -> ControlFlow<()> {
    let Some(square) = squares.iter().position(|set| set.count_ones() > 1) else {
        return journal.solution(&squares.map(|set| set.trailing_zeros() as u8 + 1));
    };
    for digit in (0..9).map(|d| 1 << d).filter(|digit| squares[square] & digit != 0) {
        journal.guess()?;
        let mut assumed = *squares;
        if remove(!digit, square, &mut assumed) {
            assume(&assumed, journal)?;
        }
    }
    ControlFlow::Continue(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rapidoku::Puzzle;

    /// Rule 1 by the letter: every set, in every group, until nothing changes.
    fn by_the_letter(mut squares: Squares) -> Option<Squares> {
        loop {
            let before = squares;
            for (group, set) in (0..HOUSES).flat_map(|group| (1..ALL).map(move |set| (group, set))) {
                let members = HOUSE_CELLS[group].map(usize::from);
                let is_inside = |squares: &Squares, square: usize| squares[square] & !set == 0;
                let (inside, outside): (Vec<_>, Vec<_>) =
                    members.into_iter().partition(|&square| is_inside(&squares, square));
                if inside.len() == set.count_ones() as usize {
                    outside.into_iter().for_each(|square| squares[square] &= !set);
                } else if inside.len() > set.count_ones() as usize {
                    return None;
                }
            }
            if squares.contains(&0) {
                return None;
            }
            if squares == before {
                return Some(squares);
            }
        }
    }

    #[test]
    fn looking_only_at_what_changed_misses_nothing() {
        let sample = include_str!("../../../datasets/sample_10k.txt").lines().take(60);
        let (mut refuted, mut open) = (0, 0);
        for puzzle in sample.map(|line| line.parse::<Puzzle>().unwrap()) {
            let clues = puzzle.cells().map(|digit| if digit == 0 { ALL } else { 1 << (digit - 1) });
            let expected = by_the_letter(clues);
            let mut squares = clues;
            let holds = (0..HOUSES).all(|group| confine(group, 0, &mut squares));
            assert_eq!(holds.then_some(squares), expected, "{puzzle}");
            refuted += usize::from(!holds);
            open += usize::from(holds && squares.iter().any(|set| set.count_ones() > 1));
        }
        assert!(refuted > 0 && open > 0, "{refuted} refuted, {open} left open");
    }
}
