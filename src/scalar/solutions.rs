//! The solutions of a puzzle as an iterator.

use std::fmt;

use super::{Grid, Search};
use crate::grid::{Candidates, Puzzle, Solution, Symmetry};
use crate::outcome::{Limits, Outcome, Status};
use crate::restart::{self, Method, Plan};

/// The solutions of a puzzle, found one by one. Made by [`Puzzle::solutions`] and [`Candidates::solutions`].
///
/// The order depends on the puzzle only: the search branches at a cell with the fewest candidates and tries the lowest
/// digit first. If it has found no solution after 4096 guesses, it starts again with an equivalent puzzle: other cells and
/// digits come first then. A puzzle whose clues clash has no solutions.
#[derive(Clone)]
#[must_use = "iterators are lazy"]
pub struct Solutions {
    given: Candidates,
    /// The search of the present attempt, see [`restart`].
    search: Search,
    attempt: u32,
    /// The symmetry of the present attempt, if it is not the first.
    symmetry: Option<Symmetry>,
    /// The guesses of the attempts before.
    before: u64,
    limits: Limits,
    is_invalid: bool,
    first: Option<Solution>,
    has_ended: bool,
}

impl Solutions {
    const PLAN: Plan = Plan { first: Method::Single, limits: Limits::ALL };

    fn new(given: Candidates) -> Solutions {
        let mut search = Search::new(Limits::ALL);
        let grid = Grid::of_candidates(&given);
        let is_invalid = grid.is_none();
        search.stack.extend(grid);
        Solutions {
            given,
            search,
            attempt: 0,
            symmetry: None,
            before: 0,
            limits: Limits::ALL,
            is_invalid,
            first: None,
            has_ended: false,
        }
    }

    /// Ends the iteration at these limits. The default is [`Limits::ALL`].
    pub fn limits(mut self, limits: Limits) -> Solutions {
        self.limits = limits;
        self
    }

    /// The limits of the present attempt: without a solution it is restarted at a cap.
    fn limits_of_attempt(&self) -> Limits {
        let left = self.limits.guesses - self.before;
        self.limits.max_guesses(match self.first {
            Some(_) => left,
            None => left.min(Solutions::PLAN.cap(self.attempt)),
        })
    }

    /// Starts the next attempt, unless the cap on all guesses has been reached.
    fn restart(&mut self) -> bool {
        let guesses = self.before + self.search.guesses;
        if guesses == self.limits.guesses {
            return false;
        }
        (self.before, self.attempt) = (guesses, self.attempt + 1);
        let symmetry = self.symmetry.insert(restart::symmetry(self.attempt));
        let image = symmetry.candidates(&self.given);
        self.search.start(Grid::of_candidates(&image).expect("its clues do not clash"));
        true
    }

    /// The outcome of the search so far. Its status is final once [`next`](Iterator::next) has returned `None`. Before,
    /// it is [`Status::Limit`] without a solution, [`Status::Solved`] with one and [`Status::Multiple`] with several.
    pub fn outcome(&self) -> Outcome {
        let solutions = self.search.solutions;
        let status = match solutions {
            _ if self.is_invalid => Status::Invalid,
            _ if self.has_ended => Status::of_search(solutions, self.limits, self.search.capped),
            0 => Status::Limit,
            1 => Status::Solved,
            _ => Status::Multiple,
        };
        Outcome::new(status, solutions, self.before + self.search.guesses).with_solution(self.first)
    }
}

impl Iterator for Solutions {
    type Item = Solution;

    fn next(&mut self) -> Option<Solution> {
        let grid = loop {
            self.search.limits = self.limits_of_attempt();
            match self.search.next_solved(None) {
                None if self.search.capped && self.first.is_none() && self.restart() => {}
                grid => break grid,
            }
        };
        self.has_ended |= grid.is_none();
        let mut solution = grid?.solution();
        if let Some(symmetry) = &self.symmetry {
            let mut cells = *solution.cells();
            symmetry.undo(&mut cells, 0);
            solution = Solution::from_cells(cells).expect("a symmetry renames digits to digits");
        }
        self.first.get_or_insert(solution);
        Some(solution)
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
        Solutions::new(self.into())
    }
}

impl Candidates {
    /// All solutions, one by one, as those of a [puzzle](Puzzle::solutions).
    pub fn solutions(&self) -> Solutions {
        Solutions::new(*self)
    }
}
