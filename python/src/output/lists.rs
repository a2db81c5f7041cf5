//! Results as lists.
//!
//! The constructors of lists and integers in PyO3 panic if Python has no memory. Those of this module return the exception.
#![allow(unsafe_code, reason = "see above")]

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyString};

use super::{Column, Table, Values, named_tuple};
use crate::memory;

/// A named tuple with a list for each column. Rows without a value are `None`.
pub fn convert(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyAny>> {
    // The memory of a column is freed before the next one is converted.
    let columns = table.columns.into_iter().map(|column| list(py, &column));
    named_tuple(py, &format!("{}Lists", table.name), memory::few::<_, PyResult<_>>(columns)?)
}

/// A list with the values of a column, and `None` for rows without a value.
pub fn list<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    let list = match &column.values {
        Values::Cells(cells) => collect(py, column, |row| PyString::from_bytes(py, cells.row(row))),
        Values::Words(indices, words) => {
            let words: Vec<_> = memory::few(words.iter().map(|word| PyString::intern(py, word)));
            collect(py, column, |row| Ok(&words[indices[row] as usize]))
        }
        Values::Integers(integers) => collect(py, column, |row| integer(py, integers[row])),
        Values::Flags(flags) => collect(py, column, |row| Ok(PyBool::new(py, flags[row]))),
        Values::Texts(texts) => collect(py, column, |row| PyString::from_bytes(py, texts.get(row))),
    };
    Ok(list?.into_any())
}

fn collect<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    column: &Column,
    item: impl Fn(usize) -> PyResult<T>,
) -> PyResult<Bound<'py, PyList>> {
    let rows = column.len();
    // SAFETY: the function returns a new reference to a list, or null after it has set an exception. The items are null until
    // they are set below, which lists expect.
    let list = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyList_New(rows as ffi::Py_ssize_t))? };
    let list = list.cast_into::<PyList>()?;
    for row in 0..rows {
        match column.is_valid(row) {
            true => list.set_item(row, item(row)?)?,
            false => list.set_item(row, py.None())?,
        }
    }
    Ok(list)
}

fn integer(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the function returns a new reference, or null after it has set an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyLong_FromLongLong(value)) }
}
