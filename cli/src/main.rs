//! The command-line program `rapidoku`. Its exit codes are [`rapidoku_cli::exit::CODES`].

use std::env;
use std::process::ExitCode;

use rapidoku::file::Error;
use rapidoku_cli::{exit, stderr};

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: rapidoku_jobs::memory::Allocator = rapidoku_jobs::memory::Allocator;

fn main() -> ExitCode {
    match rapidoku_cli::run() {
        Ok(code) => code.into(),
        Err(error) => match error.downcast_ref::<Error>() {
            Some(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
            Some(error) => {
                // The command in the message of a refused input is that of the user, with other options.
                let command = env::args().nth(1).unwrap_or_default();
                let message = error.message().replace("rapidoku ...", &format!("rapidoku {command}"));
                stderr::lines(&format!("rapidoku: {message}"));
                ExitCode::from(exit::FAILURE)
            }
            None => {
                stderr::message(format_args!("{error:#}"));
                ExitCode::from(exit::FAILURE)
            }
        },
    }
}
