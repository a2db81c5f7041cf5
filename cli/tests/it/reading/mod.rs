//! The program reads what the user meant, or says that it could not: never another puzzle, and no record is lost silently.

mod odd;
mod truth;

use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use rapidoku::Solver;
use rapidoku::file::{Column, Event, Format, Output, Run, SolveRows, Unfinished};

use crate::samples;

/// A puzzle with one solution.
pub struct Board {
    pub puzzle: String,
    pub solution: String,
}

/// Distinct puzzles with their solutions.
pub static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let sample = samples::sample();
    let unique = sample.iter().enumerate().filter(|(line, _)| line % 20 < 18).map(|(_, puzzle)| puzzle);
    let board = |puzzle: &rapidoku::Puzzle| {
        let outcome = Solver::new().solve_one(puzzle);
        Board {
            puzzle: puzzle.to_string(),
            solution: outcome.solution.expect("the sample has solutions").to_string(),
        }
    };
    unique.take(200).map(board).collect()
});

/// What was read from a file.
#[derive(Debug)]
pub struct Answer {
    /// The puzzle of each record with `.` for blanks, or `None` for an invalid record; the error if the file was refused.
    pub records: Result<Vec<Option<String>>, String>,
    /// Messages beside the reports of invalid records.
    pub messages: String,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// The solution of a record was read as its puzzle.
    Solution,
    /// A puzzle was read that is not in the file.
    Other,
    /// There are more records, or they are in another order.
    Order,
    /// There are fewer records and no message.
    Lost,
    /// The file can be read exactly, but was refused.
    Refused,
    /// The file can be read exactly, but has invalid records.
    Invalid,
}

/// Judges an answer for a file that has the boards in order, and perhaps `extra` records that have no puzzle.
pub fn judge(answer: &Answer, boards: &[&Board], extra: usize, must_be_read: bool) -> Option<Fault> {
    let Ok(records) = &answer.records else { return must_be_read.then_some(Fault::Refused) };
    let mut next = 0;
    for puzzle in records.iter().flatten() {
        if let Some(at) = boards[next..].iter().position(|board| board.puzzle == *puzzle) {
            next += at + 1;
        } else if boards.iter().any(|board| board.puzzle == *puzzle) {
            return Some(Fault::Order);
        } else {
            let is_solution = boards.iter().any(|board| board.solution == *puzzle);
            return Some(if is_solution { Fault::Solution } else { Fault::Other });
        }
    }
    if records.len() < boards.len() && answer.messages.is_empty() {
        return Some(Fault::Lost);
    }
    if records.len() > boards.len() + extra {
        return (must_be_read || records.iter().flatten().count() > boards.len()).then_some(Fault::Order);
    }
    let is_exact = records.iter().flatten().count() == boards.len() && records.len() == boards.len();
    (must_be_read && !is_exact).then_some(if records.len() < boards.len() {
        Fault::Lost
    } else {
        Fault::Invalid
    })
}

/// Reads a file with the library, which is faster than a process for each file.
pub fn read(path: &Path) -> Answer {
    let output = path.with_extension("out");
    let job = SolveRows::new(Solver::new()).format(Format::Csv).columns([Column::Puzzle, Column::Status]);
    let mut messages = String::new();
    let sink = Output::create(&output, &Unfinished::default()).expect("the folder can be written");
    let run = Run::default().input(path.to_path_buf()).output(sink).threads(1);
    let run = run.start(&job, &mut |event| {
        if let Event::Skipped { reason, .. } = event {
            messages.push_str(reason);
        }
    });
    let records = match run {
        Ok(_) => Ok(rows(&fs::read_to_string(&output).expect("the rows are written"))),
        Err(error) => Err(error.message().to_string()),
    };
    Answer { records, messages }
}

/// The records of rows with the columns puzzle and status.
pub fn rows(text: &str) -> Vec<Option<String>> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let record = |row: csv::StringRecord| {
        let cells =
            |text: &str| text.chars().map(|c| if ('1'..='9').contains(&c) { c } else { '.' }).collect();
        (&row[1] != "invalid").then(|| cells(&row[0]))
    };
    reader.records().map(|row| record(row.expect("the rows are CSV"))).collect()
}
