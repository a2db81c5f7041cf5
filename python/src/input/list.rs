//! Strings that are Python objects.

use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyString};
use rapidoku::{Puzzle, PuzzleError};

use super::not_text;
use crate::memory;

/// The puzzles of a list.
pub struct Parsed {
    /// With any puzzle for rows that are none.
    pub puzzles: Vec<Puzzle>,
    /// The rows that are not puzzles, in order, each with its text. Missing puzzles have none.
    pub faults: Vec<(usize, Option<Vec<u8>>)>,
}

impl Parsed {
    /// The text of a row that is not a puzzle, if it has one; `None` if the row is a puzzle.
    pub fn fault(&self, row: usize) -> Option<Option<&[u8]>> {
        let at = self.faults.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(self.faults[at].1.as_deref())
    }
}

/// Parses the items of a list: `str` or `bytes`, and `None`, NaN or `pandas.NA` for a missing puzzle.
///
/// # Errors
/// `TypeError` for items of other types, `MemoryError`.
pub fn parse<'py>(items: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Parsed> {
    let mut parsed = Parsed { puzzles: memory::with_capacity(items.len())?, faults: Vec::new() };
    for (row, item) in items.enumerate() {
        let bytes: Bound<PyBytes>;
        let text = if let Ok(text) = item.cast::<PyString>() {
            match text.to_str() {
                Ok(text) => Some(text.as_bytes()),
                Err(error) => {
                    bytes = surrogates(text, error)?;
                    Some(bytes.as_bytes())
                }
            }
        } else if let Ok(text) = item.cast::<PyBytes>() {
            Some(text.as_bytes())
        } else if is_missing(&item)? {
            None
        } else {
            return Err(not_str(row, &item)?);
        };
        let puzzle = text.and_then(|text| Puzzle::try_from(text).ok());
        if puzzle.is_none() {
            let text = text.map(|text| memory::collect(text.iter().copied())).transpose()?;
            memory::push(&mut parsed.faults, (row, text))?;
        }
        memory::push(&mut parsed.puzzles, puzzle.unwrap_or(Puzzle::EMPTY))?;
    }
    Ok(parsed)
}

/// Whether an item stands for a missing value.
#[cold]
fn is_missing(item: &Bound<PyAny>) -> PyResult<bool> {
    if item.is_none() {
        return Ok(true);
    }
    if let Ok(number) = item.cast::<PyFloat>() {
        return Ok(number.value().is_nan());
    }
    Ok(item.get_type().name()? == "NAType")
}

/// The exception for an item of another type.
#[cold]
fn not_str(row: usize, item: &Bound<PyAny>) -> PyResult<PyErr> {
    let found = format!("{} in row {row}", item.get_type().fully_qualified_name()?);
    Ok(match item.hasattr("__index__")? || item.is_instance_of::<PyFloat>() {
        true => not_text(&found),
        false => PyTypeError::new_err(format!("expected str, not {found}")),
    })
}

/// Parses a text. A lone surrogate, which UTF-8 cannot represent, is a bad character like others.
///
/// # Errors
/// `MemoryError`.
pub fn parse_text(text: &Bound<PyString>) -> PyResult<Result<Puzzle, PuzzleError>> {
    match text.to_str() {
        Ok(text) => Ok(text.parse()),
        Err(error) => surrogates(text, error).map(|bytes| Puzzle::try_from(bytes.as_bytes())),
    }
}

/// The bytes of a text with lone surrogates. Other errors are passed on.
#[cold]
fn surrogates<'py>(text: &Bound<'py, PyString>, error: PyErr) -> PyResult<Bound<'py, PyBytes>> {
    if !error.is_instance_of::<PyUnicodeEncodeError>(text.py()) {
        return Err(error);
    }
    Ok(text.call_method1("encode", ("utf-8", "surrogatepass"))?.cast_into()?)
}
