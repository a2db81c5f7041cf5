//! The measurement of one entry: its threads, batches and rounds.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use rapidoku::Status;
use rapidoku::file::internal::{thread_count, thread_pool};
use rapidoku::file::{Counts, Records};

use super::batches::{Batch, outcomes_hash, split_into_batches};
use super::{BenchError, Entry, EntryReport, ROUND_TIME, Report, Text};

/// An entry during its measurement.
pub struct Measurement<'e, 't> {
    pub entry: &'e Entry<'e>,
    threads: rayon::ThreadPool,
    /// The memory of each thread for the records of a batch. A lock is used by one thread only, so it is never
    /// contended.
    records: Vec<Mutex<Records>>,
    pub batches: Vec<Batch<'t>>,
    /// The number of passes in a round.
    passes: u32,
    /// The hash of the outcomes, which every round must reproduce.
    pub hash: u64,
}

impl<'e, 't> Measurement<'e, 't> {
    pub fn new(entry: &'e Entry<'e>, text: &'t Text) -> Result<Measurement<'e, 't>, BenchError> {
        let threads = thread_count(entry.threads);
        // The same number of batches for each thread, all of one size, so that no thread waits for another.
        let share = text.lines.len().div_ceil(threads).max(1);
        let batch_bytes = share.div_ceil(share.div_ceil(entry.batch_bytes.max(1)));
        let mut measurement = Measurement {
            entry,
            threads: thread_pool(threads)?,
            records: (0..threads).map(|_| Mutex::default()).collect(),
            batches: split_into_batches(text, batch_bytes),
            passes: 1,
            hash: 0,
        };
        // The first pass fills caches and buffers. If it was short, its time is unreliable and a second pass is
        // timed.
        let mut time = measurement.run_pass();
        if time < ROUND_TIME {
            time = measurement.run_pass();
        }
        measurement.passes = (ROUND_TIME.as_secs_f64() / time.as_secs_f64()).ceil().clamp(1.0, 1e6) as u32;
        measurement.hash = outcomes_hash(&measurement.batches);
        Ok(measurement)
    }

    /// Solves every batch once, and returns how long it took.
    fn run_pass(&mut self) -> Duration {
        let start = Instant::now();
        let queue = Mutex::new(self.batches.iter_mut());
        self.threads.broadcast(|thread| {
            let mut records = self.records[thread.index()].lock().unwrap();
            loop {
                // The lock is released before the batch is solved.
                let Some(batch) = queue.lock().unwrap().next() else { break };
                batch.parse(&mut records, self.entry.simd.unwrap_or_default());
                batch.records = records.len();
                self.entry.run(records.puzzle_slice(), &mut batch.outcomes, &mut batch.ratings);
            }
        });
        start.elapsed()
    }

    pub fn records(&self) -> usize {
        self.batches.iter().map(|batch| batch.records).sum()
    }

    /// Runs a round, and checks that its outcomes are those of the earlier rounds. Returns the puzzles per second, or
    /// `None` if every puzzle reached the cap on guesses.
    pub fn run_round(&mut self) -> Result<Option<f64>, BenchError> {
        let time: f64 = (0..self.passes).map(|_| self.run_pass().as_secs_f64()).sum();
        let statuses = self.batches.iter().flat_map(|batch| batch.outcomes.statuses());
        let answered = statuses.filter(|&&status| status != Status::GaveUp).count();
        if outcomes_hash(&self.batches) != self.hash {
            return Err(BenchError::Refused("outcomes differ between rounds".to_owned()));
        }
        Ok((answered > 0).then(|| answered as f64 * f64::from(self.passes) / time))
    }

    /// The outcomes, without rates.
    pub fn report(&self) -> Report {
        let Entry { engine, simd, threads, limits, .. } = self.entry;
        let mut counts = Counts::default();
        self.batches.iter().for_each(|batch| counts += Counts::of(batch.outcomes.statuses()));
        let guesses = self.batches.iter().flat_map(|batch| batch.outcomes.guesses()).sum();
        let report = EntryReport {
            engine: engine.clone(),
            simd: simd.map(|level| level.name()),
            threads: thread_count(*threads),
            max_guesses: Some(limits.guesses).filter(|&cap| cap != u64::MAX),
            counts,
            guesses,
            guesses_per_puzzle: guesses as f64 / self.records() as f64,
            outcomes_hash: format!("{:016x}", self.hash),
        };
        Report { name: self.entry.name.clone(), entry: Some(report), ..Report::default() }
    }
}
