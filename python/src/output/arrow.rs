//! Results in Arrow.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray, StructArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyDict, PyString, PyTuple};
use rapidoku::grid::CELLS;

use super::{Ascii, Column, Texts, Values, lists, pickle};
use crate::capsule::{self, arrow_error};
use crate::memory::{self, OutOfMemory};

/// Rows of a record batch at most: offsets of strings have 32 bits, so a batch has room for 26 million solutions.
const BATCH: usize = 1 << 24;

/// Columns in Arrow: a stream of record batches for the PyCapsule interface.
///
/// `x.to_pandas()` and `x.to_polars()` are data frames, `x["name"]` is a column. `pyarrow.table(x)` and `FROM x` in DuckDB read
/// it as well, each time from the start and without copying grids and numbers. It can be pickled.
#[pyclass(frozen, module = "rapidoku._rapidoku")]
pub struct ArrowTable {
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
}

impl ArrowTable {
    pub(super) fn new(columns: Vec<Column>) -> PyResult<ArrowTable> {
        let rows = columns.first().map_or(0, Column::len);
        let longest = |column: &Column| match &column.values {
            Values::Texts(texts) => texts.longest(),
            _ => 0,
        };
        let longest = columns.iter().map(longest).max().unwrap_or(0);
        let per_batch = BATCH.min(i32::MAX as usize / longest.max(1)).max(1);
        let schema = Arc::new(Schema::new(memory::few::<_, Vec<_>>(columns.iter().map(field))));
        let mut arrays: Vec<Vec<ArrayRef>> = Vec::new();
        for column in columns {
            memory::push(&mut arrays, self::arrays(column, rows, per_batch)?)?;
        }
        let batch = |k: usize| {
            let arrays = memory::few(arrays.iter().map(|column| column[k].clone()));
            RecordBatch::try_new(schema.clone(), arrays).map_err(arrow_error)
        };
        let batches = memory::few::<_, PyResult<_>>((0..rows.div_ceil(per_batch)).map(batch))?;
        Ok(ArrowTable { schema, batches })
    }
}

#[pymethods]
impl ArrowTable {
    fn __repr__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frames(this.py())?.call_method1("preview", (this,))
    }

    /// A pandas data frame with the rows of ``index``, which is that of the frame with the puzzles if rows are to be
    /// joined. Columns of integers and flags with missing values have the types ``Int64`` and ``boolean``.
    #[pyo3(signature = (index = None))]
    fn to_pandas<'py>(
        this: &Bound<'py, Self>,
        index: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        frames(this.py())?.call_method1("to_pandas", (this, index))
    }

    /// A Polars data frame.
    fn to_polars<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frames(this.py())?.call_method1("to_polars", (this,))
    }

    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    /// The names of the columns.
    #[getter]
    fn column_names(&self) -> Vec<&str> {
        memory::few(self.schema.fields().iter().map(|field| field.name().as_str()))
    }

    /// A capsule with an Arrow stream. `requested_schema` is ignored, which the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        let field = Field::new_struct("", self.schema.fields().clone(), false);
        let arrays = self.batches.iter().map(|batch| Arc::new(StructArray::from(batch.clone())) as ArrayRef);
        capsule::export(py, &field, memory::few(arrays))
    }

    /// A column by its name.
    fn __getitem__(&self, name: &str) -> PyResult<ArrowColumn> {
        let found = self.schema.fields().find(name);
        let (index, field) = found.ok_or_else(|| {
            let names = self.column_names().join(", ");
            PyKeyError::new_err(format!("no column '{name}', but {names}"))
        })?;
        let arrays = self.batches.iter().map(|batch| batch.column(index).clone());
        Ok(ArrowColumn { field: field.clone(), arrays: memory::few(arrays) })
    }

    /// A dictionary with a list for each column.
    fn to_pydict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        for name in self.column_names() {
            columns.set_item(name, self.__getitem__(name)?.to_list(py)?)?;
        }
        Ok(columns)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let function = py.import("rapidoku._rapidoku")?.getattr("unpickle")?;
        Ok((function, pickle::dump(py, &self.schema, &self.batches)?))
    }
}

/// The module with the methods that are written in Python.
fn frames(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import("rapidoku._frames")
}

/// A column of an :class:`ArrowTable`.
///
/// `pyarrow.chunked_array(x)`, `polars.Series(x)` and the functions of this package read it, `list(x)` and `x[k]` give values
/// of Python.
#[pyclass(frozen, sequence, module = "rapidoku._rapidoku")]
pub struct ArrowColumn {
    field: FieldRef,
    arrays: Vec<ArrayRef>,
}

#[pymethods]
impl ArrowColumn {
    fn __repr__<'py>(this: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        frames(this.py())?.call_method1("preview_column", (this,))
    }

    /// The name of the column.
    #[getter]
    fn name(&self) -> &str {
        self.field.name()
    }

    fn __len__(&self) -> usize {
        self.arrays.iter().map(Array::len).sum()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, row: isize) -> PyResult<Bound<'py, PyAny>> {
        let mut at = if row < 0 { row.checked_add_unsigned(self.__len__()) } else { Some(row) }
            .and_then(|row| usize::try_from(row).ok())
            .unwrap_or(usize::MAX);
        for array in &self.arrays {
            if at < array.len() {
                return item(py, array, at);
            }
            at -= array.len();
        }
        Err(PyIndexError::new_err(format!("no row {row}")))
    }

    /// A list of the values, with ``None`` for those that are missing.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let rows = self.arrays.iter().flat_map(|array| (0..array.len()).map(move |row| (array, row)));
        lists::collect(py, self.__len__(), rows.map(|(array, row)| item(py, array, row)))
    }

    /// A capsule with an Arrow stream of arrays. `requested_schema` is ignored, which the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        capsule::export(py, &self.field, self.arrays.clone())
    }
}

/// A value of an array of a result, as an object of Python.
fn item<'py>(py: Python<'py>, array: &ArrayRef, row: usize) -> PyResult<Bound<'py, PyAny>> {
    match array.data_type() {
        _ if array.is_null(row) => Ok(py.None().into_bound(py)),
        DataType::Int64 => lists::integer(py, array.as_primitive::<Int64Type>().value(row)),
        DataType::Float64 => lists::float(py, array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => Ok(PyBool::new(py, array.as_boolean().value(row)).to_owned().into_any()),
        _ => {
            let text = array.as_string::<i32>().value(row);
            PyString::from_bytes(py, text.as_bytes()).map(Bound::into_any)
        }
    }
}

/// Rebuilds a pickled table.
#[pyfunction]
pub fn unpickle(fields: Vec<pickle::DumpedField>, batches: Vec<pickle::Batch>) -> PyResult<ArrowTable> {
    let (schema, batches) = pickle::load(fields, batches)?;
    Ok(ArrowTable { schema, batches })
}

fn field(column: &Column) -> Field {
    let data_type = match column.values {
        Values::Integers(_) => DataType::Int64,
        Values::Floats(_) => DataType::Float64,
        Values::Flags(_) => DataType::Boolean,
        Values::Grids(_) | Values::Words(..) | Values::Texts(_) => DataType::Utf8,
    };
    Field::new(column.name, data_type, column.valid.is_some())
}

/// The arrays of a column, one for each record batch. Grids and numbers are not copied.
fn arrays(column: Column, rows: usize, per_batch: usize) -> Result<Vec<ArrayRef>, OutOfMemory> {
    type Part<'a> = Box<dyn Fn(Range<usize>, Option<NullBuffer>) -> Result<ArrayRef, OutOfMemory> + 'a>;
    let part: Part = match column.values {
        Values::Integers(integers) => {
            let integers = ScalarBuffer::from(integers);
            Box::new(move |rows, nulls| {
                Ok(Arc::new(Int64Array::new(integers.slice(rows.start, rows.len()), nulls)))
            })
        }
        Values::Floats(floats) => {
            let floats = ScalarBuffer::from(floats);
            Box::new(move |rows, nulls| {
                Ok(Arc::new(Float64Array::new(floats.slice(rows.start, rows.len()), nulls)))
            })
        }
        Values::Flags(flags) => Box::new(move |rows, nulls| {
            let flags = memory::bits(rows.len(), |row| flags[rows.start + row])?;
            Ok(Arc::new(BooleanArray::new(flags, nulls)))
        }),
        Values::Grids(cells) => Box::new(move |rows, nulls| {
            // Rows without a value have text too, so that all rows have the same length.
            let offsets = memory::collect((0..rows.len() + 1).map(|row| (CELLS * row) as i32))?;
            let cells = cells.slice(CELLS * rows.start, CELLS * rows.len());
            Ok(Arc::new(ascii_strings(OffsetBuffer::new(offsets.into()), &cells, nulls)))
        }),
        Values::Words(indices, names) => {
            Box::new(move |rows, nulls| Ok(Arc::new(words(&indices[rows], names, nulls)?)))
        }
        Values::Texts(all) => Box::new(move |rows, nulls| Ok(Arc::new(texts(&all, rows, nulls)?))),
    };
    let batches = (0..rows).step_by(per_batch).map(|start| {
        let rows = start..rows.min(start + per_batch);
        let bits = column.valid.as_ref().map(|valid| memory::bits(rows.len(), |row| valid[start + row]));
        part(rows, bits.transpose()?.map(NullBuffer::from))
    });
    memory::few(batches)
}

/// Words by their indices. Rows that are null have any word.
#[expect(clippy::disallowed_methods, reason = "the memory is reserved")]
fn words(indices: &[i8], words: &[&str], nulls: Option<NullBuffer>) -> Result<StringArray, OutOfMemory> {
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
        offsets.push(end as i32);
    }
    Ok(ascii_strings(OffsetBuffer::new(offsets.into()), &Ascii::new(text), nulls))
}

/// The texts of some rows. Those of rows that are null are empty.
///
/// # Panics
/// If they have more than 2³¹ bytes.
fn texts(texts: &Texts, rows: Range<usize>, nulls: Option<NullBuffer>) -> Result<StringArray, OutOfMemory> {
    let total = rows.clone().map(|row| texts.get(row).len()).sum::<usize>();
    assert!(i32::try_from(total).is_ok());
    let mut text = memory::with_capacity(total)?;
    let mut offsets = memory::with_capacity(rows.len() + 1)?;
    memory::push(&mut offsets, 0)?;
    for row in rows {
        memory::extend(&mut text, texts.get(row))?;
        memory::push(&mut offsets, text.len() as i32)?;
    }
    Ok(StringArray::new(OffsetBuffer::new(offsets.into()), Buffer::from(text), nulls))
}

/// An array of strings. The safe constructor would look for invalid text and for the boundary of a character at each offset,
/// which takes a few percent of the time of `solve` for easy puzzles.
///
/// # Panics
/// If the parts do not fit together.
#[allow(unsafe_code, reason = "see above")]
fn ascii_strings(offsets: OffsetBuffer<i32>, text: &Ascii, nulls: Option<NullBuffer>) -> StringArray {
    assert!(offsets.last() as usize <= text.buffer().len());
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == offsets.len() - 1));
    // SAFETY: an `OffsetBuffer` begins at 0 or above and never decreases, so that all offsets lie within the text. ASCII is
    // UTF-8 with a boundary at each byte.
    unsafe { StringArray::new_unchecked(offsets, text.buffer().clone(), nulls) }
}
