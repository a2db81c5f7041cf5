//! Results in Arrow.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, ArrayRef, BooleanArray, Float64Array, Int64Array, LargeStringArray, RecordBatch};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyString, PyTuple};
use rapidoku::grid::CELLS;

use super::{Column, Texts, Values, lists, pickle};
use crate::capsule::{self, arrow_error};
use crate::memory::{self, OutOfMemory};

/// Columns in Arrow: a stream of one record batch for the PyCapsule interface.
///
/// `x.to_pandas()` and `x.to_polars()` are data frames, `x["name"]` is a column. `pyarrow.table(x)` and `FROM x` in DuckDB read
/// it as well, each time from the start and without copying grids and numbers. It can be pickled.
#[pyclass(frozen, module = "rapidoku._rapidoku")]
pub struct ArrowTable(RecordBatch);

impl ArrowTable {
    pub(super) fn new(columns: Vec<Column>) -> PyResult<ArrowTable> {
        let (mut fields, mut arrays) = (Vec::new(), Vec::new());
        for column in columns {
            let (name, is_nullable) = (column.name, column.valid.is_some());
            let array = array(column)?;
            memory::push(&mut fields, Field::new(name, array.data_type().clone(), is_nullable))?;
            memory::push(&mut arrays, array)?;
        }
        ArrowTable::of(fields, arrays)
    }

    fn of(fields: Vec<Field>, arrays: Vec<ArrayRef>) -> PyResult<ArrowTable> {
        RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays).map(ArrowTable).map_err(arrow_error)
    }
}

#[pymethods]
impl ArrowTable {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.0.num_rows()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        memory::few(self.0.schema_ref().fields().iter().map(|field| field.name().as_str()))
    }

    /// A capsule with an Arrow stream. `requested_schema` is ignored, which the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        capsule::export_table(py, &self.0)
    }

    /// A column by its name.
    fn __getitem__(&self, name: &str) -> PyResult<ArrowColumn> {
        let found = self.0.schema_ref().fields().find(name);
        let (index, field) = found.ok_or_else(|| {
            let names = self.column_names().join(", ");
            PyKeyError::new_err(format!("no column '{name}', but {names}"))
        })?;
        Ok(ArrowColumn { field: field.clone(), array: self.0.column(index).clone() })
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let function = py.import("rapidoku._rapidoku")?.getattr("unpickle")?;
        Ok((function, pickle::dump(py, &self.0)?))
    }
}

/// A column of an :class:`ArrowTable`.
///
/// `pyarrow.array(x)`, `polars.Series(x)` and the functions of this package read it, `list(x)` and `x[k]` give values
/// of Python.
#[pyclass(frozen, sequence, module = "rapidoku._rapidoku")]
pub struct ArrowColumn {
    field: FieldRef,
    array: ArrayRef,
}

#[pymethods]
impl ArrowColumn {
    /// The name of the column.
    #[getter]
    fn name(&self) -> &str {
        self.field.name()
    }

    fn __len__(&self) -> usize {
        self.array.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyAny>> {
        let at = if row < 0 { row.checked_add_unsigned(self.array.len()) } else { Some(row) };
        let at = at.and_then(|row| usize::try_from(row).ok()).filter(|row| *row < self.array.len());
        self.item(py, at.ok_or_else(|| PyIndexError::new_err(format!("no row {row}")))?)
    }

    /// A list of the values, with ``None`` for those that are missing.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        lists::collect(py, self.array.len(), (0..self.array.len()).map(|row| self.item(py, row)))
    }

    /// Capsules with an Arrow array. `requested_schema` is ignored, which the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        capsule::export_column(py, &self.field, &self.array)
    }
}

impl ArrowColumn {
    /// A value as an object of Python.
    fn item<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let array = &self.array;
        match array.data_type() {
            _ if array.is_null(row) => Ok(py.None().into_bound(py)),
            DataType::Int64 => lists::integer(py, array.as_primitive::<Int64Type>().value(row)),
            DataType::Float64 => lists::float(py, array.as_primitive::<Float64Type>().value(row)),
            DataType::Boolean => Ok(PyBool::new(py, array.as_boolean().value(row)).to_owned().into_any()),
            _ => {
                let text = array.as_string::<i64>().value(row);
                PyString::from_bytes(py, text.as_bytes()).map(Bound::into_any)
            }
        }
    }
}

/// Rebuilds a pickled table.
#[pyfunction]
pub fn unpickle(rows: usize, columns: Vec<pickle::Dumped>) -> PyResult<ArrowTable> {
    let (fields, arrays) = pickle::load(rows, columns)?;
    ArrowTable::of(fields, arrays)
}

/// The array of a column. Grids and numbers are not copied.
fn array(column: Column) -> Result<ArrayRef, OutOfMemory> {
    let rows = column.len();
    let bits = |flags: &[bool]| memory::bits(rows, |row| flags[row]);
    let nulls = column.valid.as_deref().map(bits).transpose()?.map(NullBuffer::from);
    Ok(match column.values {
        Values::Integers(integers) => Arc::new(Int64Array::new(integers.into(), nulls)),
        Values::Floats(floats) => Arc::new(Float64Array::new(floats.into(), nulls)),
        Values::Flags(flags) => Arc::new(BooleanArray::new(bits(&flags)?, nulls)),
        Values::Grids(cells) => {
            // Rows without a value have text too, so that all rows have the same length.
            let offsets = memory::collect((0..rows + 1).map(|row| (CELLS * row) as i64))?;
            Arc::new(ascii_strings(offsets, cells.into_flattened(), nulls))
        }
        Values::Words(indices, names) => Arc::new(words(&indices, &names, nulls)?),
        Values::Texts(all) => Arc::new(texts(&all, nulls)?),
    })
}

/// Words by their indices. Rows that are null have any word.
#[expect(clippy::disallowed_methods, reason = "the memory is reserved")]
fn words(indices: &[i8], words: &[&str], nulls: Option<NullBuffer>) -> Result<LargeStringArray, OutOfMemory> {
    /// Words are copied with this length, which needs no loop and no branch.
    const LONGEST: usize = 32;
    let pad = |word: &&str| {
        let mut bytes = [0; LONGEST];
        bytes[..word.len()].copy_from_slice(word.as_bytes());
        (bytes, word.len())
    };
    let padded: Vec<([u8; LONGEST], usize)> = memory::few(words.iter().map(pad));
    let length = |index: i8| padded[index as usize].1;
    let total = indices.iter().map(|&index| length(index)).sum::<usize>();
    let mut text: Vec<u8> = memory::with_capacity(total + LONGEST)?;
    let mut offsets = memory::with_capacity(indices.len() + 1)?;
    offsets.push(0);
    for &index in indices {
        let (bytes, length) = &padded[index as usize];
        let end = text.len() + length;
        text.extend_from_slice(bytes);
        text.truncate(end);
        offsets.push(end as i64);
    }
    Ok(ascii_strings(offsets, text, nulls))
}

/// The texts of all rows. Those of rows that are null are empty.
fn texts(texts: &Texts, nulls: Option<NullBuffer>) -> Result<LargeStringArray, OutOfMemory> {
    let rows = texts.rows();
    let mut text = memory::with_capacity((0..rows).map(|row| texts.get(row).len()).sum())?;
    let mut offsets = memory::with_capacity(rows + 1)?;
    memory::push(&mut offsets, 0)?;
    for row in 0..rows {
        memory::extend(&mut text, texts.get(row))?;
        memory::push(&mut offsets, text.len() as i64)?;
    }
    Ok(LargeStringArray::new(OffsetBuffer::new(offsets.into()), text.into(), nulls))
}

/// An array of strings. The safe constructor would look for invalid text and for the boundary of a character at each offset,
/// which takes a few percent of the time of `solve` for easy puzzles.
///
/// # Panics
/// If the parts do not fit together.
#[allow(unsafe_code, reason = "see above")]
fn ascii_strings(offsets: Vec<i64>, text: Vec<u8>, nulls: Option<NullBuffer>) -> LargeStringArray {
    let offsets = OffsetBuffer::new(offsets.into());
    assert!(text.is_ascii() && offsets.last() as usize <= text.len());
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == offsets.len() - 1));
    // SAFETY: an `OffsetBuffer` begins at 0 or above and never decreases, so that all offsets lie within the text. ASCII is
    // UTF-8 with a boundary at each byte.
    unsafe { LargeStringArray::new_unchecked(offsets, text.into(), nulls) }
}
