//! Times solvers from text in memory to solutions in memory, and gives no time without an answer.
//!
//! [`Contest::on`] cuts the text into batches once for each contestant, then makes passes over all of it: a pass
//! parses each batch into puzzles and solves them into rows of text, on as many threads as asked for. A round is
//! one pass, or as many as it takes to last [`ROUND_TIME`]; the rate of a round is puzzles answered over time.
//! Nothing is read, written or checked inside a round. Contestants take turns, round by round (A B C A B C ...), so
//! that what a machine does meanwhile meets all of them, and are compared by the ratios of their rounds.
//!
//! Between rounds all outcomes are hashed ([`outcomes_hash`](Report::outcomes_hash)). After the last one every
//! outcome is checked by [`verify`](crate::verify), and all contestants are held against one another. When a hash
//! differs, an outcome is wrong, or two contestants disagree there is a [`BenchError`] instead of any [`Report`].

mod check;
pub mod compare;
mod contest;
mod crew;
mod difficulty;
mod hash;
mod load;
mod page;
mod pick;
mod report;
mod rival;
mod session;
pub mod table;
mod team;

use std::time::Duration;

pub use contest::{Contest, Contestant, Standings};
pub use difficulty::{Bucket, Difficulty};
pub use load::{Text, load};
pub use report::{Latency, Rates, Ratio, Report, Shares};
pub use rival::{Rival, RivalReport};
pub use session::{Dataset, Machine, Row, Session};

use rapidoku::file::Error;
use rapidoku::file::Unfinished;
use rapidoku::{Limits, Outcomes, PuzzleSlice, Work};

/// The least time that a round takes. Shorter files are solved several times a round, because the
/// clock, the scheduler and the waking of threads would drown a single pass.
pub const ROUND_TIME: Duration = Duration::from_millis(100);

/// What is measured: it gets the puzzles of a batch, with [`Puzzle::MALFORMED`](crate::grid::Puzzle::MALFORMED) for a
/// record that is none, and leaves one outcome for each; [`SolverKind::solve`](crate::engine::SolverKind::solve) does that. It
/// is called from several threads at once.
pub type Solve<'a> = dyn Fn(PuzzleSlice, Limits, &mut Outcomes) -> Work + Sync + 'a;

/// How to measure a single solver.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What the solver is told to look for; the checker holds the outcomes against it.
    pub limits: Limits,
    /// Threads that share the batches, 0 for as many as the machine has.
    pub threads: usize,
    /// Rounds before the timed ones.
    pub warmup: usize,
    /// Timed rounds; at least one is made.
    pub rounds: usize,
    /// Bytes of text in a batch, give or take a record and below 4 GiB; less where each thread's share is
    /// smaller.
    pub batch_bytes: usize,
}

impl Default for Plan {
    /// One thread, search to a proof of uniqueness, one round to warm up and seven that count.
    fn default() -> Plan {
        let limits = Limits::UNIQUE;
        Plan { limits, threads: 1, warmup: 1, rounds: 7, batch_bytes: BATCH }
    }
}

/// Bytes of text in a batch by default: its text, puzzles and outcomes stay in the second cache. A run from file to file
/// uses the outcomes' memory again and again, but writes larger pieces.
const BATCH: usize = 192 << 10;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// Nothing to solve.
    #[error("no records")]
    Empty,
    /// The solver gave an answer that cannot be right.
    #[error("record {record}: {reason}; no time is given for wrong answers")]
    Wrong {
        /// The record, counted from 1 among those that the solver got.
        record: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Two contestants answer differently.
    #[error("record {record}: {reason}; no time is given where answers differ")]
    Disagreement {
        /// The record, counted from 1.
        record: usize,
        /// Who says what.
        reason: String,
    },
    /// Contestants that should do exactly the same do not.
    #[error("{first} and {second} are of one family, but their outcomes differ; no time is given")]
    Family {
        /// One of them.
        first: String,
        /// The other one.
        second: String,
    },
    /// The outcomes of a round are not those of the rounds before it.
    #[error("the rounds disagree about the outcomes; no time is given")]
    Unsteady,
    /// A rival's command fails.
    #[error("rival {name}: {reason}")]
    Rival {
        /// The rival.
        name: String,
        /// What happened.
        reason: String,
    },
    /// The threads cannot be started, or a file for rivals or for the write share cannot be written.
    #[error(transparent)]
    Error(#[from] Error),
}

/// Measures `solve` alone on the records of `text`.
///
/// # Errors
/// A [`BenchError`] where there is nothing to solve, an outcome is wrong, the rounds differ, or threads
/// cannot be had.
pub fn run<'t, S>(text: impl Into<Text<'t>>, plan: &Plan, solve: S) -> Result<Report, BenchError>
where
    S: Fn(PuzzleSlice, &mut Outcomes) -> Work + Sync,
{
    let contestant = Contestant {
        threads: plan.threads,
        limits: plan.limits,
        batch_bytes: plan.batch_bytes,
        ..Contestant::new("solver", |given, _, outcomes| solve(given, outcomes))
    };
    let contest = Contest {
        contestants: vec![contestant],
        rivals: Vec::new(),
        warmup: plan.warmup,
        rounds: plan.rounds,
        unfinished: Unfinished::default(),
    };
    let mut reports = contest.on(text)?.reports;
    Ok(reports.pop().expect("a report for each contestant"))
}
