//! `rapidoku check`: whether each puzzle has exactly one solution.

use std::ops::{ControlFlow, RangeInclusive};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueEnum;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Needs, RowSink, Table};
use rapidoku::rating::{Difficulty, Rater, Rating, Verdict};
use rapidoku::{Cancelled, Outcomes, Status};

use crate::args::number::parse_er;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::redundant;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;
use crate::stderr;

/// Check whether each puzzle has exactly one solution, or filter records by the result.
///
/// Writes one status per record, in input order: unique, multiple, none, invalid, or limit. The exit code is 1
/// unless all records are unique. With --only, --except or --er, it writes the records that match instead; the exit code is 1 if
/// none does, and a message has the numbers.
///
/// CSV and JSON lines can also have the columns 'minimal' (true if no clue can be removed) and 'redundant' (the number of
/// clues that can be removed on their own). They take time only if --columns names them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku check puzzles.csv --format csv
  rapidoku check puzzles.txt --only none,invalid
  rapidoku check puzzles.txt --except unique
  rapidoku check puzzles.txt --er 4.0..5.0 > medium.txt")]
pub struct Args {
    /// Copy the input lines of the records with one of these statuses, byte for byte, instead of writing statuses.
    #[arg(long, value_enum, value_name = "STATUS,..", value_delimiter = ',', conflicts_with = "format")]
    only: Vec<Only>,

    /// Copy the input lines of the records with other statuses, byte for byte, instead of writing statuses.
    #[arg(long, value_enum, value_name = "STATUS,..", value_delimiter = ',', conflicts_with_all = ["format", "only"])]
    except: Vec<Only>,

    /// Write the input lines of the puzzles with one solution whose rating on the scale of Sudoku Explainer is in this range:
    /// 4.0..5.0, or 7.1. See 'rapidoku rate'.
    #[arg(long, value_name = "A..B", value_parser = parse_er, conflicts_with_all = ["format", "only", "except"])]
    er: Option<RangeInclusive<Difficulty>>,

    /// Output format: the status as text, or puzzle and status as CSV or JSON lines. By default, the extension of the
    /// output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
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
    if args.only.is_empty() && args.except.is_empty() && args.er.is_none() {
        let format = args.run.choose_format(args.format, OutputFormat::ROWS)?.format();
        let table = args.table.table(format, &COMPUTED, &["puzzle", "status"])?;
        let stats = args.run.run(&Task::solving(solver), &Check { solver, table })?;
        Ok(ExitCode::from((stats.counts.unique < stats.records) as u8))
    } else {
        // Lines of the input are no array.
        args.run.choose_format(None, OutputFormat::ROWS)?;
        let copies = Table::new(Format::Text).copies_lines(true);
        let kept = AtomicU64::new(0);
        let filter = Filter { solver, statuses: args.statuses(), er: args.er.clone(), copies, kept };
        let records = args.run.run(&Task::solving(solver), &filter)?.records;
        let kept = filter.kept.into_inner();
        if !args.run.is_quiet() {
            stderr::message(format_args!("records: {records}, kept: {kept}, left out: {}", records - kept));
        }
        Ok(ExitCode::from((kept == 0) as u8))
    }
}

impl Args {
    /// The statuses of the records to copy.
    fn statuses(&self) -> Vec<Status> {
        if self.er.is_some() {
            return vec![Status::Unique];
        }
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
            Only::None => Status::NoSolution,
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

    fn needs(&self) -> Needs<'_> {
        Needs { solves_in_write: redundant::is_wanted(&self.table), ..Needs::default() }
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

/// Copies the records with some statuses, and with ratings in a range.
struct Filter {
    solver: LimitedSolver,
    statuses: Vec<Status>,
    er: Option<RangeInclusive<Difficulty>>,
    copies: Table,
    /// The number of records that were copied.
    kept: AtomicU64,
}

impl Filter {
    /// The ratings of the records of a batch, or `None` if they do not matter.
    fn ratings(&self, batch: &BatchView) -> Result<Option<Vec<Rating>>, Cancelled> {
        let rate = |range: &RangeInclusive<Difficulty>| {
            let rater = Rater::new().threads(1).up_to(*range.end());
            rater.rate_all(batch.records.puzzle_slice(), batch.cancel)
        };
        self.er.as_ref().map(rate).transpose()
    }
}

impl Job for Filter {
    fn needs(&self) -> Needs<'_> {
        // The hardest puzzles take a second each.
        let max_batch_bytes = if self.er.is_some() { 16 << 10 } else { usize::MAX };
        Needs { solves_in_write: self.er.is_some(), max_batch_bytes, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.copies)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        // The run knows whether it was cancelled.
        let Ok(ratings) = self.ratings(batch) else { return ControlFlow::Break(()) };
        let is_wanted = |k: usize| match (&ratings, &self.er) {
            (Some(ratings), Some(range)) => {
                ratings[k].verdict == Verdict::Rated && range.contains(&ratings[k].er)
            }
            _ => true,
        };
        let mut writer = self.copies.writer(batch);
        let mut kept = 0;
        for (k, status) in outcomes.statuses().iter().enumerate() {
            if self.statuses.contains(status) && is_wanted(k) {
                kept += 1;
                writer.write_row(outcomes, k, &[], rows);
            }
        }
        self.kept.fetch_add(kept, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}
