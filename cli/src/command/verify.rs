//! `rapidoku verify`: are the solutions in a file right?

use std::borrow::Cow;
use std::fmt;
use std::ops::ControlFlow;
use std::process::ExitCode;

use rapidoku::file::internal::{Row, is_separator, line_at, parse_line};
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Layout, Records, RowSink};
use rapidoku::grid::CELLS;
use rapidoku::verify::{self, Flaw};
use rapidoku::{CancelToken, Cancelled, Outcomes, Puzzle, PuzzleError, Solution, Status};

use crate::run::{Form, RunArgs, SearchArgs, accept_pencilmarks};
use crate::solver::LimitedSolver;

/// Check the solutions that records carry, and write a row for each that is wrong.
///
/// A record is a puzzle, a separator (space, tab, comma or semicolon) and its solution, or a finished grid alone.
/// The exit code is 1 if any is wrong. Statistics count wrong records as invalid.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku verify kaggle.csv --unique
  rapidoku verify table.csv --column quiz --solution-column answer --format jsonl")]
pub struct Args {
    /// Each solution must also be the only one of its puzzle.
    #[arg(long)]
    unique: bool,

    /// Form of the output: input:line: reason, or input,line,record,fault,place,reason as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = args.search.up_to(2);
    let job = Verify { solver, unique: args.unique, format: args.format.format() };
    let stats = args.run.run(solver, &job)?;
    let right = stats.counts.solved + stats.counts.unique;
    Ok(ExitCode::from((right < stats.records) as u8))
}

/// Checks the solution that each record carries, and writes a row for each record at fault.
///
/// A record is a puzzle, separators, and its solution; or a finished grid alone, after which anything may
/// stand. Of pencilmarks a solution takes its digits. As text a row is `input:line: reason`, and else the fields `input,line,record,fault,place,reason`,
/// where `fault` is one of the words of [`Fault::name`] and `place` the first wrong cell or house.
///
/// The status left is [`Status::Invalid`] for a record at fault, but [`Status::Multiple`] and [`Status::Limit`]
/// for those whose solution is right, but not or not known to be the only one; else [`Status::Unique`], or
/// [`Status::Solved`] where nobody asked.
#[derive(Clone, Copy, Debug)]
struct Verify {
    solver: LimitedSolver,
    /// Whether a solution must be the only one.
    unique: bool,
    /// Form of the output.
    format: Format,
}

/// What is wrong with a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// It is no puzzle.
    Invalid(PuzzleError),
    /// It has blanks, and no solution follows.
    Missing,
    /// What follows is no grid.
    Solution(PuzzleError),
    /// The solution is none.
    Flaw(Flaw),
    /// There is another solution.
    Multiple,
    /// The cap on guesses ended the search for another.
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

    /// The first cell or house at fault, or nothing.
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
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(self.format.header(b"input,line,record,fault,place,reason\n")))
    }

    fn needs_numbers(&self) -> bool {
        true
    }

    fn reports_invalid(&self) -> bool {
        true
    }

    fn needs_whole_lines(&self) -> bool {
        true
    }

    fn accept(&self, layout: &Layout) -> Result<(), String> {
        if self.unique { accept_pencilmarks(&self.solver, layout) } else { Ok(()) }
    }

    fn solve(
        &self,
        records: &Records,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        if self.unique {
            return self.solver.solve_batch(records.puzzle_slice(), outcomes, cancel);
        }
        outcomes.reset(records.len());
        Ok(())
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        let mut right = Status::Solved;
        for (k, (puzzle, &start)) in batch.records.puzzles().iter().zip(batch.records.starts()).enumerate() {
            let start = start as usize;
            let mut fault = match batch.layout {
                layout if layout.is_lines() => judge(puzzle, &batch.text[start..]).err(),
                layout => judge_apart(batch.records, k, layout, batch.text, start).err(),
            };
            if self.unique {
                right = Status::Unique;
                fault = fault.or(match outcomes.statuses()[k] {
                    Status::Multiple => Some(Fault::Multiple),
                    Status::Limit => Some(Fault::Limit),
                    _ => None,
                });
            }
            let status = match fault {
                None => right,
                Some(Fault::Multiple) => Status::Multiple,
                Some(Fault::Limit) => Status::Limit,
                Some(_) => Status::Invalid,
            };
            outcomes.set_status(k, status);
            if let Some(fault) = fault {
                line += memchr::memchr_iter(b'\n', &batch.text[counted..start]).count() as u64;
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
            text.extend_from_slice(format!("{}:{line}: {fault}\n", batch.input).as_bytes());
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

/// Judges the record at the start of `text` whose puzzle was read as `puzzle`.
fn judge(puzzle: &Puzzle, text: &[u8]) -> Result<(), Fault> {
    // The way of nearly all records: the solution follows a single separator.
    if let Some((_, rest)) = text.split_at_checked(CELLS + 1)
        && let Some(digits) = rest.first_chunk()
        && let Some(solution) = digits_of(digits)
        && is_end(rest.get(CELLS))
        && verify::check(puzzle, &solution).is_ok()
    {
        return Ok(());
    }
    let line = line_at(text, 0);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    parse_line(line).map_err(Fault::Invalid)?;
    let column = line[CELLS..].iter().take_while(|&&byte| is_separator(byte)).count() + CELLS;
    let alone = Solution::from_cells(*puzzle.cells());
    let solution = match (parse_solution(&line[column..], column as u32), alone) {
        (Ok(solution), _) => solution,
        (Err(_), Some(grid)) => grid,
        (Err(_), None) if column == line.len() => return Err(Fault::Missing),
        (Err(reason), None) => return Err(Fault::Solution(reason)),
    };
    verify::check(puzzle, &solution).map_err(Fault::Flaw)
}

/// Judges the record at `start` of `text`, whose puzzle and solution stand apart.
fn judge_apart(records: &Records, k: usize, layout: &Layout, text: &[u8], start: usize) -> Result<(), Fault> {
    // To read a puzzle once more takes as long as all the rest, and a malformed one may be one that looks like that.
    if records.puzzles()[k] == Puzzle::MALFORMED
        && layout.cells(text, start).is_none()
        && let Some((_, reason)) = layout.diagnose(text, start)
    {
        return Err(Fault::Invalid(reason));
    }
    let solution = match (layout.solution(text, start), Solution::from_cells(*records.puzzles()[k].cells())) {
        (Some((_, [])) | None, None) => return Err(Fault::Missing),
        (Some((column, field)), alone) => match (parse_solution(field, column as u32), alone) {
            (Ok(solution), _) | (Err(_), Some(solution)) => solution,
            (Err(reason), None) => return Err(Fault::Solution(reason)),
        },
        (None, Some(grid)) => grid,
    };
    records.check(k, &solution).map_err(Fault::Flaw)
}

/// The digits of a grid without blanks, all at once.
fn digits_of(text: &[u8; CELLS]) -> Option<Solution> {
    Solution::from_cells(text.map(|byte| byte.wrapping_sub(b'0')))
}

fn is_end(byte: Option<&u8>) -> bool {
    byte.is_none_or(|&byte| byte == b'\n' || byte == b'\r' || is_separator(byte))
}

/// Reads a solution that starts `column` bytes into its line.
fn parse_solution(text: &[u8], column: u32) -> Result<Solution, PuzzleError> {
    let puzzle = parse_line(text).map_err(|reason| match reason {
        PuzzleError::BadCharacter { column: within, byte } => {
            PuzzleError::BadCharacter { column: column + within, byte }
        }
        other => other,
    })?;
    puzzle.try_into()
}
