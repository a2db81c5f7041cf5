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

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue};
use clap::{ArgMatches, Args, FromArgMatches};
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

/// The commands by their modules. Without `derive(Subcommand)`, because its definition has the options of all commands,
/// which takes half of the time until a short run ends.
macro_rules! commands {
    ($($module:ident)*) => {
        const NAMES: &[&str] = &[$(stringify!($module)),*];

        /// The definition of a command.
        fn define(name: &'static str) -> clap::Command {
            let command = clap::Command::new(name);
            match name {
                $(stringify!($module) => $module::Args::augment_args(command),)*
                _ => command,
            }
        }

        /// Runs a command, and returns the exit code.
        fn run_command(name: &str, matches: &ArgMatches) -> anyhow::Result<u8> {
            match name {
                $(stringify!($module) => $module::run(&$module::Args::from_arg_matches(matches)?),)*
                _ => unreachable!("clap knows the names"),
            }
        }
    };
}

commands! {
    solve check count enumerate verify
    explain rate stats
    generate minimize permute
    canon same dedup overlap
    convert sample shuffle split
    bench
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
    format!("{{about-with-newline}}\n{{usage-heading}} {{usage}}\n{list}\nOptions:\n{{options}}{{after-help}}")
}

/// Commands whose rows depend on all records or have their numbers. They do not offer --shard, which is an error there.
const WHOLE: [&str; 10] =
    ["enumerate", "verify", "same", "dedup", "overlap", "explain", "permute", "sample", "shuffle", "stats"];

/// The definition of the command line, with the options of one command, or of all.
fn definition(only: Option<&str>) -> clap::Command {
    let program = clap::Command::new("rapidoku")
        .about("Solve, check, rate, explain and generate Sudoku puzzles by the million")
        .version(env!("CARGO_PKG_VERSION"))
        .max_term_width(100)
        .subcommand_required(true)
        .arg_required_else_help(true);
    let commands = NAMES.iter().map(|&name| {
        if only.is_some_and(|only| only != name) {
            return clap::Command::new(name);
        }
        let whole = WHOLE.contains(&name).then_some("shard");
        let twice = ["skip", "take"].into_iter().filter(|_| ["dedup", "overlap"].contains(&name));
        whole.into_iter().chain(twice).fold(define(name), |command, id| command.mut_arg(id, |option| option.hide(true)))
    });
    let program = program.subcommands(commands);
    if only.is_some() {
        return program;
    }
    let template = help_template(&program);
    program.long_version(version::long()).after_long_help(after_help()).help_template(template)
}

/// The definition of the command line, for manual pages and completions. They must not depend on the machine that
/// writes them, as the long version does.
pub fn command() -> clap::Command {
    definition(None).long_version(None)
}

/// Parses the command line of this process, runs its command and returns the exit code. Usage errors end the process.
///
/// # Errors
/// When a file cannot be read, recognised or written, or when threads cannot be started.
pub fn run() -> anyhow::Result<u8> {
    #[cfg(unix)]
    signals::turn_file_size_signal_into_error().context("cannot install signal handlers")?;
    let first = std::env::args_os().nth(1);
    let only = NAMES.iter().copied().find(|name| first.as_deref() == Some(OsStr::new(name)));
    match definition(only).try_get_matches() {
        Ok(matches) => {
            let (name, matches) = matches.subcommand().expect("it is required");
            run_command(name, matches)
        }
        Err(error) if error.use_stderr() => escape_values(suggest_solve(error)).exit(),
        // The requested help or version is output like any other. `Error::exit` would ignore a failure to write it.
        Err(text) => {
            let printed = closed::stdout().and_then(|()| text.print()).and_then(|()| io::stdout().flush());
            printed.map_err(|source| Error::Write { name: "<stdout>".to_owned(), source })?;
            Ok(0)
        }
    }
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
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
    error
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
            // Tips quote arguments too. They lose their style. An unknown option is no value.
            ContextValue::StyledStrs(texts) => ContextValue::StyledStrs(
                (texts.iter().map(ToString::to_string))
                    .filter(|text| !text.starts_with("to pass "))
                    .map(|text| StyledStr::from(escape(&text).into_owned()))
                    .collect(),
            ),
            // The usage, and numbers.
            other => other,
        };
        match &escaped {
            ContextValue::StyledStrs(texts) if texts.is_empty() => error.remove(kind),
            _ => error.insert(kind, escaped),
        };
    }
    error
}
