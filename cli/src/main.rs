//! The command-line program `rapidoku`.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | success, or the reader of the output closed its pipe |
//! | 1 | `solve --strict`: a record has no solution; `check`: a record is not unique; `verify`: a solution is wrong; `bench`: no time can be reported for a file; `generate --pattern` gave up |
//! | 2 | a usage error, or a file that cannot be read, recognised or written, or too little memory |
//! | 129, 130, 143 | terminated by SIGHUP, SIGINT (Ctrl-C) or SIGTERM |

use std::process::ExitCode;

use rapidoku::file::Error;
use rapidoku_cli::stderr;

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
    ExitCode::from(2)
}
