//! Random equivalent copies of puzzles as text, many at a time.

use crate::grid::CELLS;
use crate::grid::random_symmetry::{Drawn, FIRST_DIGITS, LINE_ORDERS, MIDDLE_DIGITS, OTHER_DIGITS, Sequence};
use crate::simd::{Blocks, ByteKernel, Moves, SimdLevel};

/// A puzzle to be copied.
#[derive(Clone, Copy, Debug)]
pub struct Original<'a> {
    /// The cells as text: digits from 1 to 9, and any other bytes for blanks, which are kept.
    pub cells: &'a [u8; CELLS],
    /// The solution as text.
    pub solution: Option<&'a [u8; CELLS]>,
    /// The index of the [symmetry](crate::grid::Symmetry::random) of the first copy. The next copies have the next
    /// ones.
    pub index: u64,
    /// The number of copies.
    pub copies: usize,
}

/// Appends the copies of each puzzle to `text`, one in each line, and each with a comma and the copy of the solution if
/// there is one. Copy `i` is the image under `Symmetry::random(seed, index + i)`.
pub fn append_copies(level: SimdLevel, seed: u64, originals: &[Original], text: &mut Vec<u8>) {
    level.run_bytes(AppendCopies { sequence: Sequence::of_seed(seed), originals, text });
}

struct AppendCopies<'a> {
    sequence: Sequence,
    originals: &'a [Original<'a>],
    text: &'a mut Vec<u8>,
}

impl ByteKernel for AppendCopies<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Blocks>(self, s: S) {
        let AppendCopies { sequence, originals, text } = self;
        for original in originals {
            let line_length = if original.solution.is_some() { 2 * (CELLS + 1) } else { CELLS + 1 };
            let start = text.len();
            text.resize(start + original.copies * line_length, b'\n');
            let mut index = original.index;
            for line in text[start..].chunks_exact_mut(line_length) {
                let Drawn { rows, columns, is_transposed, digits: [first, middle, other] } = sequence.draw(index);
                index = index.wrapping_add(1);
                let moves = Moves {
                    is_transposed,
                    rows: s.load_bytes(&LINE_ORDERS[rows]),
                    columns: s.load_bytes(&LINE_ORDERS[columns]),
                };
                let names = s.lookup(s.load_bytes(&FIRST_DIGITS[first]), s.load_bytes(&MIDDLE_DIGITS[middle]));
                let names = s.lookup(names, s.load_bytes(&OTHER_DIGITS[other]));
                let names = s.add_bytes(names, s.splat_byte(b'0'));
                let (image, rest) = line.split_first_chunk_mut().expect("81 cells and more");
                s.move_cells(original.cells, moves, names, b'0', image);
                if let Some(solution) = original.solution {
                    rest[0] = b',';
                    s.move_cells(solution, moves, names, b'0', rest[1..].first_chunk_mut().expect("81 cells"));
                }
            }
        }
    }
}
