//! Puzzles with a pattern of few clues: a search over their digits.
//!
//! The start is a random grid without the cells that are blank in the pattern. Each step takes two clues away, enumerates the
//! solutions, and gives the two cells those digits that leave the fewest solutions, but at least one. Equal numbers are accepted, so the
//! search leaves plateaus. It ends when one solution is left.

use std::collections::BTreeMap;

use super::grids;
use super::random::Random;
use crate::grid::{Puzzle, Solution};

/// Steps after which a search starts again with another grid.
pub(super) const STEPS: u64 = 256;
/// Steps with more solutions are skipped.
const MAX_SOLUTIONS: usize = 2000;

/// The result of one search.
pub(super) fn search(cells: &[usize], random: &mut Random) -> Option<(Puzzle, Solution)> {
    let grid = grids::draw(random);
    let mut puzzle = Puzzle::EMPTY;
    cells.iter().for_each(|&cell| puzzle.0[cell] = grid[cell]);
    let mut cells = cells.to_vec();
    let mut fewest = usize::MAX;
    let mut solutions = Vec::with_capacity(MAX_SOLUTIONS + 1);
    for _ in 0..STEPS {
        random.shuffle(&mut cells);
        let (a, b) = (cells[0], cells[1]);
        let mut less = puzzle;
        (less.0[a], less.0[b]) = (0, 0);
        solutions.clear();
        solutions.extend(less.solutions().take(MAX_SOLUTIONS + 1).map(|solution| *solution.cells()));
        let mut counts: BTreeMap<(u8, u8), usize> = BTreeMap::new();
        for solution in &solutions {
            *counts.entry((solution[a], solution[b])).or_default() += 1;
        }
        if solutions.len() > MAX_SOLUTIONS {
            // The numbers are not known. At the start of a search any change may help.
            if fewest == usize::MAX {
                let nth = random.below(counts.len() as u64) as usize;
                (puzzle.0[a], puzzle.0[b]) = *counts.keys().nth(nth).expect("there are as many");
            }
            continue;
        }
        let least = *counts.values().min()?;
        if least > fewest {
            continue;
        }
        let ties: Vec<(u8, u8)> =
            counts.iter().filter(|&(_, &count)| count == least).map(|(digits, _)| *digits).collect();
        let digits = ties[random.below(ties.len() as u64) as usize];
        (puzzle.0[a], puzzle.0[b]) = digits;
        fewest = least;
        if least == 1 {
            let only = solutions.iter().find(|solution| (solution[a], solution[b]) == digits)?;
            return Some((puzzle, Solution::from_cells(*only).expect("digits")));
        }
    }
    None
}
