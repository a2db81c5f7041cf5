//! Files for packages, generated from the definition of the command line. The program itself need not run, so it may have
//! been compiled for another platform.
//!
//! ```text
//! cargo xtask man DIR          rapidoku.1 and a page per command
//! cargo xtask completions DIR  a script per shell, under the name that the shell expects
//! ```

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use clap_complete::Shell;
use rapidoku_cli::command::pages;

const USAGE: &str = "usage: cargo xtask man DIR
       cargo xtask completions DIR";

fn main() -> anyhow::Result<ExitCode> {
    let args: Vec<String> = env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["man", folder] => write_manual(Path::new(folder))?,
        ["completions", folder] => write_completions(Path::new(folder))?,
        _ => {
            eprintln!("{USAGE}");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write_manual(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let program = rapidoku_cli::command();
    fs::write(folder.join("rapidoku.1"), pages::manual(None, program.clone())?)?;
    for command in program.get_subcommands().filter(|command| !command.is_hide_set()) {
        let name = command.get_name();
        let page = pages::manual(Some(name), program.clone())?;
        fs::write(folder.join(format!("rapidoku-{name}.1")), page)?;
    }
    Ok(())
}

fn write_completions(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder)?;
    let files = [
        (Shell::Bash, "rapidoku.bash"),
        (Shell::Elvish, "rapidoku.elv"),
        (Shell::Fish, "rapidoku.fish"),
        (Shell::PowerShell, "_rapidoku.ps1"),
        (Shell::Zsh, "_rapidoku"),
    ];
    for (shell, name) in files {
        fs::write(folder.join(name), pages::completions(shell, &mut rapidoku_cli::command()))?;
    }
    Ok(())
}
