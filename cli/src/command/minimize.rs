//! `rapidoku minimize`: minimal puzzles contained in each puzzle.

use clap::ValueHint;
use rapidoku::generate::Minimizer;
use rapidoku_jobs::minimize::{COMPUTED, Contained, Minimize};

use crate::args::output::OutputFormat;
use crate::progress::Work;
use crate::rows::RowArgs;
use crate::run::Task;

/// Write a minimal puzzle contained in each puzzle, or all of them.
///
/// A puzzle with one solution is minimal if it has several solutions without any one of its clues. The clues of each
/// puzzle are tried in random order, and each is removed if the puzzle keeps one solution. The order depends only on
/// the seed and the puzzle. Records without exactly one solution have no minimal puzzle: an empty line as text, a row
/// with the status otherwise. Pencilmarks are an error.
///
/// CSV and JSON lines have the columns puzzle,minimized,removed,status; 'removed' is the number of clues removed. With
/// --all they are record,number,minimized,status; 'number' counts the minimal puzzles of a record from 1.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku minimize easy.txt --seed 1 > minimal.txt
  rapidoku minimize easy.txt --all=100 --format csv
  rapidoku minimize kaggle.csv --format csv --passthrough --columns minimized,removed")]
pub struct Args {
    /// Write all minimal puzzles contained in each puzzle, but at most N (1000), as text with the number of the record.
    ///
    /// A puzzle may contain millions. Those of a record are in memory together. If there are more, the column
    /// 'complete' is false.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, num_args = 0..=1, require_equals = true,
        default_missing_value = "1000", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    all: Option<u64>,

    /// Seed of the random order of removals.
    #[arg(long, value_name = "SEED", value_hint = ValueHint::Other, default_value_t = 0)]
    seed: u64,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs `rapidoku minimize`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let rows = &args.rows;
    let solver = rows.search.solver(2);
    let minimizer = Minimizer::new(args.seed).level(rows.search.simd.level);
    let Some(max) = args.all else {
        let defaults = ["puzzle", "minimized", "removed", "status"];
        let stats = rows.write(OutputFormat::ROWS, &defaults, solver, &Minimize(minimizer), Work::Solving)?;
        rows.run.report_statuses(&stats.counts, stats.counts.unique);
        return Ok(0);
    };
    let format = rows.choose_format(OutputFormat::ROWS)?.format();
    let table = rows.table.table(format, &COMPUTED, &["record", "number", "minimized", "status"])?;
    let max = usize::try_from(max).unwrap_or(usize::MAX);
    let stats = rows.run.run(&Task::solving(solver), &Contained { solver, minimizer, max, table })?;
    rows.run.report_statuses(&stats.counts, stats.counts.unique);
    Ok(0)
}
