//! Puzzles with one solution that differ from another one in few clues.
//!
//! Testing each change would take thousands of searches. Instead all solutions without a clue are enumerated: a
//! candidate that is in exactly one of them, as a clue, leaves this one. Likewise for two clues: of the solutions that
//! contain a candidate, those that contain a second one.

use crate::generate::random::Random;
use crate::grid::{CELLS, Puzzle};

/// Puzzles with more solutions are skipped: few candidates of them are in one solution only.
const MAX_SOLUTIONS: usize = 600;
/// The same for two clues.
const MAX_SOLUTIONS_OF_TWO: usize = 3000;
/// Random choices of a first candidate for each pair of clues.
const FIRST_CANDIDATES: usize = 8;
/// The number of solutions with the first candidate.
const MAX_WITH_FIRST: usize = 64;
/// Random choices of a second candidate for each first one.
const SECOND_CANDIDATES: usize = 12;

/// The candidates that are in exactly one of some solutions.
fn in_one<'a>(solutions: impl Iterator<Item = &'a [u8; CELLS]>) -> impl Iterator<Item = (usize, u8)> {
    // A set of digits for each cell.
    let (mut once, mut twice) = ([0_u16; CELLS], [0; CELLS]);
    for solution in solutions {
        for ((once, twice), digit) in once.iter_mut().zip(&mut twice).zip(solution) {
            *twice |= *once & 1 << digit;
            *once |= 1 << digit;
        }
    }
    let candidates = (0..CELLS).flat_map(|cell| (1..10).map(move |digit| (cell, digit)));
    candidates.filter(move |&(cell, digit)| (once[cell] & !twice[cell]) >> digit & 1 == 1)
}

/// The solutions of a puzzle, or `None` if there are more than `max`.
fn solutions(puzzle: &Puzzle, max: usize) -> Option<Vec<[u8; CELLS]>> {
    let solutions: Vec<_> = puzzle.solutions().take(max + 1).map(|solution| *solution.cells()).collect();
    (solutions.len() <= max).then_some(solutions)
}

/// A puzzle with changed cells.
fn with(puzzle: &Puzzle, clues: &[(usize, u8)]) -> Puzzle {
    let mut changed = *puzzle;
    clues.iter().for_each(|&(cell, digit)| changed.cells_mut()[cell] = digit);
    changed
}

fn clues(puzzle: &Puzzle) -> Vec<usize> {
    (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0).collect()
}

/// Puzzles with one clue less and another clue instead, which have one solution: those of clues without which there are
/// few solutions.
pub(super) fn of_one(puzzle: &Puzzle, found: &mut Vec<Puzzle>) {
    for cell in clues(puzzle) {
        let less = with(puzzle, &[(cell, 0)]);
        let Some(solutions) = solutions(&less, MAX_SOLUTIONS) else { continue };
        let same = (cell, puzzle.cells()[cell]);
        found.extend(in_one(solutions.iter()).filter(|clue| *clue != same).map(|clue| with(&less, &[clue])));
    }
}

/// Some puzzles with two clues less and two others instead, which have one solution.
pub(super) fn of_two(puzzle: &Puzzle, pairs: usize, random: &mut Random, found: &mut Vec<Puzzle>) {
    let mut clues = clues(puzzle);
    for _ in 0..pairs {
        random.shuffle(&mut clues);
        let less = with(puzzle, &[(clues[0], 0), (clues[1], 0)]);
        let Some(solutions) = solutions(&less, MAX_SOLUTIONS_OF_TWO) else { continue };
        for _ in 0..FIRST_CANDIDATES {
            let solution = &solutions[random.below(solutions.len() as u64) as usize];
            let cell = random.below(CELLS as u64) as usize;
            let first = (cell, solution[cell]);
            let with_first = || solutions.iter().filter(|solution| solution[cell] == first.1);
            if !(2..=MAX_WITH_FIRST).contains(&with_first().count()) {
                continue;
            }
            let mut second: Vec<_> = in_one(with_first()).collect();
            random.shuffle(&mut second);
            let second = second.into_iter().take(SECOND_CANDIDATES);
            found.extend(second.map(|second| with(&less, &[first, second])));
        }
    }
}
