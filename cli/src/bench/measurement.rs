//! The measurement of one entry: its threads, batches and rounds.

use rapidoku::Status;
use rapidoku::file::Counts;
use rapidoku::file::internal::thread_count;

use super::pool::{Batch, Fnv, WorkerPool, outcomes_hash, split_into_batches};
use super::report::{Rates, Report};
use super::{BenchError, Entry, ROUND_TIME, Text};

/// An entry during its measurement.
pub struct Measurement<'e, 't> {
    pub entry: &'e Entry<'e>,
    pool: WorkerPool,
    pub batches: Vec<Batch<'t>>,
    /// The number of passes in a round.
    passes: u32,
    /// The hash of the outcomes, which every round must reproduce.
    pub hash: Fnv,
    /// Puzzles per second of the timed rounds; none if every puzzle reached the cap on guesses.
    pub rates: Vec<f64>,
}

impl<'e, 't> Measurement<'e, 't> {
    pub fn new(entry: &'e Entry<'e>, text: &'t Text) -> Result<Measurement<'e, 't>, BenchError> {
        let threads = thread_count(entry.threads);
        let pool = WorkerPool::new(threads)?;
        // The same number of batches for each thread, all of one size, so that no thread waits for another.
        let share = text.lines.len().div_ceil(threads).max(1);
        let batch_bytes = share.div_ceil(share.div_ceil(entry.batch_bytes.max(1)));
        let mut batches = split_into_batches(text, batch_bytes);
        // The first pass fills caches and buffers. If it was short, its time is unreliable and a second pass is
        // timed.
        let mut time = pool.run_pass(&mut batches, entry);
        if time < ROUND_TIME {
            time = pool.run_pass(&mut batches, entry);
        }
        let passes = (ROUND_TIME.as_secs_f64() / time.as_secs_f64()).ceil().clamp(1.0, 1e6) as u32;
        let hash = outcomes_hash(&batches);
        Ok(Measurement { entry, pool, batches, passes, hash, rates: Vec::new() })
    }

    pub fn records(&self) -> usize {
        self.batches.iter().map(|batch| batch.records).sum()
    }

    /// Runs a round, and checks that its outcomes are those of the earlier rounds.
    pub fn run_round(&mut self, timed: bool) -> Result<(), BenchError> {
        let Measurement { entry, pool, batches, .. } = self;
        let time: f64 = (0..self.passes).map(|_| pool.run_pass(batches, entry).as_secs_f64()).sum();
        let statuses = batches.iter().flat_map(|batch| batch.outcomes.statuses());
        let answered = statuses.filter(|&&status| status != Status::GaveUp).count();
        if timed && answered > 0 {
            self.rates.push(answered as f64 * f64::from(self.passes) / time);
        }
        if outcomes_hash(&self.batches) == self.hash {
            return Ok(());
        }
        Err(BenchError::Refused("outcomes differ between rounds".to_owned()))
    }

    pub fn report(self) -> Report {
        let Entry { name, engine, simd, threads, limits, .. } = self.entry;
        let mut counts = Counts::default();
        self.batches.iter().for_each(|batch| counts += Counts::of(batch.outcomes.statuses()));
        let guesses = self.batches.iter().flat_map(|batch| batch.outcomes.guesses()).sum();
        Report {
            name: name.clone(),
            engine: engine.clone(),
            simd: simd.map(|level| level.name()),
            threads: thread_count(*threads),
            max_guesses: Some(limits.guesses).filter(|&cap| cap != u64::MAX),
            counts,
            guesses,
            guesses_per_puzzle: guesses as f64 / self.records() as f64,
            outcomes_hash: self.hash.hex(),
            puzzles_per_second: (!self.rates.is_empty()).then(|| Rates::of(self.rates)),
            ratio_to_first: None,
        }
    }
}
