//! `rapidoku verify`: whether the solutions in a file are correct.

use std::fmt;
use std::ops::ControlFlow;
use std::process::ExitCode;

use rapidoku::file::internal::{Row, escape, is_separator, parse_line};
use rapidoku::file::{
    BatchSolver, BatchView, Error, Format, InputStart, Job, Layout, Needs, Records, RowSink,
};
use rapidoku::grid::CELLS;
use rapidoku::verify::{self, Flaw};
use rapidoku::{Outcomes, Puzzle, PuzzleError, SimdLevel, Solution, Status};

use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};
use crate::solution::EXAMINED;
use crate::solver::LimitedSolver;
use crate::stats_report::Verified;
use crate::stderr;

/// Verify the solutions in a file, and write a row for each record that is wrong.
///
/// A record is a puzzle, a separator (space, tab, comma or semicolon) and its solution, or a complete grid alone. In a table,
/// puzzle and solution are two columns. The exit code is 1 if any record is wrong. It is an error if the first 32 KiB of an
/// input have puzzles but no solution. A summary goes to standard error.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku verify kaggle.csv --unique
  rapidoku verify table.csv --column quiz --solution-column answer --format jsonl")]
pub struct Args {
    /// Also require that each solution is the only one of its puzzle.
    #[arg(long)]
    unique: bool,

    /// Output format: 'input:line: reason' as text, or input, line, record, fault, place and reason as CSV or JSON
    /// lines. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku verify`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = args.search.solver(2);
    let format = args.run.choose_format(args.format, OutputFormat::ROWS)?.format();
    let job = Verify { solver, unique: args.unique, format };
    let task = Task::new(Work::Verifying, args.unique.then_some(solver)).reports_invalid();
    let stats = args.run.run(&task, &job)?;
    if !args.run.is_quiet() {
        let verified = Verified::new(&stats.counts);
        stderr::message(format_args!("solutions verified: {}, {verified}", stats.records));
    }
    let correct = stats.counts.solved + stats.counts.unique;
    Ok(ExitCode::from((correct < stats.records) as u8))
}

/// Checks the solution of each record, and writes a row for each record that is wrong.
///
/// A record is a puzzle, separators and a solution, or a complete grid followed by anything. The solution of
/// pencilmarks must consist of candidates. A text row is `input:line: reason`; otherwise the columns are
/// `input,line,record,fault,place,reason`, where `fault` is a [`Fault::name`] and `place` the first wrong cell or
/// house.
///
/// The status becomes [`Status::Invalid`] for a wrong record. A correct solution has the status [`Status::Multiple`]
/// if it is not unique, [`Status::Limit`] if the search gave up, [`Status::Unique`] if it is unique, and
/// [`Status::Solved`] if uniqueness was not checked.
#[derive(Clone, Copy, Debug)]
struct Verify {
    solver: LimitedSolver,
    /// Whether to check that solutions are unique.
    unique: bool,
    format: Format,
}

/// The reason why a record is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The record is not a puzzle.
    Invalid(PuzzleError),
    /// The puzzle has blanks and is not followed by a solution.
    Missing,
    /// The text after the puzzle is not a complete grid.
    Solution(PuzzleError),
    /// The solution breaks the rules or contradicts the puzzle.
    Flaw(Flaw),
    /// The puzzle has another solution.
    Multiple,
    /// The search for another solution reached the cap on guesses.
    Limit,
}

impl Fault {
    /// `invalid`, `missing`, `solution`, `clue`, `candidate`, `house`, `multiple` or `limit`.
    fn name(&self) -> &'static str {
        match self {
            Fault::Invalid(_) => "invalid",
            Fault::Missing => "missing",
            Fault::Solution(_) => "solution",
            Fault::Flaw(Flaw::Clue { .. }) => "clue",
            Fault::Flaw(Flaw::Candidate { .. }) => "candidate",
            Fault::Flaw(Flaw::House { .. }) => "house",
            Fault::Multiple => "multiple",
            Fault::Limit => "limit",
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

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Invalid(reason) => reason.fmt(f),
            Fault::Missing => f.write_str("no solution given"),
            Fault::Solution(reason) => write!(f, "solution: {reason}"),
            Fault::Flaw(flaw) => flaw.fmt(f),
            Fault::Multiple => f.write_str("not the only solution"),
            Fault::Limit => f.write_str("given up before it was known to be the only solution"),
        }
    }
}

impl Job for Verify {
    fn needs(&self) -> Needs<'_> {
        Needs {
            header: self.format.header(b"input,line,record,fault,place,reason\n"),
            numbers: true,
            whole_lines: true,
            solves_in_write: true,
            examined_bytes: EXAMINED,
            ..Needs::default()
        }
    }

    /// Rejects files of puzzles without solutions: one message instead of one per record.
    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        let &InputStart { layout, text, .. } = input;
        let whole = if text.len() <= EXAMINED { text.len() } else { EXAMINED };
        let end = memchr::memrchr(b'\n', &text[..whole]).filter(|_| whole < text.len());
        let text = &text[..end.map_or(whole, |end| end + 1)];
        let mut records = Records::default();
        records.read_as(layout, text, SimdLevel::default());
        let mut missing = 0;
        for (k, &start) in records.starts().iter().enumerate() {
            match verify_record(&records, k, layout, text, start as usize) {
                Err(Fault::Missing) => missing += 1,
                Err(Fault::Invalid(_)) => {}
                _ => return Ok(()),
            }
        }
        if missing < 2 {
            return Ok(());
        }
        Err(input.reject(
            "no solutions: the records are puzzles alone; 'verify' expects a solution after each puzzle, or the option \
             --solution-column ('solve' and 'check' need none)",
        ))
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        self.unique.then_some(&self.solver as &dyn BatchSolver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        let mut correct = Status::Solved;
        for (k, &start) in batch.records.starts().iter().enumerate() {
            let start = start as usize;
            let mut fault = verify_record(batch.records, k, batch.layout, batch.text, start).err();
            if self.unique {
                correct = Status::Unique;
                fault = fault.or(match outcomes.statuses()[k] {
                    Status::Multiple => Some(Fault::Multiple),
                    Status::Limit => Some(Fault::Limit),
                    _ => None,
                });
            }
            let status = match fault {
                None => correct,
                Some(Fault::Multiple) => Status::Multiple,
                Some(Fault::Limit) => Status::Limit,
                Some(_) => Status::Invalid,
            };
            outcomes.set_status(k, status);
            if let Some(fault) = fault {
                line += batch.layout.count_lines(&batch.text[counted..start]);
                counted = start;
                self.write_row(batch, line, k, &fault, rows.text());
            }
        }
        ControlFlow::Continue(())
    }
}

impl Verify {
    fn write_row(&self, batch: &BatchView, line: u64, k: usize, fault: &Fault, text: &mut Vec<u8>) {
        if self.format == Format::Text {
            text.extend_from_slice(format!("{}:{line}: {fault}\n", escape(batch.input)).as_bytes());
        } else {
            Row::start(text, self.format)
                .string("input", batch.input)
                .number("line", line)
                .number("record", batch.records_before + k as u64 + 1)
                .word("fault", fault.name().as_bytes())
                .word("place", fault.place().as_bytes())
                .string("reason", &fault.to_string())
                .end();
        }
    }
}

/// Verifies record `k`, which starts at `start` of `text`.
#[inline]
fn verify_record(
    records: &Records,
    k: usize,
    layout: &Layout,
    text: &[u8],
    start: usize,
) -> Result<(), Fault> {
    if !records.is_puzzle(k)
        && let Some((_, reason)) = layout.diagnose(text, start)
    {
        return Err(Fault::Invalid(reason));
    }
    let puzzle = &records.puzzles()[k];
    if layout.is_lines() && is_solved_line(puzzle, &text[start..]) {
        return Ok(());
    }
    let alone = Solution::from_cells(*puzzle.cells());
    let field = layout.solution(text, start);
    let field = field.as_ref().map(|(column, field)| (*column, &**field));
    let solution = given_solution(field, alone)?;
    records.check(k, &solution).map_err(Fault::Flaw)
}

/// Whether the line at the start of `text` has a solution after a single separator, as nearly all lines have.
fn is_solved_line(puzzle: &Puzzle, text: &[u8]) -> bool {
    let Some((_, rest)) = text.split_at_checked(CELLS + 1) else { return false };
    let solution = rest.first_chunk().and_then(parse_digits).filter(|_| is_field_end(rest.get(CELLS)));
    solution.is_some_and(|solution| verify::check(puzzle, &solution).is_ok())
}

/// The solution that a record gives: that of its `field`, which starts at a column of the line, or else the record
/// `alone`, if it is a complete grid.
fn given_solution(field: Option<(usize, &[u8])>, alone: Option<Solution>) -> Result<Solution, Fault> {
    let parsed = match field {
        Some((column, field)) if !field.is_empty() => {
            parse_solution(field, column as u32).map_err(Fault::Solution)
        }
        _ => Err(Fault::Missing),
    };
    parsed.or_else(|fault| alone.ok_or(fault))
}

/// Parses a grid without blanks in one vectorisable pass.
fn parse_digits(text: &[u8; CELLS]) -> Option<Solution> {
    Solution::from_cells(text.map(|byte| byte.wrapping_sub(b'0')))
}

fn is_field_end(byte: Option<&u8>) -> bool {
    byte.is_none_or(|&byte| byte == b'\n' || byte == b'\r' || is_separator(byte))
}

/// Parses a solution that starts `column` bytes into its line.
fn parse_solution(text: &[u8], column: u32) -> Result<Solution, PuzzleError> {
    let puzzle = parse_line(text).map_err(|reason| match reason {
        PuzzleError::BadCharacter { column: within, byte } => {
            PuzzleError::BadCharacter { column: column + within, byte }
        }
        other => other,
    })?;
    puzzle.try_into()
}
