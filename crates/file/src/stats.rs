//! Stage 6, statistics: counts and times.

use std::ops::AddAssign;

use crate::outcome::Status;

/// The number of records with each status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[allow(missing_docs, reason = "the names of the statuses")]
pub struct Counts {
    pub solved: u64,
    pub unique: u64,
    pub multiple: u64,
    pub none: u64,
    pub invalid: u64,
    pub gave_up: u64,
}

impl Counts {
    /// Counts the records of a batch.
    pub fn of(statuses: &[Status]) -> Counts {
        // One pass per status with byte counters, which is vectorised; a table of counters is not.
        let count_in = |chunk: &[Status], wanted| chunk.iter().map(|&status| u8::from(status == wanted)).sum::<u8>();
        let count = |wanted| statuses.chunks(255).map(|chunk| u64::from(count_in(chunk, wanted))).sum();
        let [solved, unique, multiple, none, invalid, gave_up] = Status::ALL.map(count);
        Counts { solved, unique, multiple, none, invalid, gave_up }
    }

    /// The number of all records.
    pub fn records(&self) -> u64 {
        self.solved + self.unique + self.multiple + self.none + self.invalid + self.gave_up
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.solved += other.solved;
        self.unique += other.unique;
        self.multiple += other.multiple;
        self.none += other.none;
        self.invalid += other.invalid;
        self.gave_up += other.gave_up;
    }
}

/// What was noticed about the inputs. It may mean that a file was not meant so.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Notes {
    /// The number of records that are complete grids: perhaps solutions.
    pub complete_grids: u64,
    /// The number of comments with 81 cells in a row.
    pub commented_puzzles: u64,
}

/// Statistics of a [`Run`](super::Run).
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct Stats {
    /// The number of worker threads.
    pub threads: usize,
    /// The number of records.
    pub records: u64,
    /// The number of records with each status.
    pub counts: Counts,
    /// The number of guesses, summed over all puzzles.
    pub guesses: u64,
    /// Bytes read, after decompression.
    pub input_bytes: u64,
    /// Bytes read, before decompression: an estimate for compressed files.
    #[serde(skip)]
    pub stored_bytes: u64,
    /// Bytes written, before compression.
    pub output_bytes: u64,
    /// What was noticed about the inputs.
    pub notes: Notes,
    /// Time from before the first byte is read until the output is complete: flushed, and, if it
    /// is a file, synchronised and renamed.
    pub wall_seconds: f64,
    /// `records / wall_seconds`.
    pub puzzles_per_second: f64,
    /// Time spent reading and parsing, summed over the threads.
    pub reading_seconds: f64,
    /// Time spent solving, summed over the threads.
    pub solving_seconds: f64,
    /// Time spent formatting, summed over the threads, and writing.
    pub writing_seconds: f64,
}

impl Stats {
    /// Adds the counts, bytes and times of a part of the run.
    pub(crate) fn add(&mut self, part: &Stats) {
        self.counts += part.counts;
        self.records = self.counts.records();
        self.guesses += part.guesses;
        self.input_bytes += part.input_bytes;
        self.stored_bytes += part.stored_bytes;
        self.output_bytes += part.output_bytes;
        self.notes.complete_grids += part.notes.complete_grids;
        self.notes.commented_puzzles += part.notes.commented_puzzles;
        self.reading_seconds += part.reading_seconds;
        self.solving_seconds += part.solving_seconds;
        self.writing_seconds += part.writing_seconds;
    }

    /// Sets the wall time and the throughput.
    pub(crate) fn finish(&mut self, wall_seconds: f64) {
        self.wall_seconds = wall_seconds;
        self.puzzles_per_second = self.records as f64 / wall_seconds.max(1e-9);
    }
}
