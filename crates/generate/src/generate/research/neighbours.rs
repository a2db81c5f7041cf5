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

/// Candidates that are in some solutions: a set of digits for each cell.
struct Seen {
    once: [u16; CELLS],
    twice: [u16; CELLS],
}

impl Seen {
    fn in_solutions<'a>(solutions: impl Iterator<Item = &'a [u8; CELLS]>) -> Seen {
        let mut seen = Seen { once: [0; CELLS], twice: [0; CELLS] };
        for solution in solutions {
            for ((once, twice), digit) in seen.once.iter_mut().zip(&mut seen.twice).zip(solution) {
                let bit = 1 << digit;
                *twice |= *once & bit;
                *once |= bit;
            }
        }
        seen
    }

    /// The candidates that are in exactly one solution.
    fn single(&self) -> impl Iterator<Item = (usize, u8)> + '_ {
        (0..CELLS).flat_map(|cell| {
            let digits = self.once[cell] & !self.twice[cell];
            (1..10).filter(move |digit| digits >> digit & 1 == 1).map(move |digit| (cell, digit))
        })
    }
}

/// The solutions of a puzzle without some clues, or `None` if there are more than `max`.
fn solutions_without(puzzle: &Puzzle, cells: &[usize], max: usize) -> Option<Vec<[u8; CELLS]>> {
    let mut less = *puzzle;
    cells.iter().for_each(|&cell| less.cells_mut()[cell] = 0);
    let solutions: Vec<_> = less.solutions().take(max + 1).map(|solution| *solution.cells()).collect();
    (solutions.len() <= max).then_some(solutions)
}

fn with(puzzle: &Puzzle, without: &[usize], clues: &[(usize, u8)]) -> Puzzle {
    let mut changed = *puzzle;
    without.iter().for_each(|&cell| changed.cells_mut()[cell] = 0);
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
        let Some(solutions) = solutions_without(puzzle, &[cell], MAX_SOLUTIONS) else { continue };
        let same = (cell, puzzle.cells()[cell]);
        let seen = Seen::in_solutions(solutions.iter());
        found.extend(seen.single().filter(|clue| *clue != same).map(|clue| with(puzzle, &[cell], &[clue])));
    }
}

/// Some puzzles with two clues less and two others instead, which have one solution.
pub(super) fn of_two(puzzle: &Puzzle, pairs: usize, random: &mut Random, found: &mut Vec<Puzzle>) {
    let mut clues = clues(puzzle);
    for _ in 0..pairs {
        random.shuffle(&mut clues);
        let removed = &clues[..2];
        let Some(solutions) = solutions_without(puzzle, removed, MAX_SOLUTIONS_OF_TWO) else { continue };
        for _ in 0..FIRST_CANDIDATES {
            let solution = &solutions[random.below(solutions.len() as u64) as usize];
            let cell = random.below(CELLS as u64) as usize;
            let first = (cell, solution[cell]);
            let with_first = || solutions.iter().filter(|solution| solution[cell] == first.1);
            if !(2..=MAX_WITH_FIRST).contains(&with_first().count()) {
                continue;
            }
            let mut second: Vec<_> = Seen::in_solutions(with_first()).single().collect();
            random.shuffle(&mut second);
            let second = second.into_iter().take(SECOND_CANDIDATES);
            found.extend(second.map(|second| with(puzzle, removed, &[first, second])));
        }
    }
}
