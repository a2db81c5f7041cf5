//! A search for many solutions.
//!
//! Below an unlucky guess, a depth-first search may make millions of guesses without a solution. [Restarts](crate::restart) would
//! find the solutions before that guess again. Instead, after [`PATIENCE`] guesses without a solution, another search tells
//! whether the nodes on the stack have one, and before the first of them whether the puzzle has one. Nodes without a solution
//! are dropped, up to the first that has one. So the order of the solutions is that of the depth-first search.

use super::{Grid, Search};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::Candidates;
use crate::outcome::{Limits, Outcome, Status};

/// Guesses without a solution before nodes are examined. Puzzles with many solutions yield one about every other guess.
const PATIENCE: u64 = 1024;

/// Searches for one solution of candidates, with at most so many guesses.
pub(crate) type FindOne<'a> = &'a mut dyn FnMut(&Candidates, u64) -> Result<Outcome, Cancelled>;

/// A search for many solutions.
#[derive(Clone)]
pub(crate) struct Enumeration {
    /// Its limit of guesses is the pause, or that of the whole search.
    search: Search,
    limits: Limits,
    patience: u64,
    /// Nodes are examined after this number of guesses.
    pause: u64,
    /// The puzzle, until nodes are examined.
    root: Option<Grid>,
}

impl Enumeration {
    pub fn new(limits: Limits) -> Enumeration {
        Enumeration { search: Search::new(limits), limits, patience: PATIENCE, pause: 0, root: None }
    }

    /// A search that examines no nodes.
    pub fn plain(limits: Limits) -> Enumeration {
        Enumeration { patience: u64::MAX, ..Enumeration::new(limits) }
    }

    /// Starts on another puzzle.
    pub fn start(&mut self, grid: Grid) {
        self.root = Some(grid.clone());
        self.search.start(grid);
        self.set_pause();
    }

    pub fn set_limits(&mut self, limits: Limits) {
        self.limits = limits;
        self.search.limits.solutions = limits.solutions;
        self.set_pause();
    }

    /// Sets the next pause.
    fn set_pause(&mut self) {
        self.pause = self.search.guesses.saturating_add(self.patience);
        self.search.limits.guesses = self.pause.min(self.limits.guesses);
        self.search.capped = false;
    }

    /// The next solved grid, or `None` at the end of the search.
    #[inline(always)]
    pub fn next_solved(
        &mut self,
        find_one: FindOne,
        cancel: Option<&CancelToken>,
    ) -> Result<Option<Grid>, Cancelled> {
        loop {
            if let Some(grid) = self.search.next_solved(cancel) {
                self.set_pause();
                return Ok(Some(grid));
            }
            if !self.search.capped || !self.resume(find_one, cancel)? {
                return Ok(None);
            }
        }
    }

    /// Goes on after a pause. Returns `false` if that is the end of the search.
    #[cold]
    fn resume(&mut self, find_one: FindOne, cancel: Option<&CancelToken>) -> Result<bool, Cancelled> {
        if cancel.is_some_and(CancelToken::is_cancelled) {
            return Err(Cancelled);
        }
        // Also with no guess left: nodes without a solution may need none.
        if self.search.guesses == self.pause && self.drop_dead_ends(find_one)? {
            self.set_pause();
            return Ok(true);
        }
        self.search.stack.clear();
        Ok(false)
    }

    /// Drops the next nodes until one has a solution. Returns `false` at the limit of guesses.
    fn drop_dead_ends(&mut self, find_one: FindOne) -> Result<bool, Cancelled> {
        if self.search.solutions == 0
            && let Some(root) = self.root.take()
        {
            match self.examine(&root, find_one)? {
                Status::Limit => return Ok(false),
                Status::None => self.search.stack.clear(),
                _ => {}
            }
        }
        while let Some(node) = self.search.stack.pop() {
            match self.examine(&node, find_one)? {
                Status::Limit => return Ok(false),
                Status::None => {}
                _ => {
                    self.search.stack.push(node);
                    break;
                }
            }
        }
        Ok(true)
    }

    /// Searches for one solution of a node.
    fn examine(&mut self, node: &Grid, find_one: FindOne) -> Result<Status, Cancelled> {
        let left = self.limits.guesses - self.search.guesses;
        let outcome = find_one(&node.to_candidates(), left)?;
        self.search.guesses += outcome.guesses;
        Ok(outcome.status)
    }

    /// The outcome of the search so far, without the solution.
    pub fn outcome(&self) -> Outcome {
        let Search { solutions, guesses, capped, .. } = self.search;
        Outcome::new(Status::of_search(solutions, self.limits, capped), solutions, guesses)
    }
}
