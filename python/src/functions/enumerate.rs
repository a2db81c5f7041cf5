//! `enumerate`: the solutions of a puzzle, one by one.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::Puzzle;

use crate::options;

/// An iterator over the solutions of a puzzle.
#[pyclass(module = "rapidoku._rapidoku")]
pub struct Solutions(rapidoku::Solutions);

#[pymethods]
impl Solutions {
    fn __iter__(this: PyRef<'_, Self>) -> PyRef<'_, Self> {
        this
    }

    fn __next__(&mut self, py: Python) -> Option<String> {
        py.detach(|| self.0.next()).map(|solution| solution.to_string())
    }

    /// What is known so far: `unique`, `multiple`, `none` and `limit` are final after the last solution.
    #[getter]
    fn status(&self) -> &'static str {
        self.0.outcome().status.name()
    }
}

/// Iterate over the solutions of a puzzle, which are found as they are asked for.
///
/// Raises:
///     ValueError: the text is not a puzzle.
///
/// >>> import itertools, rapidoku
/// >>> solutions = rapidoku.enumerate("." * 81)
/// >>> [solution[:12] for solution in itertools.islice(solutions, 2)]
/// ['123456789456', '123456789456']
#[pyfunction]
#[pyo3(signature = (puzzle, *, limit = None, max_guesses = None))]
pub fn enumerate(puzzle: &str, limit: Option<u64>, max_guesses: Option<u64>) -> PyResult<Solutions> {
    let limits = options::limits(limit.unwrap_or(u64::MAX), max_guesses)?;
    let puzzle: Puzzle =
        puzzle.parse().map_err(|reason: rapidoku::PuzzleError| PyValueError::new_err(reason.to_string()))?;
    Ok(Solutions(puzzle.solutions().limits(limits)))
}
