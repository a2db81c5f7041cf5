//! Columns of texts.

use crate::memory::{self, CHUNK, OutOfMemory};

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
}

impl Texts {
    /// Texts for threads to add. There is memory for those that have at most this number of bytes.
    pub fn new(rows: usize, bytes: usize) -> Result<Texts, OutOfMemory> {
        memory::check(rows.saturating_mul(bytes + size_of::<usize>()))?;
        Ok(Texts { chunks: memory::filled(TextsChunk::default(), rows.div_ceil(CHUNK))?, rows })
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The chunks of [`crate::run::chunks`].
    pub fn chunks(&mut self) -> impl Iterator<Item = &mut TextsChunk> {
        self.chunks.iter_mut()
    }

    /// The bytes of the longest text.
    pub fn longest(&self) -> usize {
        (0..self.rows).map(|row| self.get(row).len()).max().unwrap_or(0)
    }

    /// The text of a row: UTF-8.
    pub fn get(&self, row: usize) -> &[u8] {
        self.chunks[row / CHUNK].get(row % CHUNK)
    }
}

impl TextsChunk {
    /// The text of a row: UTF-8.
    pub fn get(&self, row: usize) -> &[u8] {
        let start = row.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.bytes[start..self.ends[row]]
    }

    /// Adds the text of the next row: UTF-8.
    pub fn push(&mut self, text: &[u8]) -> Result<(), OutOfMemory> {
        memory::extend(&mut self.bytes, text)?;
        memory::push(&mut self.ends, self.bytes.len())
    }
}
