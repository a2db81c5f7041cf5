//! Results: tables of columns, converted to what the caller uses.

mod arrays;
pub mod arrow;
mod cells;
mod lists;
mod pickle;
mod texts;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

pub use cells::{Cells, UnfilledCells};
pub use texts::{Texts, TextsChunk};

/// How results are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An [`arrow::ArrowTable`], with words as dictionaries if `dictionary` is set, and as strings if not.
    Arrow { dictionary: bool },
    /// A named tuple of lists.
    Lists,
    /// A named tuple of NumPy arrays. Grids have the shape `(N, 81)` with 2 dimensions and `(N, 9, 9)` with 3.
    Arrays { dimensions: usize },
}

impl Form {
    /// The memory that a column with a grid in each row takes, besides that of the cells.
    pub fn memory(self, rows: usize) -> usize {
        /// A string object and a pointer to it.
        const STRING: usize = 128 + 8;
        rows.saturating_mul(match self {
            Form::Arrow { .. } => size_of::<i32>(),
            Form::Lists => STRING,
            Form::Arrays { .. } => 0,
        })
    }
}

/// A result.
pub struct Table {
    /// The functions with this result: the name of the named tuples without `Lists` or `Arrays`.
    pub name: &'static str,
    /// All of the same length.
    pub columns: Vec<Column>,
}

/// A column of a result.
pub struct Column {
    pub name: &'static str,
    pub values: Values,
    /// Whether each row has a value. `None` means that all have one.
    pub valid: Option<Vec<bool>>,
}

/// The values of a column.
pub enum Values {
    Cells(Cells),
    /// An index into the words for each row.
    Words(Vec<i8>, &'static [&'static str]),
    Integers(Vec<i64>),
    Floats(Vec<f64>),
    Flags(Vec<bool>),
    Texts(Texts),
}

impl Column {
    /// A column in which all rows have a value.
    pub fn new(name: &'static str, values: Values) -> Column {
        Column { name, values, valid: None }
    }

    /// A column in which some rows have a value.
    pub fn with_gaps(name: &'static str, values: Values, valid: Vec<bool>) -> Column {
        Column { name, values, valid: Some(valid) }
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Cells(cells) => cells.rows(),
            Values::Words(indices, _) => indices.len(),
            Values::Integers(integers) => integers.len(),
            Values::Floats(floats) => floats.len(),
            Values::Flags(flags) => flags.len(),
            Values::Texts(texts) => texts.rows(),
        }
    }

    fn is_valid(&self, row: usize) -> bool {
        self.valid.as_ref().is_none_or(|valid| valid[row])
    }
}

impl Table {
    fn rows(&self) -> usize {
        self.columns.first().map_or(0, Column::len)
    }

    /// Converts the table to a Python object.
    pub fn into_python<'py>(self, py: Python<'py>, form: Form) -> PyResult<Bound<'py, PyAny>> {
        match form {
            Form::Arrow { dictionary } => {
                let table = py.detach(|| arrow::ArrowTable::new(self, dictionary))?;
                Ok(Bound::new(py, table)?.into_any())
            }
            Form::Lists => lists::convert(py, self),
            Form::Arrays { dimensions } => arrays::convert(py, self, dimensions),
        }
    }
}

/// Makes a named tuple of the module `rapidoku._results`.
pub fn named_tuple<'py>(
    py: Python<'py>,
    class: &str,
    fields: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("rapidoku._results")?.getattr(class)?.call1(PyTuple::new(py, fields)?)
}
