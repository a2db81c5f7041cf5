//! NumPy arrays of cells.

use numpy::{
    Element, PyArrayDescrMethods, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use super::{Input, imported, list, not_text};
use crate::memory;
use crate::output::Form;

/// The kinds of types of integers.
const INTEGERS: &[u8] = b"iu";

/// The kinds of types of texts: fixed numbers of characters or bytes, objects, and strings of any length.
const TEXTS: &[u8] = b"USOT";

/// Recognises an array of integers with the shape `(N, 81)` or `(N, 9, 9)`, or of N strings. Returns `None` if the object is not a NumPy array. Masked cells are
/// blanks.
pub fn recognise<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Input<'py>>> {
    // The crate `numpy` imports NumPy, which need not be installed.
    if imported(object.py(), "numpy")?.is_none() {
        return Ok(None);
    }
    let is_masked = match imported(object.py(), "numpy.ma")? {
        Some(module) => object.is_instance(&module.getattr("MaskedArray")?)?,
        None => false,
    };
    let Ok(array) = object.cast::<PyUntypedArray>() else { return Ok(None) };
    let (dtype, kind) = (array.dtype(), array.dtype().kind());
    if TEXTS.contains(&kind) && array.ndim() == 1 {
        // Strings that are masked become `None`.
        let items = array.call_method0("tolist")?.cast_into::<PyList>()?;
        return Ok(Some(Input::Objects(list::parse(items.iter())?, Form::Lists)));
    }
    if !INTEGERS.contains(&kind) {
        let found = format!("a NumPy array of {dtype} with {} dimensions", array.ndim());
        return Err(match array.ndim() {
            1 => not_text(&format!("a NumPy array of {dtype}")),
            _ => PyTypeError::new_err(format!(
                "expected a NumPy array of integers, or of strings with one dimension, not {found}; array.astype('uint8') \
                 converts numbers"
            )),
        });
    }
    let dimensions = match array.shape() {
        [_, 81] => 2,
        [_, 9, 9] => 3,
        // A single puzzle has this shape.
        [n] if *n != 81 => return Err(not_text(&format!("a NumPy array of {dtype}"))),
        shape => {
            return Err(PyValueError::new_err(format!(
                "expected a NumPy array of shape (N, 81) or (N, 9, 9), not {shape:?}"
            )));
        }
    };
    let filled = if is_masked { object.call_method1("filled", (0,))? } else { object.clone() };
    let array = filled.cast::<PyUntypedArray>()?;
    if let Ok(bytes) = array.cast::<PyArrayDyn<u8>>()
        && bytes.is_c_contiguous()
    {
        return Ok(Some(Input::Bytes(bytes.try_readonly()?, dimensions)));
    }
    Ok(Some(Input::Copied(copy(array)?, dimensions)))
}

/// The cells of an array of any integers. An integer above 255 or below 0 becomes 255, which is not a cell either.
fn copy(array: &Bound<PyUntypedArray>) -> PyResult<Vec<u8>> {
    let dtype = array.dtype();
    macro_rules! copy_if_of_type {
        ($array:expr, $($integer:ty)*) => {
            $(if let Ok(array) = $array.cast::<PyArrayDyn<$integer>>() {
                return bytes(array);
            })*
        };
    }
    if array.is_aligned() {
        copy_if_of_type!(array, u8 i8 u16 i16 u32 i32 u64 i64);
    }
    // Integers in another byte order or at odd addresses.
    let native = array.call_method1("astype", (if dtype.kind() == b'u' { "uint64" } else { "int64" },))?;
    copy_if_of_type!(native, u64 i64);
    Err(PyTypeError::new_err(format!("unsupported integers: {dtype}")))
}

fn bytes<T: Element + Copy + TryInto<u8>>(array: &Bound<PyArrayDyn<T>>) -> PyResult<Vec<u8>> {
    let array = array.try_readonly()?;
    let cells = array.as_array();
    Ok(memory::collect(cells.iter().map(|&cell| cell.try_into().unwrap_or(u8::MAX)))?)
}
