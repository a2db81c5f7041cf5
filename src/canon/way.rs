//! Ways: symmetries as vectors, ready to be applied to lines.

use super::Canonical;
use super::lines::Lines;
use super::tables::Places;
use crate::grid::{CELLS, Puzzle, Symmetry};
use crate::simd::Simd;

/// A symmetry.
#[derive(Clone, Copy)]
pub struct Way {
    /// For each row of the image, the [line](Lines) from which it comes. All nine are rows, or all are columns.
    pub lines: [u8; 9],
    /// For each place in a row of the image, its source.
    pub sources: Places,
    /// The new name of each digit; zero for a blank.
    pub names: [u8; 16],
}

impl Way {
    /// A row of the image.
    #[inline(always)]
    pub fn row<S: Simd>(&self, s: S, lines: &Lines, row: usize) -> S::B {
        let line = s.load_bytes(&lines[self.lines[row] as usize]);
        s.lookup(s.load_bytes(&self.names), s.lookup(line, s.load_bytes(&self.sources)))
    }

    #[inline(always)]
    pub fn canonical<S: Simd>(&self, s: S, lines: &Lines, automorphisms: u32) -> Canonical {
        // Each vector overwrites what the one before it has beyond its nine cells.
        let mut image = [0; 88];
        for row in 0..9 {
            image[9 * row..9 * row + 16].copy_from_slice(&s.bytes_of(self.row(s, lines, row)));
        }
        let form = Puzzle(*image.first_chunk::<CELLS>().expect("an image has 81 cells"));
        let is_transposed = self.lines[0] >= 9;
        let first = if is_transposed { 9 } else { 0 };
        let columns = *self.sources.first_chunk().expect("there are nine columns");
        let digits = *self.names[1..].first_chunk().expect("there are nine digits");
        let symmetry =
            Symmetry::from_parts(is_transposed, self.lines.map(|line| line - first), columns, digits);
        Canonical { form, automorphisms, symmetry }
    }
}
