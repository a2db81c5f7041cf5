//! `rapidoku completions` and `rapidoku man`: generated from the definition of the command line.

use std::process::ExitCode;

use anyhow::bail;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use rapidoku::file::Output;

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
    let command = match name {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => bail!("unknown command '{name}'"),
        },
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(page)
}

fn print(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut output = Output::stdout();
    output.write(bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
