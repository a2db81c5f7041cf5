//! `rapidoku enumerate`: all solutions of each puzzle.

use std::sync::atomic::AtomicU64;

use clap::ValueHint;
use rapidoku::Solver;
use rapidoku_jobs::enumerate::Enumerate;

use crate::args::number::parse_positive;
use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// Write all solutions of each puzzle, with the number of the record.
///
/// Records are numbered from 1 over all inputs. The order of the solutions of a record depends only on the puzzle. A
/// smaller limit gives the first of them, which come from many parts of the search if there are thousands. A row of
/// text has 81 digits, a space and the record number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku enumerate puzzles.txt --limit 10
  echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8.... | rapidoku enumerate")]
pub struct Args {
    /// Write at most N solutions per record.
    #[arg(long, value_name = "N", value_hint = ValueHint::Other, value_parser = parse_positive)]
    limit: Option<u64>,

    #[command(flatten)]
    search: SearchArgs,

    /// Output format: solution and record number as text, or record and solution as CSV or JSON lines.
    /// Without it, the extension of the output selects the format, else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    format: Option<OutputFormat>,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs `rapidoku enumerate`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let search = args.search.solver(args.limit.unwrap_or(u64::MAX));
    let format =
        output::choose_format(args.format, args.run.output.path(), OutputFormat::ROWS, OutputFormat::Text)?.format();
    let found = AtomicU64::new(0);
    let solver = Solver::new().level(args.search.simd.level).limits(search.limits);
    let job = Enumerate { solver, format, found: &found };
    args.run.run(&Task { work: Work::Enumerating(&found), ..Task::solving(search) }, &job)?;
    Ok(0)
}
