//! Puzzles into lanes and solutions out of them, a vector of puzzles at a time.
//!
//! Both ways pass through 21 words per puzzle of four cells each, so that what is transposed is words,
//! and the rest is done for all lanes at once.

use super::layout::*;
use crate::engine::ROW;
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::simd::{Row, Simd};

/// Words of four cells. On the way in the last one has the last four, on the way out nothing but the last.
const QUADS: usize = CELLS.div_ceil(4);
/// On the way out the first so many are transposed in squares of as many puzzles as there are lanes.
const SQUARE: usize = 16;

/// Writes the candidates of the first `S::LANES` puzzles, every clue already taken from its peers, to
/// `words`, and returns the mask of lanes whose clues clash (their words mean nothing).
#[inline(always)]
pub(super) fn load<S: Simd>(s: S, puzzles: &[Puzzle], words: &mut [S::Row; WORDS]) -> u32 {
    let mut quads = [S::Row::ZERO; QUADS];
    unroll!(PART in [0, 1, 2, 3, 4] {
        let part = sixteen_cells(s, puzzles, 16 * PART);
        for i in 0..4 {
            s.store(part[i], &mut quads[4 * PART + i]);
        }
    });
    let [.., last] = sixteen_cells(s, puzzles, CELLS - 16);
    s.store(last, &mut quads[QUADS - 1]);

    let zero = s.splat(0);
    let mut clues = [S::Row::ZERO; WORDS];
    // Clues in three cells side by side, and in three cells below each other.
    let (mut minirows, mut minicolumns) = ([[zero; 3]; 3], [[zero; 3]; 3]);
    let mut clash = zero;
    unroll!(J in [0, 1, 2] {
        let mut words = [zero; 9];
        unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
            const WORD: usize = word(I / 3, J, I % 3);
            // A digit becomes its bit, a blank the guard.
            let mut fields = [zero; 3];
            unroll!(F in [0, 1, 2] {
                const CELL: usize = cell(WORD, F);
                const TOP: u32 = FIELD * (F as u32 + 1) - 1;
                let quad = s.load(&quads[CELL / 4]);
                // In the last quad the cell comes last.
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
        // Two in a box are in two minirows or in two minicolumns.
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
                // A guard becomes all digits, a clue stays what it is.
                let digits = s.sub(x, s.and(s.shr::<9>(x), s.splat(FIELDS)));
                let seen = s.or3(rows[R], boxes[J], columns[J]);
                s.store(s.and_or_not(digits, x, seen), &mut words[WORD]);
            });
        });
    });
    // Two blanks are no clash.
    !s.zero_lanes(s.and(clash, s.splat(ALL))) & (u32::MAX >> (32 - S::LANES))
}

/// Four words of four cells each. They go from memory to vectors at once: a row that is put together by small stores
/// cannot be loaded until all of these are done.
#[inline(always)]
fn sixteen_cells<S: Simd>(s: S, puzzles: &[Puzzle], at: usize) -> [S::V; 4] {
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

/// Sets of digits as the words have them: bit `9 - d` is digit `d`.
const REVERSED: [u16; 512] = {
    let mut reversed = [0; 512];
    let mut set = 0;
    while set < 512 {
        reversed[set] = (set as u16).reverse_bits() >> 7;
        set += 1;
    }
    reversed
};

/// Takes from the words of each lane what is no candidate of its puzzle.
#[cold]
#[inline(never)]
pub(super) fn confine<R: Row>(candidates: &[Candidates], words: &mut [R; WORDS]) {
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

/// Writes the solved grids that `lines` tell of as rows of text: lane `l` becomes row `ids[l]`.
#[inline(always)]
pub(super) fn emit<S: Simd>(s: S, lines: &[S::Row; SOLVED], ids: &[u32], rows: &mut [[u8; ROW]]) {
    let all = s.splat(ALL);
    let (mut minirows, mut minicolumns) = ([[all; 3]; 3], [[all; 3]; 3]);
    unroll!(J in [0, 1] {
        let (a, b) = (s.load(&lines[4 * J]), s.load(&lines[4 * J + 1]));
        minirows[J] = [a, b, s.xor3(a, b, all)];
        let (a, b) = (s.load(&lines[4 * J + 2]), s.load(&lines[4 * J + 3]));
        minicolumns[J] = [a, b, s.xor3(a, b, all)];
    });
    // What a row or a column has in two boxes is not in the third.
    unroll!(L in [0, 1] {
        minirows[2][L] = s.xor3(minirows[0][L], minirows[1][L], all);
        let (a, b) = (minicolumns[0][L], minicolumns[1][L]);
        minicolumns[2][L] = s.xor3(rotate_1(s, a), rotate_2(s, b), all);
    });
    minirows[2][2] = s.xor3(minirows[2][0], minirows[2][1], all);
    minicolumns[2][2] = s.xor3(minicolumns[2][0], minicolumns[2][1], all);
    // For each cell its only bit as a float: an exponent, and nothing else.
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
            const PLACE: (usize, usize) = place((4 * Q + BYTE) % CELLS);
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
    transpose(s, &mut quads);
    for (lane, &id) in ids.iter().enumerate().take(S::LANES) {
        let row = &mut rows[id as usize];
        for block in (0..SQUARE).step_by(S::LANES) {
            s.store_bytes(s.load(&quads[block + lane]), &mut row[4 * block..]);
        }
        let (rest, last) = row[4 * SQUARE..].as_chunks_mut::<4>();
        let (row, at) = quarter::<S>(lane);
        for (text, quad) in rest.iter_mut().zip(&quads[row].lanes()[at..at + 4]) {
            *text = quad.to_le_bytes();
        }
        last.copy_from_slice(&quads[QUADS - 1].lanes()[lane & (S::LANES - 1)].to_le_bytes()[..2]);
    }
}

/// Where [`transpose`] leaves the quads `SQUARE..SQUARE + 4` of a lane, side by side: which row, and from which word on.
#[inline(always)]
fn quarter<S: Simd>(lane: usize) -> (usize, usize) {
    let lane = lane & (S::LANES - 1);
    (SQUARE + lane % 4, lane / 4 * 4)
}

/// From rows of a quad of all lanes to the quads of a lane side by side. The last row is left as it is.
#[inline(always)]
fn transpose<S: Simd>(s: S, quads: &mut [S::Row; QUADS]) {
    for block in (0..SQUARE).step_by(S::LANES) {
        s.transpose(&mut quads[block..]);
    }
    let mut v = [s.splat(0); 4];
    for i in 0..4 {
        v[i] = s.load(&quads[SQUARE + i]);
    }
    v = s.transpose_4x4(v);
    for i in 0..4 {
        s.store(v[i], &mut quads[SQUARE + i]);
    }
}

/// Less four exponents, one in each byte, this makes ASCII digits. A byte that is too small borrows from the one above
/// it, as the difference will. Behind the last digit is the line feed.
const ASCII: [u32; QUADS] = {
    let mut table = [0u32; QUADS];
    let mut cell = 0;
    while cell < CELLS {
        // Digit 9 is the first bit of its field.
        let nine = 127 + FIELD * place(cell).1 as u32;
        table[cell / 4] = table[cell / 4].wrapping_add((b'9' as u32 + nine) << (8 * (cell % 4)));
        cell += 1;
    }
    table[QUADS - 1] += (b'\n' as u32) << 8;
    table
};
