//! The solvers that the command line offers by name.

use rapidoku::file::BatchSolver;
use rapidoku::{
    CancelToken, Cancelled, Engine, Level, Limits, Outcome, Outcomes, PuzzleSlice, Solution, Solver, Status,
    Work,
};

use crate::historical::Historical;

/// A solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolverKind {
    /// One puzzle per SIMD lane, at this level.
    Lanes(Level),
    /// One puzzle at a time.
    Scalar,
    /// A historical solver, one puzzle at a time.
    Historical(Historical),
    /// Returns each puzzle as its own solution, to measure everything but solving.
    Noop,
}

impl SolverKind {
    /// The solver of that name. `level` is the SIMD level of the lanes.
    pub fn from_name(name: &str, level: Level) -> Option<SolverKind> {
        let historical = Historical::ALL.into_iter().map(SolverKind::Historical);
        let kinds =
            [SolverKind::Lanes(level), SolverKind::Scalar, SolverKind::Noop].into_iter().chain(historical);
        kinds.into_iter().find(|kind| kind.name() == name)
    }

    /// The name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Lanes(_) => Engine::Lanes.name(),
            SolverKind::Scalar => Engine::Scalar.name(),
            SolverKind::Historical(historical) => historical.name(),
            SolverKind::Noop => "noop",
        }
    }

    /// The SIMD level, of a solver that uses one.
    pub fn level(self) -> Option<Level> {
        match self {
            SolverKind::Lanes(level) => Some(level),
            _ => None,
        }
    }

    /// Whether it solves puzzles given as candidates. The historical solvers do not.
    pub fn takes_candidates(self) -> bool {
        !matches!(self, SolverKind::Historical(_))
    }

    /// Solves puzzles on the calling thread.
    ///
    /// # Panics
    /// If it does not [take candidates](SolverKind::takes_candidates) and gets some.
    pub fn solve(self, puzzles: PuzzleSlice, limits: Limits, outcomes: &mut Outcomes) -> Work {
        self.try_solve(puzzles, limits, outcomes, &CancelToken::new()).expect("the token is not shared")
    }

    fn try_solve(
        self,
        puzzles: PuzzleSlice,
        limits: Limits,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<Work, Cancelled> {
        let library = Solver::new().limits(limits).threads(1);
        match (self, puzzles) {
            (SolverKind::Lanes(level), _) => library.level(level).try_solve_into(puzzles, outcomes, cancel),
            (SolverKind::Scalar, _) => {
                library.engine(Engine::Scalar).try_solve_into(puzzles, outcomes, cancel)
            }
            (SolverKind::Historical(historical), PuzzleSlice::Clues(puzzles)) => {
                outcomes.reset(puzzles.len());
                for (k, puzzle) in puzzles.iter().enumerate() {
                    if cancel.is_cancelled() {
                        return Err(Cancelled);
                    }
                    outcomes.set(k, historical.solve(puzzle, limits));
                }
                Ok(Work::default())
            }
            (SolverKind::Noop, PuzzleSlice::Clues(puzzles)) => {
                echo(puzzles.iter().map(|puzzle| *puzzle.cells()), puzzles.len(), outcomes);
                Ok(Work::default())
            }
            (SolverKind::Noop, PuzzleSlice::Candidates(all)) => {
                echo(all.iter().map(|candidates| *candidates.clues().cells()), all.len(), outcomes);
                Ok(Work::default())
            }
            _ => panic!("{} takes clues only", self.name()),
        }
    }
}

/// Every puzzle as its own solution, with 1 for a blank.
fn echo(cells: impl Iterator<Item = [u8; 81]>, n: usize, outcomes: &mut Outcomes) {
    outcomes.reset(n);
    for (k, cells) in cells.enumerate() {
        let solution = Solution::from_cells(cells.map(|digit| digit.max(1)));
        outcomes.set(k, Outcome::new(Status::Solved, 1, 0).with_solution(solution));
    }
}

/// A solver with its limits, for a run.
#[derive(Clone, Copy, Debug)]
pub struct LimitedSolver {
    /// The solver.
    pub kind: SolverKind,
    /// How far it searches.
    pub limits: Limits,
}

impl BatchSolver for LimitedSolver {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.kind.try_solve(puzzles, self.limits, outcomes, cancel).map(drop)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        if self.kind.takes_candidates() {
            return Ok(());
        }
        Err(format!("the {} engine takes clues only", self.kind.name()))
    }
}
