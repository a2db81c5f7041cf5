//! The solvers that the command line offers by name.

use rapidoku::file::{BatchSolver, Job, SolveGrids, SolveRows};
use rapidoku::grid::CELLS;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{CancelToken, Cancelled, Engine, Limits, Outcome, Outcomes, SimdLevel, Solution, Solver, Status};

use crate::historical::Historical;

/// A solver.
#[derive(Clone, Copy, Debug)]
pub enum SolverKind {
    /// One puzzle per SIMD lane, at this level.
    Lanes(SimdLevel),
    /// One puzzle at a time.
    Scalar,
    /// A historical solver, one puzzle at a time.
    Historical(Historical),
    /// Solves nothing: returns the clues of each puzzle as its solution, with 1 for blanks. It measures the cost of
    /// everything but solving, and its output shows whether rows are complete and in order.
    Noop,
}

impl SolverKind {
    /// The solver of this name. `level` is the SIMD level of [`SolverKind::Lanes`].
    pub fn from_name(name: &str, level: SimdLevel) -> Option<SolverKind> {
        [SolverKind::Lanes(level), SolverKind::Scalar, SolverKind::Noop]
            .into_iter()
            .chain(Historical::ALL.map(SolverKind::Historical))
            .find(|kind| kind.name() == name)
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Lanes(_) => Engine::Lanes.name(),
            SolverKind::Scalar => Engine::Scalar.name(),
            SolverKind::Historical(historical) => historical.name,
            SolverKind::Noop => "noop",
        }
    }

    /// The SIMD level, or `None` for a solver without SIMD.
    pub fn level(self) -> Option<SimdLevel> {
        match self {
            SolverKind::Lanes(level) => Some(level),
            _ => None,
        }
    }

    /// Whether the solver accepts [`PuzzleSlice::Candidates`]. The historical solvers do not.
    pub fn supports_candidates(self) -> bool {
        !matches!(self, SolverKind::Historical(_))
    }

    /// Solves puzzles on the calling thread.
    ///
    /// # Panics
    /// When it gets candidates and does not [support](SolverKind::supports_candidates) them.
    pub fn solve(self, puzzles: PuzzleSlice, limits: Limits, outcomes: &mut Outcomes) {
        self.try_solve(puzzles, limits, outcomes, &CancelToken::new()).expect("the token is not shared")
    }

    /// The solver of the library, if it is one.
    fn library(self) -> Option<Solver> {
        match self {
            SolverKind::Lanes(level) => Some(Solver::new().level(level)),
            SolverKind::Scalar => Some(Solver::new().engine(Engine::Scalar)),
            SolverKind::Historical(_) | SolverKind::Noop => None,
        }
    }

    fn try_solve(
        self,
        puzzles: PuzzleSlice,
        limits: Limits,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        if let Some(library) = self.library() {
            return library.limits(limits).threads(1).try_solve_into(puzzles, outcomes, cancel);
        }
        match (self, puzzles) {
            (SolverKind::Historical(historical), PuzzleSlice::Clues(puzzles)) => {
                outcomes.reset(puzzles.len());
                for (k, puzzle) in puzzles.iter().enumerate() {
                    if cancel.is_cancelled() {
                        return Err(Cancelled);
                    }
                    outcomes.set(k, historical.solve(puzzle, limits));
                }
            }
            (SolverKind::Noop, PuzzleSlice::Clues(puzzles)) => {
                echo(puzzles.iter().map(|puzzle| *puzzle.cells()), outcomes);
            }
            (SolverKind::Noop, PuzzleSlice::Candidates(all)) => {
                echo(all.iter().map(|candidates| *candidates.clues().cells()), outcomes);
            }
            _ => panic!("{} does not support candidates", self.name()),
        }
        Ok(())
    }
}

/// Returns each puzzle as its own solution. A [`Solution`] has no blanks: they become 1.
fn echo(puzzles: impl ExactSizeIterator<Item = [u8; CELLS]>, outcomes: &mut Outcomes) {
    outcomes.reset(puzzles.len());
    for (k, cells) in puzzles.enumerate() {
        let solution = Solution::from_cells(cells.map(|digit| digit.max(1)));
        outcomes.set(k, Outcome::new(Status::Solved, 1, 0).with_solution(solution));
    }
}

/// A solver with its limits.
#[derive(Clone, Copy, Debug)]
pub struct LimitedSolver {
    /// The solver.
    pub kind: SolverKind,
    /// How far it searches for solutions.
    pub limits: Limits,
}

impl LimitedSolver {
    /// The lane engine, which proves whether the solution is unique.
    pub fn unique(level: SimdLevel) -> LimitedSolver {
        LimitedSolver { kind: SolverKind::Lanes(level), limits: Limits::UNIQUE }
    }

    /// Solves puzzles as [`Solver::count`] does.
    pub fn count(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
        mut on_found: impl FnMut(u64),
    ) -> Result<(), Cancelled> {
        if let Some(library) = self.kind.library() {
            return library.limits(self.limits).count(puzzles, outcomes, cancel, on_found);
        }
        self.kind.try_solve(puzzles, self.limits, outcomes, cancel)?;
        on_found(outcomes.solution_counts().iter().sum());
        Ok(())
    }
}

impl BatchSolver for LimitedSolver {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.count(puzzles, outcomes, cancel, |_| ())
    }

    fn accept_candidates(&self) -> Result<(), String> {
        if self.kind.supports_candidates() {
            return Ok(());
        }
        Err(format!("the {} engine supports clues only", self.kind.name()))
    }
}

/// The job as a trait object. Not inlined, so that the code for this type of solver is generated in
/// this crate.
#[inline(never)]
pub fn rows_job(job: &SolveRows<LimitedSolver>) -> &dyn Job {
    job
}

/// The same for grids.
#[inline(never)]
pub fn grids_job(job: &SolveGrids<LimitedSolver>) -> &dyn Job {
    job
}
