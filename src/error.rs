//! What stops a run. Trouble with one puzzle is an [`Outcome`](crate::grid::Outcome), not an error.

use std::io;

/// A failure to read, write or get going. Its message names the file and the reason.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// An input cannot be opened.
    #[error("cannot open '{name}': {}", reason(cause))]
    Open {
        /// The file as it was given.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// An input fails while it is read.
    #[error("cannot read '{name}': {}", reason(cause))]
    Read {
        /// The file as it was given.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// What an input holds cannot be made out, or is not what it was said to be.
    #[error("cannot make out '{name}': {seen}")]
    Layout {
        /// The file as it was given.
        name: String,
        /// What was seen, and what the user may say about it.
        seen: String,
    },
    /// An output cannot be created, or not beside the file that it is to replace.
    #[error("cannot create '{name}': {}", reason(cause))]
    Create {
        /// The file as it was given.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// An output fails while it is written or given its name.
    #[error("cannot write '{name}': {}", reason(cause))]
    Write {
        /// The file as it was given.
        name: String,
        /// What the system said.
        cause: io::Error,
    },
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {cause}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system said.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
}

impl Error {
    /// Whether the reader of our output went away, which is no reason for a message.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write { cause, .. } if cause.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// The system's message without its number: `No such file or directory`.
fn reason(cause: &io::Error) -> String {
    let message = cause.to_string();
    let words = message.split(" (os error").next().unwrap_or_default();
    words.to_owned()
}
