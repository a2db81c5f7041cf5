//! `rapidoku verify`: whether the solutions in a file are correct.

use std::iter::zip;
use std::sync::atomic::Ordering::Relaxed;

use clap::builder::{PossibleValue, PossibleValuesParser};
use rapidoku::file::internal::escape;
use rapidoku::file::{BatchSolver, BatchView, Error, InputStart, Needs, Table, Value};
use rapidoku::grid::CELLS;
use rapidoku::verify::Flaw;
use rapidoku::{Cancelled, Outcomes, Puzzle, PuzzleError, Solution, Status};

use crate::args::output::{self, OutputFormat};
use crate::progress::{Cells, Work};
use crate::rows::{Columns, RowArgs, Rows};
use crate::run::Task;
use crate::solver::LimitedSolver;
use crate::stats_report::Verified;

/// Verify the solutions in a file, and write a row for each record that is wrong.
///
/// A record is a puzzle and its solution in a line, or a complete grid alone. In a table, puzzle and solution are two
/// columns. The exit code is 1 if any record is wrong. It is an error if there is no solution at the start of an input.
/// A summary goes to standard error.
///
/// With --only, it writes the records that match instead; the exit code is 1 if none does. CSV and JSON lines can have
/// the columns input, line, fault (why a record is wrong), place, reason, correct (true or false) and wrong_cells. With
/// one of the last two, every record has a row, unless --only chooses records.
///
/// 'wrong_cells' is the number of cells that differ from the solution of the puzzle, blanks included. It is 0 for every
/// solution of a puzzle with several; otherwise it is missing if the puzzle does not have exactly one solution or the
/// answer does not have 81 cells.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(OutputFormat::GRIDS))), after_help = "\
Examples:
  rapidoku verify kaggle.csv --unique
  rapidoku verify kaggle.csv --only correct -o correct.csv
  rapidoku verify kaggle.csv --passthrough --columns correct,fault,wrong_cells -o checked.csv
  rapidoku verify table.csv --column quiz --solution-column answer --format jsonl")]
pub struct Args {
    /// Also require that each solution is the only one of its puzzle.
    #[arg(long)]
    unique: bool,

    /// Write the records with one of these results, with all columns of the input, instead of the results. Text has
    /// copies of the records, byte for byte.
    #[arg(long, value_name = "STATUS,..", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(RESULTS.map(|(name, help)| PossibleValue::new(name).help(help))))]
    only: Vec<String>,

    #[command(flatten)]
    rows: RowArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Output format: 'input:line: reason' as text, or input, line, record, fault, place and reason as CSV or JSON \
    lines; of a filter, the records, also as a NumPy array. By default, the extension of the output selects it, or else it is text";

/// Results of records: `correct`, all others, and the names of faults.
const RESULTS: [(&str, &str); 10] = [
    ("correct", "The solution is that of the puzzle"),
    ("wrong", "All others"),
    ("invalid", "The record is not a puzzle"),
    ("missing", "There is no solution"),
    ("solution", "The solution is not a complete grid"),
    ("clue", "The solution contradicts a clue"),
    ("candidate", "The solution contradicts the candidates of a cell"),
    ("house", "The solution has a digit twice in a row, column or box"),
    ("multiple", "With --unique: the puzzle has other solutions"),
    ("gave-up", "With --unique: --max-guesses was reached"),
];

/// Runs `rapidoku verify`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let rows = &args.rows;
    let solver = rows.search.solver(2);
    let is_filter = !args.only.is_empty();
    let report = ["input", "line", "record", "fault", "place", "reason"];
    let table = rows.table.unsolved(rows.table_or_copies(is_filter, &COMPUTED, &report)?)?;
    let cells = Cells::default();
    let (work, asked) = (Work::Verifying(&cells), args.unique.then_some(solver));
    let job = Rows::new(asked, table, Verify { solver, args, cells: &cells });
    let task = Task { work, solver: asked, reports_invalid: true, outlives_reader: !is_filter, ..Task::default() };
    let stats = rows.run.run(&task, &job)?;
    let verified = Verified(&stats.counts, &cells);
    rows.run.output.message(format_args!("solutions verified: {}, {verified}", stats.records));
    if is_filter {
        return Ok(rows.run.report_kept(stats.records, job.kept.into_inner()));
    }
    let correct = stats.counts.solved + stats.counts.unique;
    Ok((correct < stats.records).into())
}

/// The columns of a result.
const COMPUTED: [&str; 7] = ["input", "line", "fault", "place", "reason", "correct", "wrong_cells"];

/// Checks the solution of each record, and writes a row for each record that is wrong, or the records with some
/// results.
///
/// A record is a puzzle, separators and a solution, or a complete grid followed by anything. The solution of
/// pencilmarks must consist of candidates. A text row is `input:line: reason`; in a table, `fault` is a [`Fault::name`]
/// and `place` the first wrong cell or house.
///
/// The status becomes [`Status::Invalid`] for a wrong record. A correct solution has the status [`Status::Multiple`]
/// if it is not unique, [`Status::GaveUp`] if the search gave up, [`Status::Unique`] if it is unique, and
/// [`Status::Solved`] if uniqueness was not checked.
struct Verify<'a> {
    solver: LimitedSolver,
    args: &'a Args,
    cells: &'a Cells,
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

/// What is written of a record: its line, its fault and its number of wrong cells.
type Verdict = (u64, Option<Fault>, Option<u64>);

impl Columns for Verify<'_> {
    const NAMES: &'static [&'static str] = &COMPUTED;

    /// The name of the input, and the records that have a row.
    type Found = (String, Vec<Option<Verdict>>);

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

    fn find(&self, table: &Table, batch: &BatchView, outcomes: &mut Outcomes) -> Result<Self::Found, Cancelled> {
        let faults: Vec<_> = (0..batch.records.len()).map(|k| self.verify(batch, k, outcomes)).collect();
        let wrong_cells = self.wrong_cells(batch, &faults)?;
        // These are of use for all records.
        let writes_all = self.args.only.is_empty() && (table.has("correct") || table.has("wrong_cells"));
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        let verdict = |(k, fault): (usize, Option<Fault>)| {
            (writes_all || self.is_asked(fault.as_ref())).then(|| {
                let start = batch.records.starts()[k] as usize;
                line += batch.layout.count_lines(&batch.text[counted..start]);
                counted = start;
                (line, fault, wrong_cells[k])
            })
        };
        Ok((batch.input.to_owned(), faults.into_iter().enumerate().map(verdict).collect()))
    }

    fn is_kept(&self, (_, verdicts): &Self::Found, _: &Outcomes, k: usize) -> bool {
        verdicts[k].is_some()
    }

    fn text(&self, (input, verdicts): &Self::Found, _: &Outcomes, k: usize, text: &mut Vec<u8>) {
        if let Some((line, Some(fault), _)) = verdicts[k] {
            text.extend_from_slice(format!("{}:{line}: {fault}", escape(input)).as_bytes());
        }
    }

    fn set<'v>(&self, _: &Table, (input, verdicts): &'v Self::Found, _: &Outcomes, k: usize, values: &mut [Value<'v>]) {
        let Some((line, fault, wrong_cells)) = verdicts[k] else { return };
        let [of_input, of_line, name, place, reason, correct, of_wrong_cells] = values else {
            unreachable!("there is a value for each name")
        };
        (*of_input, *of_line) = (Value::Text(input.into()), Value::Number(line));
        *correct = Value::Flag(fault.is_none());
        *of_wrong_cells = wrong_cells.map_or(Value::Missing, Value::Number);
        if let Some(fault) = fault {
            *name = Value::Word(fault.name());
            (*place, *reason) = (Value::Text(fault.place().into()), Value::Text(fault.to_string().into()));
        }
    }
}

impl Verify<'_> {
    /// The fault of record `k`, whose status is set.
    #[inline]
    fn verify(&self, batch: &BatchView, k: usize, outcomes: &mut Outcomes) -> Option<Fault> {
        let mut fault = verify_record(batch, k).err();
        if self.args.unique {
            fault = fault.or(match outcomes.statuses()[k] {
                Status::Multiple => Some(Fault::Multiple),
                Status::GaveUp => Some(Fault::GaveUp),
                _ => None,
            });
        }
        let status = match fault {
            None if self.args.unique => Status::Unique,
            None => Status::Solved,
            Some(Fault::Multiple) => Status::Multiple,
            Some(Fault::GaveUp) => Status::GaveUp,
            Some(_) => Status::Invalid,
        };
        outcomes.set_status(k, status);
        fault
    }

    /// The number of wrong cells of the answer to each record, see [`Args`].
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
        let only = &self.args.only;
        let result = fault.map_or("correct", Fault::name);
        let is_asked = |asked: &String| asked == result || asked == "wrong" && fault.is_some();
        if only.is_empty() { fault.is_some() } else { only.iter().any(is_asked) }
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
