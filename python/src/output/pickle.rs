//! Pickling of Arrow columns: their types and buffers.

use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::capsule::arrow_error;
use crate::memory;

/// A column: name, type, whether rows may be null, its bitmap of valid rows, and its buffers.
pub type Dumped = (String, String, bool, Option<PyBackedBytes>, Vec<PyBackedBytes>);

/// The arguments of `unpickle` for a table.
pub fn dump<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyTuple>> {
    let bytes = |buffer: &Buffer| {
        PyBytes::new_with(py, buffer.len(), |bytes| {
            bytes.copy_from_slice(buffer);
            Ok(())
        })
    };
    // All arrays of results start at the start of their buffers.
    let column = |(field, column): (&std::sync::Arc<Field>, &ArrayRef)| {
        let valid = column.nulls().map(|nulls| bytes(nulls.buffer())).transpose()?;
        let buffers = memory::few::<_, PyResult<Vec<_>>>(column.to_data().buffers().iter().map(bytes))?;
        Ok((field.name().clone(), field.data_type().to_string(), field.is_nullable(), valid, buffers))
    };
    let columns = batch.schema_ref().fields().iter().zip(batch.columns()).map(column);
    (batch.num_rows(), memory::few::<_, PyResult<Vec<_>>>(columns)?).into_pyobject(py)
}

/// The columns of these arguments.
///
/// # Errors
/// `ValueError` when they do not describe valid arrays.
pub fn load(rows: usize, columns: Vec<Dumped>) -> PyResult<(Vec<Field>, Vec<ArrayRef>)> {
    let buffer = |bytes: PyBackedBytes| Ok::<Buffer, PyErr>(memory::collect(bytes.iter().copied())?.into());
    let column = |(name, data_type, is_nullable, valid, buffers): Dumped| {
        let data_type: DataType = data_type.parse().map_err(arrow_error)?;
        let buffers = memory::few::<_, PyResult<_>>(buffers.into_iter().map(buffer))?;
        let array = ArrayData::builder(data_type.clone()).len(rows).buffers(buffers).align_buffers(true);
        let array = array.null_bit_buffer(valid.map(buffer).transpose()?).build().map_err(arrow_error)?;
        Ok((Field::new(name, data_type, is_nullable), make_array(array)))
    };
    let columns = memory::few::<_, PyResult<Vec<_>>>(columns.into_iter().map(column))?;
    Ok(columns.into_iter().unzip())
}
