//! Columns of grids.

use arrow_buffer::Buffer;
use rapidoku::grid::CELLS;

use super::{Column, Form, Values};
use crate::memory::{Chunk, Fill, OutOfMemory, Unfilled};

/// Text without characters beyond ASCII.
pub struct Ascii(Buffer);

impl Ascii {
    /// # Panics
    /// If there are other characters.
    pub fn new(text: Vec<u8>) -> Ascii {
        assert!(text.is_ascii());
        Ascii(text.into())
    }

    pub fn buffer(&self) -> &Buffer {
        &self.0
    }

    pub fn into_buffer(self) -> Buffer {
        self.0
    }

    /// `length` bytes from `start`, which share the memory.
    pub fn slice(&self, start: usize, length: usize) -> Ascii {
        Ascii(self.0.slice_with_length(start, length))
    }
}

/// A column of grids that threads fill.
pub struct Grids {
    form: Form,
    rows: Unfilled<[u8; CELLS]>,
    valid: Unfilled<bool>,
}

impl Grids {
    pub fn new(form: Form, rows: usize) -> Result<Grids, OutOfMemory> {
        Ok(Grids { form, rows: Unfilled::new(rows)?, valid: Unfilled::new(rows)? })
    }

    /// The column.
    ///
    /// # Panics
    /// If a row was not filled.
    pub fn finish(self, name: &'static str) -> Column {
        let values = Values::Grids(Ascii(self.rows.finish().into_flattened().into()));
        Column { name, values, valid: Some(self.valid.finish()) }
    }

    /// The column, in which all rows have a value.
    ///
    /// # Panics
    /// If a row has none.
    pub fn finish_full(self, name: &'static str) -> Column {
        let Column { values, valid, .. } = self.finish(name);
        assert!(valid.is_some_and(|valid| !valid.contains(&false)));
        Column::new(name, values)
    }
}

impl Fill for Grids {
    type Chunk<'a> = GridsChunk<'a>;

    fn chunks(&mut self) -> impl Iterator<Item = GridsChunk<'_>> + Send {
        let form = self.form;
        let chunks = self.rows.chunks().zip(self.valid.chunks());
        chunks.map(move |(rows, valid)| GridsChunk { form, rows, valid })
    }
}

/// Successive rows of a column of grids.
pub struct GridsChunk<'a> {
    form: Form,
    rows: Chunk<'a, [u8; CELLS]>,
    valid: Chunk<'a, bool>,
}

impl GridsChunk<'_> {
    /// Gives 81 ASCII characters to the next row, with any character that is not a digit for a blank, or no value.
    ///
    /// # Panics
    /// If other characters occur, or all rows have cells.
    #[inline]
    pub fn push(&mut self, ascii: Option<&[u8; CELLS]>) {
        self.valid.push(ascii.is_some());
        let ascii = ascii.unwrap_or(&[b'.'; CELLS]);
        // Checked here, where the row is in the cache.
        assert!(ascii.is_ascii());
        self.rows.push(match self.form {
            Form::Arrays { .. } => ascii.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }),
            _ => *ascii,
        });
    }
}
