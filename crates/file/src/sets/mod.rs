//! Stages 3 and 4 for sets of puzzles: jobs that select, reorder and divide records.
//!
//! What happens to a record depends on a pseudo-random number, its key, and not on the thread that reads it.

pub mod drawn;
pub mod split;
pub mod strata;

use crate::grid::SplitMix64;

/// The keys of records: a pseudo-random number for each number of a record. Different numbers have different keys.
#[derive(Clone, Copy, Debug)]
struct Keys(u64);

/// The purpose of keys. Those of different purposes are independent for the same seed: otherwise a sample would come
/// from one part of a division.
#[derive(Clone, Copy)]
enum Purpose {
    Sample,
    Split,
    Shuffle,
}

impl Keys {
    fn new(seed: u64, purpose: Purpose) -> Keys {
        Keys(SplitMix64(SplitMix64(seed).next_word() ^ purpose as u64).next_word())
    }

    /// The key of a number. SplitMix64 is a permutation for each state.
    #[inline]
    fn key(self, number: u64) -> u64 {
        SplitMix64(self.0 ^ number).next_word()
    }
}
