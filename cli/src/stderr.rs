//! Standard error. A failure to write to it is ignored: there is nowhere left to report it.
//!
//! All text is escaped here, whatever it contains, so that names in messages cannot control a terminal.

use std::fmt;
use std::io::{self, Write};

use rapidoku::file::internal::escape;

/// Prints `rapidoku: ` and a message, on one line.
pub fn message(message: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "rapidoku: {}", escape(&message.to_string()));
}

/// Prints a text of one or more lines.
pub fn lines(text: &str) {
    let lines: String = text.lines().map(|line| format!("{}\n", escape(line))).collect();
    let _ = io::stderr().write_all(lines.as_bytes());
}
