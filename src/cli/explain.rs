//! `rapidoku explain`: why is each puzzle what it is?

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::engine::{Engine, Search};
use rapidoku::job::Explain;

use super::run::RunArgs;

/// Explain each record: what clashes, why there is no solution, where solutions differ, or how to solve it.
///
/// For a puzzle without solution that is the chain of singles that leads to a contradiction, if singles
/// do, and a set of clues that has no solution already, though it has one without any of them. For a puzzle
/// with one solution it is the steps that lead there, each the simplest there is, as `rate` counts them.
/// Text is coloured on a terminal, unless the environment has NO_COLOR.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku explain puzzles.txt
  rapidoku check puzzles.txt --only none | rapidoku explain --format json")]
pub struct Args {
    /// Text for people, or a JSON object per line.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    /// Give a puzzle up after N guesses (status `limit`).
    #[arg(long, value_name = "N")]
    max_guesses: Option<u64>,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    Text,
    #[value(alias = "jsonl")]
    Json,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let max_guesses = args.max_guesses.unwrap_or(u64::MAX);
    let job = Explain {
        json: args.format == Form::Json,
        colour: args.run.writes_to_stdout() && io::stdout().is_terminal() && !no_color,
        max_guesses,
    };
    args.run.run(Engine::Scalar, Search { limit: 2, max_guesses }, &job)?;
    Ok(ExitCode::SUCCESS)
}
