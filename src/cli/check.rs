//! `rapidoku check`: has each puzzle one solution?

use std::process::ExitCode;

use clap::ValueEnum;
use rapidoku::grid::Status;
use rapidoku::job::{Check, Keep};

use super::run::{Form, RunArgs, SearchArgs};

/// Tell for each record whether it has one solution, several or none, or filter records by that.
///
/// Writes one of the words unique, multiple, none, invalid per record, in order. The exit code is 1 unless
/// all are unique.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku check puzzles.csv --format csv
  rapidoku check puzzles.txt --only none")]
pub struct Args {
    /// Write the lines of the records with this status instead, exactly as they were.
    #[arg(long, value_enum, value_name = "STATUS", conflicts_with = "format")]
    only: Option<Only>,

    /// Form of the output: statuses only, or puzzle,status as CSV or JSON lines.
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,

    #[command(flatten)]
    search: SearchArgs,

    #[command(flatten)]
    run: RunArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Only {
    Unique,
    Multiple,
    None,
    Invalid,
    Limit,
}

/// Runs the subcommand.
pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (engine, search) = (args.search.engine(), args.search.up_to(2));
    let stats = match args.only {
        Some(only) => args.run.run(engine, search, &Keep(only.status()))?,
        None => args.run.run(engine, search, &Check { format: args.format.format() })?,
    };
    Ok(ExitCode::from((stats.counts.unique < stats.records) as u8))
}

impl Only {
    fn status(self) -> Status {
        match self {
            Only::Unique => Status::Unique,
            Only::Multiple => Status::Multiple,
            Only::None => Status::None,
            Only::Invalid => Status::Invalid,
            Only::Limit => Status::Limit,
        }
    }
}
