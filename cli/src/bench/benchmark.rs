//! Measures several entries and rivals on a text, in turns.

use std::time::Duration;

use rapidoku::file::internal::TempFile;
use rapidoku::file::{Error, Unfinished};

use super::check::Checked;
use super::entry::Entry;
use super::measurement::Measurement;
use super::pool::Fnv;
use super::report::{Rates, Ratio};
use super::rival::{Conditions, Rival, RivalReport};
use super::{BenchError, Dataset, Text};
use crate::signals;

/// The entries and rivals to measure, and how.
pub struct Benchmark<'a> {
    /// Solvers in this process. Ratios are relative to the first one.
    pub entries: Vec<Entry<'a>>,
    /// External commands, which run after the entries in each round.
    pub rivals: Vec<Rival>,
    /// How long a rival may take for a run.
    pub timeout: Duration,
    /// The number of timed rounds, at least one.
    pub rounds: usize,
    /// Registers the input files of rivals, so that a signal handler can remove them.
    pub unfinished: Unfinished,
    /// Called before each step, outside of all timed sections.
    pub on_step: &'a (dyn Fn(Step) + 'a),
}

/// The progress of a benchmark.
#[derive(Clone, Copy, Debug)]
pub struct Step<'s> {
    /// The number of completed steps.
    pub done: usize,
    /// The number of steps in total.
    pub total: usize,
    /// The number of the timed round, counted from 1; 0 before them.
    pub round: usize,
    /// The name of the entry or rival.
    pub name: &'s str,
}

impl Benchmark<'_> {
    /// Measures all entries and rivals on the records of `text`, which has the name `file`. Needs some hundred bytes of
    /// memory per record and entry.
    ///
    /// # Errors
    /// A [`BenchError`] if there are no records, an outcome is wrong, rounds or entries differ, threads or a temporary
    /// file cannot be had, or SIGINT arrives before the end of the first timed round. After that, it ends the
    /// measurement, and the finished rounds count.
    ///
    /// # Panics
    /// If there are no entries.
    pub fn run(&self, file: &str, text: &Text) -> Result<Dataset, BenchError> {
        let mut measurements = Vec::new();
        for entry in &self.entries {
            measurements.push(Measurement::new(entry, text)?);
        }
        let records = measurements[0].records();
        if records == 0 {
            return Err(BenchError::Refused("no records".to_owned()));
        }
        let checked = Checked::new(&measurements)?;
        let input = self.unfinished.temp_file(if self.rivals.is_empty() { b"" } else { &text.lines })?;
        let mut rivals = Vec::new();
        for (k, rival) in self.rivals.iter().enumerate() {
            self.step(k, 0, &rival.name);
            rivals.push(self.enter(rival, &input, &checked, text)?);
        }

        let finished = self.run_rounds(&mut measurements, &mut rivals, &input, records)?;
        if finished == 0 {
            return Err(BenchError::Interrupted);
        }
        // An interrupted round has counted for some only.
        measurements.iter_mut().for_each(|measurement| measurement.rates.truncate(finished));
        rivals.iter_mut().for_each(|rival| rival.rates.truncate(finished));

        let first = measurements[0].rates.clone();
        let own = rivals.iter().find(|report| report.rival.name == Rival::OWN);
        let own = own.map_or(Vec::new(), |own| own.rates.clone());
        let mut results: Vec<_> = measurements.into_iter().map(Measurement::report).collect();
        for report in results.iter_mut().skip(1) {
            report.ratio_to_first =
                report.puzzles_per_second.as_ref().and_then(|rates| ratio(&rates.rounds, &first));
        }
        for report in rivals.iter_mut().filter(|report| report.problem.is_none()) {
            let of = if report.rival.is_command() { &own } else { &first };
            report.ratio_to_first = ratio(&report.rates, of).filter(|_| report.rival.name != Rival::OWN);
            report.puzzles_per_second = Some(Rates::of(report.rates.clone()));
        }
        let hash = Fnv::of(&text.lines).hex();
        Ok(Dataset { file: file.to_owned(), records, hash, results, rivals })
    }

    fn conditions(&self) -> Conditions {
        Conditions { limit: self.entries[0].limits.solutions.get(), timeout: self.timeout }
    }

    /// Lets a rival answer, which is not timed, and checks its answers.
    fn enter(
        &self,
        rival: &Rival,
        input: &TempFile,
        checked: &Checked,
        text: &Text,
    ) -> Result<RivalReport, Error> {
        let conditions = self.conditions();
        let output = rival.output(input.path(), "", conditions);
        let checked = output.and_then(|output| checked.check_rival(&output, text, conditions.limit));
        let answers = checked.as_ref().ok().copied();
        let empty = self.unfinished.temp_file(b"")?;
        Ok(RivalReport {
            rival: rival.clone(),
            answers,
            problem: checked.err(),
            startup_ms: answers.and_then(|_| rival.startup_ms(empty.path(), conditions)),
            puzzles_per_second: None,
            ratio_to_first: None,
            rates: Vec::new(),
        })
    }

    /// Runs an untimed round of the entries and all timed rounds, or those before SIGINT. Returns the number of timed
    /// ones that were finished.
    fn run_rounds(
        &self,
        measurements: &mut [Measurement],
        rivals: &mut [RivalReport],
        input: &TempFile,
        records: usize,
    ) -> Result<usize, BenchError> {
        for round in 0..=self.rounds {
            let finished = round.saturating_sub(1);
            for (turn, measurement) in measurements.iter_mut().enumerate() {
                if signals::is_interrupted() {
                    return Ok(finished);
                }
                self.step(turn, round, &measurement.entry.name);
                measurement.run_round(round > 0)?;
            }
            if round == 0 {
                continue;
            }
            let able = rivals.iter_mut().enumerate().filter(|(_, report)| report.problem.is_none());
            for (turn, report) in able {
                self.step(self.entries.len() + turn, round, &report.rival.name);
                let rate = report.rival.rate(input.path(), records, self.conditions());
                // Ctrl-C ends the rival as well.
                if signals::is_interrupted() {
                    return Ok(finished);
                }
                match rate {
                    Ok(rate) => report.rates.push(rate),
                    Err(problem) => report.problem = Some(problem),
                }
            }
            signals::keep_results();
        }
        Ok(self.rounds)
    }

    fn step(&self, turn: usize, round: usize, name: &str) {
        let turns = self.entries.len() + self.rivals.len();
        (self.on_step)(Step { done: round * turns + turn, total: (self.rounds + 1) * turns, round, name });
    }
}

fn ratio(rates: &[f64], of: &[f64]) -> Option<Ratio> {
    (!rates.is_empty() && !of.is_empty()).then(|| Ratio::of(rates, of))
}
