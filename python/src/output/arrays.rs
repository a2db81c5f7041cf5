//! Results as NumPy arrays.

use numpy::ndarray::{Array, IxDyn};
use numpy::{PyArray, PyArray1};
use pyo3::prelude::*;

use super::{Column, Values, lists};

/// An array with the values of a column. Rows without a value are -1 in columns of integers, NaN in columns of floats, `False` in
/// columns of flags and blank in columns of grids. A column of texts is a list.
pub fn array(py: Python<'_>, column: Column, dimensions: usize) -> PyResult<Bound<'_, PyAny>> {
    let rows = column.len();
    Ok(match column.values {
        Values::Grids(cells) => {
            let shape = if dimensions == 2 { IxDyn(&[rows, 81]) } else { IxDyn(&[rows, 9, 9]) };
            let cells = Array::from_shape_vec(shape, cells.into_flattened()).expect("81 cells for each row");
            PyArray::from_owned_array(py, cells).into_any()
        }
        Values::Words(indices, _) => filled(py, indices, column.valid, -1),
        Values::Integers(integers) => filled(py, integers, column.valid, -1),
        Values::Floats(floats) => filled(py, floats, column.valid, f64::NAN),
        Values::Flags(flags) => filled(py, flags, column.valid, false),
        Values::Texts(_) => lists::list(py, &column)?,
    })
}

fn filled<T: numpy::Element + Copy>(
    py: Python<'_>,
    mut values: Vec<T>,
    valid: Option<Vec<bool>>,
    gap: T,
) -> Bound<'_, PyAny> {
    let gaps = valid.iter().flatten().zip(&mut values).filter(|(valid, _)| !**valid);
    gaps.for_each(|(_, value)| *value = gap);
    PyArray1::from_vec(py, values).into_any()
}
