//! Standard error. A failure to write to it is ignored: there is nowhere left to report it.

use std::fmt;
use std::io::{self, Write};

/// Prints `rapidoku: ` and a message.
pub fn message(message: fmt::Arguments) {
    line(format_args!("rapidoku: {message}"));
}

/// Prints a line as it is.
pub fn line(line: fmt::Arguments) {
    let _ = writeln!(io::stderr(), "{line}");
}
