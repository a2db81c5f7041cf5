//! `rapidoku verify`: are the solutions in a file right?

use std::process::ExitCode;

use rapidoku::job::Verify;

use super::run::{Form, RunArgs, SearchArgs};

/// Check the solutions that records carry, and write a row for each that is wrong.
///
/// A record is a puzzle, a separator (space, tab, comma or semicolon) and its solution, or a finished grid alone.
/// The exit code is 1 if any is wrong. Statistics count wrong records as invalid.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku verify kaggle.csv --unique
  rapidoku verify table.csv --column quiz --solution-column answer --format jsonl")]
pub struct Args {
    /// Each solution must also be the only one of its puzzle.
    #[arg(long)]
    unique: bool,

    /// Form of the output: input:line: reason, or input,line,record,fault,place,reason as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let job = Verify { unique: args.unique, format: args.format.format() };
    let stats = args.run.run(args.search.engine(), args.search.up_to(2), &job)?;
    let right = stats.counts.solved + stats.counts.unique;
    Ok(ExitCode::from((right < stats.records) as u8))
}
