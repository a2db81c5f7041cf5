//! The PyCapsule interface of Arrow: arrays and streams.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>
#![allow(unsafe_code, reason = "the interface consists of pointers to C structures")]

use std::ffi::CStr;
use std::ptr;

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, RecordBatch, RecordBatchIterator, make_array};
use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};

use crate::memory;

const STREAM: &CStr = c"arrow_array_stream";
const ARRAY: &CStr = c"arrow_array";
const SCHEMA: &CStr = c"arrow_schema";

/// An error of the Arrow library as a Python exception.
pub fn arrow_error(error: ArrowError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The arrays of an object that offers a stream or an array; `None` if it offers neither.
pub fn import(object: &Bound<PyAny>) -> PyResult<Option<Vec<ArrayRef>>> {
    if let Some(method) = object.getattr_opt("__arrow_c_stream__")? {
        return import_stream(&method.call0()?).map(Some);
    }
    let Some(method) = object.getattr_opt("__arrow_c_array__")? else { return Ok(None) };
    let capsules = method.call0()?.cast_into::<PyTuple>()?;
    Ok(Some(vec![import_array(&capsules.get_item(0)?, &capsules.get_item(1)?)?]))
}

fn import_stream(capsule: &Bound<PyAny>) -> PyResult<Vec<ArrayRef>> {
    let pointer = capsule.cast::<PyCapsule>()?.pointer_checked(Some(STREAM))?.cast::<FFI_ArrowArrayStream>();
    // SAFETY: a capsule of this name points to a valid stream. It is moved out, and the capsule keeps an empty one.
    let stream = unsafe { FFI_ArrowArrayStream::from_raw(pointer.as_ptr()) };
    let reader = ArrayStreamReader::try_new(stream).map_err(arrow_error)?;
    let mut arrays = Vec::new();
    for array in reader {
        memory::push(&mut arrays, array.map_err(arrow_error)?)?;
    }
    Ok(arrays)
}

fn import_array(schema: &Bound<PyAny>, array: &Bound<PyAny>) -> PyResult<ArrayRef> {
    let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(SCHEMA))?.cast::<FFI_ArrowSchema>();
    let array = array.cast::<PyCapsule>()?.pointer_checked(Some(ARRAY))?.cast::<FFI_ArrowArray>();
    // SAFETY: capsules of these names point to a valid schema and a valid array. The array is moved out, and its capsule
    // keeps an empty one; the schema is borrowed while its capsule lives.
    let data = unsafe {
        let array = ptr::replace(array.as_ptr(), FFI_ArrowArray::empty());
        from_ffi(array, schema.as_ref())
    };
    Ok(make_array(data.map_err(arrow_error)?))
}

/// A capsule with a stream of one record batch.
pub fn export_table<'py>(py: Python<'py>, batch: &RecordBatch) -> PyResult<Bound<'py, PyCapsule>> {
    let batches = RecordBatchIterator::new([Ok(batch.clone())], batch.schema());
    PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), STREAM)
}

/// Capsules with the type and the content of an array.
pub fn export_column<'py>(
    py: Python<'py>,
    field: &Field,
    array: &ArrayRef,
) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
    let schema = FFI_ArrowSchema::try_from(field).map_err(arrow_error)?;
    let array = FFI_ArrowArray::new(&array.to_data());
    Ok((PyCapsule::new_with_value(py, schema, SCHEMA)?, PyCapsule::new_with_value(py, array, ARRAY)?))
}
