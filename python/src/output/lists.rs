//! Results as lists.
//!
//! Most functions of PyO3 that make objects panic if Python has no memory. Those used here return the exception.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyList, PyMemoryView, PyString};

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
        Values::Cells(cells) => new(py, column, |row| PyString::from_bytes(py, cells.row(row)))?,
        Values::Words(indices, words) => {
            let words: Vec<_> = memory::few(words.iter().map(|word| PyString::intern(py, word)));
            new(py, column, |row| Ok(&words[indices[row] as usize]))?
        }
        Values::Integers(integers) => {
            let list = new_integers(py, integers)?;
            let gaps = (0..column.len()).filter(|&row| !column.is_valid(row));
            for row in gaps {
                list.set_item(row, py.None())?;
            }
            list
        }
        Values::Flags(flags) => new(py, column, |row| Ok(PyBool::new(py, flags[row])))?,
        Values::Texts(texts) => new(py, column, |row| PyString::from_bytes(py, texts.get(row)))?,
    };
    Ok(list.into_any())
}

/// A list of items for the rows that have a value, and `None` for the others.
fn new<'py, T: IntoPyObject<'py>>(
    py: Python<'py>,
    column: &Column,
    item: impl Fn(usize) -> PyResult<T>,
) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::new(py, [py.None()])?.as_sequence().repeat(column.len())?.cast_into::<PyList>()?;
    for row in (0..column.len()).filter(|&row| column.is_valid(row)) {
        list.set_item(row, item(row)?)?;
    }
    Ok(list)
}

/// A list of integers, which Python makes from their bytes.
fn new_integers<'py>(py: Python<'py>, integers: &[i64]) -> PyResult<Bound<'py, PyList>> {
    let bytes = PyBytes::new_with(py, size_of_val(integers), |bytes| {
        let (chunks, _) = bytes.as_chunks_mut();
        chunks.iter_mut().zip(integers).for_each(|(bytes, integer)| *bytes = integer.to_ne_bytes());
        Ok(())
    })?;
    let view = PyMemoryView::from(&bytes)?.call_method1("cast", ("q",))?;
    Ok(view.call_method0("tolist")?.cast_into()?)
}
