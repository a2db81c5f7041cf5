//! Where a report comes from: the time and the command line.

use std::env;
use std::time::SystemTime;

use rapidoku::file::internal::quote;

/// The time in UTC, such as `2026-01-31T12:00:00Z`.
pub fn now() -> String {
    humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
}

/// The command line of this process, quoted for a shell, with the bare name of the program.
pub fn command_line() -> String {
    let arguments = env::args_os().skip(1).map(|argument| quote(&argument.to_string_lossy()));
    ["rapidoku".to_owned()].into_iter().chain(arguments).collect::<Vec<_>>().join(" ")
}
