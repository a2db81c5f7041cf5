//! `rapidoku count`: the number of solutions of each puzzle.

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueHint;
use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, RowSink, Table, Value};
use rapidoku::{CancelToken, Cancelled, Outcomes, PuzzleSlice, Status};

use crate::args::number::parse_positive;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Count the solutions of each puzzle, up to a limit.
///
/// If a puzzle has more solutions than were counted, or may have more, the number in text is a lower bound ('>=1000'), and the
/// column 'exact' of CSV and JSON lines is false. The column 'solutions' is always a number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions of a puzzle.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1_000_000, value_parser = parse_positive)]
    limit: u64,

    /// Output format: the number as text, or puzzle, solutions, exact and status as CSV or JSON lines. By default, the
    /// extension of the output selects it, or else it is text.
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
    let format = args.table.choose_format(args.run.output_path(), args.format, OutputFormat::ROWS)?.format();
    let table = args.table.table(format, &["exact"], &["puzzle", "solutions", "exact", "status"])?;
    let found = AtomicU64::new(0);
    let job = Count { solver, table, found: &found };
    args.run.run(&Task::new(Work::Enumerating(&found), Some(solver)), &job)?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the number of solutions of each record, up to the limit of the search: alone as text, or in a table.
#[derive(Clone, Debug)]
struct Count<'a> {
    solver: LimitedSolver,
    table: Table,
    /// The number of solutions found so far.
    found: &'a AtomicU64,
}

impl Job for Count<'_> {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(self)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let limit = self.solver.limits.solutions.get();
        // Whether there are no more solutions than were found, if the record is a puzzle.
        let is_exact = |k: usize| match outcomes.statuses()[k] {
            Status::Invalid => None,
            Status::Limit => Some(false),
            _ => Some(outcomes.solution_counts()[k] < limit),
        };
        if self.table.format != Format::Text {
            return self.table.write(batch, outcomes, rows, |k, values| {
                values[0] = is_exact(k).map_or(Value::Missing, Value::Flag);
            });
        }
        let text = rows.text();
        for (k, &solutions) in outcomes.solution_counts().iter().enumerate() {
            if is_exact(k) == Some(false) {
                text.extend_from_slice(b">=");
            }
            push_number(text, solutions);
            text.push(b'\n');
        }
        ControlFlow::Continue(())
    }
}

impl BatchSolver for Count<'_> {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.solver.count(puzzles, outcomes, cancel, |more| _ = self.found.fetch_add(more, Ordering::Relaxed))
    }

    fn accept_candidates(&self) -> Result<(), String> {
        self.solver.accept_candidates()
    }
}
