//! The solvers to measure.

use rapidoku::file::internal::thread_count;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::rating::{Rater, Rating};
use rapidoku::{CancelToken, Limits, Outcomes, SimdLevel};
use rapidoku_jobs::solver::SolverKind;

/// The function to measure. It gets the puzzles of a batch, with clues that clash in place of records that are not
/// puzzles, and stores one outcome for each. Several threads call it at the same time.
type SolveFn<'a> = dyn Fn(PuzzleSlice, Limits, &mut Outcomes) + Sync + 'a;

/// A solver to measure, and how to run it.
pub struct Entry<'a> {
    /// The name in reports and messages.
    pub name: String,
    /// Entries with the same engine and limits must have identical outcomes, including the number of guesses.
    pub engine: String,
    /// The SIMD level, if there is a choice. It is also that of the parser.
    pub simd: Option<SimdLevel>,
    /// The number of threads that share the batches; 0 uses all cores.
    pub threads: usize,
    /// The limits of the search. Outcomes are checked against them.
    pub limits: Limits,
    /// The size of a batch in bytes of text, to the next record boundary; must be below 4 GiB. Batches are smaller if
    /// the share of each thread is.
    pub batch_bytes: usize,
    /// The solver.
    pub solve: Box<SolveFn<'a>>,
    /// Rates the puzzles after they have been solved.
    pub rater: Option<Rater>,
}

/// The default size of a batch. Its text, puzzles and outcomes fit into the L2 cache. Batches of a run on files are
/// larger: they reuse the memory of the outcomes, but are written as a whole.
const BATCH_BYTES: usize = 192 << 10;

impl<'a> Entry<'a> {
    /// An entry with an engine of its own: one thread, a proof of uniqueness.
    pub fn new(name: &str, solve: impl Fn(PuzzleSlice, Limits, &mut Outcomes) + Sync + 'a) -> Entry<'a> {
        Entry {
            name: name.to_owned(),
            engine: name.to_owned(),
            simd: None,
            threads: 1,
            limits: Limits::UNIQUE,
            batch_bytes: BATCH_BYTES,
            solve: Box::new(solve),
            rater: None,
        }
    }

    /// An entry for a solver of the command line. All levels and numbers of threads are the same engine.
    pub fn solver(kind: SolverKind, limits: Limits, threads: usize) -> Entry<'a> {
        let name = kind.level().map_or(kind.name().to_owned(), |level| format!("{} {level}", kind.name()));
        let solve = move |puzzles: PuzzleSlice, limits, outcomes: &mut Outcomes| {
            kind.solve(puzzles, limits, outcomes);
        };
        let entry = Entry { engine: kind.name().to_owned(), simd: kind.level(), limits, ..Entry::new(&name, solve) };
        entry.threads(threads)
    }

    /// An entry that rates puzzles on the scale of Sudoku Explainer, as the command `rate` does.
    pub fn rater(threads: usize) -> Entry<'a> {
        let solver = Entry::solver(SolverKind::Lanes(SimdLevel::detect()), Limits::UNIQUE, 1);
        let [name, engine] = ["rater", "rater"].map(str::to_owned);
        Entry { name, engine, simd: None, rater: Some(Rater::new().threads(1)), ..solver }.threads(threads)
    }

    /// The entry with this number of threads, which is part of its name.
    fn threads(self, threads: usize) -> Entry<'a> {
        let name = if threads == 1 { self.name } else { format!("{} x{}", self.name, thread_count(threads)) };
        Entry { name, threads, ..self }
    }

    /// Solves the puzzles, and rates them if the entry does.
    pub fn run(&self, puzzles: PuzzleSlice, outcomes: &mut Outcomes, ratings: &mut Vec<Rating>) {
        (self.solve)(puzzles, self.limits, outcomes);
        if let Some(rater) = &self.rater {
            *ratings = rater.rate_solved(puzzles, outcomes, &CancelToken::new()).expect("nobody cancels");
        }
    }
}
