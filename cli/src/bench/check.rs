//! Checks the outcomes of a benchmark: each by itself, and those of all entries against one another.

use rapidoku::file::Records;
use rapidoku::file::internal::MAX_BATCH;
use rapidoku::grid::CELLS;
use rapidoku::{BLANK_ROW, Limits, Outcomes, ROW, SimdLevel, Solution, Status};

use super::pool::{Batch, split_into_batches};
use super::rival::Answers;
use super::{BenchError, Text};

/// Checks every outcome against its puzzle.
pub fn check(batches: &[Batch], limits: Limits) -> Result<(), BenchError> {
    let (mut records, mut records_before) = (Records::default(), 0);
    for batch in batches {
        batch.parse(&mut records, SimdLevel::default());
        let wrong = |k, reason| BenchError::Wrong { record: records_before + k + 1, reason };
        let outcomes = &batch.outcomes;
        let n = records.len();
        if outcomes.len() != n {
            let found = outcomes.len();
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
    let capped = status == Status::Limit && outcomes.guesses()[k] >= limits.guesses;
    let expected = match records.puzzles()[k].clash() {
        None => Status::of_search(found, limits, capped),
        Some(_) => Status::Invalid,
    };
    if status != expected {
        return Err(format!("status {status} instead of {expected}"));
    }
    if found == 0 {
        return if *row == BLANK_ROW {
            Ok(())
        } else {
            Err("a row with a solution, but a count of 0".into())
        };
    }
    let solution = parse_row(row).ok_or("the row is not 81 digits and a line feed")?;
    records.check(k, &solution).map_err(|flaw| flaw.to_string())
}

fn parse_row(row: &[u8; ROW]) -> Option<Solution> {
    let (cells, end) = row.split_first_chunk()?;
    let solution = Solution::from_cells(cells.map(|byte| byte.wrapping_sub(b'0')))?;
    (end == b"\n").then_some(solution)
}

/// For each record of a text the first answer, which all other entries must agree with.
pub struct CrossCheck<'n>(Vec<Option<Answer<'n>>>);

#[derive(Clone, Copy)]
struct Answer<'n> {
    status: Status,
    solutions: u64,
    /// The name of the entry.
    by: &'n str,
}

impl<'n> CrossCheck<'n> {
    /// No answers yet, for this many records.
    pub fn new(records: usize) -> CrossCheck<'n> {
        CrossCheck(vec![None; records])
    }

    /// Adds the answers of an entry to the records with these indices. A record at the cap on guesses has no answer.
    /// Solutions are not compared: each entry may find a different one first.
    pub fn add(
        &mut self,
        by: &'n str,
        indices: impl Iterator<Item = usize>,
        batches: &[Batch],
    ) -> Result<(), BenchError> {
        let outcomes = batches.iter().map(|batch| &batch.outcomes);
        let answers =
            outcomes.flat_map(|outcomes| outcomes.statuses().iter().zip(outcomes.solution_counts()));
        for (index, (&status, &solutions)) in indices.zip(answers) {
            if status == Status::Limit {
                continue;
            }
            let first = self.0[index].get_or_insert(Answer { status, solutions, by });
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

    /// Checks the output of a rival, if it has a line for each record of the text: a solution, or a number of solutions up to some
    /// limit that is not below `limit`. Returns what it is.
    pub fn check_rival(
        &self,
        name: &str,
        output: &[u8],
        text: &Text,
        limit: u64,
    ) -> Result<Option<Answers>, BenchError> {
        let mut lines: Vec<&[u8]> = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
        lines.pop_if(|line| line.is_empty());
        if lines.len() != self.0.len() {
            return Ok(None);
        }
        let differs = |record: usize, reason: String| BenchError::Disagreement { record: record + 1, reason };
        let count = |line: &&[u8]| str::from_utf8(line).ok()?.parse::<u64>().ok().filter(|_| line.len() < 21);
        if let Some(counts) = lines.iter().map(count).collect::<Option<Vec<_>>>() {
            for (k, (answer, count)) in self.0.iter().zip(counts).enumerate() {
                if let Some(Answer { solutions, status, by }) = answer
                    && *status != Status::Invalid
                    && *solutions != count.min(limit)
                {
                    return Err(differs(k, format!("{by} finds {solutions} solutions, {name} {count}")));
                }
            }
            return Ok(Some(Answers::Counts));
        }
        let is_grid = |line: &&[u8]| {
            line.first_chunk::<CELLS>().is_some_and(|cells| cells.iter().all(u8::is_ascii_graphic))
        };
        // A puzzle that comes back is no answer.
        if !lines.iter().any(|line| solution(line).is_some())
            || lines.iter().any(|line| is_grid(line) && solution(line).is_none())
        {
            return Ok(None);
        }
        let (mut records, mut before) = (Records::default(), 0);
        for batch in split_into_batches(text, MAX_BATCH) {
            batch.parse(&mut records, SimdLevel::default());
            for k in 0..records.len() {
                let Some(Answer { solutions, status, by }) = self.0[before + k] else { continue };
                match solution(lines[before + k]) {
                    _ if status == Status::Invalid => {}
                    None if solutions > 0 => {
                        return Err(differs(before + k, format!("{by} finds a solution, {name} does not")));
                    }
                    None => {}
                    Some(found) => records
                        .check(k, &found)
                        .map_err(|flaw| differs(before + k, format!("{name} is wrong: {flaw}")))?,
                }
            }
            before += records.len();
        }
        Ok(Some(Answers::Solutions))
    }
}

/// The solution at the start of a line.
fn solution(line: &[u8]) -> Option<Solution> {
    Solution::from_cells(line.first_chunk::<CELLS>()?.map(|byte| byte.wrapping_sub(b'0')))
}
