//! `solutions`: the solutions of a puzzle, one by one.

use std::sync::{Mutex, MutexGuard};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rapidoku::Puzzle;

use crate::memory;
use crate::options;

/// An iterator over the solutions of a puzzle. Threads that share it get different solutions.
#[pyclass(frozen, module = "rapidoku._rapidoku")]
pub struct Solutions(Mutex<rapidoku::Solutions>);

impl Solutions {
    /// Waits for the search of another thread. Never called with the GIL, which that thread may need before it unlocks.
    fn lock(&self) -> MutexGuard<'_, rapidoku::Solutions> {
        self.0.lock().expect("no thread panics with the lock")
    }
}

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyString>>> {
        let solution = py.detach(|| self.lock().next());
        solution.map(|solution| PyString::from_bytes(py, &solution.to_ascii())).transpose()
    }

    /// What is known so far: `unique`, `multiple`, `none` and `gave-up` are final after the last solution.
    #[getter]
    fn status(&self, py: Python) -> &'static str {
        py.detach(|| self.lock().outcome().status.name())
    }
}

/// Iterate over the solutions of a puzzle, which are found as they are asked for.
///
/// Raises:
///     ValueError: the text is not a puzzle.
///
/// >>> import itertools, rapidoku
/// >>> solutions = rapidoku.solutions("." * 81)
/// >>> [solution[:12] for solution in itertools.islice(solutions, 2)]
/// ['123456789456', '123456789456']
#[pyfunction]
#[pyo3(signature = (puzzle, *, limit = None, max_guesses = None))]
pub fn solutions(puzzle: &Bound<PyString>, limit: Option<u64>, max_guesses: Option<u64>) -> PyResult<Solutions> {
    memory::check_this_thread()?;
    let limits = options::limits(limit.unwrap_or(u64::MAX), max_guesses)?;
    let puzzle =
        puzzle.to_string_lossy().parse::<Puzzle>().map_err(|reason| PyValueError::new_err(reason.to_string()))?;
    Ok(Solutions(Mutex::new(puzzle.solutions().limits(limits))))
}
