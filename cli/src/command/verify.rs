//! `rapidoku verify`: whether the solutions in a file are correct.

use clap::builder::{PossibleValue, PossibleValuesParser};
use rapidoku_jobs::rows::{Columns, Rows};
use rapidoku_jobs::verify::{Cells, Verify};

use crate::args::output::{self, OutputFormat};
use crate::progress::Work;
use crate::rows::RowArgs;
use crate::run::Task;
use crate::stats_report::Verified;

/// Verify the solutions in a file, and write a row for each record that is wrong.
///
/// A record is a puzzle and its solution in a line, or a complete grid alone. In a table, puzzle and solution are two
/// columns. The exit code is 1 if any record is wrong. It is an error if there is no solution at the start of an input.
/// A summary goes to standard error.
///
/// With --only, it writes the records that match instead; the exit code is 1 if none does. CSV and JSON lines can have
/// the columns input, line, fault (why a record is wrong), place, reason, correct (true or false) and wrong_cells. With
/// one of the last two, every record has a row, unless --only chooses records.
///
/// 'wrong_cells' is the number of cells that differ from the solution of the puzzle, blanks included. It is 0 for every
/// solution of a puzzle with several; otherwise it is missing if the puzzle does not have exactly one solution or the
/// answer does not have 81 cells.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(OutputFormat::GRIDS))), after_help = "\
Examples:
  rapidoku verify kaggle.csv --unique
  rapidoku verify kaggle.csv --only correct -o correct.csv
  rapidoku verify kaggle.csv --passthrough --columns correct,fault,wrong_cells -o checked.csv
  rapidoku verify table.csv --column quiz --solution-column answer --format jsonl")]
pub struct Args {
    /// Also require that each solution is the only one of its puzzle.
    #[arg(long)]
    unique: bool,

    /// Write the records with one of these results, with all columns of the input, instead of the results. Text has
    /// copies of the records, byte for byte.
    #[arg(long, value_name = "STATUS,..", value_delimiter = ',',
        value_parser = PossibleValuesParser::new(RESULTS.map(|(name, help)| PossibleValue::new(name).help(help))))]
    only: Vec<String>,

    #[command(flatten)]
    rows: RowArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Output format: 'input:line: reason' as text, or input, line, record, fault, place and reason as CSV or JSON \
    lines; of a filter, the records, also as a NumPy array. By default, the extension of the output selects it, or else it is text";

/// Results of records: `correct`, all others, and the names of faults.
const RESULTS: [(&str, &str); 10] = [
    ("correct", "The solution is that of the puzzle"),
    ("wrong", "All others"),
    ("invalid", "The record is not a puzzle"),
    ("missing", "There is no solution"),
    ("solution", "The solution is not a complete grid"),
    ("clue", "The solution contradicts a clue"),
    ("candidate", "The solution contradicts the candidates of a cell"),
    ("house", "The solution has a digit twice in a row, column or box"),
    ("multiple", "With --unique: the puzzle has other solutions"),
    ("gave-up", "With --unique: --max-guesses was reached"),
];

/// Runs `rapidoku verify`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let rows = &args.rows;
    let solver = rows.search.solver(2);
    let is_filter = !args.only.is_empty();
    let report = ["input", "line", "record", "fault", "place", "reason"];
    let cells = Cells::default();
    let (work, asked) = (Work::Verifying(&cells), args.unique.then_some(solver));
    let verify = Verify { solver, unique: args.unique, only: &args.only, cells: &cells };
    let table = rows.table.unsolved(rows.table_or_copies(is_filter, verify.names(), &report)?)?;
    let job = Rows::new(asked, table, &verify);
    let task = Task { work, solver: asked, reports_invalid: true, outlives_reader: !is_filter, ..Task::default() };
    let stats = rows.run.run(&task, &job)?;
    let verified = Verified(&stats.counts, &cells);
    rows.run.output.message(format_args!("solutions verified: {}, {verified}", stats.records));
    if is_filter {
        return Ok(rows.run.report_kept(stats.records, job.kept.into_inner()));
    }
    let correct = stats.counts.solved + stats.counts.unique;
    Ok((correct < stats.records).into())
}
