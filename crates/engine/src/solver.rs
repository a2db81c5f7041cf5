//! [`Solver`]: the public entry point for batches of puzzles, and [`solve`] for a single one.

use std::num::NonZeroU64;
use std::ops::{ControlFlow, Range};

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Candidates, Puzzle, PuzzleError, Solution};
use crate::lanes::{self, Sink, Stop};
use crate::outcome::{Limits, Outcome, Outcomes, OutcomesMut, PuzzleSlice, ROW};
use crate::parallel::{count_threads, for_each};
use crate::restart::{self, Method};
use crate::scalar;
use crate::simd::SimdLevel;
use crate::text::parse_texts;

/// The reason why [`solve`] has no solution to return.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The text is not a puzzle, or its clues clash.
    #[error("not a valid puzzle: {0}")]
    Invalid(PuzzleError),
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
    let mut solutions = puzzle.solutions();
    let solution = solutions.next().ok_or(SolveError::NoSolution)?;
    if solutions.next().is_none() { Ok(solution) } else { Err(SolveError::Multiple) }
}

impl Puzzle {
    /// Whether the puzzle has exactly one solution and loses that property when any clue is removed.
    ///
    /// Takes one search per clue, some 100 microseconds.
    ///
    /// ```
    /// use rapidoku::Puzzle;
    ///
    /// let puzzle: Puzzle =
    ///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
    /// assert!(!puzzle.is_minimal());
    /// # Ok::<(), rapidoku::PuzzleError>(())
    /// ```
    pub fn is_minimal(&self) -> bool {
        let is_unique = |puzzle: &Puzzle| puzzle.solutions().take(2).count() == 1;
        let is_needed = |cell: usize| {
            let mut less = *self;
            less.0[cell] = 0;
            !is_unique(&less)
        };
        is_unique(self) && (0..CELLS).all(|cell| self.0[cell] == 0 || is_needed(cell))
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
#[derive(Clone, Debug, Default)]
pub struct Solver {
    limits: Limits,
    engine: Engine,
    level: SimdLevel,
    threads: usize,
}

impl Solver {
    /// The lane engine at the widest SIMD level of the machine, with a proof of uniqueness ([`Limits::UNIQUE`]), on
    /// all threads with the feature `parallel` and on the calling thread without it.
    pub fn new() -> Solver {
        Solver::default()
    }

    /// Sets how far the search for solutions goes.
    pub fn limits(mut self, limits: Limits) -> Solver {
        self.limits = limits;
        self
    }

    /// Stops at this number of solutions of a puzzle: 1 finds one, 2 proves uniqueness, N counts up to N.
    pub fn limit(mut self, solutions: NonZeroU64) -> Solver {
        self.limits.solutions = solutions;
        self
    }

    /// Gives a puzzle up when it would need more guesses ([`Status::GaveUp`](crate::outcome::Status::GaveUp)).
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
    pub fn level(mut self, level: SimdLevel) -> Solver {
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

    /// Solves puzzles, given as clues or [candidates](crate::grid::Candidates). Outcome `k` belongs to puzzle `k`.
    pub fn solve<'a>(&self, puzzles: impl Into<PuzzleSlice<'a>>) -> Outcomes {
        let mut outcomes = Outcomes::default();
        self.solve_into(puzzles, &mut outcomes);
        outcomes
    }

    /// Solves puzzles into `outcomes`, whose memory is reused and whose previous content is lost.
    pub fn solve_into<'a>(&self, puzzles: impl Into<PuzzleSlice<'a>>, outcomes: &mut Outcomes) {
        self.try_solve_into(puzzles, outcomes, &CancelToken::new()).expect("the token is not shared")
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
    ) -> Result<(), Cancelled> {
        let puzzles = puzzles.into();
        outcomes.resize(puzzles.len());
        if puzzles.len() > CHUNK && count_threads(self.threads) > 1 {
            return self.solve_chunks(puzzles.len(), outcomes, |range, outcomes| {
                self.fill(puzzles.slice(range), outcomes, cancel, &mut |_| ())
            });
        }
        self.fill(puzzles, outcomes.as_mut(), cancel, &mut |_| ())
    }

    /// Solves as [`try_solve_into`](Solver::try_solve_into) does, for searches that may take long because they count
    /// many solutions: calls `on_found` with the number of solutions since the last call.
    ///
    /// Runs on the calling thread; with [`Engine::Lanes`], puzzles with thousands of solutions are searched on several
    /// threads, one after the other. Their solutions are reported during the search, those of other puzzles at the end.
    ///
    /// ```
    /// use rapidoku::{CancelToken, Limits, Outcomes, Puzzle, Solver};
    ///
    /// let limits = Limits::up_to(1_000_000.try_into().unwrap());
    /// let (mut outcomes, mut found) = (Outcomes::new(), 0);
    /// Solver::new().limits(limits).count(&[Puzzle::EMPTY], &mut outcomes, &CancelToken::new(), |more| found += more)?;
    /// assert_eq!((outcomes.solution_counts(), found), ([1_000_000].as_slice(), 1_000_000));
    /// # Ok::<(), rapidoku::Cancelled>(())
    /// ```
    ///
    /// # Errors
    /// When it was cancelled. The content of `outcomes` is unspecified then.
    pub fn count<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
        mut on_found: impl FnMut(u64),
    ) -> Result<(), Cancelled> {
        let puzzles = puzzles.into();
        outcomes.resize(puzzles.len());
        let mut reported = 0;
        self.fill(puzzles, outcomes.as_mut(), cancel, &mut |found| {
            reported += found;
            on_found(found);
        })?;
        on_found(outcomes.solutions.iter().sum::<u64>() - reported);
        Ok(())
    }

    /// Parses and solves texts, each a [`Puzzle`]: a line of 81 cells or a grid of nine lines. A text that is not a
    /// puzzle has the status [`Status::Invalid`](crate::outcome::Status::Invalid); parse it to learn why.
    ///
    /// ```
    /// use rapidoku::{Solver, Status};
    ///
    /// let lines = ["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", "oops"];
    /// let outcomes = Solver::new().solve_text(&lines);
    /// assert_eq!(outcomes.statuses(), [Status::Unique, Status::Invalid]);
    /// ```
    pub fn solve_text<T: AsRef<[u8]> + Sync>(&self, texts: &[T]) -> Outcomes {
        let cancel = CancelToken::new();
        let mut outcomes = Outcomes::default();
        outcomes.resize(texts.len());
        let solve = |range: Range<usize>, outcomes: OutcomesMut| {
            let mut puzzles = vec![Puzzle::EMPTY; range.len()];
            parse_texts(self.level, &texts[range], &mut puzzles);
            self.fill((&puzzles).into(), outcomes, &cancel, &mut |_| ())
        };
        self.solve_chunks(texts.len(), &mut outcomes, solve).expect("the token is not shared");
        outcomes
    }

    /// Solves a single puzzle.
    pub fn solve_one(&self, puzzle: &Puzzle) -> Outcome {
        self.solve(std::slice::from_ref(puzzle)).get(0).expect("there is one puzzle")
    }

    /// Finds the solutions of puzzles, up to the [limits](Solver::limits), and calls `each` with the index of the
    /// puzzle and the solution: 81 ASCII digits and a line feed. Ends when `each` breaks. `outcomes` gets the outcome
    /// of each puzzle.
    ///
    /// Memory does not depend on the number of solutions: up to 7 MB, and 1 MB for each thread, which are kept for the
    /// next call. Runs on the calling thread; only puzzles with thousands of solutions are searched on several threads.
    ///
    /// Puzzles come in order. The order of the solutions of a puzzle depends on the puzzle only; limits take the first
    /// ones. Always uses [`Engine::Lanes`], which makes 2048 guesses depth first, then divides what is left into parts,
    /// which take turns. [`Puzzle::solutions`] is several times slower, has another order, and finds solutions as they
    /// are asked for. If a search ends at the limit of solutions, its guesses may include some made after the last
    /// solution.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use rapidoku::{CancelToken, Limits, Outcomes, Puzzle, Solver, Status};
    ///
    /// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8....";
    /// let puzzles: [Puzzle; 2] = [line.parse()?, Puzzle::EMPTY];
    /// let limits = Limits::up_to(100_000.try_into().unwrap());
    /// let (mut outcomes, mut found) = (Outcomes::new(), [0, 0]);
    /// let result = Solver::new().limits(limits).enumerate(&puzzles, &mut outcomes, &CancelToken::new(), |k, row| {
    ///     assert!(row.is_ascii() && row.ends_with(b"\n"));
    ///     found[k] += 1;
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(result, Ok(ControlFlow::Continue(())));
    /// assert_eq!((found, outcomes.statuses()), ([2, 100_000], [Status::Multiple; 2].as_slice()));
    /// # Ok::<(), rapidoku::PuzzleError>(())
    /// ```
    ///
    /// # Errors
    /// When it was cancelled. The outcomes of puzzles that were not finished are unspecified then, and after a break.
    pub fn enumerate<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
        mut each: impl FnMut(usize, &[u8; ROW]) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Cancelled> {
        let puzzles = puzzles.into();
        outcomes.resize(puzzles.len());
        let Solver { limits, level, threads, .. } = *self;
        let sink = &mut Sink::Each(&mut each);
        match lanes::enumerate(level, puzzles, limits, threads, outcomes.as_mut(), cancel, sink) {
            Ok(()) => Ok(ControlFlow::Continue(())),
            Err(Stop::Break) => Ok(ControlFlow::Break(())),
            Err(Stop::Cancelled) => Err(Cancelled),
        }
    }

    /// Solves puzzles into as many entries, on the calling thread; those with thousands of solutions on several. Calls
    /// `on_found` with numbers of solutions of the latter.
    fn fill(
        &self,
        puzzles: PuzzleSlice,
        outcomes: OutcomesMut,
        cancel: &CancelToken,
        on_found: &mut dyn FnMut(u64),
    ) -> Result<(), Cancelled> {
        let Solver { limits, level, threads, .. } = *self;
        let mut find_one = |given: &Candidates, guesses| lanes::find_one(level, given, guesses, cancel);
        let first = match self.engine {
            Engine::Lanes => Method::Lanes,
            Engine::Scalar => Method::Scalar,
        };
        restart::run(first, limits, puzzles, outcomes, |method, puzzles, limits, outcomes| match method {
            Method::Lanes if restart::is_for_many(limits) => {
                let sink = &mut Sink::Count(on_found);
                lanes::enumerate(level, puzzles, limits, threads, outcomes, cancel, sink).map_err(|_| Cancelled)
            }
            Method::Lanes => lanes::solve(level, puzzles, limits, outcomes, cancel),
            Method::Scalar => scalar::solve_batch(puzzles, limits, outcomes, &mut find_one, cancel),
            Method::LookAhead => lanes::look_ahead(level, puzzles, limits, outcomes, cancel),
        })
    }

    /// Has the threads of the current rayon pool, [`Solver::threads`] of them at most, solve chunks of `n` puzzles. The
    /// calling thread does it without the feature `parallel`.
    fn solve_chunks(
        &self,
        n: usize,
        outcomes: &mut Outcomes,
        solve: impl Fn(Range<usize>, OutcomesMut) -> Result<(), Cancelled> + Sync,
    ) -> Result<(), Cancelled> {
        let mut entries = outcomes.as_mut();
        let chunks = (0..n).step_by(CHUNK).map(|start| {
            let range = start..n.min(start + CHUNK);
            (range.clone(), entries.split_off_front(range.len()))
        });
        for_each(self.threads, n.div_ceil(CHUNK), chunks, |(range, entries)| solve(range, entries))
    }
}

/// Puzzles that a thread solves at a time: 180 KB of puzzles and outcomes, which stay in its cache. The lanes of the
/// engine run empty at the end of each chunk.
const CHUNK: usize = 2048;
