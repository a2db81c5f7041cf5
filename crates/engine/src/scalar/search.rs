//! The depth-first search.
//!
//! Below an unlucky guess, it may make millions of guesses without a solution. A [restart](crate::restart) would find
//! the earlier solutions again, so a search for many solutions is not restarted. Instead, after [`PATIENCE`] guesses
//! without a solution, another search tells whether the puzzle has a solution at all, then which nodes on the stack
//! have one. Nodes without a solution are dropped, from the next one to the first that has one. So the order of the
//! solutions stays the same.

use super::Grid;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::Candidates;
use crate::outcome::{Limits, Outcome, Status};
use crate::restart::is_for_many;

/// Guesses without a solution before nodes are examined. Puzzles with many solutions yield one about every other guess.
const PATIENCE: u64 = 1024;
/// Guesses between two looks at a [`CancelToken`]: about a millisecond.
const CANCEL_INTERVAL: u64 = 1024;

/// Searches for one solution of candidates. The number is a limit of guesses.
pub(crate) type FindOne<'a> = &'a mut dyn FnMut(&Candidates, u64) -> Result<Outcome, Cancelled>;

/// A depth-first search of one puzzle. The stack is kept between puzzles, so that a batch allocates once.
#[derive(Clone, Default)]
pub(crate) struct Search {
    limits: Limits,
    /// Guesses without a solution before nodes are examined.
    patience: u64,
    /// The number of guesses after which nodes are examined, if that is within the limits.
    pause: u64,
    /// The next stop: the pause or the limit of guesses.
    stop: u64,
    /// The puzzle, until nodes are examined.
    root: Option<Grid>,
    /// Grids still to be explored, the next one last.
    stack: Vec<Grid>,
    solutions: u64,
    guesses: u64,
    capped: bool,
}

impl Search {
    /// A search that examines nodes if these are limits for many solutions.
    pub fn new(limits: Limits) -> Search {
        let patience = if is_for_many(limits) { PATIENCE } else { u64::MAX };
        Search { limits, patience, ..Search::default() }
    }

    /// Starts on another puzzle.
    pub fn start(&mut self, grid: Grid) {
        self.stack.clear();
        self.root = (self.patience != u64::MAX).then(|| grid.clone());
        self.stack.push(grid);
        (self.solutions, self.guesses, self.capped) = (0, 0, false);
        self.set_stop();
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.set_stop();
    }

    fn set_stop(&mut self) {
        self.pause = self.guesses.saturating_add(self.patience);
        self.stop = self.pause.min(self.limits.guesses);
    }

    /// The next solved grid, or `None` at the end of the search: no solutions are left, or a limit is reached.
    pub fn next_solved(&mut self, find_one: FindOne, cancel: Option<&CancelToken>) -> Result<Option<Grid>, Cancelled> {
        if self.solutions >= self.limits.solutions.get() {
            return Ok(None);
        }
        while let Some(mut grid) = self.stack.pop() {
            while grid.propagate() {
                if grid.open == 0 {
                    self.solutions += 1;
                    self.set_stop();
                    return Ok(Some(grid));
                }
                let is_cancelled = || cancel.is_some_and(CancelToken::is_cancelled);
                if self.guesses >= self.stop || self.guesses.is_multiple_of(CANCEL_INTERVAL) && is_cancelled() {
                    self.stack.push(grid);
                    self.examine_stack(find_one, cancel)?;
                    break;
                }
                let (bit, digit) = grid.branch();
                self.guesses += 1;
                let mut child = grid.clone();
                child.place(bit, digit);
                grid.remove(bit, digit);
                self.stack.push(std::mem::replace(&mut grid, child));
            }
        }
        Ok(None)
    }

    /// At a stop: drops nodes until the next one has a solution, and all of them at the limit of guesses.
    #[cold]
    fn examine_stack(&mut self, find_one: FindOne, cancel: Option<&CancelToken>) -> Result<(), Cancelled> {
        if cancel.is_some_and(CancelToken::is_cancelled) {
            return Err(Cancelled);
        }
        // Also with no guess left: a node without a solution may need none.
        self.capped = self.guesses != self.pause;
        if !self.capped
            && self.solutions == 0
            && let Some(root) = self.root.take()
            && !self.has_solution(&root, find_one)?
        {
            self.stack.clear();
        }
        while !self.capped
            && let Some(node) = self.stack.pop()
        {
            if self.has_solution(&node, find_one)? {
                self.stack.push(node);
                break;
            }
        }
        if self.capped {
            self.stack.clear();
        }
        self.set_stop();
        Ok(())
    }

    /// Whether a node has a solution. `false` with [`Search::capped`] if the limit of guesses comes first.
    fn has_solution(&mut self, node: &Grid, find_one: FindOne) -> Result<bool, Cancelled> {
        let outcome = find_one(&node.to_candidates(), self.limits.guesses.saturating_sub(self.guesses))?;
        self.guesses += outcome.guesses;
        self.capped = outcome.status == Status::GaveUp;
        Ok(outcome.status == Status::Solved)
    }

    /// The outcome of the search so far, without the solution.
    pub fn outcome(&self) -> Outcome {
        let status = Status::of_search(self.solutions, self.limits, self.capped);
        Outcome::new(status, self.solutions, self.guesses)
    }
}
