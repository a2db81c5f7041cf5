//! `rapidoku solve`: the solution of each puzzle.

use std::io::{self, IsTerminal};

use clap::ValueHint;
use rapidoku::file::{Format, SolveGrids, SolveRows};
use rapidoku_jobs::solver::{SolverKind, grids_job, rows_job};

use crate::args::number::parse_positive;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::engine_parser;
use crate::rows::RowArgs;
use crate::run::Task;

/// Solve puzzles: one output row per input record, in the same order.
///
/// A record is a line that starts with 81 cells: digits for clues, and any of . 0 - _ * ? x X for blanks. Text after a
/// space, a tab or one of ,;:|# is ignored, and so are blank lines and lines that start with #. CSV, JSON, grids of
/// nine rows, pencilmarks of 729 characters, NumPy arrays, and compression (gzip, zstd, zip) are detected from the
/// start of the input.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.long_help(FORMAT).value_parser(output::parser(FORMATS))), after_help = "\
Examples:
  rapidoku solve puzzles.txt -o solutions.txt
  zcat puzzles.gz | head -n 1000 | rapidoku solve --limit 2 --format csv
  rapidoku solve kaggle.zip --passthrough --columns solution,status,guesses -o solved.csv.zst
  rapidoku solve puzzles.npy -o solutions.npy
  rapidoku solve unknown.csv --column 3 --no-header --errors bad.jsonl")]
pub struct Args {
    /// Stop at N solutions of a puzzle.
    ///
    /// 1 finds a solution (status 'solved': there may be others), 2 also proves whether it is unique, N counts up to N.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1, value_parser = parse_positive)]
    limit: u64,

    /// Prove whether each solution is the only one (status 'unique' or 'multiple'); the same as --limit 2.
    #[arg(long, conflicts_with = "limit")]
    unique: bool,

    /// Exit with code 1 if any record is invalid, has no solution, or exceeded --max-guesses; with --unique, also if a
    /// puzzle has several solutions.
    #[arg(long)]
    strict: bool,

    /// Solver: 'lanes' solves many puzzles at once, one per SIMD lane; 'scalar' solves one at a time; the others are
    /// historical solvers, which may take hours for hard puzzles and reject pencilmarks.
    #[arg(long, value_name = "NAME", default_value = "lanes", value_parser = engine_parser([]), hide_short_help = true, help_heading = "Rarely needed")]
    engine: String,

    #[command(flatten)]
    rows: RowArgs,
}

/// The help of `--format`.
const FORMAT: &str = "\
Output format; text is the solutions alone.

By default, the extension of the output selects it, or else it is CSV if the first input is CSV, or else text; 'frame' for puzzles \
on the command line if the output is a terminal. Text is the 81 digits of the solution, or an empty line (on a terminal the status, \
such as 'none'); a NumPy array has zeros then. CSV and JSON lines have \
the columns puzzle, solution, status and solutions unless --columns is given.";

/// The formats of the rows.
const FORMATS: &[OutputFormat] = {
    use OutputFormat::*;
    &[Text, Csv, Jsonl, Npy, Grid, Frame]
};

/// Runs `rapidoku solve`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let mut format = args.rows.choose_format(FORMATS)?;
    let has_format = args.rows.table.format.is_some();
    // Somebody who types a puzzle reads the solution.
    let is_read = args.rows.run.output.writes_to_stdout() && io::stdout().is_terminal();
    if is_read && !has_format && args.rows.run.are_puzzles() && !args.rows.table.is_table() {
        format = OutputFormat::Frame;
    }
    let mut solver = args.rows.search.solver(if args.unique { 2 } else { args.limit });
    solver.kind = SolverKind::from_name(&args.engine, args.rows.search.simd.level).expect("the parser knows the names");
    let mut job = SolveRows::new(solver);
    let defaults = ["puzzle", "solution", "status", "solutions"];
    let of_format: &[&str] = if format == OutputFormat::Npy { &["solution"] } else { &defaults };
    job.table = args.rows.table.table(format.format(), &[], of_format)?;
    job.names_statuses = is_read;
    let is_named = |path| output::extension(path) == "txt";
    if format == OutputFormat::Text && !has_format && !args.rows.run.output.path().is_some_and(is_named) {
        job.csv = Some(args.rows.table.table(Format::Csv, &[], &defaults)?);
    }
    let task = Task { outlives_reader: args.strict, ..Task::solving(solver) };
    let stats = match format {
        OutputFormat::Grid => args.rows.run.run(&task, grids_job(&SolveGrids::new(solver)))?,
        OutputFormat::Frame => args.rows.run.run(&task, grids_job(&SolveGrids { solver, framed: true }))?,
        _ => args.rows.run.run(&task, rows_job(&job))?,
    };
    let counts = &stats.counts;
    let mut wanted = counts.solved + counts.unique;
    // A user who counts solutions wants several.
    if !args.unique && args.limit > 2 {
        wanted += counts.multiple;
    }
    args.rows.run.report_statuses(counts, wanted);
    Ok((args.strict && wanted < stats.records).into())
}
