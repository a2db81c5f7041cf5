//! `rapidoku count`: how many solutions does each puzzle have?

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::process::ExitCode;

use rapidoku::file::internal::{Row, push_number, puzzle_text};
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Layout, Records, RowSink};
use rapidoku::{CancelToken, Cancelled, Outcomes};

use crate::run::{Form, RunArgs, SearchArgs, accept_pencilmarks};
use crate::solver::LimitedSolver;

/// Count the solutions of each record, up to a limit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Form of the output: numbers only, or puzzle,solutions,status as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = args.search.up_to(args.limit);
    args.run.run(solver, &Count { solver, format: args.format.format() })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the number of solutions of each record, up to the limit of the search: as a number per line, or
/// with the puzzle under `puzzle,solutions,status`.
#[derive(Clone, Copy, Debug)]
struct Count {
    solver: LimitedSolver,
    /// Form of the output.
    format: Format,
}

impl Job for Count {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(self.format.header(b"puzzle,solutions,status\n")))
    }

    fn accept(&self, layout: &Layout) -> Result<(), String> {
        accept_pencilmarks(&self.solver, layout)
    }

    fn solve(
        &self,
        records: &Records,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.solver.solve_batch(records.puzzle_slice(), outcomes, cancel)
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
