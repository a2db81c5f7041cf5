//! Statistics of a run: counts and times.

use std::ops::AddAssign;

use crate::outcome::Status;

/// How many records came to each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[allow(missing_docs, reason = "the names of the statuses")]
pub struct Counts {
    pub solved: u64,
    pub unique: u64,
    pub multiple: u64,
    pub none: u64,
    pub invalid: u64,
    pub limit: u64,
}

impl Counts {
    /// Counts the records of a batch.
    pub fn of(statuses: &[Status]) -> Counts {
        // A pass for each status, in bytes as far as these go: that is vectors of bytes, and a table of counters is none.
        let in_few =
            |few: &[Status], wanted| few.iter().map(|&status| u8::from(status == wanted)).sum::<u8>();
        let count = |wanted| statuses.chunks(255).map(|few| u64::from(in_few(few, wanted))).sum();
        let [solved, unique, multiple, none, invalid, limit] = Status::ALL.map(count);
        Counts { solved, unique, multiple, none, invalid, limit }
    }

    /// Records in all.
    pub fn records(&self) -> u64 {
        self.solved + self.unique + self.multiple + self.without_answer()
    }

    /// Records that are no puzzle, have no solution, or were given up at the cap on guesses.
    pub fn without_answer(&self) -> u64 {
        self.none + self.invalid + self.limit
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.solved += other.solved;
        self.unique += other.unique;
        self.multiple += other.multiple;
        self.none += other.none;
        self.invalid += other.invalid;
        self.limit += other.limit;
    }
}

/// What a [`run`](super::run()) did.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Stats {
    /// Threads that solved.
    pub threads: usize,
    /// Records read.
    pub records: u64,
    /// The same by status.
    pub counts: Counts,
    /// Guesses made, over all puzzles.
    pub guesses: u64,
    /// Bytes read.
    pub input_bytes: u64,
    /// Bytes written.
    pub output_bytes: u64,
    /// From before the first byte is read until the last one is flushed and the output has its name.
    pub wall_seconds: f64,
    /// `records / wall_seconds`.
    pub puzzles_per_second: f64,
    /// Time spent reading and parsing, summed over the threads.
    pub reading_seconds: f64,
    /// Time spent in the engine, summed over the threads.
    pub solving_seconds: f64,
    /// Time spent formatting (summed over the threads) and writing.
    pub writing_seconds: f64,
}

impl Stats {
    /// Adds what a batch came to.
    pub(crate) fn add(&mut self, counts: Counts, guesses: u64, input_bytes: u64) {
        self.counts += counts;
        self.records = self.counts.records();
        self.guesses += guesses;
        self.input_bytes += input_bytes;
    }

    /// Sets the time taken and what follows from it.
    pub(crate) fn finish(&mut self, wall_seconds: f64) {
        self.wall_seconds = wall_seconds;
        self.puzzles_per_second = self.records as f64 / wall_seconds.max(1e-9);
    }
}
