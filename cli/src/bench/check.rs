//! Checks the outcomes of a benchmark: each by itself, and those of all entries against one another.

use rapidoku::file::Records;
use rapidoku::outcome::BLANK_ROW;
use rapidoku::rating::{Difficulty, Verdict};
use rapidoku::{Limits, Outcomes, SimdLevel, Status};

use super::BenchError;
use super::batches::Batch;
use super::measurement::Measurement;
use crate::number::counted;

/// Checks every outcome against its puzzle.
fn check(batches: &[Batch], limits: Limits) -> Result<(), BenchError> {
    let (mut records, mut records_before) = (Records::default(), 0);
    for batch in batches {
        batch.parse(&mut records, SimdLevel::default());
        let wrong = |k, reason| BenchError::Refused(format!("record {}: {reason}", records_before + k + 1));
        let outcomes = &batch.outcomes;
        let n = records.len();
        let found = outcomes.len();
        if found != n {
            return Err(wrong(found.min(n), format!("{found} outcomes for {n} records of a batch")));
        }
        for k in 0..n {
            check_outcome(&records, outcomes, k, limits).map_err(|reason| wrong(k, reason))?;
        }
        records_before += n;
    }
    Ok(())
}

fn check_outcome(records: &Records, outcomes: &Outcomes, k: usize, limits: Limits) -> Result<(), String> {
    let (status, found, row) = (outcomes.statuses()[k], outcomes.solution_counts()[k], &outcomes.rows()[k]);
    if found > limits.solutions.get() {
        return Err(format!("{found} solutions, limit {}", limits.solutions.get()));
    }
    let capped = status == Status::GaveUp && outcomes.guesses()[k] >= limits.guesses;
    let expected = match records.puzzles()[k].clash() {
        None => Status::of_search(found, limits, capped),
        Some(_) => Status::Invalid,
    };
    if status != expected {
        return Err(format!("status {status} instead of {expected}"));
    }
    if found == 0 {
        let is_blank = *row == BLANK_ROW;
        return is_blank.then_some(()).ok_or_else(|| "a row with a solution, but a count of 0".into());
    }
    let solution = outcomes.solution(k).filter(|_| row.ends_with(b"\n"));
    let solution = solution.ok_or("the row is not 81 digits and a line feed")?;
    records.check(k, &solution).map_err(|flaw| flaw.to_string())
}

/// The checked answers to each record of a text.
pub struct Checked<'n> {
    /// The first answer, with which all entries agree. `None` if all gave up.
    pub answers: Vec<Option<Answer<'n>>>,
    /// The ER of each record, `None` if it has none. Empty if no entry rates: entries that do have the same outcomes.
    pub ratings: Vec<Option<Difficulty>>,
}

#[derive(Clone, Copy)]
pub struct Answer<'n> {
    pub status: Status,
    pub solutions: u64,
    /// The name of the entry.
    pub by: &'n str,
}

impl<'n> Checked<'n> {
    /// Checks every outcome by itself, then the outcomes of all entries against one another.
    pub fn new(measurements: &[Measurement<'n, '_>]) -> Result<Checked<'n>, BenchError> {
        let mut checked = Checked { answers: Vec::new(), ratings: Vec::new() };
        for (k, measurement) in measurements.iter().enumerate() {
            let (entry, batches) = (measurement.entry, &measurement.batches);
            check(batches, entry.limits)?;
            checked.add(&entry.name, batches)?;
            let same_work =
                |other: &&Measurement| (&other.entry.engine, other.entry.limits) == (&entry.engine, entry.limits);
            if let Some(other) = measurements[..k].iter().filter(same_work).find(|other| other.hash != measurement.hash)
            {
                let names = [&other.entry.name, &entry.name].map(String::as_str).join(" and ");
                return Err(BenchError::Refused(format!("{names} run the same algorithm, but their outcomes differ")));
            }
        }
        Ok(checked)
    }

    /// Adds the answers of an entry. A record at the cap on guesses has no answer. Solutions are not compared: each
    /// entry may find a different one first.
    fn add(&mut self, by: &'n str, batches: &[Batch]) -> Result<(), BenchError> {
        if self.ratings.is_empty() {
            let ratings = batches.iter().flat_map(|batch| &batch.ratings);
            self.ratings = ratings.map(|rating| (rating.verdict == Verdict::Rated).then_some(rating.er)).collect();
        }
        let outcomes = batches.iter().map(|batch| &batch.outcomes);
        let answers = outcomes.flat_map(|outcomes| outcomes.statuses().iter().zip(outcomes.solution_counts()));
        for (index, (&status, &solutions)) in answers.enumerate() {
            if index == self.answers.len() {
                self.answers.push(None);
            }
            if status == Status::GaveUp {
                continue;
            }
            let first = self.answers[index].get_or_insert(Answer { status, solutions, by });
            if (first.status, first.solutions) != (status, solutions) {
                return Err(BenchError::Refused(format!(
                    "record {}: {} says {} ({}), {by} says {status} ({solutions})",
                    index + 1,
                    first.by,
                    first.status,
                    counted(first.solutions, "solution")
                )));
            }
        }
        Ok(())
    }
}
