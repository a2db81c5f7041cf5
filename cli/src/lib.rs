//! The command line program, as a library for its own tests. Not an API for others: use the crate `rapidoku`.
//!
//! | module | content |
//! |---|---|
//! | [`command`] | one file per command: its arguments and what it does with a batch of records |
//! | `run` | what all commands that turn records into rows share: inputs, output, threads, statistics |
//! | `args` | arguments that describe the format of inputs |
//! | [`solver`] | the solvers by name |
//! | [`historical`] | seven small solvers from the web |
//! | [`bench`](mod@bench) | the benchmark and its HTML report |
//! | `progress`, `signals`, `error_report` | the progress bar, Ctrl-C and SIGBUS, the file of `--errors` |
#![deny(unsafe_code)]

mod args;
pub mod bench;
pub mod command;
mod error_report;
pub mod historical;
mod progress;
mod run;
mod signals;
pub mod solver;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use command::{bench as bench_command, check, count, enumerate, explain, pages, rate, solve, verify};
use historical::Historical;
use rapidoku::Level;
use solver::SolverKind;

/// What holds for all commands.
const MANNERS: &str = "\
Exit codes:
  0    the run completed, or the reader of its output had enough
  1    a record was at fault, where that was asked for
  2    wrong usage, or a file that cannot be made out, read or written
  130  interrupted

An output file appears under its name when it is complete, and not before. A mapped input that another program cuts \
short ends the run with a message and code 2; with --no-mmap it is read to its new end.

Examples:
  rapidoku solve puzzles.csv.gz -o solutions.csv --format csv --passthrough
  rapidoku check forum.zip --only unique > unique.txt
  rapidoku bench puzzles.txt";

/// Solves Sudoku puzzles by the million.
#[derive(Parser)]
#[command(name = "rapidoku", version, max_term_width = 100, after_long_help = MANNERS)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Check(check::Args),
    Count(count::Args),
    Enumerate(enumerate::Args),
    Verify(verify::Args),
    Rate(rate::Args),
    Explain(explain::Args),
    Bench(bench_command::Args),
    Completions(pages::CompletionArgs),
    Man(pages::ManArgs),
}

/// Does what the command line asks for.
pub fn run() -> anyhow::Result<ExitCode> {
    match Cli::parse().command {
        Command::Solve(args) => solve::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Enumerate(args) => enumerate::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Bench(args) => bench_command::run(&args),
        Command::Completions(args) => pages::complete(&args, Cli::command()),
        Command::Man(args) => pages::manual(&args, Cli::command()),
    }
}

/// Prints a line on standard error, and does not mind if nobody listens.
pub fn say(message: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Which engine solves.
#[derive(clap::Args)]
pub struct EngineArgs {
    /// Solver: lanes (many puzzles side by side), scalar (one at a time), or one of old: twenty-line, brute-force,
    /// subsets, model-clone, small-model-clone, small-model, three-line.
    #[arg(long, value_name = "NAME", default_value = "lanes", value_parser = engine_name)]
    engine: String,

    /// Instruction set of the lanes; auto is the widest that this machine has.
    #[arg(long, value_name = "LEVEL", default_value = "auto", value_parser = level)]
    simd: Level,
}

impl EngineArgs {
    fn solver(&self) -> SolverKind {
        SolverKind::from_name(&self.engine, self.simd).expect("the parser knows all names")
    }
}

fn engine_name(name: &str) -> Result<String, String> {
    let names: Vec<_> = Historical::ALL.iter().map(|solver| solver.name()).collect();
    match SolverKind::from_name(name, Level::PORTABLE) {
        Some(solver) => Ok(solver.name().to_owned()),
        None => Err(format!("one of lanes, scalar, {}", names.join(", "))),
    }
}

/// Reads the name of an instruction set.
fn level(name: &str) -> Result<Level, String> {
    let levels = Level::available();
    let found = levels.iter().find(|level| name == "auto" || level.name() == name);
    found.copied().ok_or_else(|| {
        let names: Vec<_> = levels.iter().map(|level| level.name()).collect();
        format!("this machine has {}", names.join(", "))
    })
}
