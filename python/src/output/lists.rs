//! Results as lists.
//!
//! The constructors of lists and integers in PyO3 panic if Python has no memory. Those of this module return the exception.
#![allow(unsafe_code, reason = "see above")]

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyList, PyString};

use super::{Column, Values};
use crate::memory;

/// A list with the values of a column, and `None` for rows without a value.
pub fn list<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    match &column.values {
        Values::Grids(cells) => rows(py, column, |row| PyString::from_bytes(py, &cells[row])),
        Values::Words(indices, words) => {
            let words: Vec<_> = memory::few(words.iter().map(|word| PyString::intern(py, word)));
            rows(py, column, |row| Ok(&words[indices[row] as usize]))
        }
        Values::Integers(integers) => rows(py, column, |row| integer(py, integers[row])),
        Values::Floats(floats) => rows(py, column, |row| float(py, floats[row])),
        Values::Flags(flags) => rows(py, column, |row| Ok(PyBool::new(py, flags[row]))),
        Values::Texts(texts) => rows(py, column, |row| PyString::from_bytes(py, texts.get(row))),
    }
}

fn rows<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    column: &Column,
    item: impl Fn(usize) -> PyResult<T>,
) -> PyResult<Bound<'py, PyAny>> {
    let item = |row| if column.is_valid(row) { item(row).map(Some) } else { Ok(None) };
    collect(py, column.len(), (0..column.len()).map(item))
}

/// A list of these items.
///
/// # Panics
/// If there are fewer than `n` of them.
pub fn collect<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    n: usize,
    items: impl Iterator<Item = PyResult<T>>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: the function returns a new reference to a list, or null after it has set an exception. The items are null until
    // they are set below, which lists expect.
    let list = unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyList_New(n as ffi::Py_ssize_t))? };
    let list = list.cast_into::<PyList>()?;
    let mut set = 0;
    for item in items {
        list.set_item(set, item?)?;
        set += 1;
    }
    assert_eq!(set, n, "each item of the list is set");
    Ok(list.into_any())
}

pub fn float(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the function returns a new reference, or null after it has set an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyFloat_FromDouble(value)) }
}

pub fn integer(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: the function returns a new reference, or null after it has set an exception.
    unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyLong_FromLongLong(value)) }
}
