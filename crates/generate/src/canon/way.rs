//! Ways: symmetries as vectors, ready to be applied to cells.

use super::Canonical;
use super::tables::Places;
use crate::grid::{CELLS, Puzzle, Symmetry};
use crate::simd::{Blocks, Moves};

/// A symmetry.
#[derive(Clone, Copy)]
pub struct Way {
    /// Whether rows and columns are exchanged first.
    pub is_transposed: bool,
    /// The source of each row of the image.
    pub rows: Places,
    /// The source of each column of the image.
    pub columns: Places,
    /// The new name of each digit; zero for a blank.
    pub names: [u8; 16],
}

impl Way {
    /// Writes the image of cells.
    #[inline(always)]
    pub fn write_image<S: Blocks>(&self, s: S, cells: &[u8; CELLS], image: &mut [u8; CELLS]) {
        let moves = Moves {
            is_transposed: self.is_transposed,
            rows: s.load_bytes(&self.rows),
            columns: s.load_bytes(&self.columns),
        };
        s.move_cells(cells, moves, s.load_bytes(&self.names), 0, image);
    }

    /// Writes the image of cells, in place: a copy would wait until the vectors of the image are in the cache.
    #[inline(always)]
    pub fn write_canonical<S: Blocks>(
        &self,
        s: S,
        cells: &[u8; CELLS],
        automorphisms: u32,
        canonical: &mut Option<Canonical>,
    ) {
        let rows = *self.rows.first_chunk().expect("nine rows");
        let columns = *self.columns.first_chunk().expect("nine columns");
        let digits = *self.names[1..].first_chunk().expect("nine digits");
        let symmetry = Symmetry::from_parts(self.is_transposed, rows, columns, digits);
        let canonical = canonical.insert(Canonical { form: Puzzle::EMPTY, automorphisms, symmetry });
        self.write_image(s, cells, canonical.form.cells_mut());
    }
}
