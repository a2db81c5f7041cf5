//! The benchmark: times solvers, or the rater, from text in memory to solutions in memory, and reports no time for
//! wrong answers.
//!
//! [`Benchmark::run`] splits the text into batches once for each entry and then makes passes over all of them. A pass
//! parses each batch into puzzles and solves them into rows of text, on the threads of the entry. A round is as many
//! passes as it takes to last [`ROUND_TIME`]; its rate is the number of answered puzzles over the time. Nothing is
//! read, written or checked during a round. The entries take turns round by round (A B C A B C ...), so that a
//! machine that slows down affects all of them, and are compared by the ratios of their rounds.
//!
//! Before the rounds, every outcome is checked by [`rapidoku::verify`], and the outcomes of all entries are compared;
//! then rivals answer, and their answers are checked. All outcomes are hashed after every round
//! ([`outcomes_hash`](EntryReport::outcomes_hash)). If an outcome is wrong, a hash differs or two entries disagree, the
//! result is a [`BenchError`]. A rival whose answers are wrong or missing has a [`problem`](RivalReport::problem) and
//! no time.
//!
//! | module | content |
//! |---|---|
//! | `load` | a dataset as lines of text |
//! | `benchmark`, `measurement`, `batches` | the rounds of all entries; one entry and its threads; a text in batches, and a part of it |
//! | `check` | correctness of outcomes |
//! | `rival`, `answers` | external programs, and what they print |
//! | `report`, `session` | the results as data |
//! | `summary`, [`output`] | what a reader should know; the results as text, JSON and HTML |

mod answers;
mod batches;
mod benchmark;
mod check;
mod entry;
mod load;
mod measurement;
pub mod output;
mod report;
mod rival;
mod session;
mod summary;

use std::time::Duration;

pub use answers::rating;
pub use batches::spread;
pub use benchmark::Benchmark;
pub use entry::Entry;
pub use load::{Text, load};
pub use report::{EntryReport, Rates, Ratio, Report, Rival, RivalReport};
pub use session::{Dataset, Machine, Session, Workload, load_average};

use rapidoku::file::Error;

/// The minimal duration of a round. Shorter files are solved several times per round: the resolution of the clock,
/// the scheduler and waking threads would dominate a single pass.
pub const ROUND_TIME: Duration = Duration::from_millis(100);

/// The reason why there are no results.
#[derive(Debug, thiserror::Error)]
pub enum BenchError {
    /// An answer is wrong, or differs from that of another entry.
    #[error("{0}; no time is given")]
    Refused(String),
    /// SIGINT arrived before the end of the first timed round.
    #[error("interrupted before the end of the first timed round")]
    Interrupted,
    /// The threads cannot be started, or a temporary file cannot be written.
    #[error(transparent)]
    Error(#[from] Error),
}
