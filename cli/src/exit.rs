//! The exit codes of all commands.

pub use rapidoku_jobs::FAILURE;

/// Each exit code and its meaning.
pub const CODES: [(&str, &str); 4] = [
    ("0", "success, or the reader of the output closed its pipe"),
    ("1", "a check failed, records overlap or differ, or 'generate' gave up: see the help of the command"),
    ("2", "usage error, a file that cannot be read, recognised or written, or too little memory"),
    ("130", "interrupted by SIGINT (Ctrl-C); 129 by SIGHUP, 143 by SIGTERM"),
];

/// The exit code after SIGINT.
pub const INTERRUPTED: u8 = 130;
