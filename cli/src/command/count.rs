//! `rapidoku count`: the number of solutions of each puzzle.

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueHint;
use rapidoku::Outcomes;
use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, RowSink, Table};

use crate::args::number::parse_positive;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Count the solutions of each puzzle, up to a limit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions of a puzzle.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1_000_000, value_parser = parse_positive)]
    limit: u64,

    /// Output format: the number as text, or puzzle, solutions and status as CSV or JSON lines. By default, the extension
    /// of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku count`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = args.search.solver(args.limit);
    let format = args.run.choose_format(args.format, OutputFormat::ROWS)?.format();
    let table = args.table.table(format, &[], &["puzzle", "solutions", "status"])?;
    args.run.run(&Task::solving(solver), &Count { solver, table })?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the number of solutions of each record, up to the limit of the search: alone as text, or in a table.
#[derive(Clone, Debug)]
struct Count {
    solver: LimitedSolver,
    table: Table,
}

impl Job for Count {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        if self.table.format != Format::Text {
            return self.table.write(batch, outcomes, rows, |_, _| ());
        }
        let text = rows.text();
        for &solutions in outcomes.solution_counts() {
            push_number(text, solutions);
            text.push(b'\n');
        }
        ControlFlow::Continue(())
    }
}
