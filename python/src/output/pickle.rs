//! Pickling of Arrow columns: their types, lengths and buffers.

use std::sync::Arc;

use arrow_array::{Array, RecordBatch, make_array};
use arrow_buffer::{BooleanBuffer, Buffer, NullBuffer};
use arrow_data::{ArrayData, ArrayDataBuilder};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyTuple};

use crate::capsule::arrow_error;

/// Name, type, and whether rows may be null.
pub type DumpedField = (String, String, bool);

/// Number of rows, and the columns.
pub type Batch = (usize, Vec<Dumped>);

/// An array: its bitmap of valid rows, its buffers, and the values of a dictionary with their number.
pub type Dumped = (Option<PyBackedBytes>, Vec<PyBackedBytes>, Option<(usize, Vec<PyBackedBytes>)>);

/// The arguments of `unpickle` for a table.
pub fn dump<'py>(py: Python<'py>, schema: &Schema, batches: &[RecordBatch]) -> PyResult<Bound<'py, PyTuple>> {
    let field =
        |field: &Arc<Field>| (field.name().clone(), field.data_type().to_string(), field.is_nullable());
    let fields: Vec<DumpedField> = schema.fields().iter().map(field).collect();
    let batches: Vec<_> = batches
        .iter()
        .map(|batch| {
            let columns = batch.columns().iter().map(|column| {
                let data = column.to_data();
                let valid = column.nulls().map(|nulls| PyBytes::new(py, nulls.inner().sliced().as_slice()));
                let words = data.child_data().first().map(|words| (words.len(), buffers(py, words)));
                (valid, buffers(py, &data), words)
            });
            (batch.num_rows(), columns.collect::<Vec<_>>())
        })
        .collect();
    (fields, batches).into_pyobject(py)
}

/// The buffers of an array that starts at the start of its buffers, as all arrays of results do.
fn buffers<'py>(py: Python<'py>, data: &ArrayData) -> Vec<Bound<'py, PyBytes>> {
    assert_eq!(data.offset(), 0);
    data.buffers().iter().map(|buffer| PyBytes::new(py, buffer.as_slice())).collect()
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
    let schema = Arc::new(Schema::new(fields.collect::<PyResult<Vec<_>>>()?));
    let batches = batches.into_iter().map(|(rows, columns)| {
        if columns.len() != schema.fields().len() {
            return Err(PyValueError::new_err("the number of columns differs from that of the schema"));
        }
        let arrays = schema.fields().iter().zip(columns).map(|(field, column)| array(field, rows, column));
        let arrays = arrays.collect::<Result<Vec<_>, _>>().map_err(arrow_error)?;
        RecordBatch::try_new(schema.clone(), arrays.into_iter().map(make_array).collect())
            .map_err(arrow_error)
    });
    let batches = batches.collect::<PyResult<Vec<_>>>()?;
    Ok((schema, batches))
}

fn array(
    field: &Field,
    rows: usize,
    (valid, buffers, words): Dumped,
) -> Result<ArrayData, arrow_schema::ArrowError> {
    let nulls = valid.map(|bits| NullBuffer::new(BooleanBuffer::new(Buffer::from(&*bits), 0, rows)));
    let array = builder(field.data_type().clone(), rows, buffers).nulls(nulls);
    match words {
        Some((len, buffers)) => array.add_child_data(builder(DataType::Utf8, len, buffers).build()?).build(),
        None => array.build(),
    }
}

fn builder(data_type: DataType, len: usize, buffers: Vec<PyBackedBytes>) -> ArrayDataBuilder {
    let buffers = buffers.iter().map(|bytes| Buffer::from(&**bytes)).collect();
    ArrayData::builder(data_type).len(len).buffers(buffers)
}
