//! Results in Arrow.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::Int8Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int8Array, Int64Array, RecordBatch,
    RecordBatchIterator, StringArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, FieldRef, Schema, SchemaRef};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyCapsule, PyDict, PyString, PyTuple};
use rapidoku::grid::CELLS;

use super::{Cells, Table, Texts, Values, lists, pickle};
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
    pub(super) fn new(table: Table, dictionary: bool) -> PyResult<ArrowTable> {
        let n = table.rows();
        let columns: Vec<Shared> = memory::few(table.columns.into_iter().map(Shared::new));
        let fields = columns.iter().map(|column| column.field(dictionary));
        let schema = Arc::new(Schema::new(memory::few::<_, Vec<_>>(fields)));
        let longest = columns.iter().map(Shared::longest).max().unwrap_or(0);
        let per_batch = BATCH.min(i32::MAX as usize / longest.max(1)).max(1);
        let batch = |start: usize| {
            let rows = start..n.min(start + per_batch);
            let arrays = columns.iter().map(|column| column.array(rows.clone(), dictionary));
            let arrays = memory::few::<_, Result<_, OutOfMemory>>(arrays)?;
            RecordBatch::try_new(schema.clone(), arrays).map_err(arrow_error)
        };
        let batches = memory::few::<_, PyResult<_>>((0..n).step_by(per_batch).map(batch))?;
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
        let batches = self.batches.clone().into_iter().map(Ok);
        capsule::export(py, Box::new(RecordBatchIterator::new(batches, self.schema.clone())))
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
                return Items::new(array).get(py, at);
            }
            at -= array.len();
        }
        Err(PyIndexError::new_err(format!("no row {row}")))
    }

    /// A list of the values, with ``None`` for those that are missing.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let parts =
            memory::few::<_, Vec<_>>(self.arrays.iter().map(|array| (array.len(), Items::new(array))));
        let items = parts.iter().flat_map(|(len, items)| (0..*len).map(move |row| (items, row)));
        lists::collect(py, self.__len__(), items.map(|(items, row)| items.get(py, row)))
    }

    /// A capsule with an Arrow stream of arrays. `requested_schema` is ignored, which the interface permits.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        capsule::export_arrays(py, &self.field, self.arrays.clone())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let schema = Arc::new(Schema::new(vec![self.field.clone()]));
        let batch =
            |array: &ArrayRef| RecordBatch::try_new(schema.clone(), vec![array.clone()]).map_err(arrow_error);
        let batches = memory::few::<_, PyResult<_>>(self.arrays.iter().map(batch))?;
        let table = Bound::new(py, ArrowTable { schema: schema.clone(), batches })?;
        let function = py.import("operator")?.getattr("getitem")?;
        Ok((function, (table, self.name()).into_pyobject(py)?))
    }
}

/// The values of an array of a result, as objects of Python.
enum Items {
    Texts(StringArray),
    Words(DictionaryArray<Int8Type>),
    Integers(Int64Array),
    Floats(Float64Array),
    Flags(BooleanArray),
}

impl Items {
    fn new(array: &ArrayRef) -> Items {
        match array.data_type() {
            DataType::Int64 => Items::Integers(array.as_primitive().clone()),
            DataType::Float64 => Items::Floats(array.as_primitive().clone()),
            DataType::Boolean => Items::Flags(array.as_boolean().clone()),
            DataType::Dictionary(..) => Items::Words(array.as_dictionary().clone()),
            _ => Items::Texts(array.as_string().clone()),
        }
    }

    fn get<'py>(&self, py: Python<'py>, row: usize) -> PyResult<Bound<'py, PyAny>> {
        let text = |texts: &StringArray, row: usize| {
            PyString::from_bytes(py, texts.value(row).as_bytes()).map(Bound::into_any)
        };
        match self {
            Items::Texts(texts) if texts.is_valid(row) => text(texts, row),
            Items::Words(words) if words.is_valid(row) => {
                text(words.values().as_string(), words.keys().value(row) as usize)
            }
            Items::Integers(integers) if integers.is_valid(row) => lists::integer(py, integers.value(row)),
            Items::Floats(floats) if floats.is_valid(row) => lists::float(py, floats.value(row)),
            Items::Flags(flags) if flags.is_valid(row) => {
                Ok(PyBool::new(py, flags.value(row)).to_owned().into_any())
            }
            _ => Ok(py.None().into_bound(py)),
        }
    }
}

/// Rebuilds a pickled table.
#[pyfunction]
pub fn unpickle(fields: Vec<pickle::DumpedField>, batches: Vec<pickle::Batch>) -> PyResult<ArrowTable> {
    let (schema, batches) = pickle::load(fields, batches)?;
    Ok(ArrowTable { schema, batches })
}

/// A column whose memory record batches share.
struct Shared {
    name: &'static str,
    values: SharedValues,
    valid: Option<Vec<bool>>,
}

enum SharedValues {
    Cells(Ascii),
    Words(Vec<i8>, &'static [&'static str]),
    Integers(ScalarBuffer<i64>),
    Floats(ScalarBuffer<f64>),
    Flags(Vec<bool>),
    Texts(Texts),
}

impl Shared {
    fn new(column: super::Column) -> Shared {
        let values = match column.values {
            Values::Cells(cells) => SharedValues::Cells(cells.into()),
            Values::Words(indices, words) => SharedValues::Words(indices, words),
            Values::Integers(integers) => SharedValues::Integers(ScalarBuffer::from(integers)),
            Values::Floats(floats) => SharedValues::Floats(ScalarBuffer::from(floats)),
            Values::Flags(flags) => SharedValues::Flags(flags),
            Values::Texts(texts) => SharedValues::Texts(texts),
        };
        Shared { name: column.name, values, valid: column.valid }
    }

    /// The bytes of the longest text.
    fn longest(&self) -> usize {
        match &self.values {
            SharedValues::Texts(texts) => texts.longest(),
            _ => 0,
        }
    }

    fn field(&self, dictionary: bool) -> Field {
        let data_type = match self.values {
            SharedValues::Words(..) if dictionary => {
                DataType::Dictionary(DataType::Int8.into(), DataType::Utf8.into())
            }
            SharedValues::Integers(_) => DataType::Int64,
            SharedValues::Floats(_) => DataType::Float64,
            SharedValues::Flags(_) => DataType::Boolean,
            _ => DataType::Utf8,
        };
        Field::new(self.name, data_type, self.valid.is_some())
    }

    fn array(&self, rows: Range<usize>, dictionary: bool) -> Result<ArrayRef, OutOfMemory> {
        let n = rows.len();
        let valid = self.valid.as_ref().map(|valid| &valid[rows.clone()]);
        let nulls = valid.map(|valid| memory::bits(n, |row| valid[row])).transpose()?.map(NullBuffer::from);
        Ok(match &self.values {
            SharedValues::Cells(cells) => {
                // Rows without a value have text too, so that all rows have the same length.
                let offsets = memory::collect((0..n + 1).map(|row| (CELLS * row) as i32))?;
                let cells = cells.slice(CELLS * rows.start, CELLS * n);
                Arc::new(ascii_strings(OffsetBuffer::new(offsets.into()), cells, nulls))
            }
            SharedValues::Words(indices, words) if dictionary => {
                let keys = Int8Array::new(memory::collect(indices[rows].iter().copied())?.into(), nulls);
                let words = Arc::new(StringArray::from_iter_values(words.iter()));
                Arc::new(DictionaryArray::<Int8Type>::new(keys, words))
            }
            SharedValues::Words(indices, words) => Arc::new(strings(&indices[rows], words, nulls)?),
            SharedValues::Integers(integers) => {
                Arc::new(Int64Array::new(integers.slice(rows.start, n), nulls))
            }
            SharedValues::Floats(floats) => Arc::new(Float64Array::new(floats.slice(rows.start, n), nulls)),
            SharedValues::Flags(flags) => {
                let flags = &flags[rows];
                Arc::new(BooleanArray::new(memory::bits(n, |row| flags[row])?, nulls))
            }
            SharedValues::Texts(texts) => Arc::new(self::texts(texts, rows, nulls)?),
        })
    }
}

/// Words by their indices. Rows that are null have any word.
#[expect(clippy::disallowed_methods, reason = "the memory is reserved")]
fn strings(indices: &[i8], words: &[&str], nulls: Option<NullBuffer>) -> Result<StringArray, OutOfMemory> {
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
    Ok(ascii_strings(OffsetBuffer::new(offsets.into()), Ascii::new(text), nulls))
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

/// Text without characters beyond ASCII.
struct Ascii(Buffer);

impl Ascii {
    /// # Panics
    /// If there are other characters.
    fn new(text: Vec<u8>) -> Ascii {
        assert!(text.is_ascii());
        Ascii(text.into())
    }

    /// `length` bytes from `start`, which share the memory.
    fn slice(&self, start: usize, length: usize) -> Ascii {
        Ascii(self.0.slice_with_length(start, length))
    }
}

impl From<Cells> for Ascii {
    fn from(cells: Cells) -> Ascii {
        Ascii(cells.into_bytes().into())
    }
}

/// An array of strings. The safe constructor would look for invalid text and for the boundary of a character at each offset,
/// which takes a few percent of the time of `solve` for easy puzzles.
///
/// # Panics
/// If the parts do not fit together.
#[allow(unsafe_code, reason = "see above")]
fn ascii_strings(offsets: OffsetBuffer<i32>, Ascii(text): Ascii, nulls: Option<NullBuffer>) -> StringArray {
    assert!(offsets.last() as usize <= text.len());
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == offsets.len() - 1));
    // SAFETY: an `OffsetBuffer` begins at 0 or above and never decreases, so that all offsets lie within the text. ASCII is
    // UTF-8 with a boundary at each byte.
    unsafe { StringArray::new_unchecked(offsets, text, nulls) }
}
