//! The options in `docs/options.md` are those of the program.
//!
//! After a change of the arguments or their help, write the document anew, and look at the difference:
//!
//! ```sh
//! UPDATE_OPTIONS=1 cargo test -p rapidoku-cli --test it -- options::
//! ```

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use clap::{Arg, Command};

const INTRODUCTION: &str = "\
# Options

The commands and options of `rapidoku`, as in `rapidoku COMMAND --help`. The [guide](guide.md) describes formats, columns and statuses.
This document is generated from the definitions of the arguments, by `UPDATE_OPTIONS=1 cargo test -p rapidoku-cli --test it -- options::`.

";

/// An option of this number of commands or more, with the same text in all of them, is described once.
const COMMON: usize = 4;

/// A text as a cell of a table.
fn cell(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.replace('|', "\\|").replace('<', "\\<").replace('*', "\\*")
}

/// The options and their values, such as `-j`, `--threads N`.
fn names(arg: &Arg) -> String {
    let values = arg.get_action().takes_values().then(|| arg.get_value_names().unwrap_or_default().join(" "));
    let value = values.unwrap_or_default().replace('|', "\\|");
    let Some(long) = arg.get_long() else { return format!("`{value}`") };
    let long = format!("--{long} {value}");
    let short = arg.get_short().map(|short| format!("`-{short}`, ")).unwrap_or_default();
    format!("{short}`{}`", long.trim_end())
}

/// A row of the table of options.
fn row(arg: &Arg) -> String {
    let help = arg.get_long_help().or_else(|| arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let mut meaning = cell(&help);
    let values = if arg.get_action().takes_values() { arg.get_possible_values() } else { Vec::new() };
    let values: Vec<String> = values
        .iter()
        .filter(|value| !value.is_hide_set())
        .map(|value| match value.get_help() {
            Some(help) => format!("`{}`: {}", value.get_name(), cell(&help.to_string())),
            None => format!("`{}`", value.get_name()),
        })
        .collect();
    if !values.is_empty() {
        let separator = if values.iter().any(|value| value.contains(": ")) { "; " } else { ", " };
        write!(meaning, ". Values: {}", values.join(separator)).unwrap();
    }
    let defaults: Vec<_> = arg.get_default_values().iter().map(|value| value.to_string_lossy()).collect();
    if !defaults.is_empty() && arg.get_action().takes_values() {
        write!(meaning, ". Default: `{}`", defaults.join(",")).unwrap();
    }
    format!("| {} | {meaning} |\n", names(arg))
}

/// The arguments of a command that its help shows.
fn args(command: &Command) -> impl Iterator<Item = &Arg> {
    let is_shown = |arg: &&Arg| !arg.is_hide_set() && arg.get_id() != "help" && arg.get_id() != "version";
    command.get_arguments().filter(is_shown)
}

/// The table of options, if there are any.
fn table(args: &[&Arg]) -> String {
    if args.is_empty() {
        return String::new();
    }
    let rows: String = args.iter().map(|arg| row(arg)).collect();
    format!("| option | meaning |\n|---|---|\n{rows}\n")
}

fn options() -> String {
    let mut program = rapidoku_cli::command();
    program.build();
    let mut commands: Vec<Command> =
        program.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect();
    commands.sort_by(|a, b| a.get_name().cmp(b.get_name()));
    // Different arguments, with their numbers of commands.
    let mut counted: Vec<(&Arg, usize)> = Vec::new();
    for arg in commands.iter().flat_map(args) {
        match counted.iter_mut().find(|(other, _)| row(other) == row(arg)) {
            Some((_, count)) => *count += 1,
            None => counted.push((arg, 1)),
        }
    }
    let mut common: Vec<&Arg> =
        counted.iter().filter(|(_, count)| *count >= COMMON).map(|(arg, _)| *arg).collect();
    common.sort_by_key(|arg| arg.get_long());

    let mut text = INTRODUCTION.to_owned();
    for command in &commands {
        let usage = command.clone().render_usage().to_string();
        let usage = usage.trim_start_matches("Usage: ").replace('\n', " ");
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        write!(text, "## {}\n\n`{usage}`: {}.\n\n", command.get_name(), cell(&about)).unwrap();
        let is_in = |args: &[&Arg], arg: &Arg| args.iter().any(|other| row(other) == row(arg));
        let (shared, own): (Vec<&Arg>, Vec<&Arg>) = args(command).partition(|arg| is_in(&common, arg));
        text.push_str(&table(&own));
        let absent: Vec<&Arg> = common.iter().copied().filter(|arg| !is_in(&shared, arg)).collect();
        let list = |args: &[&Arg]| args.iter().map(|arg| names(arg)).collect::<Vec<_>>().join("; ");
        let sentence = match (shared.len(), absent.len()) {
            (0, _) => continue,
            (_, 0) => "All [common options](#common-options)".to_owned(),
            (n, m) if n > m => format!("All [common options](#common-options) except {}", list(&absent)),
            _ => format!("[Common options](#common-options): {}", list(&shared)),
        };
        write!(text, "{sentence}.\n\n").unwrap();
    }
    text + "## Common options\n\n" + table(&common).trim_end() + "\n"
}

#[test]
fn the_document_has_the_options_of_the_program() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/options.md");
    let options = options();
    if env::var_os("UPDATE_OPTIONS").is_some() {
        fs::write(&path, &options).expect("the document can be written");
    }
    let listed = fs::read_to_string(&path).expect("the document can be read");
    let first = options.lines().zip(listed.lines()).find(|(actual, listed)| actual != listed);
    assert!(
        options == listed,
        "docs/options.md differs from the program, first here; see {}: {first:#?}",
        file!()
    );
}

/// Shells divide a list of words at spaces.
#[test]
fn values_can_be_completed() {
    let mut program = rapidoku_cli::command();
    program.build();
    for command in program.get_subcommands() {
        for arg in command.get_arguments() {
            for value in arg.get_possible_values() {
                let (name, option) = (value.get_name(), arg.get_id());
                assert!(!name.contains(' '), "{} --{option} '{name}'", command.get_name());
            }
        }
    }
}
