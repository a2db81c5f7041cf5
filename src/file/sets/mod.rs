//! Stages 3 and 4 for sets of puzzles: jobs that select, reorder and divide records.
//!
//! What happens to a record depends on a pseudo-random number, its key, and not on the thread that reads it.

pub mod sample;

use crate::file::record::BatchView;
use crate::grid::{Puzzle, SplitMix64};
use crate::outcome::{Outcomes, Status};

/// The keys of records: a pseudo-random number for each number of a record. Different numbers have different keys.
#[derive(Clone, Copy, Debug)]
struct Keys(u64);

/// The purpose of keys. Those of different purposes are independent for the same seed: otherwise a sample would come from
/// one part of a division.
#[derive(Clone, Copy)]
enum Purpose {
    Sample,
}

impl Keys {
    fn new(seed: u64, purpose: Purpose) -> Keys {
        Keys(SplitMix64(SplitMix64(seed).next() ^ purpose as u64).next())
    }

    /// The key of a number. SplitMix64 is a permutation for each state.
    #[inline]
    fn key(self, number: u64) -> u64 {
        SplitMix64(self.0 ^ number).next()
    }
}

/// Sets the status of records that are not puzzles, in jobs that solve nothing.
fn mark_invalid(batch: &BatchView, outcomes: &mut Outcomes) {
    for (k, puzzle) in batch.records.puzzles().iter().enumerate() {
        if *puzzle == Puzzle::MALFORMED {
            outcomes.set_status(k, Status::Invalid);
        }
    }
}
