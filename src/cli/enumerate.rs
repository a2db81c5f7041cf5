//! `rapidoku enumerate`: all solutions of each puzzle.

use std::process::ExitCode;

use rapidoku::engine::{Engine, Search};
use rapidoku::job::Enumerate;

use super::run::{Form, RunArgs};

/// Write all solutions of each record, with the number of the record (from 1, over all inputs).
///
/// Solutions of a record come in the order of the scalar solver's search, which depends on the puzzle alone:
/// it branches at a cell with the fewest candidates, lowest digit first. As text a row is the 81 digits, a
/// space and the number.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku enumerate puzzles.txt --limit 10
  echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8.... | rapidoku enumerate")]
pub struct Args {
    /// Stop at N solutions per record instead of writing all.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    /// Form of the output: solution and number, or record,solution as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    run: RunArgs,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (limit, max_guesses) = (args.limit.unwrap_or(u64::MAX), args.max_guesses.unwrap_or(u64::MAX));
    let search = Search { limit, max_guesses };
    args.run.run(Engine::Scalar, search, &Enumerate { search, format: args.format.format() })?;
    Ok(ExitCode::SUCCESS)
}
