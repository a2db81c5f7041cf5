//! The command-line program `rapidoku`. Its exit codes are [`rapidoku_cli::exit::CODES`].

use std::process::ExitCode;

use rapidoku::file::Error;
use rapidoku_cli::{exit, stderr};

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: rapidoku_cli::memory::Allocator = rapidoku_cli::memory::Allocator;

fn main() -> ExitCode {
    match rapidoku_cli::run() {
        Ok(code) => code,
        Err(error) => match error.downcast_ref::<Error>() {
            Some(error) if error.is_closed_pipe() => ExitCode::SUCCESS,
            Some(error) => fail(format_args!("{}", error.message())),
            None => fail(format_args!("{error:#}")),
        },
    }
}

fn fail(message: std::fmt::Arguments) -> ExitCode {
    stderr::message(message);
    ExitCode::from(exit::FAILURE)
}
