//! Files for packages, generated from the definition of the command line. The program itself need not run, so it may
//! have been compiled for another platform.
//!
//! ```text
//! cargo xtask man DIR          rapidoku.1 and a page per command
//! cargo xtask completions DIR  a script per shell, under the name that the shell expects
//! ```

use std::process::ExitCode;
use std::{env, fs};

use clap::ValueEnum;
use clap_complete::Shell;

fn main() -> anyhow::Result<ExitCode> {
    let args: Vec<String> = env::args().skip(1).collect();
    let mut program = rapidoku_cli::command();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["man", folder] => {
            fs::create_dir_all(folder)?;
            clap_mangen::generate_to(program, folder)?;
        }
        ["completions", folder] => {
            fs::create_dir_all(folder)?;
            for shell in Shell::value_variants() {
                clap_complete::generate_to(*shell, &mut program, "rapidoku", folder)?;
            }
        }
        _ => {
            eprintln!("usage: cargo xtask man DIR\n       cargo xtask completions DIR");
            return Ok(ExitCode::from(2));
        }
    }
    Ok(ExitCode::SUCCESS)
}
