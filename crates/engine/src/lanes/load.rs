//! Loading: the clues of a vector of puzzles, transposed into words of candidates.
//!
//! A puzzle is 21 words of four cells. These are transposed, and everything else is done for all lanes at once. There
//! are no loops: they would halve the code but take 3 to 10 % more time.

use super::codegen::unroll;
use super::layout::*;
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::simd::{Row, Simd, Step};

/// Words of four cells of a puzzle. The last word has the last four cells, three of which are in the word before as
/// well.
const QUADS: usize = CELLS.div_ceil(4);

/// Writes the candidates of the first `S::LANES` puzzles to `words`, with every clue removed from its peers. Returns
/// the mask of lanes with clashing clues, whose words are unspecified.
#[inline(always)]
pub(super) fn load<S: Simd>(s: S, puzzles: &[Puzzle], words: &mut [S::Row; WORDS]) -> u32 {
    s.step(Load { puzzles, words })
}

struct Load<'a, R> {
    puzzles: &'a [Puzzle],
    words: &'a mut [R; WORDS],
}

impl<S: Simd> Step<S> for Load<'_, S::Row> {
    type Output = u32;

    #[inline(always)]
    fn run(self, s: S) -> u32 {
        let Load { puzzles, words } = self;
        let mut quads = [S::Row::ZERO; QUADS];
        unroll!(PART in [0, 1, 2, 3, 4] {
            let part = load_16_cells(s, puzzles, 16 * PART);
            for i in 0..4 {
                s.store(part[i], &mut quads[4 * PART + i]);
            }
        });
        let [.., last] = load_16_cells(s, puzzles, CELLS - 16);
        s.store(last, &mut quads[QUADS - 1]);

        let zero = s.splat(0);
        let mut clues = [S::Row::ZERO; WORDS];
        // The clues of each minirow and minicolumn.
        let (mut minirows, mut minicolumns) = ([[zero; 3]; 3], [[zero; 3]; 3]);
        let mut clash = zero;
        unroll!(J in [0, 1, 2] {
            let mut words = [zero; 9];
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                const WORD: usize = word(I / 3, J, I % 3);
                // A digit sets its bit, an empty cell the guard.
                let mut fields = [zero; 3];
                unroll!(F in [0, 1, 2] {
                    const CELL: usize = cell(WORD, F);
                    const TOP: u32 = FIELD * (F as u32 + 1) - 1;
                    let quad = s.load(&quads[CELL / 4]);
                    // In the last word the cell is the last byte.
                    fields[F] = match if CELL == CELLS - 1 { 3 } else { CELL % 4 } {
                        0 => s.one_hot::<0, TOP>(quad),
                        1 => s.one_hot::<1, TOP>(quad),
                        2 => s.one_hot::<2, TOP>(quad),
                        _ => s.one_hot::<3, TOP>(quad),
                    };
                });
                words[I] = s.or3(fields[0], fields[1], fields[2]);
                s.store(words[I], &mut clues[WORD]);
            });
            unroll!(I in [0, 1, 2] {
                minirows[I][J] = s.or3(words[3 * I], words[3 * I + 1], words[3 * I + 2]);
                minicolumns[I][J] = s.or3(words[I], words[3 + I], words[6 + I]);
            });
            // Equal clues in a box are in two minirows or in two minicolumns.
            let (m, n) = (&minirows, &minicolumns);
            let across = s.majority(m[0][J], m[1][J], m[2][J]);
            clash = s.or3(clash, across, s.majority(n[0][J], n[1][J], n[2][J]));
        });
        let mut rows = [zero; 3];
        let mut boxes = [zero; 3];
        unroll!(I in [0, 1, 2] {
            let m = &minirows;
            rows[I] = s.or3(m[I][0], m[I][1], m[I][2]);
            boxes[I] = s.or3(m[0][I], m[1][I], m[2][I]);
            clash = s.or(clash, s.majority(m[I][0], m[I][1], m[I][2]));
        });
        unroll!(K in [0, 1, 2] {
            let m = [minicolumns[K][0], rotate_1(s, minicolumns[K][1]), rotate_2(s, minicolumns[K][2])];
            clash = s.or(clash, s.majority(m[0], m[1], m[2]));
            let column = s.or3(m[0], m[1], m[2]); // fields by stack
            let columns = [column, rotate_2(s, column), rotate_1(s, column)];
            unroll!(J in [0, 1, 2] {
                unroll!(R in [0, 1, 2] {
                    const WORD: usize = word(R, J, K);
                    let x = s.load(&clues[WORD]);
                    // An empty cell gets all digits, a clue stays as it is.
                    let digits = s.sub(x, s.and(s.shr::<9>(x), s.splat(FIELD_ONES)));
                    let seen = s.or3(rows[R], boxes[J], columns[J]);
                    s.store(s.and_or_not(digits, x, seen), &mut words[WORD]);
                });
            });
        });
        // Two guards are no clash.
        !s.zero_lanes(s.and(clash, s.splat(ALL))) & (u32::MAX >> (32 - S::LANES))
    }
}

/// Four words of four cells each, loaded into vectors directly. A row assembled in memory by small stores would stall
/// the load of the row.
#[inline(always)]
fn load_16_cells<S: Simd>(s: S, puzzles: &[Puzzle], at: usize) -> [S::V; 4] {
    let puzzles = &puzzles[..S::LANES];
    let mut v = [s.splat(0); 4];
    for i in 0..4 {
        v[i] = s.load_blocks([0, 4, 8, 12].map(|lane| {
            let cells = puzzles[(lane + i) & (S::LANES - 1)].cells();
            cells[at..].first_chunk().expect("16 cells")
        }));
    }
    s.transpose_4x4(v)
}

/// Sets of digits in the order of bits in a field: bit `9 - d` is digit `d`.
pub(super) const REVERSED: [u16; 512] = {
    let mut reversed = [0; 512];
    let mut set = 0;
    while set < 512 {
        reversed[set] = (set as u16).reverse_bits() >> 7;
        set += 1;
    }
    reversed
};

/// Removes everything that is not a candidate of its puzzle from the words of each lane.
#[cold]
#[inline(never)]
pub(super) fn remove_non_candidates<R: Row>(candidates: &[Candidates], words: &mut [R; WORDS]) {
    for (lane, candidates) in candidates.iter().enumerate() {
        for (at, row) in words.iter_mut().enumerate() {
            let fields = (0..3).map(|field| {
                let set = candidates.cells()[cell(at, field)];
                u32::from(REVERSED[set as usize]) << (FIELD * field as u32)
            });
            row.lanes_mut()[lane] &= fields.fold(0, |all, field| all | field);
        }
    }
}
