//! Columns of grids.

use rapidoku::Puzzle;
use rapidoku::grid::CELLS;

use super::{Form, Values};
use crate::memory::{Chunk, OutOfMemory, Unfilled};

/// 81 ASCII characters for each row, or numbers from 0 to 9 in [`Form::Arrays`]. Rows without a value have characters too.
pub struct Cells(Vec<u8>);

impl Cells {
    /// The cells of a row, which are ASCII in any form.
    pub fn row(&self, row: usize) -> &[u8] {
        &self.0[CELLS * row..][..CELLS]
    }

    /// The cells of all rows.
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    /// The number of rows.
    pub fn rows(&self) -> usize {
        self.0.len() / CELLS
    }
}

/// A column of grids that threads fill.
pub struct UnfilledCells {
    form: Form,
    rows: Unfilled<[u8; CELLS]>,
}

impl UnfilledCells {
    pub fn new(form: Form, rows: usize) -> Result<UnfilledCells, OutOfMemory> {
        Ok(UnfilledCells { form, rows: Unfilled::new(rows)? })
    }

    /// The chunks of [`crate::run::chunks`].
    pub fn chunks(&mut self) -> impl Iterator<Item = CellsChunk<'_>> {
        let form = self.form;
        self.rows.chunks().map(move |rows| CellsChunk { form, rows })
    }

    /// The values.
    ///
    /// # Panics
    /// If a row has none.
    pub fn finish(self) -> Values {
        Values::Cells(Cells(self.rows.finish().into_flattened()))
    }
}

/// Successive rows of a column of grids.
pub struct CellsChunk<'a> {
    form: Form,
    rows: Chunk<'a, [u8; CELLS]>,
}

impl CellsChunk<'_> {
    /// Gives 81 ASCII characters to the next row, with any character that is not a digit for a blank.
    ///
    /// # Panics
    /// If other characters occur, or all rows have cells.
    #[inline]
    pub fn push(&mut self, ascii: &[u8; CELLS]) {
        // Checked here, where the row is in the cache.
        assert!(ascii.is_ascii());
        self.rows.push(match self.form {
            Form::Arrays { .. } => ascii.map(|byte| if byte.is_ascii_digit() { byte - b'0' } else { 0 }),
            _ => *ascii,
        });
    }

    /// Gives the cells of a puzzle to the next row, or no value.
    pub fn push_option(&mut self, puzzle: Option<&Puzzle>) {
        match puzzle {
            Some(puzzle) => self.push(&puzzle.to_ascii()),
            None => self.push_blank(),
        }
    }

    /// Gives no value to the next row.
    pub fn push_blank(&mut self) {
        self.push(&[b'.'; CELLS]);
    }
}
