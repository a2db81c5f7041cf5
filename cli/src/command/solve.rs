//! `rapidoku solve`: a file of puzzles in, a file of solutions out.

use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::file::{Column, Format, SolveGrids, SolveRows};

use crate::run::{RunArgs, SearchArgs};
use crate::solver::LimitedSolver;

/// Solve every puzzle of the inputs, one row out per record in, in the same order.
///
/// A record is a line of 81 cells: digits, and for blanks one of . 0 - _ * ? x X. What follows the cells
/// after a space, tab, comma or semicolon is ignored. Blank lines and lines starting with # are no records. Tables, grids
/// of nine lines and pencilmarks of 729 characters are told by their content.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku solve puzzles.txt -o solutions.txt
  zcat puzzles.gz | head -n 1000 | rapidoku solve --limit 2 --format csv
  rapidoku solve kaggle.zip --format csv --passthrough --columns solution,status,guesses -o solved.csv.zst
  rapidoku solve unknown.csv --column 3 --no-header --errors bad.jsonl")]
pub struct Args {
    /// Stop at N solutions per puzzle: 1 finds one, 2 proves that it is the only one, more count.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Form of the output: solutions only, rows of columns as CSV or JSON lines, or grids of nine lines, plain or with a
    /// title and a frame.
    #[arg(long, value_enum, default_value_t = SolveForm::Text)]
    format: SolveForm,

    /// Columns of CSV and JSON lines, in this order: record, puzzle, solution, status, solutions, guesses, clues, and
    /// any column of an input that is a table (input.NAME if the name is one of these).
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    columns: Option<Vec<String>>,

    /// Begin rows with all columns of the input.
    #[arg(long)]
    passthrough: bool,

    /// Character for blanks in the puzzle column, instead of what stands in the input.
    #[arg(long, value_name = "CHARACTER", value_parser = [".", "0"])]
    blank: Option<String>,

    /// Exit with code 1 if any record is invalid, or without solution, or given up.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum SolveForm {
    Text,
    Csv,
    Jsonl,
    Grid,
    Frame,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let has_columns = matches!(args.format, SolveForm::Csv | SolveForm::Jsonl);
    if !has_columns && (args.columns.is_some() || args.passthrough || args.blank.is_some()) {
        anyhow::bail!("--columns, --passthrough and --blank need --format csv or jsonl");
    }
    let solver = args.search.up_to(args.limit);
    let stats = match args.format {
        SolveForm::Grid => args.run.run(solver, &SolveGrids::new(solver))?,
        SolveForm::Frame => args.run.run(solver, &SolveGrids::new(solver).framed(true))?,
        _ => args.run.run(solver, &args.job(solver))?,
    };
    Ok(ExitCode::from((args.strict && stats.counts.without_answer() > 0) as u8))
}

impl Args {
    fn job(&self, solver: LimitedSolver) -> SolveRows<LimitedSolver> {
        let columns = match &self.columns {
            Some(names) => names.iter().map(|name| Column::from_name(name)).collect(),
            // The puzzle is among the columns that are passed through.
            None if self.passthrough => {
                Column::defaults().into_iter().filter(|column| *column != Column::Puzzle).collect()
            }
            None => Column::defaults(),
        };
        let format = match self.format {
            SolveForm::Csv => Format::Csv,
            SolveForm::Jsonl => Format::Jsonl,
            SolveForm::Text | SolveForm::Grid | SolveForm::Frame => Format::Text,
        };
        let mut job = SolveRows::new(solver).format(format).columns(columns).passthrough(self.passthrough);
        job.blank = self.blank.as_ref().map(|blank| blank.as_bytes()[0]);
        job
    }
}
