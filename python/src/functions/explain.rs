//! `explain`: why a puzzle is invalid or has no, one or several solutions.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rapidoku::{Candidates, Explanation, Puzzle};

use crate::memory;
use crate::output::named_tuple;

/// Explain why a puzzle is invalid, has no or several solutions, or how to solve it step by step.
///
/// The result has the fields ``status``, ``text`` (for people) and ``details``, which are those of ``rapidoku explain
/// --format jsonl``.
///
/// >>> import rapidoku
/// >>> print(rapidoku.explain("1.......1" + "." * 72).text.splitlines()[0])
/// invalid: digit 1 twice in row 1: r1c1 and r1c9
#[pyfunction]
#[pyo3(signature = (puzzle, *, max_guesses = None))]
pub fn explain<'py>(puzzle: &Bound<'py, PyString>, max_guesses: Option<u64>) -> PyResult<Bound<'py, PyAny>> {
    memory::check_this_thread()?;
    let py = puzzle.py();
    let candidates = puzzle.to_string_lossy().parse::<Puzzle>().map(|puzzle| Candidates::from(&puzzle));
    let (status, text, details) = py.detach(|| {
        let explanation = Explanation::new(candidates, max_guesses.unwrap_or(u64::MAX));
        let text = explanation.to_text(&candidates.unwrap_or((&Puzzle::EMPTY).into()), false);
        (explanation.status(), text, serde_json::to_string(&explanation))
    });
    let details = details.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    named_tuple(py, "Explanation", (status.name(), text, py.import("json")?.call_method1("loads", (details,))?))
}
