//! From step to step to the solution, with guesses where nothing else helps.

use super::{Board, Contradiction, Removed, Step, Technique};
use crate::grid::{Candidates, Solution};

/// How hard it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The hardest technique that was needed; `None` if the puzzle was complete.
    pub hardest: Option<Technique>,
    /// Digits that were assumed.
    pub guesses: u64,
    /// Assumptions that were refuted.
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

/// Solves a puzzle whose clues do not clash, be it given by these or by candidates, in the order that the module's
/// documentation tells.
///
/// `watch` sees every step. Those that follow from a guess which is refuted are among them: the refutation
/// is the step after them, a [`Technique::Guess`] that removes what was guessed.
pub fn solve(start: impl Into<Candidates>, watch: &mut dyn FnMut(&Step)) -> Rating {
    let rating = Rating { hardest: None, guesses: 0, backtracks: 0, solution: None };
    let mut search = Search { rating, watch };
    // A contradiction is told by the lack of a solution.
    let _ = search.explore(Board::new(start));
    search.rating
}

struct Search<'a> {
    rating: Rating,
    watch: &'a mut dyn FnMut(&Step),
}

impl Search<'_> {
    /// Finds the first solution of a board, or that it has none.
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
