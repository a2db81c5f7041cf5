//! Pickling of Arrow columns: their types, lengths and buffers.

use std::sync::Arc;

use arrow_array::{Array, ArrayRef, RecordBatch, make_array};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::capsule::arrow_error;
use crate::memory;

/// Name, type, and whether rows may be null.
pub type DumpedField = (String, String, bool);

/// Number of rows, and the columns.
pub type Batch = (usize, Vec<Dumped>);

/// An array: its bitmap of valid rows, and its buffers.
pub type Dumped = (Option<PyBackedBytes>, Vec<PyBackedBytes>);

/// The arguments of `unpickle` for a table.
pub fn dump<'py>(py: Python<'py>, schema: &Schema, batches: &[RecordBatch]) -> PyResult<Bound<'py, PyTuple>> {
    let field =
        |field: &Arc<Field>| (field.name().clone(), field.data_type().to_string(), field.is_nullable());
    let fields: Vec<DumpedField> = memory::few(schema.fields().iter().map(field));
    // All arrays of results start at the start of their buffers.
    let column = |column: &ArrayRef| {
        let valid = column.nulls().map(|nulls| bytes(py, nulls.buffer())).transpose()?;
        let data = column.to_data();
        let buffers = memory::few::<_, PyResult<Vec<_>>>(data.buffers().iter().map(|b| bytes(py, b)))?;
        Ok((valid, buffers))
    };
    let batch = |batch: &RecordBatch| {
        let columns: Vec<_> = memory::few::<_, PyResult<_>>(batch.columns().iter().map(column))?;
        Ok((batch.num_rows(), columns))
    };
    let batches: Vec<_> = memory::few::<_, PyResult<_>>(batches.iter().map(batch))?;
    (fields, batches).into_pyobject(py)
}

fn bytes<'py>(py: Python<'py>, buffer: &Buffer) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, buffer.len(), |bytes| {
        bytes.copy_from_slice(buffer);
        Ok(())
    })
}

/// The table of these arguments.
///
/// # Errors
/// `ValueError` when they do not describe valid arrays.
pub fn load(fields: Vec<DumpedField>, batches: Vec<Batch>) -> PyResult<(SchemaRef, Vec<RecordBatch>)> {
    let fields = fields.into_iter().map(|(name, data_type, is_nullable)| {
        let data_type: DataType = data_type.parse().map_err(arrow_error)?;
        Ok(Field::new(name, data_type, is_nullable))
    });
    let schema = Arc::new(Schema::new(memory::few::<_, PyResult<Vec<_>>>(fields)?));
    let batches = batches.into_iter().map(|(rows, columns)| {
        if columns.len() != schema.fields().len() {
            return Err(PyValueError::new_err("the number of columns differs from that of the schema"));
        }
        let arrays = schema.fields().iter().zip(columns).map(|(field, column)| array(field, rows, column));
        let arrays = memory::few::<_, PyResult<Vec<_>>>(arrays)?;
        RecordBatch::try_new(schema.clone(), memory::few(arrays.into_iter().map(make_array)))
            .map_err(arrow_error)
    });
    let batches = memory::few::<_, PyResult<Vec<_>>>(batches)?;
    Ok((schema, batches))
}

fn array(field: &Field, rows: usize, (valid, buffers): Dumped) -> PyResult<ArrayData> {
    let buffers = memory::few::<_, PyResult<_>>(buffers.into_iter().map(buffer))?;
    let array = ArrayData::builder(field.data_type().clone()).len(rows).buffers(buffers).align_buffers(true);
    array.null_bit_buffer(valid.map(buffer).transpose()?).build().map_err(arrow_error)
}

fn buffer(bytes: PyBackedBytes) -> PyResult<Buffer> {
    Ok(memory::collect(bytes.iter().copied())?.into())
}
