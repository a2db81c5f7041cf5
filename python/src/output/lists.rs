//! Results as lists.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt, PyList, PyString};
use rapidoku::grid::CELLS;

use super::{Column, Table, Values, named_tuple};

/// A named tuple with a list for each column. Rows without a value are `None`.
pub fn convert(py: Python<'_>, table: Table) -> PyResult<Bound<'_, PyAny>> {
    let columns = table.columns.iter().map(|column| list(py, column)).collect::<PyResult<_>>()?;
    named_tuple(py, &format!("{}Lists", table.name), columns)
}

fn list<'py>(py: Python<'py>, column: &Column) -> PyResult<Bound<'py, PyAny>> {
    let valid = |row: usize| column.is_valid(row);
    let list = match &column.values {
        Values::Cells(cells) => {
            // Checked as a whole, which takes a third of the time.
            let text = str::from_utf8(cells.bytes()).expect("cells are ASCII");
            let rows = 0..cells.rows();
            let string = |row: usize| PyString::new(py, &text[CELLS * row..][..CELLS]);
            PyList::new(py, rows.map(|row| valid(row).then(|| string(row))))
        }
        Values::Words(indices, words) => {
            let words: Vec<_> = words.iter().map(|word| PyString::intern(py, word)).collect();
            let indices = indices.iter().enumerate();
            PyList::new(py, indices.map(|(row, &index)| valid(row).then(|| &words[index as usize])))
        }
        Values::Integers(integers) => {
            let integers = integers.iter().enumerate();
            PyList::new(py, integers.map(|(row, integer)| valid(row).then(|| PyInt::new(py, *integer))))
        }
        Values::Flags(flags) => {
            let flags = flags.iter().enumerate();
            PyList::new(py, flags.map(|(row, flag)| valid(row).then(|| PyBool::new(py, *flag).to_owned())))
        }
        Values::Texts(texts) => PyList::new(py, texts),
    };
    Ok(list?.into_any())
}
