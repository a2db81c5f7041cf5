//! Results as NumPy arrays.

use numpy::ndarray::{Array, IxDyn};
use numpy::{PyArray, PyArray1};
use pyo3::prelude::*;

use super::{Column, Table, Values, lists, named_tuple};
use crate::memory;

/// A named tuple with an array for each column. Rows without a value are -1 in columns of integers, `False` in columns of
/// flags and blank in columns of grids. A column of texts is a list.
pub fn convert(py: Python<'_>, table: Table, dimensions: usize) -> PyResult<Bound<'_, PyAny>> {
    let rows = table.rows();
    let shape = if dimensions == 2 { vec![rows, 81] } else { vec![rows, 9, 9] };
    let Table { name, columns } = table;
    let columns = columns.into_iter().map(|column| array(py, column, &shape));
    named_tuple(py, &format!("{name}Arrays"), memory::few::<_, PyResult<_>>(columns)?)
}

fn array<'py>(py: Python<'py>, column: Column, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    Ok(match column.values {
        Values::Cells(cells) => {
            let cells =
                Array::from_shape_vec(IxDyn(shape), cells.into_bytes()).expect("81 cells for each row");
            PyArray::from_owned_array(py, cells).into_any()
        }
        Values::Words(mut indices, _) => {
            fill_gaps(&mut indices, column.valid, -1);
            PyArray1::from_vec(py, indices).into_any()
        }
        Values::Integers(mut integers) => {
            fill_gaps(&mut integers, column.valid, -1);
            PyArray1::from_vec(py, integers).into_any()
        }
        Values::Floats(mut floats) => {
            fill_gaps(&mut floats, column.valid, f64::NAN);
            PyArray1::from_vec(py, floats).into_any()
        }
        Values::Flags(mut flags) => {
            fill_gaps(&mut flags, column.valid, false);
            PyArray1::from_vec(py, flags).into_any()
        }
        Values::Texts(_) => lists::list(py, &column)?,
    })
}

fn fill_gaps<T>(values: &mut [T], valid: Option<Vec<bool>>, gap: T)
where
    T: Copy,
{
    let gaps = valid.iter().flatten().zip(values).filter(|(valid, _)| !**valid);
    gaps.for_each(|(_, value)| *value = gap);
}
