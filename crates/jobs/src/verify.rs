//! Whether the solutions of records are correct.

use std::iter::zip;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use rapidoku::file::internal::escape;
use rapidoku::file::{BatchSolver, BatchView, Error, InputStart, Needs, Table, Value};
use rapidoku::grid::CELLS;
use rapidoku::verify::Flaw;
use rapidoku::{Cancelled, Outcomes, Puzzle, PuzzleError, Solution, Status};

use crate::rows::{Columns, Found, Row, each_row};
use crate::solver::LimitedSolver;

/// Checks the solution of each record, and writes a row for each record that is wrong, or the records with some
/// results.
///
/// A record is a puzzle, separators and a solution, or a complete grid followed by anything. The solution of
/// pencilmarks must consist of candidates. A text row is `input:line: reason`; in a table, `fault` is the name of one
/// and `place` the first wrong cell or house.
///
/// The status becomes [`Status::Invalid`] for a wrong record. A correct solution has the status [`Status::Multiple`]
/// if it is not unique, [`Status::GaveUp`] if the search gave up, [`Status::Unique`] if it is unique, and
/// [`Status::Solved`] if uniqueness was not checked.
pub struct Verify<'a> {
    /// What finds the solutions with which wrong answers are compared.
    pub solver: LimitedSolver,
    /// Whether each solution must be the only one of its puzzle.
    pub unique: bool,
    /// The results of the records to write; if empty, all but correct ones are written.
    pub only: &'a [String],
    /// The cells that were compared.
    pub cells: &'a Cells,
}

/// The cells of answers to puzzles whose solution is known.
#[derive(Default)]
pub struct Cells {
    /// Their number.
    pub compared: AtomicU64,
    /// The number of wrong ones.
    pub wrong: AtomicU64,
}

/// The reason why a record is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
enum Fault {
    /// The record is not a puzzle.
    #[error("{0}")]
    Invalid(PuzzleError),
    /// The puzzle has blanks and is not followed by a solution.
    #[error("no solution given")]
    Missing,
    /// The text after the puzzle is not a complete grid.
    #[error("solution: {0}")]
    Solution(PuzzleError),
    /// The solution breaks the rules or contradicts the puzzle.
    #[error("{0}")]
    Flaw(Flaw),
    /// The puzzle has another solution.
    #[error("not the only solution")]
    Multiple,
    /// The search for another solution reached the cap on guesses.
    #[error("given up before it was known to be the only solution")]
    GaveUp,
}

impl Fault {
    /// `invalid`, `missing`, `solution`, `clue`, `candidate`, `house`, `multiple` or `gave-up`.
    fn name(&self) -> &'static str {
        match self {
            Fault::Invalid(_) => "invalid",
            Fault::Missing => "missing",
            Fault::Solution(_) => "solution",
            Fault::Flaw(Flaw::Clue { .. }) => "clue",
            Fault::Flaw(Flaw::Candidate { .. }) => "candidate",
            Fault::Flaw(Flaw::House { .. }) => "house",
            Fault::Multiple => "multiple",
            Fault::GaveUp => "gave-up",
        }
    }

    /// The first wrong cell or house, or an empty string.
    fn place(&self) -> String {
        match self {
            Fault::Flaw(Flaw::Clue { cell, .. } | Flaw::Candidate { cell, .. })
            | Fault::Solution(PuzzleError::Blank(cell)) => cell.to_string(),
            Fault::Flaw(Flaw::House { house, .. }) => house.to_string(),
            _ => String::new(),
        }
    }
}

impl Columns for Verify<'_> {
    fn names(&self) -> &'static [&'static str] {
        &["input", "line", "fault", "place", "reason", "correct", "wrong_cells"]
    }

    fn needs(&self, _: &Table) -> Needs<'static> {
        Needs { numbers: true, solves_in_write: true, ..Needs::default() }
    }

    /// Rejects files of puzzles without solutions: one message instead of one per record.
    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        let columns = input.layout.columns();
        if input.layout.may_be_verified() {
            return Ok(());
        }
        let reason = match columns {
            [] => "'verify' expects a solution after each puzzle".to_owned(),
            _ => format!("--solution-column names the column; the columns are {}", columns.join(", ")),
        };
        Err(input.reject(format!("no solutions: {reason} ('solve' and 'check' need none)")))
    }

    fn find<'a>(&'a self, table: &'a Table, batch: &BatchView<'a>, outcomes: &mut Outcomes) -> Found<'a> {
        let faults: Vec<_> = (0..batch.records.len()).map(|k| self.verify(batch, k, outcomes)).collect();
        let wrong_cells = self.wrong_cells(batch, &faults)?;
        // These are of use for all records.
        let writes_all = self.only.is_empty() && (table.has("correct") || table.has("wrong_cells"));
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        let verdict = |(k, fault): (usize, Option<Fault>)| {
            (writes_all || self.is_asked(fault.as_ref())).then(|| {
                let start = batch.records.starts()[k] as usize;
                line += batch.layout.count_lines(&batch.text[counted..start]);
                counted = start;
                (line, fault, wrong_cells[k])
            })
        };
        let verdicts: Vec<_> = faults.into_iter().enumerate().map(verdict).collect();
        let input = batch.input;
        each_row(move |_, k, row| {
            let Some((line, fault, wrong_cells)) = verdicts[k] else { return false };
            match row {
                Row::Text(text) => {
                    let fault = fault.map_or(String::new(), |fault| fault.to_string());
                    text.extend_from_slice(format!("{}:{line}: {fault}", escape(input)).as_bytes());
                }
                Row::Values(values) => {
                    let [of_input, of_line, name, place, reason, correct, of_wrong_cells] = values else {
                        unreachable!("there is a value for each name")
                    };
                    (*of_input, *of_line) = (Value::Text(input.into()), Value::Number(line));
                    if let Some(fault) = fault {
                        *name = Value::Word(fault.name());
                        (*place, *reason) = (Value::Text(fault.place().into()), Value::Text(fault.to_string().into()));
                    }
                    *correct = Value::Flag(fault.is_none());
                    *of_wrong_cells = wrong_cells.map_or(Value::Missing, Value::Number);
                }
            }
            true
        })
    }
}

impl Verify<'_> {
    /// The fault of record `k`, whose status is set.
    #[inline]
    fn verify(&self, batch: &BatchView, k: usize, outcomes: &mut Outcomes) -> Option<Fault> {
        let mut fault = verify_record(batch, k).err();
        if self.unique {
            fault = fault.or(match outcomes.statuses()[k] {
                Status::Multiple => Some(Fault::Multiple),
                Status::GaveUp => Some(Fault::GaveUp),
                _ => None,
            });
        }
        let status = match fault {
            None if self.unique => Status::Unique,
            None => Status::Solved,
            Some(Fault::Multiple) => Status::Multiple,
            Some(Fault::GaveUp) => Status::GaveUp,
            Some(_) => Status::Invalid,
        };
        outcomes.set_status(k, status);
        fault
    }

    /// The number of wrong cells of the answer to each record, see the help of `verify`.
    fn wrong_cells(&self, batch: &BatchView, faults: &[Option<Fault>]) -> Result<Vec<Option<u64>>, Cancelled> {
        let is_solution = |fault: &Option<Fault>| matches!(fault, None | Some(Fault::Multiple | Fault::GaveUp));
        let mut wrong: Vec<_> = faults.iter().map(|fault| is_solution(fault).then_some(0)).collect();
        let answer = |k: usize| Some((k, Puzzle::try_from(&*batch.layout.solution(batch.record(k))?).ok()?));
        let is_grid = |k: &usize| matches!(faults[*k], Some(Fault::Solution(_) | Fault::Flaw(_)));
        let answers: Vec<_> = (0..faults.len()).filter(is_grid).filter_map(answer).collect();
        let puzzles: Vec<_> = answers.iter().map(|(k, _)| batch.records.candidates(*k)).collect();
        let mut solved = Outcomes::new();
        self.solver.solve_batch((&puzzles).into(), &mut solved, batch.cancel)?;
        for ((k, answer), outcome) in answers.iter().zip(solved.iter()) {
            let solution = outcome.solution.filter(|_| outcome.status == Status::Unique);
            let count = |solution: Solution| zip(answer.cells(), solution.cells()).filter(|(a, b)| a != b).count();
            wrong[*k] = solution.map(|solution| count(solution) as u64);
        }
        self.cells.compared.fetch_add((CELLS * wrong.iter().flatten().count()) as u64, Relaxed);
        self.cells.wrong.fetch_add(wrong.iter().flatten().sum(), Relaxed);
        Ok(wrong)
    }

    /// Whether there is a row for a record with this fault.
    #[inline]
    fn is_asked(&self, fault: Option<&Fault>) -> bool {
        let result = fault.map_or("correct", Fault::name);
        let is_asked = |asked: &String| asked == result || asked == "wrong" && fault.is_some();
        if self.only.is_empty() { fault.is_some() } else { self.only.iter().any(is_asked) }
    }
}

/// Verifies record `k`.
#[inline]
fn verify_record(batch: &BatchView, k: usize) -> Result<(), Fault> {
    let (records, layout, record) = (batch.records, batch.layout, batch.record(k));
    if !records.is_puzzle(k)
        && let Some((_, reason)) = layout.diagnose(record)
    {
        return Err(Fault::Invalid(reason));
    }
    let alone = Solution::from_cells(*records.puzzles()[k].cells());
    let solution = match layout.solution(record) {
        Some(text) if !text.is_empty() => Solution::try_from(&*text).map_err(Fault::Solution),
        _ => Err(Fault::Missing),
    };
    let solution = solution.or_else(|fault| alone.ok_or(fault))?;
    records.check(k, &solution).map_err(Fault::Flaw)
}
