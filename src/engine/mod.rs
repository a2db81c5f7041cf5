//! Solves batches of puzzles: the door to the engines.

mod lanes;

#[doc(hidden)]
pub use lanes::pieces::Piece;

use crate::baseline::Baseline;
use crate::grid::{Candidates, Puzzle, Status};
use crate::scalar;
use crate::simd::Level;

/// How far a search goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// Stop at this many solutions, at least 1: 1 finds a solution, 2 proves uniqueness, N counts to N.
    pub limit: u64,
    /// Stop a puzzle after this many guesses ([`Status::Limit`]); `u64::MAX` for no cap.
    pub max_guesses: u64,
}

/// Bytes of a row of [`Outcomes::rows`]: 81 cells and a line feed.
pub const ROW: usize = 82;

/// The row of a puzzle without a solution to give.
pub const BLANK_ROW: [u8; ROW] = {
    let mut row = [b'.'; ROW];
    row[ROW - 1] = b'\n';
    row
};

/// What a batch came to: entry `k` of each array belongs to puzzle `k`. Meant to be kept and reused.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// Verdict per puzzle.
    pub status: Vec<Status>,
    /// Solutions found, at most [`Search::limit`].
    pub solutions: Vec<u64>,
    /// Guesses made: cells or minirows with several possibilities at which the search branched, or what a
    /// [`baseline`](crate::baseline) counts instead.
    pub guesses: Vec<u64>,
    /// The first solution found as 81 digits and a line feed, or [`BLANK_ROW`].
    pub rows: Vec<[u8; ROW]>,
}

impl Outcomes {
    /// One entry for each of `n` puzzles that says that nothing is known: no solution, no guesses.
    pub(crate) fn clear(&mut self, n: usize) {
        *self = Outcomes::default();
        self.resize(n);
    }

    /// Notes what puzzle `k` came to, but for the row of one that has a solution.
    #[inline(always)]
    fn note(&mut self, k: usize, status: Status, solutions: u64, guesses: u64) {
        self.status[k] = status;
        self.solutions[k] = solutions;
        self.guesses[k] = guesses;
        if solutions == 0 {
            self.rows[k] = BLANK_ROW;
        }
    }

    /// Notes of `n` puzzles what most come to: a single solution, for which nothing was guessed. Their rows mean
    /// nothing.
    #[inline(always)]
    fn presume(&mut self, from: usize, n: usize, search: Search) {
        self.status[from..from + n].fill(Status::of_search(1, search.limit, false));
        self.solutions[from..from + n].fill(1);
        self.guesses[from..from + n].fill(0);
    }

    /// Makes room for `n` puzzles; what the arrays hold until an engine fills them means nothing.
    pub(crate) fn resize(&mut self, n: usize) {
        self.status.resize(n, Status::None);
        self.solutions.resize(n, 0);
        self.guesses.resize(n, 0);
        self.rows.resize(n, BLANK_ROW);
    }
}

/// What is given of each puzzle of a batch.
#[derive(Clone, Copy, Debug)]
pub enum Given<'a> {
    /// Clues, and nothing of the other cells.
    Clues(&'a [Puzzle]),
    /// The candidates of every cell. Who has no others than clues leave gets the outcomes of these clues.
    Candidates(&'a [Candidates]),
}

impl<'a, T: AsRef<[Puzzle]> + ?Sized> From<&'a T> for Given<'a> {
    fn from(puzzles: &'a T) -> Given<'a> {
        Given::Clues(puzzles.as_ref())
    }
}

impl<'a> Given<'a> {
    /// How many puzzles there are.
    pub fn len(self) -> usize {
        match self {
            Given::Clues(puzzles) => puzzles.len(),
            Given::Candidates(candidates) => candidates.len(),
        }
    }

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// What is given of puzzle `k` alone.
    ///
    /// # Panics
    /// If there is none.
    pub fn one(self, k: usize) -> Given<'a> {
        match self {
            Given::Clues(puzzles) => Given::Clues(&puzzles[k..=k]),
            Given::Candidates(candidates) => Given::Candidates(&candidates[k..=k]),
        }
    }
}

/// What the engine did besides answering: for tuning and for reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Sweeps of inference over the lanes of a vector; 0 for an engine without lanes.
    pub sweeps: u64,
    /// Lanes there were in those sweeps, busy or idle.
    pub lanes: u64,
    /// Lanes that held a puzzle, summed over the sweeps.
    pub busy_lanes: u64,
}

impl std::ops::AddAssign for Work {
    fn add_assign(&mut self, other: Work) {
        self.sweeps += other.sweeps;
        self.lanes += other.lanes;
        self.busy_lanes += other.busy_lanes;
    }
}

/// The solvers that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// One puzzle per lane of a vector, at one of the machine's instruction sets.
    Lanes(Level),
    /// One puzzle at a time, see [`scalar`].
    Scalar,
    /// A small solver of old, one puzzle at a time, see [`baseline`](crate::baseline).
    Baseline(Baseline),
    /// Solves nothing: answers every puzzle with its own cells, to measure the path around the engine.
    #[doc(hidden)]
    Noop,
}

impl Engine {
    /// The name by which it is asked for and reported.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Lanes(_) => "lanes",
            Engine::Scalar => "scalar",
            Engine::Baseline(baseline) => baseline.name(),
            Engine::Noop => "noop",
        }
    }

    /// Solves puzzles, of which clues or candidates are given; afterwards `outcomes` holds one entry per puzzle, in
    /// their order.
    ///
    /// The outcome of a puzzle depends on that puzzle and `search` alone.
    ///
    /// # Panics
    /// When candidates are given to an engine that [takes clues only](Engine::takes_candidates).
    pub fn solve<'a>(self, given: impl Into<Given<'a>>, search: Search, outcomes: &mut Outcomes) -> Work {
        let given = given.into();
        outcomes.resize(given.len());
        match (self, given) {
            (Engine::Lanes(level), _) => return lanes::solve(level, given, search, outcomes),
            (Engine::Scalar, _) => scalar::solve_batch(given, search, outcomes),
            (Engine::Baseline(baseline), Given::Clues(puzzles)) => {
                baseline.solve_batch(puzzles, search, outcomes);
            }
            (Engine::Baseline(_), Given::Candidates(_)) => panic!("{} takes clues only", self.name()),
            (Engine::Noop, Given::Clues(puzzles)) => echo(puzzles.iter().copied(), outcomes),
            (Engine::Noop, Given::Candidates(all)) => echo(all.iter().map(Candidates::clues), outcomes),
        }
        Work::default()
    }

    /// Whether it solves puzzles of which candidates are given. The solvers of old want clues.
    pub fn takes_candidates(self) -> bool {
        !matches!(self, Engine::Baseline(_))
    }

    /// The instruction set, of an engine that has a choice.
    pub fn level(self) -> Option<Level> {
        match self {
            Engine::Lanes(level) => Some(level),
            _ => None,
        }
    }
}

fn echo(puzzles: impl Iterator<Item = Puzzle>, outcomes: &mut Outcomes) {
    outcomes.status.fill(Status::Solved);
    outcomes.solutions.fill(1);
    outcomes.guesses.fill(0);
    for (row, puzzle) in outcomes.rows.iter_mut().zip(puzzles) {
        for (byte, &digit) in row.iter_mut().zip(puzzle.cells()) {
            *byte = b'0' + digit;
        }
        row[ROW - 1] = b'\n';
    }
}
