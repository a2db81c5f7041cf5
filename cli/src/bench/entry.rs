//! The solvers to measure.

use rapidoku::file::internal::thread_count;
use rapidoku::rating::{Rater, Rating};
use rapidoku::{CancelToken, Limits, Outcomes, PuzzleSlice, SimdLevel, Work};

use super::SolveFn;
use crate::solver::SolverKind;

/// A solver to measure, and how to run it.
pub struct Entry<'a> {
    /// The name in reports and messages.
    pub name: String,
    /// Entries with the same algorithm, limits and records must have identical outcomes, including the number of
    /// guesses.
    pub algorithm: String,
    /// The number of threads that share the batches; 0 uses all cores.
    pub threads: usize,
    /// The limits of the search. Outcomes are checked against them.
    pub limits: Limits,
    /// The SIMD level of the parser.
    pub level: SimdLevel,
    /// Measure a slow solver on at most this many records, spread evenly over the text. The golden ratio selects
    /// them, so that they do not align with a period in the text.
    pub max_records: Option<usize>,
    /// Also time each puzzle alone. Meaningless for a solver that works on many puzzles at once.
    pub time_single_puzzles: bool,
    /// The size of a batch, as in [`Plan`](super::Plan).
    pub batch_bytes: usize,
    /// The solver.
    pub solve: Box<SolveFn<'a>>,
    /// Rates the puzzles after they have been solved.
    pub rater: Option<Rater>,
}

impl<'a> Entry<'a> {
    /// An entry with an algorithm of its own: one thread, a proof of uniqueness, all records.
    pub fn new(
        name: &str,
        solve: impl Fn(PuzzleSlice, Limits, &mut Outcomes) -> Work + Sync + 'a,
    ) -> Entry<'a> {
        Entry {
            name: name.to_owned(),
            algorithm: name.to_owned(),
            threads: 1,
            limits: Limits::UNIQUE,
            level: SimdLevel::default(),
            max_records: None,
            time_single_puzzles: false,
            batch_bytes: super::BATCH_BYTES,
            solve: Box::new(solve),
            rater: None,
        }
    }

    /// An entry that rates puzzles on the scale of Sudoku Explainer, as the command `rate` does.
    pub fn rater(threads: usize) -> Entry<'a> {
        let solver = SolverKind::Lanes(SimdLevel::detect());
        let name =
            if threads == 1 { "rater".to_owned() } else { format!("rater x{}", thread_count(threads)) };
        Entry {
            name,
            algorithm: "rater".to_owned(),
            rater: Some(Rater::new().threads(1)),
            time_single_puzzles: true,
            ..Entry::solver(solver, Limits::UNIQUE, threads)
        }
    }

    /// Solves the puzzles, and rates them if the entry does.
    pub fn run(&self, puzzles: PuzzleSlice, outcomes: &mut Outcomes, ratings: &mut Vec<Rating>) -> Work {
        let work = (self.solve)(puzzles, self.limits, outcomes);
        let Some(rater) = &self.rater else { return work };
        *ratings = rater.rate_solved(puzzles, outcomes, &CancelToken::new()).expect("nobody cancels");
        // The rater has no lanes.
        Work::default()
    }

    /// An entry for a solver of the command line. All levels and numbers of threads are the same algorithm.
    pub fn solver(kind: SolverKind, limits: Limits, threads: usize) -> Entry<'a> {
        let mut name =
            kind.level().map_or(kind.name().to_owned(), |level| format!("{} {level}", kind.name()));
        if threads != 1 {
            name += &format!(" x{}", thread_count(threads));
        }
        Entry {
            algorithm: kind.name().to_owned(),
            threads,
            limits,
            level: kind.level().unwrap_or_default(),
            time_single_puzzles: kind.level().is_none(),
            ..Entry::new(&name, move |puzzles, limits, outcomes| kind.solve(puzzles, limits, outcomes))
        }
    }
}
