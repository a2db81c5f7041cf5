//! Operations on vectors of bytes at every level that this machine has, compared with those of the portable level,
//! which are on plain arrays. Canonical forms and copies, which are made of them, are compared with other methods in
//! tests of their own.

use std::array::from_fn;

use rapidoku_engine::grid::{Puzzle, Symmetry};
use rapidoku_engine::simd::*;

use crate::simd::{Random, STEP};

/// A test that runs as a byte kernel on every level.
macro_rules! on_every_byte_level {
    ($(fn $name:ident($s:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            struct Test;

            impl ByteKernel for Test {
                type Output = ();

                #[inline(always)]
                fn run<S: Blocks>(self, $s: S) $body
            }

            for level in SimdLevel::available() {
                level.run_bytes(Test);
            }
            // The level of machines that lack the later permutations.
            #[cfg(target_arch = "x86_64")]
            if let Some(token) = x86::Avx512::detect() {
                token.run_bytes(Test);
            }
        }
    )* };
}

/// Compares the values of an expression of a level with those of the portable level.
macro_rules! same {
    ($s:ident: $($x:expr),* $(,)?) => { $(
        let found = $x;
        let wanted = {
            let $s = Portable;
            $x
        };
        assert_eq!(found, wanted, "{}", stringify!($x));
    )* };
}

/// Vectors of bytes: all bytes below `limit`, and random ones.
fn byte_vectors(limit: u32) -> Vec<[u8; 16]> {
    let mut random = Random::of_seed(9);
    let mut vectors: Vec<[u8; 16]> =
        (0..limit).step_by(16).map(|first| from_fn(|i| ((first + i as u32) % limit) as u8)).collect();
    vectors.extend((0..200).step_by(STEP).map(|_| from_fn(|_| (random.word() % limit) as u8)));
    vectors
}

/// Four blocks of random bytes below `limit`.
fn fours(limit: u32) -> Vec<Four> {
    byte_vectors(limit).as_chunks::<4>().0.iter().map(|blocks| Four(*blocks)).collect()
}

fn stored<S: Blocks>(s: S, v: S::F) -> [[u8; 16]; 4] {
    let mut four = Four::ZERO;
    s.store_four(v, &mut four);
    four.0
}

/// The first eight bytes of each block.
fn eights(blocks: [[u8; 16]; 4]) -> [[u8; 8]; 4] {
    blocks.map(|block| *block.first_chunk().unwrap())
}

const WEIGHTS: [u8; 16] = [1, 9, 81, 0, 2, 3, 5, 7, 1, 9, 81, 0, 0, 0, 0, 1];

/// A random arrangement of a complete grid, and other cells.
fn grids() -> Vec<[u8; 81]> {
    let grid: [u8; 81] = from_fn(|i| ((i % 9 + i / 9 * 3 + i / 27) % 9 + 1) as u8);
    let mut grids: Vec<[u8; 81]> =
        (0..100).step_by(STEP).map(|seed| *Symmetry::of_seed(seed).puzzle(&Puzzle::of_cells(grid)).cells()).collect();
    // A line with a digit twice, in each place; a digit of another line; a blank.
    for cell in (0..81).step_by(STEP) {
        for digit in 0..16 {
            let mut wrong = grid;
            wrong[cell] = digit;
            grids.push(wrong);
        }
    }
    // Each row or each column is right.
    grids.push(from_fn(|i| (i % 9 + 1) as u8));
    grids.push(from_fn(|i| (i / 9 + 1) as u8));
    grids
}

/// What a level finds in a grid: its lines twice, and the places of digits if all lines are right.
fn lines_and_places<S: Blocks>(s: S, cells: &[u8; 81]) -> ([[Four; 6]; 2], Option<[Four; 6]>) {
    let [mut only_lines, mut lines, mut places] = [[Four([[77; 16]; 4]); 6]; 3];
    s.lines(cells, &mut only_lines);
    let is_right = s.lines_and_places(cells, &mut lines, &mut places);
    // The places of digits 1 to 9 in three lines.
    for chute in &mut places {
        chute.0[3] = [0; 16];
        for places in &mut chute.0 {
            places[0] = 0;
            places[10..].fill(0);
        }
    }
    ([only_lines, lines], is_right.then_some(places))
}

on_every_byte_level! {
    fn operations_on_bytes(s) {
        let (vectors, places) = (byte_vectors(256), byte_vectors(16));
        for ((a, b), at) in vectors.iter().zip(vectors.iter().rev()).zip(places.iter().cycle()) {
            // Equal in some bytes.
            let mixed: [u8; 16] = from_fn(|i| if i % 3 == 0 { a[i] } else { b[i] });
            let mut ten = *at;
            ten[10..].fill(0);
            same!(s:
                s.bytes_of(s.load_bytes(a)),
                s.bytes_of(s.splat_byte(a[3])),
                s.bytes_of(s.lookup(s.load_bytes(a), s.load_bytes(at))),
                s.bytes_of(s.lookup_eight(s.load_bytes(a), s.load_bytes(at)))[..8].to_vec(),
                s.bytes_of(s.and_bytes(s.load_bytes(a), s.load_bytes(b))),
                s.bytes_of(s.or_bytes(s.load_bytes(a), s.load_bytes(b))),
                s.bytes_of(s.add_bytes(s.load_bytes(a), s.load_bytes(b))),
                s.bytes_of(s.min_bytes(s.load_bytes(a), s.load_bytes(b))),
                s.bytes_of(s.max_bytes(s.load_bytes(a), s.load_bytes(b))),
                s.bytes_of(s.equal_bytes(s.load_bytes(a), s.load_bytes(&mixed))),
                s.bytes_of(s.middle_bits(s.load_bytes(a))),
                s.bytes_of(s.weighted_sums(s.load_bytes(at), &WEIGHTS)),
                s.high_bits(s.load_bytes(a)),
                s.first_number(s.load_bytes(a)),
                s.ten_nibbles(s.load_bytes(&ten)),
            );
            let mask = mixed.map(|byte| if byte < 128 { 0 } else { 255 });
            same!(s: s.bytes_of(s.select_bytes(s.load_bytes(&mask), s.load_bytes(a), s.load_bytes(b))));
        }
    }

    fn operations_on_blocks(s) {
        let mut random = Random::of_seed(3);
        let (all, places) = (fours(256), fours(16));
        // Few different values, so that some numbers are equal.
        for ((a, b), at) in all.iter().zip(fours(2)).zip(&places) {
            let (a_number, least) = (u64::from_le_bytes(*a.0[1].first_chunk().unwrap()), *a.0.as_flattened().iter().min().unwrap());
            let order: [u8; 6] = from_fn(|_| (random.word() % 8) as u8);
            same!(s:
                stored(s, s.load_four(a)),
                stored(s, s.repeat(s.load_bytes(&a.0[2]))),
                stored(s, s.lookup_each(s.load_four(a), s.load_four(at))),
                eights(stored(s, s.lookup_eight_each(s.load_four(a), s.load_four(at)))),
                stored(s, s.or_each(s.load_four(a), s.load_four(at))),
                stored(s, s.next_lines(s.load_four(a)))[..3].to_vec(),
                stored(s, s.first_of_pairs(s.load_four(a)))[..3].to_vec(),
                stored(s, s.second_of_pairs(s.load_four(a)))[..3].to_vec(),
                stored(s, s.weighted_sums_each(s.load_four(at), &WEIGHTS)),
                eights(stored(s, s.min_numbers(s.load_four(a), s.load_four(&b)))),
                s.least_number(s.load_four(a)),
                s.equal_numbers(s.load_four(a), a_number),
                s.equal_numbers(s.load_four(&b), 0),
                s.bytes_of(s.first_bytes([s.load_four(a), s.load_four(at)]))[..8].to_vec(),
                stored(s, s.pack_nines([s.load_four(a), s.load_four(at)], &order)).as_flattened()[..54].to_vec(),
                s.least_byte(a),
                s.equal_mask(a, least),
                s.equal_mask(at, a.0[0][0] % 16),
            );
            // Different in one byte, and in some behind it.
            for i in (0..64).step_by(STEP) {
                let mut other = *at;
                other.0.as_flattened_mut()[..i].copy_from_slice(&a.0.as_flattened()[..i]);
                same!(s: s.compare_54(s.load_four(a), s.load_four(&other)));
            }
        }
    }

    fn operations_on_grids(s) {
        for cells in &grids() {
            same!(s: lines_and_places(s, cells));
        }
        for seed in (0..200).step_by(STEP) {
            let symmetry = Symmetry::of_seed(seed);
            let mut random = Random::of_seed(seed);
            for zero in [0, b'0'] {
                // Mostly digits, and any other bytes.
                let cells: [u8; 81] = from_fn(|_| {
                    let word = random.word();
                    if word.is_multiple_of(4) { (word >> 8) as u8 } else { zero + (word >> 8) as u8 % 10 }
                });
                let padded = |lines: &[u8; 9]| from_fn(|i| if i < 9 { lines[i] } else { 0 });
                let names = from_fn(|d| if d < 10 { symmetry.digits()[d] + zero } else { 99 });
                let mut image = [0; 81];
                same!(s: {
                    let moves = Moves {
                        is_transposed: symmetry.is_transposed(),
                        rows: s.load_bytes(&padded(symmetry.rows())),
                        columns: s.load_bytes(&padded(symmetry.columns())),
                    };
                    s.move_cells(&cells, moves, s.load_bytes(&names), zero, &mut image);
                    image
                });
            }
        }
    }
}
