//! The command line: its commands, and the arguments that several commands share.

pub mod copies;
pub mod duplicates;
pub mod input;
pub mod output;
pub mod solver;
pub mod spill;
pub mod table;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::StyledStr;
use clap::error::ContextValue;
use clap::{CommandFactory, Parser, Subcommand, ValueEnum};
use rapidoku::file::internal::{MAX_THREADS, escape};
use rapidoku::file::{Error, Format};

use crate::command::{
    bench, canon, check, convert, count, dedup, enumerate, explain, generate, minimize, overlap, pages,
    permute, rate, sample, shuffle, solve, split, stats, verify,
};
use crate::{signals, version};

/// Printed after the list of commands by `rapidoku --help`.
const AFTER_HELP: &str = "\
Exit codes:
  0    success, or the reader of the output closed its pipe
  1    a check of 'solve --strict', 'check', 'verify' or 'bench' failed, 'overlap' found records, or
       'generate --pattern' gave up
  2    usage error, a file that cannot be read, recognised or written, or too little memory
  130  interrupted (129 by SIGHUP, 143 by SIGTERM)

An output file appears under its name only when it is complete. Input files are mapped into memory: if another program \
truncates a mapped file, the run ends with an error and exit code 2. With --no-mmap the file is read up to its new end.

Examples:
  rapidoku solve puzzles.csv.gz -o solutions.csv --format csv --passthrough
  rapidoku check forum.zip --only unique > unique.txt
  rapidoku bench puzzles.txt

Documents, in the source:
  docs/guide.md       all commands, options, formats and statuses; also in release archives and packages
  docs/benchmarks.md  speed: method and tables
  docs/engine.md      the algorithm; docs/engine-log.md has the experiments
  docs/library.md     the Rust library; docs/architecture.md has its modules
  docs/python.md      the Python package; docs/cluster.md is about many machines";

/// Solve, check, rate, explain and generate Sudoku puzzles by the million.
#[derive(Parser)]
#[command(name = "rapidoku", version, long_version = version::long(), max_term_width = 100, after_long_help = AFTER_HELP)]
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
    Canon(canon::Args),
    Dedup(dedup::Args),
    Overlap(overlap::Args),
    Explain(explain::Args),
    Generate(generate::Args),
    Minimize(minimize::Args),
    Convert(convert::Args),
    Permute(permute::Args),
    Sample(sample::Args),
    Shuffle(shuffle::Args),
    Split(split::Args),
    Stats(stats::Args),
    Bench(bench::Args),
    Completions(pages::CompletionArgs),
    Man(pages::ManArgs),
}

/// The definition of the command line, for manual pages and completions. They must not depend on the machine that writes
/// them, as the long version does.
pub fn command() -> clap::Command {
    Cli::command().long_version(None)
}

/// Parses the command line of this process and runs its command. Usage errors end the process.
///
/// # Errors
/// When a file cannot be read, recognised or written, or when threads cannot be started.
pub fn run() -> anyhow::Result<ExitCode> {
    signals::turn_file_size_signal_into_error().context("cannot install signal handlers")?;
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => escape_values(error).exit(),
        // The requested help or version is output like any other. `Error::exit` would ignore a failure to write it.
        Err(text) => {
            let printed = text.print().and_then(|()| io::stdout().flush());
            printed.map_err(|source| Error::Write { name: "<stdout>".to_owned(), source })?;
            return Ok(ExitCode::SUCCESS);
        }
    };
    match cli.command {
        Command::Solve(args) => solve::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Enumerate(args) => enumerate::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Rate(args) => rate::run(&args),
        Command::Canon(args) => canon::run(&args),
        Command::Dedup(args) => dedup::run(&args),
        Command::Overlap(args) => overlap::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Generate(args) => generate::run(&args),
        Command::Minimize(args) => minimize::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Permute(args) => permute::run(&args),
        Command::Sample(args) => sample::run(&args),
        Command::Shuffle(args) => shuffle::run(&args),
        Command::Split(args) => split::run(&args),
        Command::Stats(args) => stats::run(&args),
        Command::Bench(args) => bench::run(&args),
        Command::Completions(args) => pages::print_completions(&args, command()),
        Command::Man(args) => pages::print_manual(&args, command()),
    }
}

/// Parses a number of threads. Empty text is the default, 0, because scripts clear an environment variable by setting it
/// to nothing.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    if text.is_empty() {
        return Ok(0);
    }
    match text.parse() {
        Ok(threads) if threads > MAX_THREADS => Err(format!("at most {MAX_THREADS} threads")),
        Ok(threads) => Ok(threads),
        Err(_) => Err(format!("expected a number from 0 to {MAX_THREADS}")),
    }
}

/// The environment variable with the default number of threads.
const THREADS: &str = "RAPIDOKU_THREADS";

/// The numbers of threads in the environment variable `RAPIDOKU_THREADS`, separated by commas; 0 if it is not set.
///
/// # Errors
/// If it has something else. The message names the variable.
pub fn threads_of_environment() -> anyhow::Result<Vec<usize>> {
    let value = std::env::var_os(THREADS).unwrap_or_default();
    let value = value.to_string_lossy();
    let numbers = value.split(',').map(parse_threads).collect::<Result<_, _>>();
    numbers.map_err(|reason| anyhow::anyhow!("environment variable {THREADS}='{}': {reason}", escape(&value)))
}

/// Escapes the arguments that an error quotes.
fn escape_values(mut error: clap::Error) -> clap::Error {
    let values: Vec<_> = error.context().map(|(kind, value)| (kind, value.clone())).collect();
    for (kind, value) in values {
        let escaped = match value {
            ContextValue::String(text) => ContextValue::String(escape(&text).into_owned()),
            ContextValue::Strings(texts) => {
                ContextValue::Strings(texts.iter().map(|text| escape(text).into_owned()).collect())
            }
            // Tips quote arguments too. They lose their style.
            ContextValue::StyledStrs(texts) => ContextValue::StyledStrs(
                texts.iter().map(|text| StyledStr::from(escape(&text.to_string()).into_owned())).collect(),
            ),
            // The usage, and numbers.
            other => other,
        };
        error.insert(kind, escaped);
    }
    error
}

/// Output format of the commands that write one value per record.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Plain text.
    Text,
    /// CSV with a header.
    Csv,
    /// One JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
}

/// Output format of the commands that write grids.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GridFormat {
    /// Plain text.
    Text,
    /// CSV with a header.
    Csv,
    /// One JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
    /// A NumPy array of bytes with the shape (N, 81), 0 for a blank; needs -o.
    Npy,
}

impl GridFormat {
    pub fn format(self) -> Format {
        match self {
            GridFormat::Text => Format::Text,
            GridFormat::Csv => Format::Csv,
            GridFormat::Jsonl => Format::Jsonl,
            GridFormat::Npy => Format::Npy,
        }
    }
}

impl OutputFormat {
    pub fn format(self) -> Format {
        match self {
            OutputFormat::Text => Format::Text,
            OutputFormat::Csv => Format::Csv,
            OutputFormat::Jsonl => Format::Jsonl,
        }
    }
}
