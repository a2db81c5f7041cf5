//! `rapidoku solve`: a file of puzzles in, a file of solutions out.

use std::process::ExitCode;

use rapidoku::job::Solve;

use super::run::{Form, RunArgs, SearchArgs};

/// Solve every puzzle of the inputs, one row out per record in, in the same order.
///
/// A record is a line of 81 cells: digits, and for blanks one of . 0 - _ * ? x X. What follows the cells
/// after a space, tab, comma or semicolon is ignored. Blank lines and lines starting with # are no records.
#[derive(clap::Args)]
pub struct Args {
    /// Stop at N solutions per puzzle: 1 finds one, 2 proves that it is the only one, more count.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    limit: u64,

    /// Form of the output: solutions only, or puzzle,solution,status,solutions as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    /// Exit with code 1 if any record is invalid, or without solution, or given up.
    #[arg(long)]
    strict: bool,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let job = Solve { format: args.format.format() };
    let stats = args.run.run(args.search.engine(), args.search.up_to(args.limit), &job)?;
    Ok(ExitCode::from((args.strict && stats.counts.without_answer() > 0) as u8))
}
