//! The command line: one file per subcommand. The only place that names clap.

mod bench;
mod progress;
mod signals;
mod solve;

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use rapidoku::engine::Engine;

/// Solves Sudoku puzzles by the million.
#[derive(Parser)]
#[command(name = "rapidoku", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Solve(solve::Args),
    Bench(bench::Args),
}

/// Does what the command line asks for.
pub fn run() -> anyhow::Result<ExitCode> {
    match Cli::parse().command {
        Command::Solve(args) => solve::run(args),
        Command::Bench(args) => bench::run(&args),
    }
}

/// Prints a line on standard error, and does not mind if nobody listens.
pub fn say(message: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{message}");
}

/// Reads the name of an engine.
fn engine(name: &str) -> Result<Engine, String> {
    let all = [Engine::Scalar, Engine::Noop];
    all.into_iter().find(|engine| engine.name() == name).ok_or_else(|| {
        let names: Vec<_> = all.into_iter().map(Engine::name).collect();
        format!("not one of {}", names.join(", "))
    })
}
