//! Measures several entries on a text, in turns.

use rapidoku::file::Unfinished;

use super::check::{self, CrossCheck};
use super::entry::Entry;
use super::hash::Fnv;
use super::measurement::Measurement;
use super::report::{Ratio, Report};
use super::rival::{Rival, RivalInputs, RivalReport, RivalTimings};
use super::subset::{Subset, count_records};
use super::{BenchError, Text};
use crate::signals;

/// The entries and rivals to measure, and the number of rounds.
pub struct Benchmark<'a> {
    /// Solvers in this process. Ratios are relative to the first one.
    pub entries: Vec<Entry<'a>>,
    /// External commands, which run after the entries in each round.
    pub rivals: Vec<Rival>,
    /// The number of untimed rounds at the start.
    pub warmup: usize,
    /// The number of timed rounds, at least one.
    pub rounds: usize,
    /// Registers the input files of rivals, so that a signal handler can remove them.
    pub unfinished: Unfinished,
    /// Called before each round of each entry, outside of all timed sections.
    pub on_step: &'a (dyn Fn(Step) + 'a),
}

/// The progress of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// The number of completed steps.
    pub done: usize,
    /// The number of steps in total.
    pub total: usize,
    /// The number of the round, counted from 1, among all rounds.
    pub round: usize,
    /// The number of rounds, untimed ones included.
    pub rounds: usize,
    /// The name of the entry or rival.
    pub name: &'s str,
}

/// The results of a [`Benchmark`].
#[derive(Clone, Debug)]
pub struct Results {
    /// One report per entry, in their order.
    pub reports: Vec<Report>,
    /// One report per rival, in their order.
    pub rivals: Vec<RivalReport>,
}

impl Benchmark<'_> {
    /// Measures all entries and rivals on the records of `text`. Needs some hundred bytes of memory per record and
    /// entry.
    ///
    /// # Errors
    /// A [`BenchError`] if there are no records, an outcome is wrong, rounds or entries differ, a rival fails, threads or a
    /// temporary file cannot be had, or SIGINT arrives before the end of the first timed round. After that, it ends the
    /// measurement, and the finished rounds count.
    ///
    /// # Panics
    /// If there are no entries.
    pub fn run<'t>(&self, text: impl Into<Text<'t>>) -> Result<Results, BenchError> {
        let text = &text.into();
        let dataset_hash = Fnv::of(&text.lines).to_string();
        let records = count_records(text);
        if records == 0 {
            return Err(BenchError::Empty);
        }
        let subsets: Vec<_> =
            self.entries.iter().map(|entry| Subset::new(entry.max_records, text, records)).collect();
        let mut measurements = Vec::new();
        for (entry, subset) in self.entries.iter().zip(&subsets) {
            measurements.push(Measurement::new(entry, subset)?);
        }
        let inputs = RivalInputs::new(&self.rivals, &text.lines, &self.unfinished)?;
        let mut rival_timings: Vec<_> = self.rivals.iter().map(|_| RivalTimings::default()).collect();

        let finished = self.run_rounds(&mut measurements, &inputs, &mut rival_timings, records)?;
        if finished == 0 {
            return Err(BenchError::Interrupted);
        }
        // An interrupted round has counted for some only.
        measurements.iter_mut().for_each(|measurement| measurement.rates.truncate(finished));
        rival_timings.iter_mut().for_each(|timings| timings.truncate(finished));

        let cross_check = check_outcomes(&measurements, records)?;
        let limit = self.entries[0].limits.solutions.get();
        let mut answers = Vec::new();
        for rival in &self.rivals {
            let output = inputs.output(rival, limit)?;
            let checked = output.map(|output| cross_check.check_rival(&rival.name, &output, text, limit));
            answers.push(checked.transpose()?.flatten());
        }
        let first = measurements[0].rates.clone();
        let mut reports = Vec::new();
        for (k, measurement) in measurements.into_iter().enumerate() {
            let mut report = measurement.report(records, dataset_hash.clone())?;
            let rates = report.puzzles_per_second.as_ref().filter(|_| k > 0 && !first.is_empty());
            report.ratio_to_first = rates.map(|rates| Ratio::of(&rates.rounds, &first));
            reports.push(report);
        }
        let rivals = self.rivals.iter().zip(rival_timings).zip(answers);
        let rivals =
            rivals.map(|((rival, timings), answers)| timings.report(rival, &first, answers)).collect();
        Ok(Results { reports, rivals })
    }

    /// Runs all rounds, or those before SIGINT. Returns the number of timed ones that were finished.
    fn run_rounds(
        &self,
        measurements: &mut [Measurement],
        inputs: &RivalInputs,
        rival_timings: &mut [RivalTimings],
        records: usize,
    ) -> Result<usize, BenchError> {
        let rounds = self.warmup + self.rounds.max(1);
        let turns = self.entries.len() + self.rivals.len();
        for round in 0..rounds {
            let finished = round.saturating_sub(self.warmup);
            let step = |turn, name| {
                let (done, total) = (round * turns + turn, rounds * turns);
                (self.on_step)(Step { done, total, round: round + 1, rounds, name });
            };
            let timed = round >= self.warmup;
            if round == self.warmup {
                measurements.iter_mut().for_each(Measurement::reset_timings);
            }
            for (turn, measurement) in measurements.iter_mut().enumerate() {
                if signals::is_interrupted() {
                    return Ok(finished);
                }
                step(turn, &measurement.entry.name);
                measurement.run_round(timed)?;
            }
            for (turn, (rival, timings)) in self.rivals.iter().zip(&mut *rival_timings).enumerate() {
                step(self.entries.len() + turn, &rival.name);
                let times = match inputs.time(rival, self.entries[0].limits.solutions.get()) {
                    // Ctrl-C ends the rival as well.
                    _ if signals::is_interrupted() => return Ok(finished),
                    times => times?,
                };
                if timed {
                    timings.push(times, records);
                }
            }
            if timed {
                signals::keep_results();
            }
        }
        Ok(rounds - self.warmup)
    }
}

/// Checks every outcome by itself, then the outcomes of all entries against one another.
fn check_outcomes<'e>(
    measurements: &[Measurement<'e, '_>],
    records: usize,
) -> Result<CrossCheck<'e>, BenchError> {
    let mut cross_check = CrossCheck::new(records);
    for (k, measurement) in measurements.iter().enumerate() {
        let (entry, batches) = (measurement.entry, &measurement.batches);
        check::check(batches, entry.limits)?;
        cross_check.add(&entry.name, measurement.subset.indices(records), batches)?;
        let is_mismatch =
            |other: &&Measurement| other.must_agree(measurement) && other.hash != measurement.hash;
        if let Some(other) = measurements[..k].iter().find(is_mismatch) {
            let (first, second) = (other.entry.name.clone(), entry.name.clone());
            return Err(BenchError::AlgorithmMismatch { first, second });
        }
    }
    Ok(cross_check)
}
