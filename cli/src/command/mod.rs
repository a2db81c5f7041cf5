//! The command line. One file per command has its arguments and its job.

pub mod bench;
pub mod canon;
pub mod check;
pub mod convert;
pub mod count;
pub mod dedup;
pub mod enumerate;
pub mod explain;
pub mod generate;
pub mod minimize;
pub mod overlap;
pub mod permute;
pub mod rate;
pub mod same;
pub mod sample;
pub mod shuffle;
pub mod solve;
pub mod split;
pub mod stats;
pub mod verify;

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use rapidoku::file::internal::{escape, has_long_run, quote};
use rapidoku::file::{Error, Input};

use crate::describe::text::push_paragraph;
use crate::{closed, exit, operands, signals, version};

/// Printed after the list of commands by `rapidoku --help`.
const AFTER_HELP: &str = "\
An output file appears under its name only when it is complete. Input files are mapped into memory: if another program \
truncates a mapped file, the run ends with an error and exit code 2. With --no-mmap, the file is read up to its new end.

Examples:
  rapidoku solve puzzles.csv.gz -o solutions.csv --format csv --passthrough
  rapidoku check forum.zip --only unique > unique.txt
  rapidoku bench puzzles.txt

Documents, in the source:
  docs/guide.md       tutorial, columns, statuses; also in release archives and packages
  docs/inputs.md      the five input formats, and commands that convert others
  docs/benchmarks.md  speed: method and tables
  docs/engine.md      the algorithm; docs/engine-log.md has the experiments
  docs/library.md     the Rust library; docs/architecture.md has its modules
  docs/python.md      the Python package; docs/cluster.md is about many machines";

fn after_help() -> String {
    let codes = exit::CODES.map(|(code, meaning)| format!("  {code:<4} {meaning}\n"));
    format!("Exit codes:\n{}\n{AFTER_HELP}", codes.concat())
}

/// Solve, check, rate, explain and generate Sudoku puzzles by the million.
#[derive(Parser)]
#[command(name = "rapidoku", version, long_version = version::long(), max_term_width = 100, after_long_help = after_help())]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

/// The commands by their variants and modules.
macro_rules! commands {
    ($($command:ident $module:ident,)*) => {
        #[derive(Subcommand)]
        enum Command {
            $($command($module::Args),)*
        }

        impl Command {
            /// Runs the command, and returns the exit code.
            fn run(&self) -> anyhow::Result<u8> {
                match self {
                    $(Command::$command(args) => $module::run(args),)*
                }
            }
        }
    };
}

commands! {
    Solve solve, Check check, Count count, Enumerate enumerate, Verify verify,
    Explain explain, Rate rate, Stats stats,
    Generate generate, Minimize minimize, Permute permute,
    Canon canon, Same same, Dedup dedup, Overlap overlap,
    Convert convert, Sample sample, Shuffle shuffle, Split split,
    Bench bench,
}

/// The headings in the list of commands, each with the first command below it.
const GROUPS: [(&str, &str); 6] = [
    ("Solve and check", "solve"),
    ("Explain and describe", "explain"),
    ("Make puzzles", "generate"),
    ("Find equivalent puzzles", "canon"),
    ("Convert and divide", "convert"),
    ("Other", "bench"),
];

/// The template of the help, with the commands in groups. Clap itself has one group only.
fn help_template(program: &clap::Command) -> String {
    let mut list = String::new();
    let help = clap::Command::new("help").about("Print this message or the help of a command");
    for command in program.get_subcommands().chain([&help]) {
        if let Some((heading, _)) = GROUPS.iter().find(|(_, first)| *first == command.get_name()) {
            list += &format!("\n{heading}:\n");
        }
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        push_paragraph(&mut list, 15, &format!("  {}", command.get_name()), &about);
    }
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}{{after-help}}"
    )
}

/// Commands whose rows depend on all records or have their numbers. They do not offer --shard, which is an error there.
const WHOLE: [&str; 10] =
    ["enumerate", "verify", "same", "dedup", "overlap", "explain", "permute", "sample", "shuffle", "stats"];

/// The definition of the command line.
fn definition() -> clap::Command {
    let hide = |command: clap::Command, id| command.mut_arg(id, |option| option.hide(true));
    let program = Cli::command();
    // Before commands are changed, which moves them to the end.
    let template = help_template(&program);
    let program = program.help_template(template);
    let twice = ["dedup", "overlap"].map(|name| (name, &["skip", "take"][..]));
    let hidden = WHOLE.map(|name| (name, &["shard"][..])).into_iter().chain(twice);
    hidden.fold(program, |program, (name, ids)| {
        program.mut_subcommand(name, |command| ids.iter().fold(command, hide))
    })
}

/// The definition of the command line, for manual pages and completions. They must not depend on the machine that
/// writes them, as the long version does.
pub fn command() -> clap::Command {
    definition().long_version(None)
}

/// Parses the command line of this process, runs its command and returns the exit code. Usage errors end the process.
///
/// # Errors
/// When a file cannot be read, recognised or written, or when threads cannot be started.
pub fn run() -> anyhow::Result<u8> {
    #[cfg(unix)]
    signals::turn_file_size_signal_into_error().context("cannot install signal handlers")?;
    let parsed = definition().try_get_matches().and_then(|matches| Cli::from_arg_matches(&matches));
    let cli = match parsed {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => suggest_solve(escaped(error)).exit(),
        // The requested help or version is output like any other. `Error::exit` would ignore a failure to write it.
        Err(text) => {
            let printed = closed::stdout().and_then(|()| text.print()).and_then(|()| io::stdout().flush());
            printed.map_err(|source| Error::Write { name: "<stdout>".to_owned(), source })?;
            return Ok(0);
        }
    };
    cli.command.run()
}

/// Tells which command is missing before an input.
fn suggest_solve(mut error: clap::Error) -> clap::Error {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if error.get(ContextKind::InvalidSubcommand).is_some()
        && (arguments[0].exists()
            || matches!(operands::inputs(&arguments).as_deref(), Ok([Input::Text(_), ..]))
            || matches!(operands::input(&arguments[0]), Ok(Input::Text(_))))
    {
        // Puzzles are arguments of their own. Spaces between rows are read like line breaks.
        let words = arguments.iter().flat_map(|argument| {
            let text = argument.to_string_lossy();
            let are_puzzles = text.split_whitespace().all(|word| has_long_run(word.as_bytes()));
            let words = text.split(|c: char| are_puzzles && c.is_whitespace());
            words.map(|word| quote(&word.replace('\n', " "))).collect::<Vec<_>>()
        });
        let tip = format!("a command comes first: rapidoku solve {}", words.collect::<Vec<_>>().join(" "));
        error.remove(ContextKind::SuggestedSubcommand);
        let tip = escape(&tip).into_owned().into();
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
    }
    error
}

/// The same error about the arguments as they are printed.
fn escaped(error: clap::Error) -> clap::Error {
    let arguments = std::env::args_os().map(|argument| escape(&argument.to_string_lossy()).into_owned());
    let parsed = definition().try_get_matches_from(arguments);
    let mut error = parsed.and_then(|matches| Cli::from_arg_matches(&matches)).err().unwrap_or(error);
    // An unknown option is no value.
    if let Some(ContextValue::StyledStrs(tips)) = error.get(ContextKind::Suggested)
        && tips.iter().all(|tip| tip.to_string().starts_with("to pass "))
    {
        error.remove(ContextKind::Suggested);
    }
    error
}
