//! NumPy arrays of cells.

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::Input;
use crate::memory;

/// Recognises an array of shape `(N, 81)` or `(N, 9, 9)`. Returns `None` if the object is not a NumPy array. Masked cells are
/// blanks.
pub fn recognise<'py>(object: &Bound<'py, PyAny>) -> PyResult<Option<Input<'py>>> {
    // The crate `numpy` imports NumPy, which need not be installed.
    let modules = object.py().import("sys")?.getattr("modules")?.cast_into::<PyDict>()?;
    if !modules.contains("numpy")? {
        return Ok(None);
    }
    let is_masked = match modules.get_item("numpy.ma")? {
        Some(module) => object.is_instance(&module.getattr("MaskedArray")?)?,
        None => false,
    };
    let filled = if is_masked { object.call_method1("filled", (0,))? } else { object.clone() };
    let Ok(array) = filled.cast::<PyUntypedArray>() else { return Ok(None) };
    let dimensions = match array.shape() {
        [_, 81] => 2,
        [_, 9, 9] => 3,
        shape => {
            return Err(PyValueError::new_err(format!("expected shape (N, 81) or (N, 9, 9), not {shape:?}")));
        }
    };
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
    let kind = dtype.getattr("kind")?;
    if !["i", "u"].contains(&kind.extract::<&str>()?) {
        return Err(PyTypeError::new_err(format!("expected an array of integers, not of {dtype}")));
    }
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
    let native = array.call_method1("astype", (if kind.eq("u")? { "uint64" } else { "int64" },))?;
    copy_if_of_type!(native, u64 i64);
    Err(PyTypeError::new_err(format!("unsupported integers: {dtype}")))
}

fn bytes<T: Element + Copy + TryInto<u8>>(array: &Bound<PyArrayDyn<T>>) -> PyResult<Vec<u8>> {
    let array = array.try_readonly()?;
    let cells = array.as_array();
    Ok(memory::collect(cells.iter().map(|&cell| cell.try_into().unwrap_or(u8::MAX)))?)
}
