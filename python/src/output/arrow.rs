//! Results in Arrow.

use std::ops::Range;
use std::sync::Arc;

use arrow_array::types::Int8Type;
use arrow_array::{
    ArrayRef, BooleanArray, DictionaryArray, Int8Array, Int64Array, RecordBatch, RecordBatchIterator,
    StringArray,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use rapidoku::grid::CELLS;

use super::{Cells, Table, Texts, Values, pickle};
use crate::capsule::{self, arrow_error};
use crate::memory::{self, OutOfMemory};

/// Rows of a record batch: offsets of strings have 32 bits, so a batch has room for 26 million solutions.
const BATCH: usize = 1 << 24;

/// Columns in Arrow: a stream of record batches for the PyCapsule interface.
///
/// `pyarrow.table(x)`, `polars.DataFrame(x)`, `pandas.DataFrame.from_arrow(x)` and `FROM x` in DuckDB read it, each time from
/// the start and without copying grids and numbers. It can be pickled.
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
        let batch = |start: usize| {
            let rows = start..n.min(start + BATCH);
            let arrays = columns.iter().map(|column| column.array(rows.clone(), dictionary));
            let arrays = memory::few::<_, Result<_, OutOfMemory>>(arrays)?;
            RecordBatch::try_new(schema.clone(), arrays).map_err(arrow_error)
        };
        let batches = memory::few::<_, PyResult<_>>((0..n).step_by(BATCH).map(batch))?;
        Ok(ArrowTable { schema, batches })
    }
}

#[pymethods]
impl ArrowTable {
    /// The number of rows.
    fn __len__(&self) -> usize {
        self.batches.iter().map(RecordBatch::num_rows).sum()
    }

    fn __repr__(&self) -> String {
        format!("<rapidoku.ArrowTable: {} rows, columns {}>", self.__len__(), self.column_names().join(", "))
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let function = py.import("rapidoku._rapidoku")?.getattr("unpickle")?;
        Ok((function, pickle::dump(py, &self.schema, &self.batches)?))
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
    Flags(Vec<bool>),
    Texts(Texts),
}

impl Shared {
    fn new(column: super::Column) -> Shared {
        let values = match column.values {
            Values::Cells(cells) => SharedValues::Cells(cells.into()),
            Values::Words(indices, words) => SharedValues::Words(indices, words),
            Values::Integers(integers) => SharedValues::Integers(ScalarBuffer::from(integers)),
            Values::Flags(flags) => SharedValues::Flags(flags),
            Values::Texts(texts) => SharedValues::Texts(texts),
        };
        Shared { name: column.name, values, valid: column.valid }
    }

    fn field(&self, dictionary: bool) -> Field {
        let data_type = match self.values {
            SharedValues::Words(..) if dictionary => {
                DataType::Dictionary(DataType::Int8.into(), DataType::Utf8.into())
            }
            SharedValues::Integers(_) => DataType::Int64,
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
    const LONGEST: usize = 16;
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
/// If they have more than 2³¹ bytes: the reasons of [`BATCH`] rows have less, since each has 128 bytes at most.
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
