//! The search: steps, and guesses where no technique applies.

use super::{Board, Contradiction, Removed, Step, Technique};
use crate::grid::{Candidates, Solution};

/// The difficulty of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The hardest technique that was needed; `None` if the puzzle was complete.
    pub hardest: Option<Technique>,
    /// The number of guesses.
    pub guesses: u64,
    /// The number of refuted guesses.
    pub backtracks: u64,
    /// The first solution, if there is one.
    pub solution: Option<Solution>,
}

impl Rating {
    /// Whether naked and hidden singles were enough.
    pub fn singles_only(&self) -> bool {
        self.hardest <= Some(Technique::HiddenSingle)
    }
}

/// Solves a puzzle without clashing clues, in the order of steps that the [module](crate::technique) documents, up to the first
/// solution.
///
/// `watch` is called with every step, including those that follow from a guess that is refuted later. The refutation
/// comes after them: a [`Technique::Guess`] that removes the guessed candidate.
///
/// ```
/// use rapidoku::{Puzzle, technique};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let rating = technique::solve(&puzzle, &mut |step| println!("{step}"));
/// assert!(rating.singles_only());
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn solve(start: impl Into<Candidates>, watch: &mut dyn FnMut(&Step)) -> Rating {
    let rating = Rating { hardest: None, guesses: 0, backtracks: 0, solution: None };
    let mut search = Search { rating, watch };
    // Without a solution, `rating.solution` is `None`.
    let _ = search.explore(Board::new(start));
    search.rating
}

struct Search<'a> {
    rating: Rating,
    watch: &'a mut dyn FnMut(&Step),
}

impl Search<'_> {
    /// Finds the first solution of a board.
    fn explore(&mut self, mut board: Board) -> Result<(), Contradiction> {
        loop {
            if board.is_full() {
                self.rating.solution = Solution::from_cells(*board.digits());
                return Ok(());
            }
            if let Some(step) = board.next_single()?.or_else(|| board.next_elimination()) {
                self.see(&step);
                board.apply(&step);
                continue;
            }
            let guess = board.guess();
            self.see(&guess);
            self.rating.guesses += 1;
            let mut child = board.clone();
            child.apply(&guess);
            if self.explore(child).is_ok() {
                return Ok(());
            }
            self.rating.backtracks += 1;
            let removed = vec![Removed { cell: guess.cells[0], digits: guess.digits }];
            let refuted = Step { removed, ..guess };
            self.see(&refuted);
            board.apply(&refuted);
        }
    }

    fn see(&mut self, step: &Step) {
        self.rating.hardest = self.rating.hardest.max(Some(step.technique));
        (self.watch)(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Puzzle;

    #[test]
    fn singles_come_before_anything_else() {
        for line in include_str!("../../datasets/sample_10k.txt").lines().take(2000) {
            let puzzle: Puzzle = line.parse().unwrap();
            if puzzle.solutions().next().is_none() {
                continue;
            }
            let mut techniques = Vec::new();
            solve(&puzzle, &mut |step| techniques.push(step.technique));
            let mut board = Board::new(&puzzle);
            let mut alone = 0;
            while let Ok(Some(step)) = board.next_single() {
                board.apply(&step);
                alone += 1;
            }
            let singles =
                techniques.iter().take_while(|technique| **technique <= Technique::HiddenSingle).count();
            assert_eq!(singles, alone);
        }
    }
}
