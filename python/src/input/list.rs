//! Lists of strings.

use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use rapidoku::{Puzzle, PuzzleError};

use crate::memory;

/// The puzzles of a list.
pub struct Parsed {
    pub puzzles: Vec<Puzzle>,
    /// The rows that are not puzzles, in order, each with the reason. Missing puzzles have none.
    faults: Vec<(usize, Option<PuzzleError>)>,
}

impl Parsed {
    /// The reason why a row is not a puzzle, or `None` if it is one.
    pub fn fault(&self, row: usize) -> Option<String> {
        let at = self.faults.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.faults[at].1.map_or_else(|| "null".to_owned(), |reason| reason.to_string()))
    }
}

/// Parses the items of a list: strings, and `None` for a missing puzzle.
///
/// # Errors
/// `TypeError` for items of other types, `MemoryError`.
pub fn parse<'py>(items: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Parsed> {
    let mut parsed = Parsed { puzzles: memory::with_capacity(items.len())?, faults: Vec::new() };
    for (row, item) in items.enumerate() {
        let reason = match item.cast::<PyString>() {
            Ok(text) => match parse_text(text)? {
                Ok(puzzle) => {
                    memory::push(&mut parsed.puzzles, puzzle)?;
                    continue;
                }
                Err(reason) => Some(reason),
            },
            Err(_) if item.is_none() => None,
            Err(_) => {
                let class = item.get_type().fully_qualified_name()?;
                return Err(PyTypeError::new_err(format!("row {row} is {class} instead of str")));
            }
        };
        memory::push(&mut parsed.puzzles, Puzzle::MALFORMED)?;
        memory::push(&mut parsed.faults, (row, reason))?;
    }
    Ok(parsed)
}

/// Parses a text. A lone surrogate, which UTF-8 cannot represent, is a bad character like others.
///
/// # Errors
/// `MemoryError`.
#[inline]
pub fn parse_text(text: &Bound<PyString>) -> PyResult<Result<Puzzle, PuzzleError>> {
    match text.to_str() {
        Ok(text) => Ok(text.parse()),
        Err(error) => parse_surrogates(text, error),
    }
}

#[cold]
fn parse_surrogates(text: &Bound<PyString>, error: PyErr) -> PyResult<Result<Puzzle, PuzzleError>> {
    if !error.is_instance_of::<PyUnicodeEncodeError>(text.py()) {
        return Err(error);
    }
    let bytes = text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into::<PyBytes>()?;
    Ok(Puzzle::try_from(bytes.as_bytes()))
}
