//! `rapidoku check`: whether each puzzle has exactly one solution.

use std::ops::{ControlFlow, RangeInclusive};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use clap::ValueEnum;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Needs, RowSink, Table};
use rapidoku::rating::{Difficulty, Rater, Rating, Verdict};
use rapidoku::{Cancelled, Outcomes, Status};

use crate::args::copies::copies;
use crate::args::filter::FilterArgs;
use crate::args::number::parse_er;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::redundant;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Check whether each puzzle has exactly one solution, or filter records by the result.
///
/// Writes one status per record, in input order: unique, multiple, none, invalid, or limit. The exit code is 1
/// unless all records are unique. With --only or --er, it writes the records that match instead; the exit code is 1 if
/// none does, and a message has the numbers.
///
/// CSV and JSON lines can also have the columns 'minimal' (true if no clue can be removed) and 'redundant' (the number of
/// clues that can be removed on their own). They take time only if --columns names them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku check puzzles.csv --format csv
  rapidoku check puzzles.txt --only none,invalid
  rapidoku check puzzles.txt --er 4.0..5.0 > medium.txt
  rapidoku check train.npy --only unique -o proper.npy")]
pub struct Args {
    #[command(flatten)]
    filter: FilterArgs<Only>,

    /// Write the records that are puzzles with one solution whose rating on the scale of Sudoku Explainer is in this range:
    /// 4.0..5.0, or 7.1. See 'rapidoku rate'.
    #[arg(long, value_name = "A..B", value_parser = parse_er, conflicts_with = "only")]
    er: Option<RangeInclusive<Difficulty>>,

    /// Output format: the status as text, or puzzle and status as CSV or JSON lines; of a filter, the records, also as a NumPy
    /// array. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::GRIDS))]
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
    let is_filter = args.filter.is_on() || args.er.is_some();
    let written = if is_filter { OutputFormat::GRIDS } else { OutputFormat::ROWS };
    let format = args.table.choose_format(args.run.output_path(), args.format, written)?.format();
    let defaults: &[&str] = if is_filter { &[] } else { &["puzzle", "status"] };
    let mut table = args.table.table(format, &COMPUTED, defaults)?;
    if is_filter {
        table = copies(&args.table, table);
    }
    let kept = AtomicU64::new(0);
    let statuses = is_filter.then(|| args.statuses());
    let er = args.er.clone().map(|range| (args.search.rater().up_to(*range.end()), range));
    let job = Check { solver, table, statuses, er, kept };
    let stats = args.run.run(&Task::solving(solver), &job)?;
    Ok(match is_filter {
        true => args.run.report_kept(stats.records, job.kept.into_inner()),
        false => ExitCode::from((stats.counts.unique < stats.records) as u8),
    })
}

impl Args {
    /// The statuses of the records to write.
    fn statuses(&self) -> Vec<Status> {
        if self.er.is_some() {
            return vec![Status::Unique];
        }
        let is_kept = |status: &&Only| self.filter.keeps(|other| other == *status);
        Only::value_variants().iter().filter(is_kept).map(|only| only.status()).collect()
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

/// Writes the status of each record, alone as text or in a table; or the records with some statuses.
struct Check {
    solver: LimitedSolver,
    table: Table,
    /// The statuses of the records to write; `None` for the status of each record.
    statuses: Option<Vec<Status>>,
    /// The ratings of the records to write, and a rater up to the highest of them.
    er: Option<(Rater, RangeInclusive<Difficulty>)>,
    /// The number of records that were written.
    kept: AtomicU64,
}

impl Check {
    /// The ratings of the records of a batch, or `None` if they do not matter.
    fn ratings(&self, batch: &BatchView, outcomes: &Outcomes) -> Result<Option<Vec<Rating>>, Cancelled> {
        let rate =
            |(rater, _): &(Rater, _)| rater.rate_solved(batch.records.puzzle_slice(), outcomes, batch.cancel);
        self.er.as_ref().map(rate).transpose()
    }
}

impl Job for Check {
    fn needs(&self) -> Needs<'_> {
        // The hardest puzzles take a tenth of a second each.
        let max_batch_bytes = if self.er.is_some() { 16 << 10 } else { usize::MAX };
        let solves_in_write = self.er.is_some() || redundant::is_wanted(&self.table);
        Needs { solves_in_write, max_batch_bytes, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        if self.statuses.is_none() && self.table.format == Format::Text {
            let text = rows.text();
            for status in outcomes.statuses() {
                text.extend_from_slice(status.name().as_bytes());
                text.push(b'\n');
            }
            return ControlFlow::Continue(());
        }
        // The run knows whether it was cancelled.
        let Ok(ratings) = self.ratings(batch, outcomes) else { return ControlFlow::Break(()) };
        let is_rated = |k: usize| match (&ratings, &self.er) {
            (Some(ratings), Some((_, range))) => {
                ratings[k].verdict == Verdict::Rated && range.contains(&ratings[k].er)
            }
            _ => true,
        };
        let is_kept = |status| self.statuses.as_ref().is_none_or(|statuses| statuses.contains(status));
        let counts = redundant::count(&self.table, self.solver, batch, outcomes);
        let mut writer = self.table.writer(batch);
        let mut kept = 0;
        for (k, status) in outcomes.statuses().iter().enumerate() {
            if is_kept(status) && is_rated(k) {
                kept += 1;
                writer.write_row(outcomes, k, &redundant::values(&counts, k), rows);
                rows.flush_if_large()?;
            }
        }
        self.kept.fetch_add(kept, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}
