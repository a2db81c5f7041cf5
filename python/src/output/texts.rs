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
    /// Texts for threads to add.
    pub fn new(rows: usize) -> Result<Texts, OutOfMemory> {
        Ok(Texts { chunks: memory::filled(TextsChunk::default(), rows.div_ceil(CHUNK))?, rows })
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    /// The chunks of [`crate::run::chunks`].
    pub fn chunks(&mut self) -> impl Iterator<Item = &mut TextsChunk> {
        self.chunks.iter_mut()
    }

    /// The text of a row: UTF-8.
    pub fn get(&self, row: usize) -> &[u8] {
        let TextsChunk { bytes, ends } = &self.chunks[row / CHUNK];
        let start = (row % CHUNK).checked_sub(1).map_or(0, |before| ends[before]);
        &bytes[start..ends[row % CHUNK]]
    }
}

impl TextsChunk {
    /// Adds the text of the next row.
    pub fn push(&mut self, text: &str) -> Result<(), OutOfMemory> {
        memory::extend(&mut self.bytes, text.as_bytes())?;
        memory::push(&mut self.ends, self.bytes.len())
    }
}
