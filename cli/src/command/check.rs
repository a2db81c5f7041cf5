//! `rapidoku check`: whether each puzzle has exactly one solution.

use std::ops::RangeInclusive;

use rapidoku::Status;
use rapidoku::file::Ratings;
use rapidoku::rating::Difficulty;
use rapidoku_jobs::check::Check;
use rapidoku_jobs::rows::{Columns, Rows};

use crate::args::named;
use crate::args::number::parse_er;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::ER_COLUMN;
use crate::rows::RowArgs;
use crate::run::Task;

/// Check whether each puzzle has exactly one solution, or filter records by the result.
///
/// Writes one status per record, in input order: unique, multiple, none, invalid, or gave-up. The exit code is 1
/// unless all records are unique. With --only or --er, it writes the records that match instead; the exit code is 1 if
/// none does, and a message has the numbers.
///
/// CSV and JSON lines can also have the columns 'minimal' (true if no clue can be removed) and 'redundant' (the number
/// of clues that can be removed on their own). They take time only if --columns names them.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(OutputFormat::GRIDS))), after_help = "\
Examples:
  rapidoku check puzzles.csv --format csv
  rapidoku check puzzles.txt --only none,invalid
  rapidoku check puzzles.txt --er 4.0..5.0 > medium.txt
  rapidoku check train.npy --only unique -o proper.npy")]
pub struct Args {
    /// Write the records with one of these results, with all columns of the input, instead of the results. Text has
    /// copies of the records, byte for byte.
    #[arg(long, value_name = "STATUS,..", value_delimiter = ',', value_parser = named(&STATUSES, Status::name))]
    only: Vec<Status>,

    /// Write the records that are puzzles with one solution whose rating on the scale of Sudoku Explainer is in this
    /// range: 4.0..5.0, 7.1, or a level: easy, medium, hard, expert, fiendish. See 'rapidoku rate'.
    #[arg(long, value_name = "A..B", value_parser = parse_er, conflicts_with = "only")]
    er: Option<RangeInclusive<Difficulty>>,

    #[arg(long, value_name = "COLUMN", requires = "er", help = ER_COLUMN)]
    er_column: Option<String>,

    #[command(flatten)]
    rows: RowArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Output format: the status as text, or puzzle and status as CSV or JSON lines; of a filter, the records, also as a \
    NumPy array. By default, the extension of the output selects it, or else it is text";

/// The statuses of puzzles that were checked.
const STATUSES: [Status; 5] = [Status::Unique, Status::Multiple, Status::NoSolution, Status::Invalid, Status::GaveUp];

/// Runs `rapidoku check`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let Args { only, er, er_column, rows } = args;
    let solver = rows.search.solver(2);
    let is_filter = !only.is_empty() || er.is_some();
    let statuses = if er.is_some() { vec![Status::Unique] } else { only.clone() };
    let ratings = |end| Ratings::new(rows.search.simd.rater(), Some(end)).column(er_column.clone());
    let er = er.clone().map(|range| (ratings(*range.end()), range));
    let check = Check { level: rows.search.simd.level, statuses: is_filter.then_some(statuses), er };
    let table = rows.table_or_copies(is_filter, check.names(), &["puzzle", "status"])?;
    let job = Rows::new(Some(solver), table, &check);
    let task = Task { outlives_reader: !is_filter, ..Task::solving(solver) };
    let stats = rows.run.run(&task, &job)?;
    if is_filter {
        return Ok(rows.run.report_kept(stats.records, job.kept.into_inner()));
    }
    Ok((stats.counts.unique < stats.records).into())
}
