//! Columns of grids.

use std::iter::Zip;
use std::slice::IterMut;

use rapidoku::grid::CELLS;

use super::{Column, Form, Values};
use crate::memory::{self, CHUNK, Fill, OutOfMemory};

/// A column of grids that threads fill.
pub struct Grids {
    form: Form,
    rows: Vec<[u8; CELLS]>,
    valid: Vec<bool>,
}

impl Grids {
    pub fn new(form: Form, rows: usize) -> Result<Grids, OutOfMemory> {
        Ok(Grids { form, rows: memory::zeroed(rows)?, valid: memory::zeroed(rows)? })
    }

    /// The column. Rows that were not filled have no value.
    pub fn finish(self, name: &'static str) -> Column {
        let values = Values::Grids(self.rows);
        Column { name, values, valid: Some(self.valid) }
    }
}

impl Fill for Grids {
    type Chunk<'a> = GridsChunk<'a>;

    fn chunks(&mut self) -> impl Iterator<Item = GridsChunk<'_>> + Send {
        let form = self.form;
        let chunks = self.rows.chunks_mut(CHUNK).zip(self.valid.chunks_mut(CHUNK));
        chunks.map(move |(rows, valid)| GridsChunk { form, rows: rows.iter_mut().zip(valid) })
    }
}

/// Successive rows of a column of grids.
pub struct GridsChunk<'a> {
    form: Form,
    rows: Zip<IterMut<'a, [u8; CELLS]>, IterMut<'a, bool>>,
}

impl GridsChunk<'_> {
    /// Gives 81 ASCII characters to the next row, with any character that is not a digit for a blank, or no value.
    ///
    /// # Panics
    /// If all rows have cells.
    #[inline]
    pub fn push(&mut self, ascii: Option<&[u8; CELLS]>) {
        let (row, valid) = self.rows.next().expect("there is a row");
        *valid = ascii.is_some();
        let Some(ascii) = ascii else { return };
        let digit = |byte: &u8| if byte.is_ascii_digit() { byte - b'0' } else { 0 };
        match self.form {
            // Unlike `map`, a loop over bytes is compiled to vectors.
            Form::Arrays { .. } => row.iter_mut().zip(ascii).for_each(|(cell, byte)| *cell = digit(byte)),
            _ => *row = *ascii,
        }
    }
}
