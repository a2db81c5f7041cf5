//! `rapidoku completions` and `rapidoku man`: made from the definitions of the command line itself.

use std::process::ExitCode;

use anyhow::bail;
use clap::Command;
use clap_complete::Shell;
use clap_mangen::Man;
use rapidoku::file::Output;

/// Print a completion script for a shell.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku completions bash > ~/.local/share/bash-completion/completions/rapidoku
  rapidoku completions zsh > ~/.zfunc/_rapidoku
  rapidoku completions fish > ~/.config/fish/completions/rapidoku.fish")]
pub struct CompletionArgs {
    /// The shell.
    shell: Shell,
}

/// Print the manual page, of the program or of one of its commands, for `man`.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  rapidoku man > rapidoku.1
  rapidoku man solve > rapidoku-solve.1 && man ./rapidoku-solve.1")]
pub struct ManArgs {
    /// The command.
    command: Option<String>,
}

/// Runs `completions`.
pub fn complete(args: &CompletionArgs, mut program: Command) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "rapidoku", &mut script);
    print(&script)
}

/// Runs `man`.
pub fn manual(args: &ManArgs, mut program: Command) -> anyhow::Result<ExitCode> {
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => match program.find_subcommand(name) {
            Some(command) => command.clone(),
            None => bail!("there is no command '{name}'"),
        },
    };
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    print(&page)
}

fn print(bytes: &[u8]) -> anyhow::Result<ExitCode> {
    let mut output = Output::stdout();
    output.write(bytes)?;
    output.finish()?;
    Ok(ExitCode::SUCCESS)
}
