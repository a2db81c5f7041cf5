//! No time without an answer: every outcome is checked, and contestants are held against one another.

use super::BenchError;
use super::crew::Batch;
use rapidoku::file::Records;
use rapidoku::{BLANK_ROW, Level, Limits, Outcomes, ROW};
use rapidoku::{Solution, Status};

/// Holds every outcome against its puzzle.
pub fn check(batches: &[Batch], limits: Limits) -> Result<(), BenchError> {
    let (mut records, mut before) = (Records::default(), 0);
    for batch in batches {
        batch.read(&mut records, Level::default());
        let wrong = |i, reason| BenchError::Wrong { record: before + i + 1, reason };
        let outcomes = &batch.outcomes;
        let n = records.len();
        if outcomes.len() != n {
            let short = outcomes.len();
            return Err(wrong(short.min(n), format!("{short} outcomes for {n} records of a batch")));
        }
        for i in 0..n {
            check_one(&records, outcomes, i, limits).map_err(|reason| wrong(i, reason))?;
        }
        before += n;
    }
    Ok(())
}

fn check_one(records: &Records, outcomes: &Outcomes, i: usize, limits: Limits) -> Result<(), String> {
    let (status, found, row) = (outcomes.statuses()[i], outcomes.solution_counts()[i], &outcomes.rows()[i]);
    if found > limits.solutions.get() {
        return Err(format!("{found} solutions, limit {}", limits.solutions.get()));
    }
    let capped = status == Status::Limit && outcomes.guesses()[i] >= limits.guesses;
    let expected = match records.puzzles()[i].clash() {
        None => Status::of_search(found, limits, capped),
        Some(_) => Status::Invalid,
    };
    if status != expected {
        return Err(format!("status {status} instead of {expected}"));
    }
    if found == 0 {
        return if *row == BLANK_ROW { Ok(()) } else { Err("a solution where there is none".into()) };
    }
    let solution = solution(row).ok_or("a row that is not 81 digits and a line feed")?;
    records.check(i, &solution).map_err(|flaw| flaw.to_string())
}

fn solution(row: &[u8; ROW]) -> Option<Solution> {
    let (cells, end) = row.split_first_chunk()?;
    let solution = Solution::from_cells(cells.map(|byte| byte.wrapping_sub(b'0')))?;
    (end == b"\n").then_some(solution)
}

/// What contestants say of the records of a text, and who said it first.
pub struct Verdicts<'n>(Vec<Option<Verdict<'n>>>);

#[derive(Clone, Copy)]
struct Verdict<'n> {
    status: Status,
    solutions: u64,
    by: &'n str,
}

impl<'n> Verdicts<'n> {
    /// On so many records.
    pub fn new(records: usize) -> Verdicts<'n> {
        Verdicts(vec![None; records])
    }

    /// Adds what a contestant says of the records with these indices. One that gave a record up says nothing of
    /// it; which solution is given first is a contestant's own business.
    pub fn add(
        &mut self,
        by: &'n str,
        indices: impl Iterator<Item = usize>,
        batches: &[Batch],
    ) -> Result<(), BenchError> {
        let outcomes = batches.iter().map(|batch| &batch.outcomes);
        let found = outcomes.flat_map(|outcomes| outcomes.statuses().iter().zip(outcomes.solution_counts()));
        for (index, (&status, &solutions)) in indices.zip(found) {
            if status == Status::Limit {
                continue;
            }
            let first = self.0[index].get_or_insert(Verdict { status, solutions, by });
            if (first.status, first.solutions) != (status, solutions) {
                let reason = format!(
                    "{} says {} ({} solutions), {by} says {status} ({solutions})",
                    first.by, first.status, first.solutions
                );
                return Err(BenchError::Disagreement { record: index + 1, reason });
            }
        }
        Ok(())
    }
}
