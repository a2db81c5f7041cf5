//! Lists of strings.

use std::collections::HashMap;

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use rapidoku::Puzzle;

use crate::memory::with_capacity;

/// The puzzles of a list.
pub struct Parsed {
    pub puzzles: Vec<Puzzle>,
    /// The reason for each item that is not a puzzle.
    pub faults: HashMap<usize, String>,
}

/// Parses the items of a list: strings, and `None` for a missing puzzle.
///
/// # Errors
/// `TypeError` for items of other types.
pub fn parse<'py>(items: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Parsed> {
    let mut parsed = Parsed { puzzles: with_capacity(items.len()), faults: HashMap::new() };
    for (row, item) in items.enumerate() {
        let puzzle = match item.cast::<PyString>() {
            Ok(text) => text.to_str()?.parse().map_err(|reason: rapidoku::PuzzleError| reason.to_string()),
            Err(_) if item.is_none() => Err("null".to_owned()),
            Err(_) => {
                let class = item.get_type().fully_qualified_name()?;
                return Err(PyTypeError::new_err(format!("row {row} is {class} instead of str")));
            }
        };
        parsed.puzzles.push(puzzle.unwrap_or_else(|reason| {
            parsed.faults.insert(row, reason);
            Puzzle::MALFORMED
        }));
    }
    Ok(parsed)
}
