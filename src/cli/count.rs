//! `rapidoku count`: how many solutions has each puzzle?

use std::process::ExitCode;

use rapidoku::job::Count;

use super::run::{Form, RunArgs, SearchArgs};

/// Count the solutions of each record, up to a limit.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku count puzzles.txt --limit 100
  rapidoku count puzzles.csv.gz --format jsonl")]
pub struct Args {
    /// Stop counting at N solutions.
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Form of the output: numbers only, or puzzle,solutions,status as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let job = Count { format: args.format.format() };
    args.run.run(args.search.engine(), args.search.up_to(args.limit), &job)?;
    Ok(ExitCode::SUCCESS)
}
