//! The program `rapidoku`.
//!
//! | exit code | meaning |
//! |---|---|
//! | 0 | the run completed, or the reader of the output closed its pipe |
//! | 1 | `solve --strict`: a record is invalid or has no solution; `check`: a record is not unique; `verify`: a solution is wrong |
//! | 2 | wrong usage, or a file that cannot be read or written |
//! | 129, 130, 143 | ended by SIGHUP, Ctrl-C (SIGINT) or SIGTERM |

use std::process::ExitCode;

use rapidoku::file::Error;

fn main() -> ExitCode {
    match rapidoku_cli::run() {
        Ok(code) => code,
        Err(error) if error.downcast_ref().is_some_and(Error::is_closed_pipe) => ExitCode::SUCCESS,
        Err(error) => {
            match error.downcast_ref::<Error>() {
                Some(error) => rapidoku_cli::say(format_args!("rapidoku: {}", error.message())),
                None => rapidoku_cli::say(format_args!("rapidoku: {error:#}")),
            }
            ExitCode::from(2)
        }
    }
}
