//! Options that several functions have.

use std::num::NonZeroU64;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::{Limits, Solver};

use crate::input::Source;
use crate::output::Form;
use crate::run::{self, Plan};

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

/// The value of a word.
///
/// # Errors
/// `ValueError` with the words if there is no such word.
pub fn choose<T: Copy>(option: &str, choices: &[(&str, T)], word: &str) -> PyResult<T> {
    let found = choices.iter().find(|(name, _)| *name == word);
    found.map(|(_, value)| *value).ok_or_else(|| {
        let words: Vec<&str> = crate::memory::few(choices.iter().map(|(name, _)| *name));
        PyValueError::new_err(format!("{option} must be one of {}, not '{word}'", words.join(", ")))
    })
}

/// Looks for invalid rows, if `errors` is `raise`, and raises `InvalidPuzzleError` for the first one.
pub fn check(errors: &str, py: Python, source: Source, threads: usize) -> PyResult<()> {
    if !choose("errors", &[("status", false), ("raise", true)], errors)? {
        return Ok(());
    }
    let first = AtomicUsize::new(usize::MAX);
    let plan = Plan { rows: source.len(), threads, is_bounded: true };
    run::run(py, plan, run::chunks(plan.rows), |scratch, rows, _| {
        if rows.start < first.load(Ordering::Relaxed) {
            source.read(rows.clone(), &mut scratch.rows)?;
            let mut puzzles = scratch.rows.puzzles().iter();
            // The clues of rows that are not puzzles clash too.
            if let Some(k) = puzzles.position(|puzzle| puzzle.clash().is_some()) {
                first.fetch_min(rows.start + k, Ordering::Relaxed);
            }
        }
        Ok(())
    })?;
    match first.into_inner() {
        usize::MAX => Ok(()),
        row => Err(source.error(py, row)),
    }
}

/// The form of results that have no input to take it from.
pub fn form(output: &str) -> PyResult<Form> {
    choose(
        "output",
        &[("arrow", Form::Arrow), ("list", Form::Lists), ("numpy", Form::Arrays { dimensions: 2 })],
        output,
    )
}
