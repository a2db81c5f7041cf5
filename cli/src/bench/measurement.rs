//! The measurement of one entry: its threads, batches and rounds.

use std::io::{Seek, Write};
use std::time::{Duration, Instant};

use rapidoku::file::internal::{temp_dir, thread_count};
use rapidoku::file::{Counts, Error, Records};
use rapidoku::{Outcomes, Status, Work};

use super::hash::Fnv;
use super::pool::{Batch, Timings, WorkerPool, outcomes_hash, split_into_batches};
use super::report::{Histogram, Latency, Rates, Report, Shares};
use super::subset::Subset;
use super::{BenchError, Entry, ROUND_TIME};

/// An entry during its measurement.
pub struct Measurement<'e, 't> {
    pub entry: &'e Entry<'e>,
    pub subset: &'t Subset<'t>,
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
    pub fn new(entry: &'e Entry<'e>, subset: &'t Subset<'t>) -> Result<Measurement<'e, 't>, BenchError> {
        let threads = thread_count(entry.threads);
        let pool = WorkerPool::new(threads)?;
        // The same number of batches for each thread, all of one size, so that no thread waits for another.
        let share = subset.text.lines.len().div_ceil(threads).max(1);
        let batch_bytes = share.div_ceil(share.div_ceil(entry.batch_bytes.max(1)));
        let mut batches = split_into_batches(&subset.text, batch_bytes);
        // The first pass fills caches and buffers. If it was short, its time is unreliable and a second pass is
        // timed.
        let mut time = pool.run_pass(&mut batches, entry);
        if time < ROUND_TIME {
            time = pool.run_pass(&mut batches, entry);
        }
        let passes = (ROUND_TIME.as_secs_f64() / time.as_secs_f64()).ceil().clamp(1.0, 1e6) as u32;
        let hash = outcomes_hash(&batches);
        Ok(Measurement { entry, subset, pool, batches, passes, hash, rates: Vec::new() })
    }

    fn records(&self) -> usize {
        self.batches.iter().map(|batch| batch.records).sum()
    }

    /// The number of records that did not reach the cap on guesses.
    fn answered(&self) -> usize {
        let answered = |batch: &Batch| {
            batch.outcomes.statuses().iter().filter(|&&status| status != Status::Limit).count()
        };
        self.batches.iter().map(answered).sum()
    }

    /// Runs a round, and checks that its outcomes are those of the earlier rounds.
    pub fn run_round(&mut self, timed: bool) -> Result<(), BenchError> {
        let Measurement { entry, pool, batches, .. } = self;
        let time: Duration = (0..self.passes).map(|_| pool.run_pass(batches, entry)).sum();
        let answered = self.answered();
        if timed && answered > 0 {
            self.rates.push(answered as f64 * f64::from(self.passes) / time.as_secs_f64());
        }
        if outcomes_hash(&self.batches) == self.hash { Ok(()) } else { Err(BenchError::RoundsDiffer) }
    }

    /// Discards the timings of the warm-up.
    pub fn reset_timings(&mut self) {
        self.batches.iter_mut().for_each(|batch| batch.timings = Timings::default());
        self.pool.take_batch_times();
    }

    /// Whether the outcomes of both must be identical.
    pub fn must_agree(&self, other: &Measurement) -> bool {
        self.entry.algorithm == other.entry.algorithm
            && self.entry.limits == other.entry.limits
            && self.subset.indices == other.subset.indices
    }

    pub fn report(self, records_in_text: usize, dataset_hash: String) -> Result<Report, BenchError> {
        let batches = &self.batches;
        let records = self.records();
        let mut counts = Counts::default();
        batches.iter().for_each(|batch| counts += Counts::of(batch.outcomes.statuses()));
        let guesses = batches.iter().flat_map(|batch| batch.outcomes.guesses()).sum();
        let mut work = Work::default();
        batches.iter().for_each(|batch| work += batch.work);
        Ok(Report {
            records,
            records_in_text,
            counts,
            guesses,
            guesses_per_puzzle: guesses as f64 / records as f64,
            dataset_hash,
            outcomes_hash: self.hash.to_string(),
            passes: self.passes,
            parse_share: parse_share(batches),
            shares: measure_shares(batches, self.entry)?,
            occupancy: (work.lanes > 0).then(|| work.busy_lanes as f64 / work.lanes as f64),
            records_per_batch: records as f64 / batches.len() as f64,
            batch_latency: self.pool.take_batch_times().latency(),
            puzzle_latency: self
                .entry
                .time_single_puzzles
                .then(|| measure_puzzle_latency(batches, self.entry)),
            puzzles_per_second: (!self.rates.is_empty()).then(|| Rates::of(self.rates)),
            ratio_to_first: None,
        })
    }
}

fn parse_share(batches: &[Batch]) -> f64 {
    let parse: Duration = batches.iter().map(|batch| batch.timings.parse).sum();
    let solve: Duration = batches.iter().map(|batch| batch.timings.solve).sum();
    parse.as_secs_f64() / (parse + solve).as_secs_f64()
}

/// Makes one more pass, on this thread, that also writes the rows to a temporary file.
fn measure_shares(batches: &[Batch], entry: &Entry) -> Result<Shares, Error> {
    let mut file = tempfile::tempfile_in(temp_dir()).map_err(BenchError::temporary_file)?;
    let (mut records, mut outcomes, mut ratings) = (Records::default(), Outcomes::default(), Vec::new());
    let mut spent = [Duration::ZERO; 3];
    for batch in batches {
        let start = Instant::now();
        batch.parse(&mut records, entry.level);
        let parsed = Instant::now();
        entry.run(records.puzzle_slice(), &mut outcomes, &mut ratings);
        let solved = Instant::now();
        // Each batch overwrites the previous one, so that a large dataset does not fill the disk.
        file.rewind()
            .and_then(|()| file.write_all(outcomes.rows().as_flattened()))
            .map_err(BenchError::temporary_file)?;
        let times = [parsed - start, solved - parsed, solved.elapsed()];
        spent.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }
    let total: Duration = spent.iter().sum();
    let [parse, solve, write] = spent.map(|part| part.as_secs_f64() / total.as_secs_f64());
    Ok(Shares { parse, solve, write })
}

/// Makes one more pass, on this thread, that times each puzzle.
fn measure_puzzle_latency(batches: &[Batch], entry: &Entry) -> Latency {
    let (mut records, mut outcomes, mut ratings) = (Records::default(), Outcomes::default(), Vec::new());
    let mut histogram = Histogram::default();
    for batch in batches {
        batch.parse(&mut records, entry.level);
        for k in 0..records.len() {
            let start = Instant::now();
            entry.run(records.puzzle_slice().slice(k..k + 1), &mut outcomes, &mut ratings);
            histogram.add(start.elapsed());
        }
    }
    histogram.latency()
}
