//! Runs of `rapidoku::file` as calls of Python: with Ctrl-C, exceptions and warnings.

use std::ffi::CString;
use std::io;
use std::iter;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyUserWarning, PyValueError};
use pyo3::prelude::*;
use rapidoku::CancelToken;
use rapidoku::file::{Error, Event};

use crate::memory;
use crate::run::{self, Plan};

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
    start: impl FnOnce(CancelToken, &mut dyn FnMut(Event)) -> Result<T, Error> + Send,
) -> PyResult<T> {
    memory::check_threads(threads + OTHER_THREADS)?;
    let (mut result, mut skipped) = (None, Vec::new());
    let plan = Plan { rows: 1, threads: 1, is_bounded: false };
    let item = (start, &mut result, &mut skipped);
    run::run(py, plan, iter::once(item), |_, (start, result, skipped), cancel| {
        // There are few such events.
        let mut on_event = |event: Event| match event {
            Event::Skipped { input, reason } => {
                drop(memory::push(skipped, format!("skipped '{input}': {reason}")))
            }
            Event::SkippedMore { files } => {
                drop(memory::push(skipped, format!("skipped {files} more files")))
            }
            _ => {}
        };
        *result = Some(start(cancel.clone(), &mut on_event));
        Ok(())
    })?;
    let result = result.expect("the run has ended").map_err(|error| exception(py, &error))?;
    for text in skipped {
        let text = CString::new(text).map_err(|_| PyValueError::new_err("a name with a NUL"))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)?;
    }
    Ok(result)
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
