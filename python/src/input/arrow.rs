//! Arrow arrays of strings.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, BinaryArray, BinaryViewArray, LargeBinaryArray};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use rapidoku::{Puzzle, SimdLevel, parse_texts};

use super::exception;
use crate::memory::{self, OutOfMemory};

/// A column: the arrays of a stream, one after the other.
pub struct Texts {
    parts: Vec<Part>,
    len: usize,
}

/// An array of strings, and its place in the column.
struct Part {
    start: usize,
    len: usize,
    nulls: Option<NullBuffer>,
    values: Values,
}

/// Strings as bytes: which bytes are cells is a matter of parsing.
enum Values {
    Small(BinaryArray),
    Large(LargeBinaryArray),
    View(BinaryViewArray),
    Dictionary {
        keys: Vec<usize>,
        values: Box<Part>,
    },
    /// All rows are null.
    Null,
}

impl Texts {
    /// A column of these arrays: arrays of strings, or tables with one column of strings.
    ///
    /// # Errors
    /// `TypeError` for arrays of other types, `ValueError` for tables with another number of columns.
    pub fn new(arrays: &[ArrayRef]) -> PyResult<Texts> {
        let mut texts = Texts { parts: Vec::new(), len: 0 };
        for array in arrays {
            let part = Part::new(array, texts.len)?;
            texts.len += part.len;
            memory::push(&mut texts.parts, part)?;
        }
        Ok(texts)
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The text of a row, or `None` for null.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let part = &self.parts[self.part_of(row)];
        part.get(row - part.start)
    }

    /// Reads some rows into as many puzzles, and adds the indices of those that are not puzzles.
    pub fn read(
        &self,
        level: SimdLevel,
        rows: Range<usize>,
        puzzles: &mut [Puzzle],
        not_puzzles: &mut Vec<usize>,
    ) -> Result<(), OutOfMemory> {
        let mut row = rows.start;
        while row < rows.end {
            let part = &self.parts[self.part_of(row)];
            let end = rows.end.min(part.start + part.len);
            let (first, before) = (row - rows.start, row - part.start);
            let found = part.read(level, before..end - part.start, &mut puzzles[first..end - rows.start]);
            for k in found {
                memory::push(not_puzzles, first + k)?;
            }
            row = end;
        }
        Ok(())
    }

    /// The index of the part with this row. Parts may be empty.
    fn part_of(&self, row: usize) -> usize {
        self.parts.partition_point(|part| part.start + part.len <= row)
    }
}

impl Part {
    fn new(array: &ArrayRef, start: usize) -> PyResult<Part> {
        let values = match array.data_type() {
            DataType::Utf8 => Values::Small(array.as_string::<i32>().clone().into()),
            DataType::Binary => Values::Small(array.as_binary::<i32>().clone()),
            DataType::LargeUtf8 => Values::Large(array.as_string::<i64>().clone().into()),
            DataType::LargeBinary => Values::Large(array.as_binary::<i64>().clone()),
            DataType::Utf8View => Values::View(array.as_string_view().clone().to_binary_view()),
            DataType::BinaryView => Values::View(array.as_binary_view().clone()),
            DataType::Null => Values::Null,
            DataType::Dictionary(..) => {
                let dictionary = array.as_any_dictionary();
                // The keys of null rows are replaced by the first one, which needs a value.
                if dictionary.values().is_empty() {
                    Values::Null
                } else {
                    let values = Box::new(Part::new(dictionary.values(), 0)?);
                    memory::check(size_of::<usize>() * dictionary.len())?;
                    Values::Dictionary { keys: dictionary.normalized_keys(), values }
                }
            }
            DataType::Struct(fields) => {
                let table = array.as_struct();
                let [column] = table.columns() else {
                    let names: Vec<&str> = memory::few(fields.iter().map(|field| field.name().as_str()));
                    return Err(exception("not_one_column", &names.join(", ")));
                };
                if table.null_count() > 0 {
                    return Err(PyTypeError::new_err("a table with rows that are null"));
                }
                return Part::new(column, start);
            }
            other if other.is_numeric() => {
                let name = other.to_string().to_lowercase();
                return Err(exception("not_text", &format!("an Arrow column of {name}")));
            }
            other => {
                return Err(PyTypeError::new_err(format!("expected an Arrow column of strings, not of {other}")));
            }
        };
        let nulls = array.nulls().filter(|nulls| nulls.null_count() > 0).cloned();
        Ok(Part { start, len: array.len(), nulls, values })
    }

    fn get(&self, row: usize) -> Option<&[u8]> {
        if self.nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            return None;
        }
        match &self.values {
            Values::Small(array) => Some(array.value(row)),
            Values::Large(array) => Some(array.value(row)),
            Values::View(array) => Some(array.value(row)),
            Values::Dictionary { keys, values } => values.get(keys[row]),
            Values::Null => None,
        }
    }

    /// Reads some rows. Returns the indices of those that are not puzzles.
    fn read(&self, level: SimdLevel, rows: Range<usize>, puzzles: &mut [Puzzle]) -> Vec<usize> {
        // The most frequent kinds of arrays have loops of their own. An empty text is not a puzzle.
        match &self.values {
            Values::Small(array) if self.nulls.is_none() => {
                parse_texts(level, rows.map(|row| array.value(row)), puzzles)
            }
            Values::Large(array) if self.nulls.is_none() => {
                parse_texts(level, rows.map(|row| array.value(row)), puzzles)
            }
            Values::View(array) if self.nulls.is_none() => {
                parse_texts(level, rows.map(|row| array.value(row)), puzzles)
            }
            _ => parse_texts(level, rows.map(|row| self.get(row).unwrap_or_default()), puzzles),
        }
    }
}
