//! Failures that end a run. A bad record is not one of them, see [`Status::Invalid`](crate::outcome::Status::Invalid).

use std::{fmt, io};

use super::escape::escape;
use super::refusal::Refusal;

/// A failure that ends a run. Its message names the file; [`source`](std::error::Error::source) is the cause.
///
/// Control characters in names and reasons are escaped when the error is displayed, but not in the fields.
///
/// [`Error::message`] has both on one line, and so has `{:?}`, which is what `main` prints of an error that it returns:
///
/// ```
/// use std::error::Error as _;
///
/// use rapidoku::file::{Input, Error};
///
/// let error = Input::from("missing.txt").size().unwrap_err();
/// assert_eq!(error.to_string(), "cannot open 'missing.txt'");
/// assert!(error.source().is_some());
/// # #[cfg(unix)]
/// assert_eq!(error.message(), "cannot open 'missing.txt': No such file or directory");
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An input cannot be opened.
    #[error("cannot open '{}'", escape(name))]
    Open {
        /// The name of the input or output.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Reading an input failed.
    #[error("cannot read '{}'", escape(name))]
    Read {
        /// The name of the input or output.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// An input is refused, or the job rejects its layout.
    #[error("'{}': {}", escape(name), escape_lines(reason))]
    Format {
        /// The name of the input or output.
        name: String,
        /// The reason, and advice if there is any.
        reason: String,
    },
    /// An output cannot be created.
    #[error("cannot create '{}'", escape(name))]
    Create {
        /// The name of the input or output.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// Writing or renaming an output failed.
    #[error("cannot write '{}'", escape(name))]
    Write {
        /// The name of the input or output.
        name: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The threads cannot be started.
    #[error("cannot start {threads} thread{}", if *threads == 1 { "" } else { "s" })]
    Threads {
        /// The requested number of threads.
        threads: usize,
        /// The error of the thread pool.
        source: rayon::ThreadPoolBuildError,
    },
    /// The job [needs numbers](super::Needs::numbers), but the run is restricted to a [`Shard`](super::Shard).
    #[error("a shard does not know the numbers of its records and lines, which these rows have or depend on")]
    ShardNumbers,
    /// The run was cancelled by its [`CancelToken`](crate::cancel::CancelToken).
    #[error("cancelled")]
    Cancelled,
}

/// Escapes each line of a reason. Its second line is a command.
fn escape_lines(reason: &str) -> String {
    reason.split('\n').map(|line| escape(line).to_string()).collect::<Vec<_>>().join("\n")
}

impl Error {
    /// The error of an input that is refused.
    pub(super) fn refused(name: String, refusal: &Refusal) -> Error {
        Error::Format { reason: refusal.for_input(&name), name }
    }

    /// Whether the output is a pipe whose reader has closed it. Programs usually end silently then.
    pub fn is_closed_pipe(&self) -> bool {
        matches!(self, Error::Write { source, .. } if source.kind() == io::ErrorKind::BrokenPipe)
    }

    /// The error and its causes on one line, without system error numbers.
    pub fn message(&self) -> String {
        let mut message = self.to_string();
        let mut source = std::error::Error::source(self);
        while let Some(cause) = source {
            let text = cause.to_string();
            message += ": ";
            message += &escape(text.split(" (os error").next().unwrap_or_default());
            source = cause.source();
        }
        message
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())
    }
}
