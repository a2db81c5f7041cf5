//! Results: columns, converted to what the caller uses.

mod arrays;
pub mod arrow;
mod cells;
mod lists;
mod pickle;
mod texts;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rapidoku::grid::CELLS;

use crate::memory::{self, OutOfMemory};
pub use cells::Grids;
pub use texts::{Texts, TextsChunk};

/// How results are returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// An [`arrow::ArrowTable`].
    Arrow,
    /// A tuple of lists.
    Lists,
    /// A tuple of NumPy arrays. Grids have the shape `(N, 81)` with 2 dimensions and `(N, 9, 9)` with 3.
    Arrays { dimensions: usize },
}

/// A column of a result.
pub struct Column {
    pub name: &'static str,
    values: Values,
    /// Whether each row has a value. `None` means that all have one.
    valid: Option<Vec<bool>>,
}

/// The values of a column.
pub enum Values {
    /// 81 ASCII characters for each row, or numbers from 0 to 9 in [`Form::Arrays`]. Zeros for rows without a value.
    Grids(Vec<[u8; CELLS]>),
    /// An index into the words for each row.
    Words(Vec<i8>, Vec<&'static str>),
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

    /// A column of such values, in which rows may lack one.
    pub fn optional<T: Default>(
        name: &'static str,
        values: impl FnOnce(Vec<T>) -> Values,
        rows: impl ExactSizeIterator<Item = Option<T>> + Clone,
    ) -> Result<Column, OutOfMemory> {
        let valid = memory::collect(rows.clone().map(|row| row.is_some()))?;
        let values = values(memory::collect(rows.map(Option::unwrap_or_default))?);
        Ok(Column { name, values, valid: Some(valid) })
    }

    fn len(&self) -> usize {
        match &self.values {
            Values::Grids(cells) => cells.len(),
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

/// Converts columns of the same length to a Python object.
pub fn into_python(py: Python<'_>, form: Form, columns: Vec<Column>) -> PyResult<Bound<'_, PyAny>> {
    if form == Form::Arrow {
        let table = py.detach(|| arrow::ArrowTable::new(columns))?;
        return Ok(Bound::new(py, table)?.into_any());
    }
    let names: Vec<&str> = memory::few(columns.iter().map(|column| column.name));
    // The memory of a column is freed before the next one is converted.
    let columns = columns.into_iter().map(|column| match form {
        Form::Arrays { dimensions } => arrays::array(py, column, dimensions),
        _ => lists::list(py, &column),
    });
    let columns: Vec<_> = memory::few::<_, PyResult<_>>(columns)?;
    named_tuple(py, "Columns", (names, PyTuple::new(py, columns)?))
}

/// Makes a tuple of the module `rapidoku._results`.
pub fn named_tuple<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl pyo3::call::PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    py.import("rapidoku._results")?.getattr(class)?.call1(arguments)
}
