//! The command line program: arguments -> run -> exit code.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | the run completed, or the reader of its output had enough (closed pipe) |
//! | 1 | `solve --strict`: some record is invalid or without solution; `check`: some is not unique; `verify`: some is wrong |
//! | 2 | wrong usage, or a file that cannot be read or written |
//! | 129, 130, 143 | ended by SIGHUP, Ctrl-C (SIGINT) or SIGTERM |

mod cli;

use std::process::ExitCode;

use rapidoku::error::Error;

fn main() -> ExitCode {
    match cli::run() {
        Ok(code) => code,
        Err(error) if error.downcast_ref().is_some_and(Error::is_closed_pipe) => ExitCode::SUCCESS,
        Err(error) => {
            cli::say(format_args!("rapidoku: {error:#}"));
            ExitCode::from(2)
        }
    }
}
