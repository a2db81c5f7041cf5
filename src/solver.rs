//! [`Solver`]: the public entry point for batches of puzzles, and [`solve`] for a single one.

use std::num::NonZeroU64;

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Puzzle, PuzzleError, Solution};
use crate::outcome::{Limits, Outcome, Outcomes, PuzzleSlice, Status, Work};
use crate::simd::Level;
use crate::{lanes, scalar};

/// The reason why [`solve`] has no solution to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The text is not a puzzle, or its clues clash.
    #[error("not a valid puzzle")]
    Invalid(#[source] PuzzleError),
    /// The puzzle has no solution.
    #[error("the puzzle has no solution")]
    NoSolution,
    /// The puzzle has at least two solutions.
    #[error("the puzzle has more than one solution")]
    Multiple,
}

/// Returns the only solution of a puzzle.
///
/// The text is a line of 81 cells or a grid of nine lines, see [`Puzzle`]. For many puzzles use [`Solver`], which is
/// about ten times as fast per puzzle and core.
///
/// # Errors
/// When the text is not a puzzle, or the puzzle has no solution or more than one.
///
/// ```
/// use rapidoku::SolveError;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let solution = rapidoku::solve(line)?;
/// println!("{solution:#}");
/// assert_eq!(rapidoku::solve(&line.replace("79", "..")), Err(SolveError::Multiple));
/// # Ok::<(), SolveError>(())
/// ```
pub fn solve(puzzle: &str) -> Result<Solution, SolveError> {
    let puzzle: Puzzle = puzzle.parse().map_err(SolveError::Invalid)?;
    if let Some(clash) = puzzle.clash() {
        return Err(SolveError::Invalid(clash));
    }
    let outcome = scalar::solve(&puzzle, Limits::UNIQUE);
    match outcome.solution {
        Some(solution) if outcome.status == Status::Unique => Ok(solution),
        Some(_) => Err(SolveError::Multiple),
        None => Err(SolveError::NoSolution),
    }
}

/// The algorithm of a [`Solver`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// One puzzle per lane of a SIMD vector. The fastest for batches.
    #[default]
    Lanes,
    /// One puzzle at a time.
    Scalar,
}

impl Engine {
    /// The name on the command line and in reports: `lanes` or `scalar`.
    pub const fn name(self) -> &'static str {
        match self {
            Engine::Lanes => "lanes",
            Engine::Scalar => "scalar",
        }
    }
}

/// Solves batches of puzzles.
///
/// A solver is a small set of options: limits, engine, SIMD level and number of threads. The outcome of a puzzle
/// depends only on the puzzle, the limits and the engine, and not on the batch, the threads or the SIMD level.
///
/// ```
/// use rapidoku::{Puzzle, Solver, Status};
///
/// let lines = [
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
///     "55...............................................................................",
/// ];
/// let puzzles: Vec<Puzzle> = lines.iter().map(|line| line.parse()).collect::<Result<_, _>>()?;
/// let outcomes = Solver::new().solve(&puzzles);
/// assert_eq!(outcomes.statuses(), [Status::Unique, Status::Invalid]);
/// assert_eq!(outcomes.solution(0).unwrap().cells()[..3], [5, 3, 4]);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    limits: Limits,
    engine: Engine,
    level: Level,
    threads: usize,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// The lane engine at the widest SIMD level of the machine, with a proof of uniqueness ([`Limits::UNIQUE`]), on
    /// all threads with the feature `parallel` and on the calling thread without it.
    pub fn new() -> Solver {
        Solver { limits: Limits::UNIQUE, engine: Engine::Lanes, level: Level::detect(), threads: 0 }
    }

    /// Sets how far the search for solutions goes.
    pub fn limits(mut self, limits: Limits) -> Solver {
        self.limits = limits;
        self
    }

    /// Stops at so many solutions of a puzzle: 1 finds one, 2 proves uniqueness, N counts up to N.
    pub fn limit(mut self, solutions: NonZeroU64) -> Solver {
        self.limits.solutions = solutions;
        self
    }

    /// Gives a puzzle up when it would need more guesses ([`Status::Limit`]).
    pub fn max_guesses(mut self, guesses: u64) -> Solver {
        self.limits.guesses = guesses;
        self
    }

    /// Sets the engine.
    pub fn engine(mut self, engine: Engine) -> Solver {
        self.engine = engine;
        self
    }

    /// Sets the SIMD level of the lane engine.
    pub fn level(mut self, level: Level) -> Solver {
        self.level = level;
        self
    }

    /// Sets the number of threads: 0, the default, for all threads of the current rayon pool, 1 for the calling thread
    /// alone. Without the feature `parallel` the calling thread does all the work.
    pub fn threads(mut self, threads: usize) -> Solver {
        self.threads = threads;
        self
    }

    /// How far the search for solutions goes.
    pub fn current_limits(&self) -> Limits {
        self.limits
    }

    /// Solves puzzles, given as clues or [candidates](crate::Candidates). Outcome `k` belongs to puzzle `k`.
    pub fn solve<'a>(&self, puzzles: impl Into<PuzzleSlice<'a>>) -> Outcomes {
        let mut outcomes = Outcomes::default();
        self.solve_into(puzzles, &mut outcomes);
        outcomes
    }

    /// Solves puzzles into `outcomes`, whose memory is reused and whose previous content is lost.
    pub fn solve_into<'a>(&self, puzzles: impl Into<PuzzleSlice<'a>>, outcomes: &mut Outcomes) -> Work {
        self.try_solve_into(puzzles, outcomes, &CancelToken::new()).expect("nobody can cancel it")
    }

    /// Solves puzzles into `outcomes` until `cancel` is set, which takes effect within some milliseconds.
    ///
    /// # Errors
    /// When it was cancelled. The content of `outcomes` is unspecified then.
    pub fn try_solve_into<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<Work, Cancelled> {
        let puzzles = puzzles.into();
        outcomes.resize(puzzles.len());
        self.solve_on_this_thread(puzzles, outcomes, cancel)
    }

    /// Solves a single puzzle.
    pub fn solve_one(&self, puzzle: &Puzzle) -> Outcome {
        match self.engine {
            Engine::Scalar => scalar::solve(puzzle, self.limits),
            Engine::Lanes => self.solve(std::slice::from_ref(puzzle)).get(0).expect("there is one puzzle"),
        }
    }

    pub(crate) fn solve_on_this_thread(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<Work, Cancelled> {
        outcomes.resize(puzzles.len());
        match self.engine {
            Engine::Lanes => {
                let search = crate::engine::Search {
                    limit: self.limits.solutions.get(),
                    max_guesses: self.limits.guesses,
                };
                Ok(lanes::solve(self.level, puzzles, search, outcomes))
            }
            Engine::Scalar => {
                scalar::solve_batch(puzzles, self.limits, outcomes, cancel).map(|()| Work::default())
            }
        }
    }
}
