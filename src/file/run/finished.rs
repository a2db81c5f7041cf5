//! What the workers put into the queue, and what the caller learns of it.

use std::sync::Arc;
use std::time::Duration;

use crate::file::error::Error;
use crate::file::record::batch::Origin;
use crate::file::stats::{Counts, Notes, Stats};
use crate::file::write::Block;
use crate::grid::PuzzleError;

/// The result of a part of a batch, or a part of that result. Only the last one of these has totals.
pub(super) struct Finished {
    pub block: Block,
    pub origin: Arc<Origin>,
    pub invalid: Vec<Invalid>,
    pub totals: Totals,
}

/// The counts and times of a part of a batch.
#[derive(Default)]
pub(super) struct Totals {
    pub counts: Counts,
    pub guesses: u64,
    pub consumed: u64,
    pub lines: u64,
    pub notes: Notes,
    pub reading: Duration,
    pub solving: Duration,
    pub formatting: Duration,
}

/// What a worker puts into the queue. A failure takes the place of the rows that it prevents, so that the run ends with the
/// same rows and the same error for every number of threads.
pub(super) type Part = Result<Finished, Error>;

/// An invalid record. Numbers are relative to its batch and start at 0.
pub(super) struct Invalid {
    pub record: u64,
    pub line: u64,
    pub byte_offset: u64,
    pub reason: PuzzleError,
}

/// A report to the calling thread about a part that has been written.
pub(super) struct Report {
    pub origin: Arc<Origin>,
    /// Record numbers are relative to the run, lines and offsets to the input. All start at 0.
    pub invalid: Vec<Invalid>,
    pub stats: Stats,
}
