//! `rapidoku check`: whether each puzzle has exactly one solution.

use std::ops::ControlFlow;
use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, RowSink, Table};
use rapidoku::{Outcomes, Status};

use crate::args::OutputFormat;
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::redundant;
use crate::run::RunArgs;
use crate::solver::LimitedSolver;

/// Check whether each puzzle has exactly one solution, or filter records by the result.
///
/// Writes one status per record, in input order: unique, multiple, none, invalid, or limit. The exit code is 1
/// unless all records are unique.
///
/// CSV and JSON lines can also have the columns 'minimal' (true if no clue can be removed) and 'redundant' (the number of
/// clues that can be removed on their own). They take time only if --columns names them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku check puzzles.csv --format csv
  rapidoku check puzzles.txt --only none,invalid
  rapidoku check puzzles.txt --except unique")]
pub struct Args {
    /// Copy the input lines of the records with one of these statuses, byte for byte, instead of writing statuses.
    #[arg(long, value_enum, value_name = "STATUS,..", value_delimiter = ',', conflicts_with = "format")]
    only: Vec<Only>,

    /// Copy the input lines of the records with other statuses, byte for byte, instead of writing statuses.
    #[arg(long, value_enum, value_name = "STATUS,..", value_delimiter = ',', conflicts_with_all = ["format", "only"])]
    except: Vec<Only>,

    /// Output format: the status as text, or puzzle and status as CSV or JSON lines. By default, the extension of the
    /// output selects it, or else it is text.
    #[arg(long, value_enum)]
    format: Option<OutputFormat>,

    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Only {
    Unique,
    Multiple,
    None,
    Invalid,
    Limit,
}

/// Runs `rapidoku check`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let solver = args.search.solver(2);
    let stats = if args.only.is_empty() && args.except.is_empty() {
        let format = args.run.choose_format(args.format, OutputFormat::Text)?.format();
        let table = args.table.table(format, &COMPUTED, &["puzzle", "status"])?;
        args.run.run(solver, &Check { solver, table })?
    } else {
        // Lines of the input are no array.
        args.run.choose_format(None, OutputFormat::Text)?;
        let copies = Table::new(Format::Text).copies_lines(true);
        args.run.run(solver, &FilterByStatus { solver, statuses: args.statuses(), copies })?
    };
    Ok(ExitCode::from((stats.counts.unique < stats.records) as u8))
}

impl Args {
    /// The statuses of the records to copy.
    fn statuses(&self) -> Vec<Status> {
        let is_wanted = |only: &Only| match &self.except[..] {
            [] => self.only.contains(only),
            except => !except.contains(only),
        };
        Only::value_variants().iter().filter(|only| is_wanted(only)).map(|only| only.status()).collect()
    }
}

impl Only {
    fn status(self) -> Status {
        match self {
            Only::Unique => Status::Unique,
            Only::Multiple => Status::Multiple,
            Only::None => Status::None,
            Only::Invalid => Status::Invalid,
            Only::Limit => Status::Limit,
        }
    }
}

/// The columns that need a search for each clue.
const COMPUTED: [&str; 2] = ["minimal", "redundant"];

/// Writes the status of each record: alone as text, or in a table.
#[derive(Clone, Debug)]
struct Check {
    solver: LimitedSolver,
    table: Table,
}

impl Job for Check {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn solves_in_write(&self) -> bool {
        redundant::is_wanted(&self.table)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        if self.table.format != Format::Text {
            let counts = redundant::count(&self.table, self.solver, batch, outcomes);
            return self.table.write(batch, outcomes, rows, |k, values| {
                values.clone_from_slice(&redundant::values(&counts, k));
            });
        }
        let text = rows.text();
        for status in outcomes.statuses() {
            text.extend_from_slice(status.name().as_bytes());
            text.push(b'\n');
        }
        ControlFlow::Continue(())
    }
}

/// Copies the records with some statuses.
#[derive(Clone, Debug)]
struct FilterByStatus {
    solver: LimitedSolver,
    statuses: Vec<Status>,
    copies: Table,
}

impl Job for FilterByStatus {
    fn table(&self) -> Option<&Table> {
        Some(&self.copies)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let mut writer = self.copies.writer(batch);
        for (k, status) in outcomes.statuses().iter().enumerate() {
            if self.statuses.contains(status) {
                writer.write_row(outcomes, k, &[], rows);
            }
        }
        ControlFlow::Continue(())
    }
}
