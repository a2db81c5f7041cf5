//! Failures that end a run. A bad record is not one of them, see [`Status::Invalid`](crate::Status::Invalid).

use std::fmt;
use std::io;

/// A failure to read, write or start. The message names the file; [`source`](std::error::Error::source) is the cause.
///
/// [`Error::message`] prints both in one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened.
    #[error("cannot open '{name}'")]
    Open {
        /// The file as it was given.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Reading an input failed.
    #[error("cannot read '{name}'")]
    Read {
        /// The file as it was given.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The format of an input is not recognised, or is not the one asked for.
    #[error("'{name}': {reason}")]
    Format {
        /// The file as it was given.
        name: String,
        /// What was found, and how to read it.
        reason: String,
    },
    /// An output cannot be created.
    #[error("cannot create '{name}'")]
    Create {
        /// The file as it was given.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Writing or renaming an output failed.
    #[error("cannot write '{name}'")]
    Write {
        /// The file as it was given.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The threads cannot be started.
    #[error("cannot start {threads} threads")]
    Threads {
        /// The number of threads asked for.
        threads: usize,
        /// The error of the thread pool.
        source: rayon::ThreadPoolBuildError,
    },
    /// The run was cancelled by its [`CancelToken`](crate::CancelToken).
    #[error("cancelled")]
    Cancelled,
}

impl Error {
    /// Whether the reader of the output has closed its pipe. Programs end silently then.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The error and its cause in one line, without the error number of the system.
    pub fn message(&self) -> Message<'_> {
        Message(self)
    }
}

/// See [`Error::message`].
#[derive(Debug)]
pub struct Message<'a>(&'a Error);

impl fmt::Display for Message<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)?;
        let mut source = std::error::Error::source(self.0);
        while let Some(cause) = source {
            let text = cause.to_string();
            write!(f, ": {}", text.split(" (os error").next().unwrap_or_default())?;
            source = cause.source();
        }
        Ok(())
    }
}
