//! Columns of puzzles, as Python has them.

mod arrow;
mod list;

use std::borrow::Cow;
use std::ops::Range;

use ::numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyTuple, PyType};
use rapidoku::grid::CELLS;
use rapidoku::{Puzzle, SimdLevel};

use crate::memory::{self, OutOfMemory};
use crate::output::Form;
use arrow::Texts;
pub use list::is_missing;

/// A column of puzzles.
pub enum Input<'py> {
    /// Texts, and the form of results.
    Texts(Texts, Form),
    /// A contiguous array of bytes.
    Cells(PyReadonlyArrayDyn<'py, u8>),
}

impl<'py> Input<'py> {
    /// Recognises a column.
    ///
    /// # Errors
    /// `TypeError` for objects of other types, `ValueError` for arrays of other shapes.
    pub fn new(object: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return Ok(Input::Texts(list::texts(tuple.iter())?, Form::Lists));
        }
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(
                "expected a column of puzzles, not a single str; use solve_one(puzzle) or [puzzle]",
            ));
        }
        let prepare = || columns(object.py())?.call_method1("prepare", (object,))?.extract();
        let (kind, object): (String, Bound<PyAny>) =
            if object.is_instance_of::<PyList>() { ("texts".to_owned(), object.clone()) } else { prepare()? };
        match &*kind {
            // The crate `numpy` imports NumPy, which need not be installed.
            "cells" => Ok(Input::Cells(object.cast::<PyArrayDyn<u8>>()?.try_readonly()?)),
            "texts" => Ok(Input::Texts(list::texts(object.cast::<PyList>()?.iter())?, Form::Lists)),
            "series" => Ok(Input::Texts(list::texts(object.cast::<PyList>()?.iter())?, Form::Arrow)),
            _ => match crate::capsule::import(&object)? {
                Some(arrays) => Ok(Input::Texts(Texts::new(&arrays)?, Form::Arrow)),
                None => Err(PyTypeError::new_err(format!(
                    "expected Arrow strings, a pandas Series, a list of str or a NumPy array, not {}",
                    object.get_type().fully_qualified_name()?
                ))),
            },
        }
    }

    /// The form of results for this input.
    pub fn form(&self) -> Form {
        match self {
            Input::Texts(_, form) => *form,
            Input::Cells(cells) => Form::Arrays { dimensions: cells.shape().len() },
        }
    }

    /// What threads without the GIL read.
    pub fn source(&self) -> PyResult<Source<'_>> {
        Ok(match self {
            Input::Texts(texts, _) => Source::Texts(texts),
            Input::Cells(array) => Source::Cells(array.as_slice()?.as_chunks().0),
        })
    }
}

/// The rows of an [`Input`].
#[derive(Clone, Copy)]
pub enum Source<'a> {
    Texts(&'a Texts),
    /// Digits, 0 for blanks.
    Cells(&'a [[u8; 81]]),
}

impl<'a> Source<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Source::Texts(texts) => texts.len(),
            Source::Cells(cells) => cells.len(),
        }
    }

    /// Reads some rows.
    pub fn read(&self, range: Range<usize>, rows: &mut Rows) -> Result<(), OutOfMemory> {
        let Rows { puzzles, not_puzzles } = rows;
        memory::resize(puzzles, range.len(), Puzzle::EMPTY)?;
        not_puzzles.clear();
        match self {
            Source::Texts(texts) => texts.read(SimdLevel::detect(), range, puzzles, not_puzzles)?,
            Source::Cells(cells) => {
                for (k, (puzzle, cells)) in puzzles.iter_mut().zip(&cells[range]).enumerate() {
                    match Puzzle::from_cells(*cells) {
                        Some(read) => *puzzle = read,
                        None => memory::push(not_puzzles, k)?,
                    }
                }
            }
        }
        let clash = Puzzle::from_cells([1; CELLS]).expect("these are digits");
        not_puzzles.iter().for_each(|&k| puzzles[k] = clash);
        Ok(())
    }

    /// The puzzle of a row, whose clues may clash, or the reason why there is none.
    pub fn puzzle(&self, row: usize) -> Result<Puzzle, String> {
        match self {
            Source::Texts(texts) => match texts.get(row) {
                Some(text) => Puzzle::try_from(text).map_err(|reason| reason.to_string()),
                None => Err("null".to_owned()),
            },
            Source::Cells(cells) => Puzzle::from_cells(cells[row]).ok_or_else(|| {
                let cell = cells[row].iter().position(|&digit| digit > 9).expect("one is not a digit");
                format!("r{}c{} is not a digit from 0 to 9", cell / 9 + 1, cell % 9 + 1)
            }),
        }
    }

    /// The text of a row that is not a puzzle: `None` if it is missing, and numbers as the program has them for an array.
    pub fn text(self, row: usize) -> Option<Cow<'a, [u8]>> {
        match self {
            Source::Texts(texts) => texts.get(row).map(Cow::Borrowed),
            Source::Cells(cells) => {
                let numbers: Vec<String> = memory::few(cells[row].iter().map(u8::to_string));
                Some(Cow::Owned(numbers.join(" ").into_bytes()))
            }
        }
    }

    /// Whether a row has no value: it is null, blank text, or zeros.
    pub fn is_missing(&self, row: usize) -> bool {
        let is_blank = |text: &[u8]| text.trim_ascii().is_empty();
        match self {
            Source::Texts(texts) => texts.get(row).is_none_or(is_blank),
            Source::Cells(cells) => cells[row] == [0; CELLS],
        }
    }

    /// The exception for an invalid row.
    pub fn error(&self, py: Python, row: usize) -> PyErr {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let reason = match self.puzzle(row) {
            Ok(puzzle) => puzzle.clash().map(|clash| clash.to_string()),
            Err(reason) => Some(reason),
        };
        let class = CLASS.import(py, "rapidoku._results", "InvalidPuzzleError");
        let error = class.and_then(|class| class.call1((row, reason)));
        error.map_or_else(|error| error, PyErr::from_value)
    }
}

/// Some rows of a column.
#[derive(Default)]
pub struct Rows {
    puzzles: Vec<Puzzle>,
    /// The indices of the rows that are not puzzles, in order.
    not_puzzles: Vec<usize>,
}

impl Rows {
    /// A puzzle for each row, with clues that clash for those that are not puzzles.
    pub fn puzzles(&self) -> &[Puzzle] {
        &self.puzzles
    }

    /// The puzzle of each row, or `None` if it is not a puzzle. Clues may clash.
    pub fn iter(&self) -> impl Iterator<Item = Option<&Puzzle>> {
        let mut skipped = self.not_puzzles.iter().peekable();
        let puzzles = self.puzzles.iter().enumerate();
        puzzles.map(move |(k, puzzle)| skipped.next_if_eq(&&k).is_none().then_some(puzzle))
    }

    /// The same for one row.
    pub fn get(&self, k: usize) -> Option<&Puzzle> {
        self.not_puzzles.binary_search(&k).is_err().then(|| &self.puzzles[k])
    }
}

/// The module that prepares columns of other libraries, and has exceptions.
fn columns(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("rapidoku._columns")
}

/// An exception of that module.
fn exception(name: &str, found: &str) -> PyErr {
    Python::attach(|py| {
        let exception = columns(py).and_then(|columns| columns.call_method1(name, (found,)));
        exception.map_or_else(|error| error, PyErr::from_value)
    })
}

/// The exception for columns of different lengths.
pub fn different_lengths(puzzles: usize, solutions: usize) -> PyErr {
    PyValueError::new_err(format!("{puzzles} puzzles, but {solutions} solutions"))
}
