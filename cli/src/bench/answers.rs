//! What a rival prints: an answer for each record, which is checked.

use rapidoku::SimdLevel;
use rapidoku::file::Records;
use rapidoku::file::internal::MAX_BATCH;
use rapidoku::grid::CELLS;
use rapidoku::rating::Difficulty;
use rapidoku::{Solution, Status};

use super::Text;
use super::batches::split_into_batches;
use super::check::{Answer, Checked};
use super::report::Answers;
use crate::number::counted;

impl Checked<'_> {
    /// Checks the output of a rival: a line for each record of the text, with a solution, or a number of solutions up
    /// to some limit that is not below `limit`; if puzzles are rated, with a rating.
    ///
    /// # Errors
    /// What is wrong with it, to follow the name of the rival.
    pub fn check_rival(&self, output: &[u8], text: &Text, limit: u64) -> Result<Answers, String> {
        let mut lines: Vec<&[u8]> = output.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).collect();
        lines.pop_if(|line| line.is_empty());
        if lines.len() != self.answers.len() {
            return Err(format!(
                "printed {} for {}",
                counted(lines.len() as u64, "line"),
                counted(self.answers.len() as u64, "record")
            ));
        }
        if !self.ratings.is_empty() {
            return self.ratings(&lines);
        }
        let answers = answers(&lines)?;
        self.refuse_wrong(&lines, answers, text, limit)?;
        Ok(answers)
    }

    /// Counts the wrong answers, and shows the first one.
    fn refuse_wrong(&self, lines: &[&[u8]], answers: Answers, text: &Text, limit: u64) -> Result<(), String> {
        let (mut records, mut before) = (Records::default(), 0);
        let (mut wrong, mut first) = (0, String::new());
        for batch in split_into_batches(text, MAX_BATCH) {
            batch.parse(&mut records, SimdLevel::default());
            for k in 0..records.len() {
                let Some(answer) = self.answers[before + k] else { continue };
                let line = lines[before + k];
                let Some(reason) = flaw(line, &answer, answers, limit, (&records, k)) else { continue };
                wrong += 1;
                if wrong == 1 {
                    first = format!("record {}, {}: {reason}", before + k + 1, records.puzzles()[k]);
                }
            }
            before += records.len();
        }
        let n = lines.len();
        let all = match answers {
            Answers::Counts => "to see all, compare with 'rapidoku count'",
            _ => "to see all: paste -d, PUZZLES SOLUTIONS | rapidoku verify",
        };
        match wrong {
            0 => Ok(()),
            _ => Err(format!("gave wrong answers: {wrong} of {n}, the first for {first}; {all}")),
        }
    }

    /// Compares ratings.
    fn ratings(&self, lines: &[&[u8]]) -> Result<Answers, String> {
        let found: Vec<_> = lines.iter().map(|line| rating(line)).collect();
        let differs =
            |(expected, found): &(&Option<Difficulty>, &Option<Difficulty>)| expected.is_some() && expected != found;
        let different = self.ratings.iter().zip(&found).filter(differs).count();
        if found.iter().all(Option::is_none) && self.ratings.iter().any(Option::is_some) {
            return Err("printed lines without a rating".to_owned());
        }
        Ok(Answers::Ratings { different })
    }
}

/// What the lines are.
fn answers(lines: &[&[u8]]) -> Result<Answers, String> {
    if lines.iter().all(|line| count(line).is_some()) {
        return Ok(Answers::Counts);
    }
    let is_grid = |line: &[u8]| line.first_chunk::<CELLS>().is_some_and(|cells| cells.iter().all(u8::is_ascii_graphic));
    let has_solution = lines.iter().any(|line| solution(line).is_some());
    // A puzzle that comes back is no answer, and text is one only beside solutions.
    let malformed = |line: &&&[u8]| is_grid(line) && solution(line).is_none();
    let text = || lines.iter().find(|line| !line.is_empty()).filter(|_| !has_solution);
    match lines.iter().find(malformed).or_else(text) {
        None => Ok(Answers::Solutions),
        Some(line) => {
            let line: String = String::from_utf8_lossy(line).chars().take(CELLS).collect();
            Err(format!("printed a line that is neither a solution nor a number of solutions: '{line}'"))
        }
    }
}

/// What is wrong with a line, if anything.
fn flaw(line: &[u8], answer: &Answer, answers: Answers, limit: u64, (records, k): (&Records, usize)) -> Option<String> {
    let Answer { status, solutions, by } = *answer;
    if status == Status::Invalid {
        return None;
    }
    if answers == Answers::Counts {
        let count = count(line)?;
        return (count.min(limit) != solutions).then(|| format!("{count} solutions, {by} finds {solutions}"));
    }
    match solution(line) {
        Some(found) => records.check(k, &found).err().map(|flaw| flaw.to_string()),
        None => (solutions > 0).then(|| format!("no solution, {by} finds one")),
    }
}

/// The number of solutions in a line.
fn count(line: &[u8]) -> Option<u64> {
    str::from_utf8(line).ok()?.parse().ok().filter(|_| line.len() < 21)
}

/// The solution at the start of a line.
fn solution(line: &[u8]) -> Option<Solution> {
    Solution::from_cells(line.first_chunk::<CELLS>()?.map(|byte| byte.wrapping_sub(b'0')))
}

/// The first number with one decimal in a line, which stands between spaces or punctuation: that in `7.1`,
/// `PUZZLE ED=7.1/1.2/1.2` and `PUZZLE,7.1`.
pub fn rating(line: &[u8]) -> Option<Difficulty> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let mut words = str::from_utf8(line).ok()?.split(|c| !is_part(c));
    words.find_map(|word| word.parse().ok().filter(|_| word.contains('.')))
}
