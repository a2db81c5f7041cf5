//! Strings that are Python objects.

use std::sync::Arc;

use arrow_array::LargeBinaryArray;
use arrow_buffer::OffsetBuffer;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyFloat, PyString};
use rapidoku::grid::CELLS;

use super::arrow::Texts;
use super::exception;
use crate::memory;

/// The texts of a list: `str` or `bytes`, and `None`, NaN or `pandas.NA` for a missing puzzle.
///
/// # Errors
/// `TypeError` for items of other types, `MemoryError`.
pub fn texts<'py>(items: impl ExactSizeIterator<Item = Bound<'py, PyAny>>) -> PyResult<Texts> {
    let mut bytes = memory::with_capacity(CELLS * items.len())?;
    let mut ends = memory::with_capacity(items.len() + 1)?;
    let mut valid = memory::with_capacity(items.len())?;
    memory::push(&mut ends, 0)?;
    for (row, item) in items.enumerate() {
        let is_missing = if let Ok(text) = item.cast::<PyString>() {
            // A lone surrogate, which UTF-8 cannot represent, becomes a bad character like others.
            memory::extend(&mut bytes, text.to_string_lossy().as_bytes())?;
            false
        } else if let Ok(text) = item.cast::<PyBytes>() {
            memory::extend(&mut bytes, text.as_bytes())?;
            false
        } else if is_missing(&item)? {
            true
        } else {
            return Err(not_str(row, &item)?);
        };
        memory::push(&mut ends, bytes.len() as i64)?;
        memory::push(&mut valid, !is_missing)?;
    }
    let nulls = memory::bits(valid.len(), |row| valid[row])?;
    let array = LargeBinaryArray::new(OffsetBuffer::new(ends.into()), bytes.into(), Some(nulls.into()));
    Texts::new(&[Arc::new(array)])
}

/// Whether an item stands for a missing value.
#[cold]
pub fn is_missing(item: &Bound<PyAny>) -> PyResult<bool> {
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
    Ok(if item.hasattr("__index__")? || item.is_instance_of::<PyFloat>() {
        exception("not_text", &found)
    } else {
        PyTypeError::new_err(format!("expected str, not {found}"))
    })
}
