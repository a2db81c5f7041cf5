//! Emitting: solved grids, collected into full vectors and written as rows of text.

use super::codegen::unroll;
use super::layout::*;
use crate::grid::CELLS;
use crate::outcome::ROW;
use crate::simd::{Row, Simd, Step};

/// Words of four digits of a grid. The last word has the last digit only.
const QUADS: usize = CELLS.div_ceil(4);
/// This number of words is transposed in squares of `S::LANES` by `S::LANES`.
const SQUARE_QUADS: usize = 16;

/// Solved grids, collected until there is a full vector of them.
///
/// Several places push grids, but one place emits full vectors. The code of [`emit`] is long: with a copy in each place
/// the code for easy puzzles exceeds the instruction cache, and they take 6 to 15 % more time.
pub(super) struct EmitBuffer<S: Simd> {
    /// The vector being filled and the one before it. Each has the indices of puzzles, and their [`SOLVED_WORDS`].
    buffers: [[S::Row; 1 + SOLVED_WORDS]; 2],
    /// The index of the vector being filled, and the number of grids in it.
    filling: usize,
    len: u32,
    /// Whether the other vector is full.
    has_full: bool,
}

impl<S: Simd> EmitBuffer<S> {
    pub fn new() -> Self {
        EmitBuffer { buffers: [[S::Row::ZERO; 1 + SOLVED_WORDS]; 2], filling: 0, len: 0, has_full: false }
    }

    /// Adds the grids of some lanes of a vector that has just been swept. A full vector must be emitted before the
    /// next call.
    #[inline(always)]
    pub fn push(&mut self, s: S, vector: &[S::Row; ROWS], mut lanes: u32) {
        while lanes != 0 {
            let room = S::LANES as u32 - self.len;
            let n = lanes.count_ones().min(room);
            let from = s.lowest_bits(lanes, n);
            let to = ((1 << n) - 1) << self.len;
            s.move_lanes(&vector[ID..], from, &mut self.buffers[self.filling & 1], to);
            lanes &= !from;
            self.len += n;
            if n == room {
                debug_assert!(!self.has_full, "what was full has been written");
                (self.filling, self.len, self.has_full) = (1 - self.filling, 0, true);
            }
        }
    }

    /// Takes the full vector, if there is one: the indices of puzzles, and the grids.
    #[inline(always)]
    pub fn take_full(&mut self) -> Option<(&[u32], &[S::Row; SOLVED_WORDS])> {
        let [ids, lines @ ..] = &self.buffers[(1 - self.filling) & 1];
        std::mem::take(&mut self.has_full).then_some((ids.lanes(), lines))
    }

    /// The remaining grids.
    #[inline(always)]
    pub fn rest(&self) -> (&[u32], &[S::Row; SOLVED_WORDS]) {
        let [ids, lines @ ..] = &self.buffers[self.filling & 1];
        (&ids.lanes()[..self.len as usize], lines)
    }
}

/// Solved grids that are written as rows of text: lane `l` of `lines` (see [`SOLVED_WORDS`]) becomes row `ids[l]`.
pub(super) struct Emit<'a, R> {
    pub lines: &'a [R; SOLVED_WORDS],
    pub ids: &'a [u32],
    pub rows: &'a mut [[u8; ROW]],
}

impl<S: Simd> Step<S> for Emit<'_, S::Row> {
    type Output = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Emit { lines, ids, rows } = self;
        let all = s.splat(ALL);
        let (mut minirows, mut minicolumns) = ([[all; 3]; 3], [[all; 3]; 3]);
        unroll!(J in [0, 1] {
            let (a, b) = (s.load(&lines[4 * J]), s.load(&lines[4 * J + 1]));
            minirows[J] = [a, b, s.xor3(a, b, all)];
            let (a, b) = (s.load(&lines[4 * J + 2]), s.load(&lines[4 * J + 3]));
            minicolumns[J] = [a, b, s.xor3(a, b, all)];
        });
        // The third box of a row or column has the digits that the other two lack.
        unroll!(L in [0, 1] {
            minirows[2][L] = s.xor3(minirows[0][L], minirows[1][L], all);
            let (a, b) = (minicolumns[0][L], minicolumns[1][L]);
            minicolumns[2][L] = s.xor3(rotate_1(s, a), rotate_2(s, b), all);
        });
        minirows[2][2] = s.xor3(minirows[2][0], minirows[2][1], all);
        minicolumns[2][2] = s.xor3(minicolumns[2][0], minicolumns[2][1], all);
        // A minirow and a minicolumn have one digit in common, that of their cell. Converted to a float, its bit
        // becomes an exponent.
        let mut floats = [[S::Row::ZERO; 3]; WORDS];
        unroll!(J in [0, 1, 2] {
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                unroll!(F in [0, 1, 2] {
                    let bit = s.and3(minirows[J][I / 3], minicolumns[J][I % 3], s.splat(0x1FF << (FIELD * F as u32)));
                    s.store(s.to_float(bit), &mut floats[word(I / 3, J, I % 3)][F]);
                });
            });
        });
        let mut quads = [S::Row::ZERO; QUADS];
        unroll!(Q in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20] {
            let mut bytes = [s.splat(0); 4];
            unroll!(BYTE in [0, 1, 2, 3] {
                const PLACE: (usize, usize) = word_and_field((4 * Q + BYTE) % CELLS);
                if 4 * Q + BYTE < CELLS {
                    let float = s.load(&floats[PLACE.0][PLACE.1]);
                    bytes[BYTE] = match BYTE {
                        0 => s.shr::<23>(float),
                        1 => s.shr::<15>(float),
                        2 => s.shr::<7>(float),
                        _ => s.shl::<1>(float),
                    };
                }
            });
            let x = s.or(bytes[0], s.or3(bytes[1], bytes[2], bytes[3]));
            s.store(s.sub(s.splat(ASCII[Q]), x), &mut quads[Q]);
        });
        transpose_quads(s, &mut quads);
        for (lane, &id) in ids.iter().enumerate().take(S::LANES) {
            let row = &mut rows[id as usize];
            for block in (0..SQUARE_QUADS).step_by(S::LANES) {
                s.store_bytes(s.load(&quads[block + lane]), &mut row[4 * block..]);
            }
            let (rest, last) = row[4 * SQUARE_QUADS..].as_chunks_mut::<4>();
            let (row, at) = tail_place::<S>(lane);
            for (text, quad) in rest.iter_mut().zip(&quads[row].lanes()[at..at + 4]) {
                *text = quad.to_le_bytes();
            }
            last.copy_from_slice(&quads[QUADS - 1].lanes()[lane & (S::LANES - 1)].to_le_bytes()[..2]);
        }
    }
}

/// The place of words `SQUARE_QUADS..SQUARE_QUADS + 4` of a lane after [`transpose_quads`]: the row, and the first
/// word in it.
#[inline(always)]
fn tail_place<S: Simd>(lane: usize) -> (usize, usize) {
    let lane = lane & (S::LANES - 1);
    (SQUARE_QUADS + lane % 4, lane / 4 * 4)
}

/// Transposes rows of one word of all lanes to the words of each lane side by side. The last row stays as it is.
#[inline(always)]
fn transpose_quads<S: Simd>(s: S, quads: &mut [S::Row; QUADS]) {
    for block in (0..SQUARE_QUADS).step_by(S::LANES) {
        s.transpose(&mut quads[block..]);
    }
    let mut v = [s.splat(0); 4];
    for i in 0..4 {
        v[i] = s.load(&quads[SQUARE_QUADS + i]);
    }
    v = s.transpose_4x4(v);
    for i in 0..4 {
        s.store(v[i], &mut quads[SQUARE_QUADS + i]);
    }
}

/// Minus four exponents, one per byte, this is four ASCII digits. A byte that is too small borrows from the next one,
/// and the subtraction gives it back. The line feed follows the last digit.
const ASCII: [u32; QUADS] = {
    let mut table = [0u32; QUADS];
    let mut cell = 0;
    while cell < CELLS {
        // Digit 9 is the lowest bit of its field.
        let nine = 127 + FIELD * word_and_field(cell).1 as u32;
        table[cell / 4] = table[cell / 4].wrapping_add((b'9' as u32 + nine) << (8 * (cell % 4)));
        cell += 1;
    }
    table[QUADS - 1] += (b'\n' as u32) << 8;
    table
};
