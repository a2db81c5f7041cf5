//! `rapidoku completions` and `rapidoku man`: generated from the definition of the command line.

use std::io;
use std::process::ExitCode;

use anyhow::bail;
use clap::builder::Resettable;
use clap::{Command, ValueHint};
use clap_complete::Shell;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::exit;

/// Print a shell completion script.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku completions bash > ~/.local/share/bash-completion/completions/rapidoku
  rapidoku completions zsh > ~/.zfunc/_rapidoku
  rapidoku completions fish > ~/.config/fish/completions/rapidoku.fish")]
pub struct CompletionArgs {
    /// Shell to generate the script for.
    shell: Shell,
}

/// Print the manual page of the program or of one of its commands.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku man > rapidoku.1
  rapidoku man solve > rapidoku-solve.1 && man ./rapidoku-solve.1")]
pub struct ManArgs {
    /// Command to document; without it, the program.
    #[arg(value_hint = ValueHint::Other)]
    command: Option<String>,
}

/// Runs `rapidoku completions`.
pub fn print_completions(args: &CompletionArgs, mut program: Command) -> anyhow::Result<ExitCode> {
    print(&completions(args.shell, &mut program))
}

/// The completion script for a shell.
pub fn completions(shell: Shell, program: &mut Command) -> Vec<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, program, "rapidoku", &mut script);
    script
}

/// Runs `rapidoku man`.
pub fn print_manual(args: &ManArgs, program: Command) -> anyhow::Result<ExitCode> {
    print(&manual(args.command.as_deref(), program)?)
}

/// The manual page of a command, or without a name of the program.
///
/// # Errors
/// When there is no such command.
pub fn manual(name: Option<&str>, mut program: Command) -> anyhow::Result<Vec<u8>> {
    program.build();
    let commands = program.get_subcommands().filter(|command| command.get_name() != "help");
    let others = commands.map(|command| format!("rapidoku-{}", command.get_name()));
    let others: Vec<_> = ["rapidoku".to_owned()].into_iter().chain(others).collect();
    let command = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => bail!("unknown command '{name}'"),
        },
    };
    Ok(render(command, &others)?)
}

/// The environment variables that change what the program does.
const ENVIRONMENT: [(&str, &str); 3] = [
    (
        "RAPIDOKU_THREADS",
        "The number of worker threads if the option --threads is absent; empty counts as unset.",
    ),
    ("NO_COLOR", "If it is not empty, explain does not colour its output."),
    (
        "TMPDIR",
        "The folder for temporary files: those of bench --rival, and of dedup, overlap and shuffle without --temp-dir.",
    ),
];

/// Renders the manual page of a command. `others` are the names of the other pages.
fn render(command: Command, others: &[String]) -> io::Result<Vec<u8>> {
    let own = command.get_display_name().unwrap_or_else(|| command.get_name()).to_owned();
    let help = command.get_after_long_help().or_else(|| command.get_after_help());
    let help = help.map(|help| help.to_string()).unwrap_or_default();
    let mut page = Vec::new();
    // The renderer would put the end of the help into a section EXTRA.
    let command = command.after_help(Resettable::Reset).after_long_help(Resettable::Reset);
    Man::new(command).render(&mut page)?;
    let mut sections = Roff::new();
    // The exit codes have a section of their own.
    let is_shown = |part: &&str| !part.is_empty() && !part.starts_with("Exit codes:");
    let (examples, notes): (Vec<_>, Vec<_>) =
        help.split("\n\n").filter(is_shown).partition(|part| part.starts_with("Examples:"));
    for (title, parts) in [("NOTES", notes), ("EXAMPLES", examples)] {
        for (at, part) in parts.into_iter().enumerate() {
            match at {
                0 => sections.control("SH", [title]),
                _ => sections.control("PP", []),
            };
            let is_list = part.contains("\n  ");
            if is_list {
                // Without filling, which would change the spaces of a command.
                sections.control("nf", []);
            }
            for line in part.strip_prefix("Examples:\n").unwrap_or(part).lines() {
                sections.text([roman(line.trim_start())]);
            }
            if is_list {
                sections.control("fi", []);
            }
        }
    }
    for (title, entries) in [("EXIT STATUS", &exit::CODES[..]), ("ENVIRONMENT", &ENVIRONMENT)] {
        sections.control("SH", [title]);
        for &(name, text) in entries {
            sections.control("TP", []).text([bold(name)]).text([roman(text)]);
        }
    }
    sections.control("SH", ["SEE ALSO"]);
    let others: Vec<_> = others.iter().filter(|name| **name != own).collect();
    for (at, name) in others.iter().enumerate() {
        let end = if at + 1 < others.len() { "(1)," } else { "(1)" };
        sections.text([bold(name.as_str()), roman(end)]);
    }
    sections.control("PP", []).text([
        roman("The guide has a tutorial, formats and columns: "),
        bold("docs/guide.md"),
        roman(" in the source and in release archives, "),
        bold("/usr/share/doc/rapidoku/guide.md"),
        roman(" in Debian packages."),
    ]);
    sections.to_writer(&mut page)?;
    Ok(page)
}

fn print(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut output = crate::operands::stdout()?;
    output.write(bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
