//! Measures several entries and rivals on a text, in turns.

use std::time::Duration;

use rapidoku::file::internal::TempFile;
use rapidoku::file::{Error, Unfinished};
use rapidoku_jobs::hash;

use super::check::Checked;
use super::entry::Entry;
use super::measurement::Measurement;
use super::report::{Rival, RivalReport};
use super::rival::Conditions;
use super::{BenchError, Dataset, Rates, Ratio, Report, Text};
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
    /// Called before each step, outside of all timed sections, with the part of the steps that is done, in thousandths,
    /// and the step in words.
    pub on_step: &'a (dyn Fn(usize, &str) + 'a),
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
        let mut reports: Vec<Report> = measurements.iter().map(Measurement::report).collect();
        for (k, rival) in self.rivals.iter().enumerate() {
            self.step(k, 0, &rival.name);
            reports.push(self.enter(rival, &input, &checked, text)?);
        }

        let mut rates = vec![Vec::new(); reports.len()];
        let finished = self.run_rounds(&mut measurements, &mut reports, &mut rates, &input)?;
        if finished == 0 {
            return Err(BenchError::Interrupted);
        }
        // An interrupted round has counted for some only.
        rates.iter_mut().for_each(|rates| rates.truncate(finished));
        let own = reports.iter().position(|report| report.name == Rival::OWN);
        for (k, report) in reports.iter_mut().enumerate().filter(|(_, report)| report.problem().is_none()) {
            let first = if report.is_command() { own } else { Some(0) };
            let first = first.filter(|first| *first != k);
            report.ratio_to_first = first.and_then(|first| Ratio::of(&rates[k], &rates[first]));
            report.puzzles_per_second = Rates::of(rates[k].clone());
        }
        let rivals = reports.split_off(self.entries.len());
        let hash = format!("{:016x}", hash::add(hash::START, &text.lines));
        Ok(Dataset { file: file.to_owned(), records, hash, results: reports, rivals })
    }

    fn conditions(&self) -> Conditions {
        Conditions { limit: self.entries[0].limits.solutions.get(), timeout: self.timeout }
    }

    /// Lets a rival answer, which is not timed, and checks its answers.
    fn enter(&self, rival: &Rival, input: &TempFile, checked: &Checked, text: &Text) -> Result<Report, Error> {
        let conditions = self.conditions();
        let output = rival.output(input.path(), "", conditions);
        let checked = output.and_then(|output| checked.check_rival(&output, text, conditions.limit));
        let answers = checked.as_ref().ok().copied();
        let empty = self.unfinished.temp_file(b"")?;
        let report = RivalReport {
            rival: rival.clone(),
            answers,
            problem: checked.err(),
            startup_ms: answers.and_then(|_| rival.startup_ms(empty.path(), conditions)),
        };
        Ok(Report { name: rival.name.clone(), rival: Some(report), ..Report::default() })
    }

    /// Runs an untimed round of the entries and all timed rounds, or those before SIGINT, whose rates it adds. Returns
    /// the number of timed ones that were finished.
    fn run_rounds(
        &self,
        measurements: &mut [Measurement],
        reports: &mut [Report],
        rates: &mut [Vec<f64>],
        input: &TempFile,
    ) -> Result<usize, BenchError> {
        let records = measurements[0].records();
        for round in 0..=self.rounds {
            let finished = round.saturating_sub(1);
            for (turn, measurement) in measurements.iter_mut().enumerate() {
                if signals::is_interrupted() {
                    return Ok(finished);
                }
                self.step(turn, round, &measurement.entry.name);
                rates[turn].extend(measurement.run_round()?.filter(|_| round > 0));
            }
            if round == 0 {
                continue;
            }
            for (turn, report) in reports.iter_mut().enumerate() {
                let Some(report) = report.rival.as_mut().filter(|rival| rival.problem.is_none()) else {
                    continue;
                };
                self.step(turn, round, &report.rival.name);
                let rate = report.rival.rate(input.path(), records, self.conditions());
                // Ctrl-C ends the rival as well.
                if signals::is_interrupted() {
                    return Ok(finished);
                }
                match rate {
                    Ok(rate) => rates[turn].push(rate),
                    Err(problem) => report.problem = Some(problem),
                }
            }
            signals::keep_results();
        }
        Ok(self.rounds)
    }

    fn step(&self, turn: usize, round: usize, name: &str) {
        let turns = self.entries.len() + self.rivals.len();
        let words = if round == 0 { format!("warm-up, {name}") } else { format!("round {round}, {name}") };
        (self.on_step)(1000 * (round * turns + turn) / ((self.rounds + 1) * turns), &words);
    }
}
