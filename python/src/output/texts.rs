//! Columns of texts.

use super::{Column, Values};
use crate::memory::{self, CHUNK, Fill, OutOfMemory};

/// A text for each row, which may be empty.
pub struct Texts {
    /// Of [`CHUNK`] rows each, except for the last one.
    chunks: Vec<TextsChunk>,
    rows: usize,
}

/// The texts of successive rows.
#[derive(Clone, Default)]
pub struct TextsChunk {
    bytes: Vec<u8>,
    /// The end of each text in `bytes`.
    ends: Vec<usize>,
    valid: Vec<bool>,
}

impl Texts {
    /// There is memory for texts that have at most this number of bytes each.
    pub fn new(rows: usize, bytes: usize) -> Result<Texts, OutOfMemory> {
        memory::check(rows.saturating_mul(bytes + size_of::<usize>() + size_of::<bool>()))?;
        Ok(Texts { chunks: memory::filled(TextsChunk::default(), rows.div_ceil(CHUNK))?, rows })
    }

    /// The column, in which rows may lack a text.
    ///
    /// # Panics
    /// If a row was not filled.
    pub fn finish(self, name: &'static str) -> Result<Column, OutOfMemory> {
        let mut valid = memory::with_capacity(self.rows)?;
        self.chunks.iter().try_for_each(|chunk| memory::extend(&mut valid, &chunk.valid))?;
        assert_eq!(valid.len(), self.rows, "all rows are filled");
        Ok(Column { name, values: Values::Texts(self), valid: Some(valid) })
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The text of a row: UTF-8.
    pub fn get(&self, row: usize) -> &[u8] {
        self.chunks[row / CHUNK].bytes(row % CHUNK)
    }
}

impl Fill for Texts {
    type Chunk<'a> = &'a mut TextsChunk;

    fn chunks(&mut self) -> impl Iterator<Item = &mut TextsChunk> + Send {
        self.chunks.iter_mut()
    }
}

impl TextsChunk {
    fn bytes(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[row]]
    }

    /// The text of a row.
    pub fn get(&self, row: usize) -> Option<&str> {
        self.valid[row].then(|| str::from_utf8(self.bytes(row)).expect("only text was pushed"))
    }

    /// Gives a text to the next row, or none.
    pub fn push(&mut self, text: Option<&str>) -> Result<(), OutOfMemory> {
        memory::extend(&mut self.bytes, text.unwrap_or_default().as_bytes())?;
        memory::push(&mut self.valid, text.is_some())?;
        memory::push(&mut self.ends, self.bytes.len())
    }
}
