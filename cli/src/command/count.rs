//! `rapidoku count`: the number of solutions of each puzzle.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::process::ExitCode;

use rapidoku::Outcomes;
use rapidoku::file::internal::{Row, push_number, puzzle_text};
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Layout, RowSink};

use crate::args::OutputFormat;
use crate::args::solver::SearchArgs;
use crate::run::RunArgs;
use crate::solver::LimitedSolver;

/// Count the solutions of each puzzle, up to a limit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions of a puzzle.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Output format: the number alone, or puzzle, solutions and status as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = OutputFormat::Text)]
    format: OutputFormat,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku count`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = args.search.solver(args.limit);
    args.run.run(solver, &Count { solver, format: args.format.format() })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the number of solutions of each record, up to the limit of the search: alone as text, or in the columns
/// `puzzle,solutions,status`.
#[derive(Clone, Copy, Debug)]
struct Count {
    solver: LimitedSolver,
    format: Format,
}

impl Job for Count {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(self.format.header(b"puzzle,solutions,status\n")))
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let text = rows.text();
        let counted = outcomes.statuses().iter().zip(outcomes.solution_counts());
        for ((&status, &solutions), &start) in counted.zip(batch.records.starts()) {
            if self.format == Format::Text {
                push_number(text, solutions);
                text.push(b'\n');
            } else {
                Row::start(text, self.format)
                    .word("puzzle", &puzzle_text(batch, start, status))
                    .number("solutions", solutions)
                    .word("status", status.name().as_bytes())
                    .end();
            }
        }
        ControlFlow::Continue(())
    }
}
