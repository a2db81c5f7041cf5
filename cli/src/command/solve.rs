//! `rapidoku solve`: the solution of each puzzle.

use std::process::ExitCode;

use clap::{ValueEnum, ValueHint};
use rapidoku::file::{Format, SolveGrids, SolveRows};

use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::run::RunArgs;

/// Solve puzzles: one output row per input record, in the same order.
///
/// A record is a line that starts with 81 cells: digits for clues, and any of . 0 - _ * ? x X for blanks. Text after a
/// space, tab, comma or semicolon is ignored, and so are blank lines and lines that start with #. Tables, JSON, grids of
/// nine lines, pencilmarks of 729 characters, NumPy arrays, and compression (gzip, zstd, zip) are detected from the
/// content.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku solve puzzles.txt -o solutions.txt
  zcat puzzles.gz | head -n 1000 | rapidoku solve --limit 2 --format csv
  rapidoku solve kaggle.zip --format csv --passthrough --columns solution,status,guesses -o solved.csv.zst
  rapidoku solve puzzles.npy -o solutions.npy
  rapidoku solve unknown.csv --column 3 --no-header --errors bad.jsonl")]
pub struct Args {
    /// Stop at N solutions of a puzzle: 1 finds a solution (status 'solved': there may be others), 2 also proves whether
    /// it is unique, N counts up to N.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Prove whether each solution is the only one (status 'unique' or 'multiple'); the same as --limit 2.
    #[arg(long, conflicts_with = "limit")]
    unique: bool,

    /// Output format. By default, the extension of the output selects it, or else it is text. CSV and JSON lines have the
    /// columns puzzle, solution, status and solutions unless --columns is given.
    #[arg(long, value_enum)]
    format: Option<SolveFormat>,

    #[command(flatten)]
    table: TableArgs,

    /// Exit with code 1 if any record is invalid, has no solution, or exceeded --max-guesses.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SolveFormat {
    /// The 81 digits of the solution, or an empty line.
    Text,
    /// Columns as CSV with a header.
    Csv,
    /// Columns as one JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
    /// A NumPy array of bytes with the shape (N, 81), zeros for a record without a solution; needs -o.
    Npy,
    /// Nine lines of nine digits, or of nine dots for a record without a solution.
    Grid,
    /// Record number and status, and the solution in a frame.
    Frame,
}

/// Runs `rapidoku solve`.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = args.run.choose_format(args.format, SolveFormat::Text)?;
    let solver = args.search.solver(if args.unique { 2 } else { args.limit });
    let mut job = SolveRows::new(solver);
    job.table = args.table.table(format.rows(), &[], &["puzzle", "solution", "status", "solutions"])?;
    let stats = match format {
        SolveFormat::Grid => args.run.run(solver, &SolveGrids::new(solver))?,
        SolveFormat::Frame => args.run.run(solver, &SolveGrids::new(solver).framed(true))?,
        _ => args.run.run(solver, &job)?,
    };
    Ok(ExitCode::from((args.strict && stats.counts.without_answer() > 0) as u8))
}

impl SolveFormat {
    /// The format of rows. Grids have no columns, like text.
    fn rows(self) -> Format {
        match self {
            SolveFormat::Csv => Format::Csv,
            SolveFormat::Jsonl => Format::Jsonl,
            SolveFormat::Npy => Format::Npy,
            SolveFormat::Text | SolveFormat::Grid | SolveFormat::Frame => Format::Text,
        }
    }
}
