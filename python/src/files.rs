//! Runs of `rapidoku::file` as calls of Python: with Ctrl-C and exceptions.

use std::io;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use rapidoku::CancelToken;
use rapidoku::file::Error;

use crate::memory;
use crate::run;

/// Threads that a run may start besides its workers: one that reads, one that decompresses, and the calling one; and as much
/// memory again for its queue of batches.
const OTHER_THREADS: usize = 6;

/// Makes a run on a thread of its own.
///
/// # Errors
/// `OSError` for a file that cannot be read, `ValueError` for one that is not understood, `MemoryError`.
pub fn run<T: Send>(
    py: Python,
    threads: usize,
    start: impl FnOnce(CancelToken) -> Result<T, Error> + Send,
) -> PyResult<T> {
    memory::check_threads(threads + OTHER_THREADS)?;
    run::once(py, |cancel| Ok(start(cancel.clone())))?.map_err(|error| exception(py, &error))
}

/// An error of the library as an exception.
fn exception(py: Python, error: &Error) -> PyErr {
    match error {
        Error::Open { name, source } | Error::Read { name, source } => {
            if source.kind() == io::ErrorKind::OutOfMemory {
                return PyMemoryError::new_err(error.message().to_string());
            }
            let Some(number) = source.raw_os_error() else {
                return io::Error::new(source.kind(), error.message().to_string()).into();
            };
            // With these arguments, the class of the exception depends on the number.
            let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
            text.map_or_else(|error| error, |text| PyOSError::new_err((number, text.unbind(), name.clone())))
        }
        _ => PyValueError::new_err(error.message().to_string()),
    }
}
