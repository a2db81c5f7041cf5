//! The solutions of a puzzle as an iterator.

use std::fmt;

use crate::cancel::CancelToken;
use crate::grid::{Candidates, Puzzle, Solution};
use crate::lanes;
use crate::outcome::{Limits, Outcome, Status};
use crate::scalar::{Grid, Search};
use crate::simd::SimdLevel;

/// The solutions of a puzzle, found one by one. Made by [`Puzzle::solutions`] and [`Candidates::solutions`].
///
/// The order depends on the puzzle only: the search branches at a cell with the fewest candidates and tries the lowest
/// digit first. A puzzle whose clues clash has no solutions.
#[derive(Clone)]
#[must_use = "iterators are lazy"]
pub struct Solutions {
    search: Search,
    is_invalid: bool,
    first: Option<Solution>,
    has_ended: bool,
}

impl Solutions {
    fn new(grid: Option<Grid>) -> Solutions {
        let (mut search, is_invalid) = (Search::new(Limits::ALL), grid.is_none());
        if let Some(grid) = grid {
            search.start(grid);
        }
        Solutions { search, is_invalid, first: None, has_ended: false }
    }

    /// Ends the iteration at these limits. The default is [`Limits::ALL`].
    pub fn limits(mut self, limits: Limits) -> Solutions {
        self.search.set_limits(limits);
        self
    }

    /// The outcome of the search so far. Its status is final once [`next`](Iterator::next) has returned `None`. Before,
    /// it is [`Status::GaveUp`] without a solution, [`Status::Solved`] with one and [`Status::Multiple`] with several.
    pub fn outcome(&self) -> Outcome {
        let outcome = self.search.outcome();
        let status = match outcome.solutions {
            _ if self.is_invalid => Status::Invalid,
            _ if self.has_ended => outcome.status,
            0 => Status::GaveUp,
            1 => Status::Solved,
            _ => Status::Multiple,
        };
        Outcome { status, ..outcome }.with_solution(self.first)
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        let mut find_one =
            |given: &Candidates, guesses| lanes::find_one(SimdLevel::detect(), given, guesses, &CancelToken::new());
        let found = self.search.next_solved(&mut find_one, None).expect("there is no token");
        let solution = found.map(|grid| grid.solution());
        self.has_ended |= solution.is_none();
        if self.first.is_none() {
            self.first = solution;
        }
        solution
    }
}

impl std::iter::FusedIterator for Solutions {}

impl fmt::Debug for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Solutions").field("outcome", &self.outcome()).finish_non_exhaustive()
    }
}

impl Puzzle {
    /// All solutions, one by one.
    ///
    /// ```
    /// use rapidoku::Puzzle;
    ///
    /// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8....";
    /// let puzzle: Puzzle = line.parse()?;
    /// assert_eq!(puzzle.solutions().count(), 2);
    /// // The empty grid has 6,670,903,752,021,072,936,960 solutions. The iterator finds them as they are asked for.
    /// assert_eq!(Puzzle::EMPTY.solutions().take(1000).count(), 1000);
    /// # Ok::<(), rapidoku::PuzzleError>(())
    /// ```
    pub fn solutions(&self) -> Solutions {
        Solutions::new(Grid::new(self))
    }
}

impl Candidates {
    /// All solutions, one by one, as those of a [puzzle](Puzzle::solutions).
    pub fn solutions(&self) -> Solutions {
        Solutions::new(Grid::of_candidates(self))
    }
}
