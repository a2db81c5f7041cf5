//! What is known of puzzles after a search: limits, statuses, and the outcomes of a batch.

use std::fmt;
use std::num::NonZeroU64;

use crate::grid::{CELLS, Candidates, Puzzle, Solution};

/// The verdict on one puzzle, as one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
#[repr(u8)]
pub enum Status {
    /// A solution was found and the search stopped there ([`Limits::solutions`] is 1). There may be others.
    Solved,
    /// There is exactly one solution.
    Unique,
    /// There are at least two solutions.
    Multiple,
    /// There is no solution. Its name in files is `none`.
    #[cfg_attr(feature = "serde", serde(rename = "none"))]
    NoSolution,
    /// The record is not a puzzle, or its clues clash.
    Invalid,
    /// The search reached [`Limits::guesses`] before it had an answer.
    GaveUp,
}

impl Status {
    /// All statuses, in the order of their discriminants.
    pub const ALL: [Status; 6] =
        [Status::Solved, Status::Unique, Status::Multiple, Status::NoSolution, Status::Invalid, Status::GaveUp];

    /// The name in CSV and JSON: `solved`, `unique`, `multiple`, `none`, `invalid` or `gave-up`.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::NoSolution => "none",
            Status::Invalid => "invalid",
            Status::GaveUp => "gave-up",
        }
    }

    /// The status of a puzzle without clashes after a search that found `found` solutions of at most
    /// `limits.solutions`. `capped` tells that the cap on guesses ended the search.
    pub const fn of_search(found: u64, limits: Limits, capped: bool) -> Status {
        match found {
            _ if capped => Status::GaveUp,
            0 => Status::NoSolution,
            1 if limits.solutions.get() == 1 => Status::Solved,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How far the search for solutions of a puzzle goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Stop at this many solutions: 1 finds one, 2 proves uniqueness, N counts up to N.
    pub solutions: NonZeroU64,
    /// Give a puzzle up when it would need more guesses than this ([`Status::GaveUp`]); `u64::MAX` for no cap.
    pub guesses: u64,
}

impl Limits {
    /// Stops at the first solution; the status is then [`Status::Solved`] rather than [`Status::Unique`].
    pub const FIRST: Limits = Limits::up_to(NonZeroU64::MIN);
    /// Stops at the second solution, which proves or refutes uniqueness. The default.
    pub const UNIQUE: Limits = Limits::up_to(NonZeroU64::MIN.saturating_add(1));
    /// Finds all solutions. Nearly empty grids have more than can be counted: combine with a cap on guesses or a
    /// [`CancelToken`](crate::cancel::CancelToken).
    pub const ALL: Limits = Limits::up_to(NonZeroU64::MAX);

    /// Stops at this number of solutions.
    pub const fn up_to(solutions: NonZeroU64) -> Limits {
        Limits { solutions, guesses: u64::MAX }
    }

    /// The same with a cap on guesses.
    pub const fn max_guesses(self, guesses: u64) -> Limits {
        Limits { guesses, ..self }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits::UNIQUE
    }
}

/// The puzzles of a batch, as clues or as candidates.
#[derive(Clone, Copy, Debug)]
pub enum PuzzleSlice<'a> {
    /// Clues only.
    Clues(&'a [Puzzle]),
    /// The candidates of every cell. Candidates equal to those implied by the clues give the same outcome as the
    /// clues, number of guesses included.
    Candidates(&'a [Candidates]),
}

macro_rules! puzzle_slice_from {
    ($variant:ident: $([$($parameter:tt)*] $puzzles:ty),+) => {$(
        impl<'a $($parameter)*> From<&'a $puzzles> for PuzzleSlice<'a> {
            fn from(puzzles: &'a $puzzles) -> PuzzleSlice<'a> {
                PuzzleSlice::$variant(puzzles)
            }
        }
    )+};
}

puzzle_slice_from!(Clues: [] [Puzzle], [, const N: usize] [Puzzle; N], [] Vec<Puzzle>);
puzzle_slice_from!(Candidates: [] [Candidates], [, const N: usize] [Candidates; N], [] Vec<Candidates>);

impl PuzzleSlice<'_> {
    /// The number of puzzles.
    pub fn len(&self) -> usize {
        match self {
            PuzzleSlice::Clues(puzzles) => puzzles.len(),
            PuzzleSlice::Candidates(candidates) => candidates.len(),
        }
    }

    /// Whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The puzzles with these indices.
    ///
    /// # Panics
    /// If the range is out of bounds.
    pub fn slice(&self, range: std::ops::Range<usize>) -> Self {
        match self {
            PuzzleSlice::Clues(puzzles) => PuzzleSlice::Clues(&puzzles[range]),
            PuzzleSlice::Candidates(candidates) => PuzzleSlice::Candidates(&candidates[range]),
        }
    }
}

/// Bytes of a solution as a row of text: 81 digits and a line feed.
pub const ROW: usize = CELLS + 1;

/// The row of a puzzle without a solution to give: 81 `.` and a line feed.
pub const BLANK_ROW: [u8; ROW] = {
    let mut row = [b'.'; ROW];
    row[ROW - 1] = b'\n';
    row
};

/// The outcome of one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Outcome {
    /// The verdict.
    pub status: Status,
    /// The first solution found. It depends on the puzzle and the engine only, not on the machine.
    pub solution: Option<Solution>,
    /// The number of solutions found, at most [`Limits::solutions`].
    pub solutions: u64,
    /// The number of guesses: branches of the search, in all its attempts. A search that reaches a cap starts again
    /// with look-ahead, or look-ahead drops parts of it that have no solution. That bounds the guesses of the worst
    /// known puzzles. Candidates that are tried and not taken do not count.
    pub guesses: u64,
}

impl Outcome {
    /// The outcome of a record that is not a puzzle.
    pub const INVALID: Outcome = Outcome { status: Status::Invalid, solution: None, solutions: 0, guesses: 0 };

    /// An outcome without a solution to give.
    pub const fn new(status: Status, solutions: u64, guesses: u64) -> Outcome {
        Outcome { status, solution: None, solutions, guesses }
    }

    /// The same with this solution as the first one.
    pub const fn with_solution(self, solution: Option<Solution>) -> Outcome {
        Outcome { solution, ..self }
    }
}

/// The outcomes of a batch: entry `k` belongs to puzzle `k`.
///
/// Stored as one array per field, so that a million outcomes take 99 MB and the solutions are ready to be written as
/// text. Reuse a value with [`Solver::solve_into`](crate::solver::Solver::solve_into) to keep its memory. With the
/// feature `serde`, a sequence of [`Outcome`]s.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcomes {
    pub(crate) status: Vec<Status>,
    pub(crate) solutions: Vec<u64>,
    pub(crate) guesses: Vec<u64>,
    pub(crate) rows: Vec<[u8; ROW]>,
}

impl Outcomes {
    /// No outcomes.
    pub fn new() -> Outcomes {
        Outcomes::default()
    }

    /// The number of puzzles.
    pub fn len(&self) -> usize {
        self.status.len()
    }

    /// Whether there are no puzzles.
    pub fn is_empty(&self) -> bool {
        self.status.is_empty()
    }

    /// The outcome of puzzle `k`, or `None` if there is no such puzzle.
    pub fn get(&self, k: usize) -> Option<Outcome> {
        let outcome = Outcome::new(*self.status.get(k)?, self.solutions[k], self.guesses[k]);
        Some(outcome.with_solution(self.solution(k)))
    }

    /// The first solution found of puzzle `k`, or `None` if none was found or there is no such puzzle.
    pub fn solution(&self, k: usize) -> Option<Solution> {
        if *self.solutions.get(k)? == 0 {
            return None;
        }
        let digits = self.rows[k].first_chunk::<CELLS>()?;
        Solution::from_cells(digits.map(|byte| byte.wrapping_sub(b'0')))
    }

    /// The outcomes in the order of the puzzles.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Outcome> + '_ {
        (0..self.len()).map(|k| self.get(k).expect("k is in range"))
    }

    /// The status of each puzzle.
    pub fn statuses(&self) -> &[Status] {
        &self.status
    }

    /// The number of solutions found of each puzzle, at most [`Limits::solutions`].
    pub fn solution_counts(&self) -> &[u64] {
        &self.solutions
    }

    /// The number of guesses made for each puzzle, see [`Outcome::guesses`].
    pub fn guesses(&self) -> &[u64] {
        &self.guesses
    }

    /// The first solution of each puzzle as 81 ASCII digits and a line feed, or [`BLANK_ROW`].
    pub fn rows(&self) -> &[[u8; ROW]] {
        &self.rows
    }

    /// The rows, to be swapped with others as many.
    #[doc(hidden)]
    pub fn rows_mut(&mut self) -> &mut Vec<[u8; ROW]> {
        &mut self.rows
    }

    /// Sets the outcome of puzzle `k`: for solvers other than those of this crate.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn set(&mut self, k: usize, outcome: Outcome) {
        self.status[k] = outcome.status;
        self.solutions[k] = outcome.solutions;
        self.guesses[k] = outcome.guesses;
        self.rows[k] = BLANK_ROW;
        if let Some(solution) = outcome.solution {
            self.rows[k][..CELLS].copy_from_slice(&solution.to_ascii());
        }
    }

    /// Sets the status of puzzle `k` and leaves the rest of its outcome.
    ///
    /// # Panics
    /// If there is no such puzzle.
    pub fn set_status(&mut self, k: usize, status: Status) {
        self.status[k] = status;
    }

    /// Forgets everything and makes room for `n` puzzles without solutions ([`Status::NoSolution`]).
    pub fn reset(&mut self, n: usize) {
        self.resize(0);
        self.resize(n);
    }

    /// Makes room for `n` puzzles. The content is unspecified until a solver fills it.
    #[doc(hidden)]
    pub fn resize(&mut self, n: usize) {
        self.status.resize(n, Status::NoSolution);
        self.solutions.resize(n, 0);
        self.guesses.resize(n, 0);
        self.rows.resize(n, BLANK_ROW);
    }

    /// All entries, to be filled by an engine.
    #[doc(hidden)]
    pub fn as_mut(&mut self) -> OutcomesMut<'_> {
        OutcomesMut {
            status: &mut self.status,
            solutions: &mut self.solutions,
            guesses: &mut self.guesses,
            rows: &mut self.rows,
        }
    }
}

/// Entries of [`Outcomes`] that an engine fills. Threads fill different entries at the same time.
#[doc(hidden)]
pub struct OutcomesMut<'a> {
    pub status: &'a mut [Status],
    pub solutions: &'a mut [u64],
    pub guesses: &'a mut [u64],
    pub rows: &'a mut [[u8; ROW]],
}

impl<'a> OutcomesMut<'a> {
    /// The same entries for a shorter time.
    pub fn reborrow(&mut self) -> OutcomesMut<'_> {
        let OutcomesMut { status, solutions, guesses, rows } = self;
        OutcomesMut { status, solutions, guesses, rows }
    }

    /// Splits off the first `n` entries.
    pub fn split_off_front(&mut self, n: usize) -> OutcomesMut<'a> {
        fn front<'a, T>(slice: &mut &'a mut [T], n: usize) -> &'a mut [T] {
            slice.split_off_mut(..n).expect("there are as many entries")
        }
        OutcomesMut {
            status: front(&mut self.status, n),
            solutions: front(&mut self.solutions, n),
            guesses: front(&mut self.guesses, n),
            rows: front(&mut self.rows, n),
        }
    }

    /// Sets the outcome of puzzle `k`, except for the row if it has a solution.
    #[inline(always)]
    pub fn set_counts(&mut self, k: usize, status: Status, solutions: u64, guesses: u64) {
        self.status[k] = status;
        self.solutions[k] = solutions;
        self.guesses[k] = guesses;
        if solutions == 0 {
            self.rows[k] = BLANK_ROW;
        }
    }

    /// Sets the outcomes of `n` puzzles to the most frequent one: a single solution without guesses. Their rows are
    /// unspecified.
    #[inline(always)]
    pub fn fill_single(&mut self, from: usize, n: usize, limits: Limits) {
        self.status[from..from + n].fill(Status::of_search(1, limits, false));
        self.solutions[from..from + n].fill(1);
        self.guesses[from..from + n].fill(0);
    }
}
