//! A contestant with its threads and batches: what is run in a round, and what is reported after the last.

use std::io::{Seek, Write};
use std::time::{Duration, Instant};

use super::crew::{Batch, Clock, Crew, cut, outcomes_hash};
use super::hash::Fnv;
use super::pick::Pick;
use super::report::{Histogram, Latency, Rates, Report, Shares};
use super::{BenchError, Contestant, ROUND_TIME};
use rapidoku::Status;
use rapidoku::file::Counts;
use rapidoku::file::Error;
use rapidoku::file::Records;
use rapidoku::file::internal::thread_count;
use rapidoku::{Outcomes, Work};

/// A contestant at work.
pub struct Team<'c, 't> {
    pub who: &'c Contestant<'c>,
    pub pick: &'t Pick<'t>,
    crew: Crew,
    pub batches: Vec<Batch<'t>>,
    passes: u32,
    pub hash: Fnv,
    pub rates: Vec<f64>,
}

impl<'c, 't> Team<'c, 't> {
    pub fn new(who: &'c Contestant<'c>, pick: &'t Pick<'t>) -> Result<Team<'c, 't>, BenchError> {
        let threads = thread_count(who.threads);
        let crew = Crew::new(threads)?;
        // As many for each thread, and of one size, so that none has to wait for another.
        let share = pick.text.lines.len().div_ceil(threads).max(1);
        let mut batches = cut(&pick.text, share.div_ceil(share.div_ceil(who.batch_bytes.max(1))));
        // The first pass fills caches and buffers; where it was short, the second tells how long one takes.
        let mut pass = crew.pass(&mut batches, who);
        if pass < ROUND_TIME {
            pass = crew.pass(&mut batches, who);
        }
        let passes = (ROUND_TIME.as_secs_f64() / pass.as_secs_f64()).ceil().clamp(1.0, 1e6) as u32;
        let hash = outcomes_hash(&batches);
        Ok(Team { who, pick, crew, batches, passes, hash, rates: Vec::new() })
    }

    fn records(&self) -> usize {
        self.batches.iter().map(|batch| batch.records).sum()
    }

    /// Records that were not given up.
    fn answered(&self) -> usize {
        let answered = |batch: &Batch| {
            batch.outcomes.statuses().iter().filter(|&&status| status != Status::Limit).count()
        };
        self.batches.iter().map(answered).sum()
    }

    pub fn round(&mut self, timed: bool) -> Result<(), BenchError> {
        let Team { who, crew, batches, .. } = self;
        let time: Duration = (0..self.passes).map(|_| crew.pass(batches, who)).sum();
        if timed {
            self.rates.push(self.answered() as f64 * f64::from(self.passes) / time.as_secs_f64());
        }
        if outcomes_hash(&self.batches) == self.hash { Ok(()) } else { Err(BenchError::Unsteady) }
    }

    /// Forgets what the clocks have shown so far.
    pub fn forget(&mut self) {
        self.batches.iter_mut().for_each(|batch| batch.clock = Clock::default());
        self.crew.take_latencies();
    }

    pub fn is_kin(&self, other: &Team) -> bool {
        self.who.family == other.who.family
            && self.who.limits == other.who.limits
            && self.pick.indices == other.pick.indices
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
            shares: shares(batches, self.who)?,
            occupancy: (work.lanes > 0).then(|| work.busy_lanes as f64 / work.lanes as f64),
            records_per_batch: records as f64 / batches.len() as f64,
            batch_latency: self.crew.take_latencies().latency(),
            puzzle_latency: self.who.one_by_one.then(|| one_by_one(batches, self.who)),
            puzzles_per_second: Rates::of(self.rates),
            ratio_to_first: None,
        })
    }
}

fn parse_share(batches: &[Batch]) -> f64 {
    let parse: Duration = batches.iter().map(|batch| batch.clock.parse).sum();
    let solve: Duration = batches.iter().map(|batch| batch.clock.solve).sum();
    parse.as_secs_f64() / (parse + solve).as_secs_f64()
}

/// One more pass, on this thread, which writes the rows to a temporary file as well.
fn shares(batches: &[Batch], who: &Contestant) -> Result<Shares, Error> {
    let error = |source| Error::Write { name: "a temporary file".to_owned(), source };
    let mut file = tempfile::tempfile().map_err(error)?;
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let mut spent = [Duration::ZERO; 3];
    for batch in batches {
        let start = Instant::now();
        batch.read(&mut records, who.level);
        let parsed = Instant::now();
        (who.solve)(records.puzzle_slice(), who.limits, &mut outcomes);
        let solved = Instant::now();
        // Always over the same pages: a big set is not to fill the disk.
        file.rewind().and_then(|()| file.write_all(outcomes.rows().as_flattened())).map_err(error)?;
        let times = [parsed - start, solved - parsed, solved.elapsed()];
        spent.iter_mut().zip(times).for_each(|(sum, time)| *sum += time);
    }
    let all: Duration = spent.iter().sum();
    let [parse, solve, write] = spent.map(|part| part.as_secs_f64() / all.as_secs_f64());
    Ok(Shares { parse, solve, write })
}

/// One more pass, on this thread, puzzle by puzzle.
fn one_by_one(batches: &[Batch], who: &Contestant) -> Latency {
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let mut histogram = Histogram::default();
    for batch in batches {
        batch.read(&mut records, who.level);
        for k in 0..records.len() {
            let start = Instant::now();
            (who.solve)(records.puzzle_slice().slice(k..k + 1), who.limits, &mut outcomes);
            histogram.add(start.elapsed());
        }
    }
    histogram.latency()
}
