//! `rapidoku rate`: how hard is each puzzle for people?

use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::job::{Format, Rate};

use super::run::{RunArgs, SearchArgs};

/// Rate each record by the hardest solving step that it needs, and by guesses and backtracks where no step helps.
///
/// Writes puzzle,status,clues,singles_only,hardest,guesses,backtracks. The steps, from the simplest on: naked
/// single, hidden single, pointing, claiming, naked and hidden pair, triple, quad, guess. A guess is the lowest
/// candidate of the first cell with the fewest.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku rate puzzles.txt -o rated.csv
  rapidoku rate kaggle.csv.gz --format jsonl")]
pub struct Args {
    /// Form of the output.
    #[arg(long, value_enum, default_value_t = Form::Csv)]
    format: Form,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Form {
    Csv,
    Jsonl,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let format = match args.format {
        Form::Csv => Format::Csv,
        Form::Jsonl => Format::Jsonl,
    };
    args.run.run(args.search.engine(), args.search.up_to(2), &Rate { format })?;
    Ok(ExitCode::SUCCESS)
}
