//! What the workers put into the queue, and what the caller learns of it.

use std::sync::Arc;

use super::InvalidRecord;
use crate::error::Error;
use crate::record::batch::Origin;
use crate::stats::Stats;
use crate::write::Block;

/// The result of a part of a batch.
pub(super) struct Finished {
    pub block: Block,
    pub origin: Arc<Origin>,
    /// Without the name of the input. Numbers are relative to the part and start at 0.
    pub invalid: Vec<InvalidRecord<'static>>,
    /// The number of lines.
    pub lines: u64,
    pub stats: Stats,
}

impl Finished {
    /// Some of the rows of a part, before its result.
    pub fn of_rows(block: Block, origin: &Arc<Origin>) -> Finished {
        let (invalid, stats) = (Vec::new(), Stats::default());
        Finished { block, origin: Arc::clone(origin), invalid, lines: 0, stats }
    }
}

/// What a worker puts into the queue. A failure takes the place of the rows that it prevents, so that the run ends with
/// the same rows and the same error for every number of threads.
pub(super) type Part = Result<Finished, Error>;

/// A report to the calling thread about a part that has been written.
pub(super) struct Report {
    pub origin: Arc<Origin>,
    /// Without the name of the input.
    pub invalid: Vec<InvalidRecord<'static>>,
    pub stats: Stats,
}
