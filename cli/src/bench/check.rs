//! Checks the outcomes of a benchmark: each by itself, and those of all entries against one another.

use rapidoku::file::Records;
use rapidoku::file::internal::MAX_BATCH;
use rapidoku::grid::CELLS;
use rapidoku::rating::{Difficulty, Verdict};
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
pub struct CrossCheck<'n> {
    answers: Vec<Option<Answer<'n>>>,
    /// The ER of each record, `None` if it has none. Empty if no entry rates: entries that do have the same outcomes.
    ratings: Vec<Option<Difficulty>>,
}

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
        CrossCheck { answers: vec![None; records], ratings: Vec::new() }
    }

    /// Adds the answers of an entry to the records with these indices. A record at the cap on guesses has no answer.
    /// Solutions are not compared: each entry may find a different one first.
    pub fn add(
        &mut self,
        by: &'n str,
        indices: impl Iterator<Item = usize>,
        batches: &[Batch],
    ) -> Result<(), BenchError> {
        if self.ratings.is_empty() {
            let ratings = batches.iter().flat_map(|batch| &batch.ratings);
            self.ratings =
                ratings.map(|rating| (rating.verdict == Verdict::Rated).then_some(rating.er)).collect();
        }
        let outcomes = batches.iter().map(|batch| &batch.outcomes);
        let answers =
            outcomes.flat_map(|outcomes| outcomes.statuses().iter().zip(outcomes.solution_counts()));
        for (index, (&status, &solutions)) in indices.zip(answers) {
            if status == Status::Limit {
                continue;
            }
            let first = self.answers[index].get_or_insert(Answer { status, solutions, by });
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
    /// limit that is not below `limit`. If puzzles are rated, ratings are compared, and may differ. Returns what it is.
    pub fn check_rival(
        &self,
        name: &str,
        output: &[u8],
        text: &Text,
        limit: u64,
    ) -> Result<Option<Answers>, BenchError> {
        let mut lines: Vec<&[u8]> = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
        lines.pop_if(|line| line.is_empty());
        if lines.len() != self.answers.len() {
            return Ok(None);
        }
        if !self.ratings.is_empty() {
            return Ok(self.compare_ratings(&lines));
        }
        let differs = |record: usize, reason: String| BenchError::Disagreement { record: record + 1, reason };
        let count = |line: &&[u8]| str::from_utf8(line).ok()?.parse::<u64>().ok().filter(|_| line.len() < 21);
        if let Some(counts) = lines.iter().map(count).collect::<Option<Vec<_>>>() {
            for (k, (answer, count)) in self.answers.iter().zip(counts).enumerate() {
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
                let Some(Answer { solutions, status, by }) = self.answers[before + k] else { continue };
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

    /// Counts the records with a rating for which a rival has another one, if it has any.
    fn compare_ratings(&self, lines: &[&[u8]]) -> Option<Answers> {
        let found: Vec<_> = lines.iter().map(|line| rating(line)).collect();
        let differs = |(expected, found): &(&Option<Difficulty>, &Option<Difficulty>)| {
            expected.is_some() && expected != found
        };
        let different = self.ratings.iter().zip(&found).filter(differs).count();
        found.iter().any(Option::is_some).then_some(Answers::Ratings { different })
    }
}

/// The first number with one decimal in a line, which stands between spaces or punctuation: that in `7.1`, `PUZZLE ED=7.1/1.2/1.2`
/// and `PUZZLE,7.1`.
fn rating(line: &[u8]) -> Option<Difficulty> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let mut words = str::from_utf8(line).ok()?.split(|c| !is_part(c));
    words.find_map(|word| word.parse().ok().filter(|_| word.contains('.')))
}

/// The solution at the start of a line.
fn solution(line: &[u8]) -> Option<Solution> {
    Solution::from_cells(line.first_chunk::<CELLS>()?.map(|byte| byte.wrapping_sub(b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rating_is_a_word_of_its_own() {
        let puzzle = "1.2.............7.1.............................................................3";
        for (line, er) in [
            ("7.1", Some(71)),
            ("{} ED=7.1/1.2/1.2", Some(71)),
            ("{},11.8,2.6", Some(118)),
            ("7;{};10.0", Some(100)),
            ("{}", None),
            ("{} 7", None),
            ("{} x7.1 7.15", None),
            ("", None),
        ] {
            assert_eq!(rating(line.replace("{}", puzzle).as_bytes()), er.map(Difficulty), "{line}");
        }
    }
}
