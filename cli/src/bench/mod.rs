//! The benchmark: times solvers, or the rater, from text in memory to solutions in memory, and reports no time for wrong answers.
//!
//! [`Benchmark::run`] splits the text into batches once for each entry and then makes passes over all of them. A pass
//! parses each batch into puzzles and solves them into rows of text, on the threads of the entry. A round is as many
//! passes as it takes to last [`ROUND_TIME`]; its rate is the number of answered puzzles over the time. Nothing is
//! read, written or checked during a round. The entries take turns round by round (A B C A B C ...), so that a
//! machine that slows down affects all of them, and are compared by the ratios of their rounds.
//!
//! All outcomes are hashed after every round ([`outcomes_hash`](Report::outcomes_hash)). After the last round every
//! outcome is checked by [`rapidoku::verify`], and the outcomes of all entries are compared. If a hash differs, an
//! outcome is wrong or two entries disagree, the result is a [`BenchError`] and no [`Report`].
//!
//! | module | content |
//! |---|---|
//! | `load`, `subset` | a dataset as lines of text; an evenly spread subset for slow solvers |
//! | `benchmark`, `measurement`, `pool` | the rounds of all entries; one entry; its threads and batches |
//! | `check`, `hash` | correctness of outcomes |
//! | `difficulty` | speed by difficulty, for the HTML report |
//! | `rival` | external programs |
//! | `report`, `session` | the results as data |
//! | [`progress`] | the bar on a terminal |
//! | `quality` | warnings about unreliable results |
//! | [`table`], [`compare`], [`markdown`], `html` | the results as text, CSV, Markdown and HTML |
//! | [`chart`], [`number`] | plots; numbers for people |

mod benchmark;
pub mod chart;
mod check;
pub mod compare;
mod difficulty;
mod entry;
mod escape;
mod hash;
pub(crate) mod html;
mod load;
pub mod markdown;
mod measurement;
pub mod number;
mod pool;
pub mod progress;
mod quality;
mod report;
mod rival;
mod session;
mod subset;
pub mod table;

use std::time::Duration;

pub use benchmark::{Benchmark, Results, Step};
pub use difficulty::{Bucket, Difficulty, MIN_PUZZLES};
pub use entry::Entry;
pub use load::{Text, load};
pub use report::{Latency, Rates, Ratio, Report, Shares};
pub use rival::{Rival, RivalReport};
pub use session::{Dataset, Machine, ResultRow, Session, Workload, command_line, load_average, now};

use rapidoku::file::internal::temp_dir;
use rapidoku::file::{Error, Unfinished};
use rapidoku::{Limits, Outcomes, PuzzleSlice, Work};

/// The minimal duration of a round. Shorter files are solved several times per round: the resolution of the clock,
/// the scheduler and waking threads would dominate a single pass.
pub const ROUND_TIME: Duration = Duration::from_millis(100);

/// The function to measure. It gets the puzzles of a batch, with [`Puzzle::MALFORMED`](rapidoku::Puzzle::MALFORMED)
/// in place of records that are not puzzles, and stores one outcome for each. Several threads call it at the same
/// time.
pub type SolveFn<'a> = dyn Fn(PuzzleSlice, Limits, &mut Outcomes) -> Work + Sync + 'a;

/// How to measure a single solver.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The limits of the search. Outcomes are checked against them.
    pub limits: Limits,
    /// The number of threads that share the batches; 0 uses all cores.
    pub threads: usize,
    /// The number of untimed rounds at the start.
    pub warmup: usize,
    /// The number of timed rounds, at least one.
    pub rounds: usize,
    /// The size of a batch in bytes of text, to the next record boundary; must be below 4 GiB. Batches are smaller if
    /// the share of each thread is.
    pub batch_bytes: usize,
}

impl Default for Plan {
    /// One thread, a proof of uniqueness, one round of warm-up and seven timed rounds.
    fn default() -> Plan {
        Plan { limits: Limits::UNIQUE, threads: 1, warmup: 1, rounds: 7, batch_bytes: BATCH_BYTES }
    }
}

/// The default size of a batch in bytes of text. Its text, puzzles and outcomes fit into the L2 cache. Batches of a
/// run on files are larger: they reuse the memory of the outcomes, but are written as a whole.
const BATCH_BYTES: usize = 192 << 10;

/// The reason why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// The text has no records.
    #[error("no records")]
    Empty,
    /// An outcome is wrong.
    #[error("record {record}: {reason}; no time is given for wrong answers")]
    Wrong {
        /// The number of the record, counted from 1 among those that the solver got.
        record: usize,
        /// What is wrong.
        reason: String,
    },
    /// Two entries have different answers.
    #[error("record {record}: {reason}; no time is given if answers differ")]
    Disagreement {
        /// The number of the record, counted from 1.
        record: usize,
        /// The two answers.
        reason: String,
    },
    /// Two entries with the same algorithm have different outcomes.
    #[error("{first} and {second} run the same algorithm, but their outcomes differ; no time is given")]
    AlgorithmMismatch {
        /// The name of one entry.
        first: String,
        /// The name of the other entry.
        second: String,
    },
    /// The outcomes of a round differ from those of earlier rounds.
    #[error("outcomes differ between rounds; no time is given")]
    RoundsDiffer,
    /// SIGINT arrived before the end of the first timed round.
    #[error("interrupted before the end of the first timed round")]
    Interrupted,
    /// The command of a rival failed.
    #[error("rival {name}: {reason}")]
    Rival {
        /// The name of the rival.
        name: String,
        /// What happened.
        reason: String,
    },
    /// The threads cannot be started, or a temporary file cannot be written.
    #[error(transparent)]
    Error(#[from] Error),
}

impl BenchError {
    /// A failure to write a temporary file.
    fn temporary_file(source: std::io::Error) -> Error {
        Error::Write { name: format!("temporary file in {}", temp_dir().display()), source }
    }
}

/// Measures `solve` alone on the records of `text`.
///
/// # Errors
/// A [`BenchError`] if there are no records, an outcome is wrong, the rounds differ, or threads or a temporary file
/// cannot be had.
pub fn run<'t, S>(text: impl Into<Text<'t>>, plan: &Plan, solve: S) -> Result<Report, BenchError>
where
    S: Fn(PuzzleSlice, &mut Outcomes) -> Work + Sync,
{
    let entry = Entry {
        threads: plan.threads,
        limits: plan.limits,
        batch_bytes: plan.batch_bytes,
        ..Entry::new("solver", |puzzles, _, outcomes| solve(puzzles, outcomes))
    };
    let benchmark = Benchmark {
        entries: vec![entry],
        rivals: Vec::new(),
        warmup: plan.warmup,
        rounds: plan.rounds,
        unfinished: Unfinished::default(),
        on_step: &|_| {},
    };
    let mut reports = benchmark.run(text)?.reports;
    Ok(reports.pop().expect("there is a report for each entry"))
}
