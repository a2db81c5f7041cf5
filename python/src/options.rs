//! Options that several functions have.

use std::num::NonZeroU64;
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::{Limits, Solver, Status};

use crate::input::Source;

/// The same bound as in the program: more threads than this are a mistake.
const MAX_THREADS: usize = 512;

/// The limits of a search.
pub fn limits(limit: u64, max_guesses: Option<u64>) -> PyResult<Limits> {
    let limit = NonZeroU64::new(limit).ok_or_else(|| PyValueError::new_err("limit must be at least 1"))?;
    Ok(Limits::up_to(limit).max_guesses(max_guesses.unwrap_or(u64::MAX)))
}

/// A solver for chunks, on the thread that calls it.
pub fn solver(limits: Limits) -> Solver {
    Solver::new().limits(limits).threads(1)
}

/// The number of threads: 0 means one per core that this process may use.
pub fn threads(requested: usize) -> PyResult<usize> {
    match requested {
        0 => Ok(thread::available_parallelism().map_or(1, |n| n.get()).min(MAX_THREADS)),
        n if n <= MAX_THREADS => Ok(n),
        _ => Err(PyValueError::new_err(format!("threads must be at most {MAX_THREADS}"))),
    }
}

/// What happens with rows that are not puzzles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Errors {
    /// They have the status `invalid`.
    Status,
    /// The first one raises `InvalidPuzzleError`.
    Raise,
}

impl Errors {
    /// Raises the exception for the first row with the status `invalid`, if that is wanted.
    pub fn check(self, py: Python, source: &Source, statuses: &[i8]) -> PyResult<()> {
        let is_invalid = |&status: &i8| status == Status::Invalid as i8;
        match statuses.iter().position(is_invalid).filter(|_| self == Errors::Raise) {
            Some(row) => Err(source.error(py, row)),
            None => Ok(()),
        }
    }
}

impl FromPyObject<'_, '_> for Errors {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Errors> {
        match object.extract::<&str>()? {
            "status" => Ok(Errors::Status),
            "raise" => Ok(Errors::Raise),
            other => Err(PyValueError::new_err(format!("errors must be 'status' or 'raise', not '{other}'"))),
        }
    }
}
