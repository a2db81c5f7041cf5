//! The PyCapsule interface of Arrow: arrays in, streams of record batches out.
//!
//! <https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html>
#![allow(unsafe_code, reason = "the interface consists of pointers to C structures")]

use std::ffi::{CStr, c_char, c_int};
use std::{ptr, vec};

use arrow_array::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi};
use arrow_array::ffi_stream::{ArrayStreamReader, FFI_ArrowArrayStream};
use arrow_array::{Array, ArrayRef, make_array};
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

/// A capsule with a stream of arrays. The Arrow library has a stream of record batches only.
pub fn export<'py>(py: Python<'py>, field: &Field, arrays: Vec<ArrayRef>) -> PyResult<Bound<'py, PyCapsule>> {
    let content = Box::new(Arrays { field: field.clone(), arrays: arrays.into_iter() });
    let stream = ArrayStream {
        get_schema: Some(get_schema),
        get_next: Some(get_next),
        get_last_error: Some(get_last_error),
        release: Some(release),
        content: Box::into_raw(content),
    };
    PyCapsule::new_with_value(py, stream, STREAM)
}

/// `struct ArrowArrayStream` of the C interface.
#[repr(C)]
struct ArrayStream {
    get_schema: Option<unsafe extern "C" fn(*mut ArrayStream, *mut FFI_ArrowSchema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut ArrayStream, *mut FFI_ArrowArray) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut ArrayStream) -> *const c_char>,
    /// `None` after the release, and in a stream that was moved.
    release: Option<unsafe extern "C" fn(*mut ArrayStream)>,
    content: *mut Arrays,
}

/// The content of a stream of arrays.
struct Arrays {
    field: Field,
    arrays: vec::IntoIter<ArrayRef>,
}

// SAFETY: the stream owns its content, which may be sent.
unsafe impl Send for ArrayStream {}

impl Drop for ArrayStream {
    fn drop(&mut self) {
        if let Some(release) = self.release {
            // SAFETY: the stream has not been released.
            unsafe { release(self) };
        }
    }
}

/// `EINVAL`, which is 22 on all systems with a wheel.
const INVALID: c_int = 22;

unsafe extern "C" fn get_schema(stream: *mut ArrayStream, out: *mut FFI_ArrowSchema) -> c_int {
    // SAFETY: a consumer passes a stream of `export` that has not been released.
    let content = unsafe { &*(*stream).content };
    let Ok(schema) = FFI_ArrowSchema::try_from(&content.field) else { return INVALID };
    // SAFETY: the consumer passes memory for a schema, which need not be initialised.
    unsafe { out.write(schema) };
    0
}

unsafe extern "C" fn get_next(stream: *mut ArrayStream, out: *mut FFI_ArrowArray) -> c_int {
    // SAFETY: as in `get_schema`; a consumer does not call the functions of a stream at the same time.
    let content = unsafe { &mut *(*stream).content };
    let next = content.arrays.next();
    let array = next.map_or_else(FFI_ArrowArray::empty, |array| FFI_ArrowArray::new(&array.to_data()));
    // SAFETY: the consumer passes memory for an array, which need not be initialised.
    unsafe { out.write(array) };
    0
}

/// There is no text: the only failure is a type that C cannot describe, which no column of results has.
unsafe extern "C" fn get_last_error(_: *mut ArrayStream) -> *const c_char {
    ptr::null()
}

unsafe extern "C" fn release(stream: *mut ArrayStream) {
    // SAFETY: a stream of `export` is released once, by a consumer or when its capsule is dropped.
    unsafe {
        drop(Box::from_raw((*stream).content));
        (*stream).release = None;
    }
}
