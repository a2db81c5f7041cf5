//! `rapidoku count`: the number of solutions of each puzzle.

use std::sync::atomic::AtomicU64;

use clap::ValueHint;
use rapidoku_jobs::count::Count;

use crate::args::number::parse_positive;
use crate::args::output::OutputFormat;
use crate::progress::Work;
use crate::rows::RowArgs;

/// Count the solutions of each puzzle, up to a limit.
///
/// If a puzzle has more solutions than were counted, or may have more, the number in text is a lower bound ('>=1000'),
/// and the column 'exact' of CSV and JSON lines is false. The column 'solutions' is always a number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions of a puzzle.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, default_value_t = 1_000_000, value_parser = parse_positive)]
    limit: u64,

    #[command(flatten)]
    rows: RowArgs,
}

/// Runs `rapidoku count`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let found = AtomicU64::new(0);
    let count = Count { limit: args.limit, found: &found };
    let defaults = ["puzzle", "solutions", "exact", "status"];
    let (solver, work) = (args.rows.search.solver(args.limit), Work::Enumerating(&found));
    let counts = args.rows.write(OutputFormat::ROWS, &defaults, solver, &count, work)?.counts;
    args.rows.run.report_statuses(&counts, counts.solved + counts.unique + counts.multiple);
    Ok(0)
}
