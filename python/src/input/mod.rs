//! Columns of puzzles, as Python has them.

mod arrow;
mod list;
mod numpy;
mod pandas;

use std::borrow::Cow;
use std::ops::Range;

use ::numpy::PyReadonlyArrayDyn;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyString, PyTuple, PyType};
use rapidoku::grid::CELLS;
use rapidoku::{Puzzle, SimdLevel};

use crate::memory::{self, OutOfMemory};
use crate::output::Form;
use arrow::Texts;
use list::Parsed;
pub use list::parse_text;

/// A column of puzzles.
pub enum Input<'py> {
    /// Arrow arrays of strings.
    Arrow(Texts),
    /// Strings that are Python objects, which are parsed already, since that needs the GIL; and the form of results.
    Objects(Parsed, Form),
    /// A contiguous array of bytes with this number of dimensions.
    Bytes(PyReadonlyArrayDyn<'py, u8>, usize),
    /// A copy of another array of integers.
    Copied(Vec<u8>, usize),
}

impl<'py> Input<'py> {
    /// Recognises a column.
    ///
    /// # Errors
    /// `TypeError` for objects of other types, `ValueError` for arrays of other shapes.
    pub fn new(object: &Bound<'py, PyAny>) -> PyResult<Input<'py>> {
        if let Ok(list) = object.cast::<PyList>() {
            return Ok(Input::Objects(list::parse(list.iter())?, Form::Lists));
        }
        if let Ok(tuple) = object.cast::<PyTuple>() {
            return Ok(Input::Objects(list::parse(tuple.iter())?, Form::Lists));
        }
        if object.is_instance_of::<PyString>() {
            return Err(PyTypeError::new_err(
                "expected a column of puzzles, not a single str; use solve_one(puzzle) or [puzzle]",
            ));
        }
        for recognise in [numpy::recognise, pandas::recognise] {
            if let Some(input) = recognise(object)? {
                return Ok(input);
            }
        }
        match crate::capsule::import(object)? {
            Some(arrays) => Texts::new(&arrays).map(Input::Arrow),
            None => Err(PyTypeError::new_err(format!(
                "expected Arrow strings, a pandas Series, a list of str or a NumPy array, not {}",
                object.get_type().fully_qualified_name()?
            ))),
        }
    }

    /// The form of results for this input.
    pub fn form(&self) -> Form {
        match self {
            Input::Arrow(_) => Form::Arrow,
            Input::Objects(_, form) => *form,
            Input::Bytes(_, dimensions) | Input::Copied(_, dimensions) => {
                Form::Arrays { dimensions: *dimensions }
            }
        }
    }

    /// What threads without the GIL read.
    pub fn source(&self) -> PyResult<Source<'_>> {
        Ok(match self {
            Input::Arrow(texts) => Source::Texts(texts),
            Input::Objects(parsed, _) => Source::Parsed(parsed),
            Input::Bytes(array, _) => Source::Cells(array.as_slice()?.as_chunks().0),
            Input::Copied(cells, _) => Source::Cells(cells.as_chunks().0),
        })
    }
}

/// The rows of an [`Input`].
#[derive(Clone, Copy)]
pub enum Source<'a> {
    Texts(&'a Texts),
    Parsed(&'a Parsed),
    /// Digits, 0 for blanks.
    Cells(&'a [[u8; 81]]),
}

impl<'a> Source<'a> {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Source::Texts(texts) => texts.len(),
            Source::Parsed(parsed) => parsed.puzzles.len(),
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
            Source::Parsed(parsed) => {
                puzzles.copy_from_slice(&parsed.puzzles[range.clone()]);
                let first = parsed.faults.partition_point(|(row, _)| *row < range.start);
                let faults = parsed.faults[first..].iter().map(|(row, _)| *row);
                for row in faults.take_while(|row| *row < range.end) {
                    memory::push(not_puzzles, row - range.start)?;
                }
            }
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

    /// The reason why a row is not a puzzle, or `None` if it is one. Clues may clash.
    pub fn fault(&self, row: usize) -> Option<String> {
        if let Source::Cells(cells) = self {
            let cell = cells[row].iter().position(|&digit| digit > 9)?;
            return Some(format!("r{}c{} is not a digit from 0 to 9", cell / 9 + 1, cell % 9 + 1));
        }
        match self.text(row) {
            Some(text) => Puzzle::try_from(&*text).err().map(|reason| reason.to_string()),
            None if matches!(self, Source::Parsed(parsed) if parsed.fault(row).is_none()) => None,
            None => Some("null".to_owned()),
        }
    }

    /// The text of a row that is not a puzzle: `None` if it is missing, and numbers as the program has them for an array.
    pub fn text(self, row: usize) -> Option<Cow<'a, [u8]>> {
        match self {
            Source::Texts(texts) => texts.get(row).map(Cow::Borrowed),
            Source::Parsed(parsed) => parsed.fault(row).flatten().map(Cow::Borrowed),
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
            Source::Parsed(parsed) => parsed.fault(row).is_some_and(|text| text.is_none_or(is_blank)),
            Source::Cells(cells) => cells[row] == [0; CELLS],
        }
    }

    /// The exception for a row with the status `invalid`.
    pub fn error(&self, py: Python, row: usize) -> PyErr {
        let clash = || {
            let mut rows = Rows::default();
            self.read(row..row + 1, &mut rows)?;
            Ok(rows.puzzles[0].clash().map_or_else(|| "invalid".to_owned(), |clash| clash.to_string()))
        };
        let reason = self.fault(row).map_or_else(clash, Ok);
        reason.and_then(|reason| invalid_puzzle(py, row, reason)).unwrap_or_else(|error| error)
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

/// Makes an `InvalidPuzzleError`.
fn invalid_puzzle(py: Python, row: usize, reason: String) -> PyResult<PyErr> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "rapidoku._results", "InvalidPuzzleError")?;
    Ok(PyErr::from_value(class.call1((row, reason))?))
}

/// The module of this name, if the process has imported it. Only then can an object be of one of its classes.
fn imported<'py>(py: Python<'py>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    let modules = py.import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    // `None` there forbids to import the module.
    Ok(modules.get_item(name)?.filter(|module| !module.is_none()))
}

/// The exception for a table with another number of columns than one.
fn not_one_column(names: &[String]) -> PyErr {
    PyValueError::new_err(format!(
        "expected a table with one column, not {} ({}); select the column of the puzzles",
        names.len(),
        names.join(", ")
    ))
}

/// The exception for numbers in place of text, which other readers make of puzzles that consist of digits.
fn not_text(found: &str) -> PyErr {
    PyTypeError::new_err(format!(
        "expected puzzles as text, not {found}: digits that are read as a number lose zeros and precision. Read the file with \
         rapidoku.read_puzzles(path), or the column as text: pandas.read_csv(path, dtype=str), polars.read_csv(path, \
         infer_schema=False), pyarrow.csv.ConvertOptions(column_types={{name: pyarrow.string()}}), or read_csv(path, \
         all_varchar=true) in DuckDB"
    ))
}

/// The exception for columns of different lengths.
pub fn different_lengths(puzzles: usize, solutions: usize) -> PyErr {
    PyValueError::new_err(format!("{puzzles} puzzles, but {solutions} solutions"))
}
