//! Operations on vectors of bytes at every level that this machine has, against plain arrays.

use std::array::from_fn;

use crate::simd::tests::{Random, STEP};
use crate::simd::*;

/// A test that runs as a byte kernel on every level; the instruction set is `S` in its body.
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

/// Vectors of bytes: all bytes below `limit`, and random ones.
fn byte_vectors(limit: u32) -> Vec<[u8; 16]> {
    let mut random = Random::of_seed(9);
    let mut vectors: Vec<[u8; 16]> =
        (0..limit).step_by(16).map(|first| from_fn(|i| ((first + i as u32) % limit) as u8)).collect();
    vectors.extend((0..200).step_by(STEP).map(|_| from_fn(|_| (random.word() % limit) as u8)));
    vectors
}

on_every_byte_level! {
    fn operations_on_bytes(s) {
        let vectors = byte_vectors(256);
        for (a, b) in vectors.iter().zip(vectors.iter().rev()) {
            let [x, y] = [s.load_bytes(a), s.load_bytes(b)];
            assert_eq!(s.bytes_of(x), *a);
            assert_eq!(s.bytes_of(s.splat_byte(a[3])), [a[3]; 16]);
            assert_eq!(s.bytes_of(s.and_bytes(x, y)), from_fn(|i| a[i] & b[i]));
            assert_eq!(s.bytes_of(s.or_bytes(x, y)), from_fn(|i| a[i] | b[i]));
            assert_eq!(s.bytes_of(s.add_bytes(x, y)), from_fn(|i| (u16::from(a[i]) + u16::from(b[i])) as u8));
            assert_eq!(s.bytes_of(s.min_bytes(x, y)), from_fn(|i| if a[i] < b[i] { a[i] } else { b[i] }));
            assert_eq!(s.bytes_of(s.max_bytes(x, y)), from_fn(|i| if a[i] < b[i] { b[i] } else { a[i] }));
            assert_eq!(s.bytes_of(s.middle_bits(x)), a.map(|byte| byte / 4 % 16));
            let is_high: Vec<bool> = a.iter().map(|byte| *byte >= 128).collect();
            let high = s.high_bits(x);
            assert_eq!((0..16).map(|i| high >> i & 1 == 1).collect::<Vec<_>>(), is_high);
            // Equal in some bytes.
            let mixed: [u8; 16] = from_fn(|i| if i % 3 == 0 { a[i] } else { b[i] });
            let equal = s.equal_bytes(x, s.load_bytes(&mixed));
            assert_eq!(s.bytes_of(equal), from_fn(|i| if a[i] == mixed[i] { 255 } else { 0 }));
            let selected = s.select_bytes(equal, y, s.splat_byte(7));
            assert_eq!(s.bytes_of(selected), from_fn(|i| if a[i] == mixed[i] { b[i] } else { 7 }));
            let number = (0..8).map(|i| u64::from(a[i]) << (8 * i)).sum::<u64>();
            assert_eq!(s.first_number(x), number);
        }
    }

    fn lookups_and_digits_of_bytes(s) {
        for (table, at) in byte_vectors(256).iter().zip(byte_vectors(16)) {
            let found = s.lookup(s.load_bytes(table), s.load_bytes(&at));
            assert_eq!(s.bytes_of(found), from_fn(|i| table[usize::from(at[i])]));
            let weights: [i8; 16] = [1, 9, 81, 0, 2, 3, 5, 7, 1, 9, 81, 0, 0, 0, 0, 1];
            let sum = |group: usize| -> u32 {
                (0..4).map(|i| u32::from(at[4 * group + i]) * weights[4 * group + i] as u32).sum()
            };
            let sums = s.bytes_of(s.weighted_sums(s.load_bytes(&at), &weights));
            assert_eq!(sums.as_chunks().0, [0, 1, 2, 3].map(|group| sum(group).to_le_bytes()));
            let mut short = at;
            short[10..].fill(0);
            let text: String = at[..10].iter().map(|nibble| format!("{nibble:x}")).collect();
            let wanted = u64::from_str_radix(&format!("{text}000000"), 16).unwrap();
            assert_eq!(s.ten_nibbles(s.load_bytes(&short)), wanted);
        }
    }
}

/// Four blocks of random bytes below `limit`.
fn fours(limit: u32) -> Vec<Four> {
    byte_vectors(limit).as_chunks::<4>().0.iter().map(|blocks| Four(*blocks)).collect()
}

/// A random arrangement of a complete grid, and other cells.
fn grids() -> Vec<[u8; 81]> {
    let grid: [u8; 81] = from_fn(|i| ((i % 9 + i / 9 * 3 + i / 27) % 9 + 1) as u8);
    let mut grids: Vec<[u8; 81]> = (0..100)
        .step_by(STEP)
        .map(|seed| *crate::grid::Symmetry::of_seed(seed).puzzle(&crate::Puzzle(grid)).cells())
        .collect();
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

/// A cell of a line: rows, then columns.
fn cell_of(line: usize, place: usize) -> usize {
    if line < 9 { 9 * line + place } else { 9 * place + line - 9 }
}

on_every_byte_level! {
    fn blocks_of_four_vectors(s) {
        let stored = |v| {
            let mut four = Four::ZERO;
            s.store_four(v, &mut four);
            four.0
        };
        for (a, b) in fours(256).iter().zip(fours(16)) {
            let (x, y) = (s.load_four(a), s.load_four(&b));
            assert_eq!(stored(x), a.0);
            assert_eq!(stored(s.repeat(s.load_bytes(&a.0[2]))), [a.0[2]; 4]);
            assert_eq!(stored(s.lookup_each(x, y)), from_fn(|k| b.0[k].map(|at| a.0[k][usize::from(at)])));
            let eights = stored(s.lookup_eight_each(x, y)).map(|block| *block.first_chunk::<8>().unwrap());
            assert_eq!(eights, from_fn(|k| from_fn(|i| a.0[k][usize::from(b.0[k][i])])));
            assert_eq!(stored(s.or_each(x, y)), from_fn(|k| from_fn(|i| a.0[k][i] | b.0[k][i])));
            assert_eq!(stored(s.next_lines(x))[..3], [1, 2, 0].map(|k| a.0[k]));
            assert_eq!(stored(s.first_of_pairs(x))[..3], [0, 0, 1].map(|k| a.0[k]));
            assert_eq!(stored(s.second_of_pairs(x))[..3], [1, 2, 2].map(|k| a.0[k]));
            let weights = [1, 9, 81, 0, 2, 3, 5, 7, 1, 9, 81, 0, 0, 0, 0, 1];
            let sums = stored(s.weighted_sums_each(y, &weights));
            for (sums, block) in sums.iter().zip(&b.0) {
                assert_eq!(*sums, s.bytes_of(s.weighted_sums(s.load_bytes(block), &weights)));
            }
        }
    }

    fn numbers_of_blocks(s) {
        let number = |block: &[u8; 16]| u64::from_le_bytes(*block.first_chunk().unwrap());
        // Few different values, so that some are equal.
        for (a, b) in fours(2).iter().zip(fours(256)).flat_map(|(a, b)| [(*a, b), (b, *a)]) {
            let mut least = Four::ZERO;
            s.store_four(s.min_numbers(s.load_four(&a), s.load_four(&b)), &mut least);
            for k in 0..4 {
                assert_eq!(number(&least.0[k]), number(&a.0[k]).min(number(&b.0[k])));
            }
            let mut a = a;
            a.0[3] = a.0[1];
            let wanted = a.0.iter().map(number).min().unwrap();
            assert_eq!(s.least_number(s.load_four(&a)), wanted);
            let equal = (0..4).filter(|&k| number(&a.0[k]) == wanted).map(|k| 1 << (2 * k)).sum::<u32>();
            assert_eq!(s.equal_numbers(s.load_four(&a), wanted), equal);
        }
    }

    fn bytes_of_four_blocks(s) {
        let mut random = Random::of_seed(3);
        let all = fours(256);
        for (a, b) in all.iter().zip(all.iter().rev()) {
            let bytes = a.0.as_flattened();
            let least = *bytes.iter().min().unwrap();
            assert_eq!(s.least_byte(a), least);
            for byte in [least, bytes[40]] {
                let mask = (0..64).filter(|&i| bytes[i] == byte).map(|i| 1 << i).sum::<u64>();
                assert_eq!(s.equal_mask(a, byte), mask);
            }
            let eight = [s.load_four(a), s.load_four(b)];
            let block = |k: usize| if k < 4 { &a.0[k] } else { &b.0[k - 4] };
            assert_eq!(s.bytes_of(s.first_bytes(eight))[..8], from_fn::<_, 8, _>(|k| block(k)[0]));
            let at: [u8; 6] = from_fn(|_| (random.word() % 8) as u8);
            let mut packed = Four::ZERO;
            s.store_four(s.pack_nines(eight, &at), &mut packed);
            let wanted: Vec<u8> = at.iter().flat_map(|&k| &block(k as usize)[..9]).copied().collect();
            assert_eq!(packed.0.as_flattened()[..54], wanted);
            // Different in one byte, and in some behind it.
            for i in (0..64).step_by(STEP) {
                let mut other = *b;
                other.0.as_flattened_mut()[..i].copy_from_slice(&bytes[..i]);
                let other_bytes = other.0.as_flattened();
                let found = s.compare_54(s.load_four(a), s.load_four(&other));
                assert_eq!(found, bytes[..54].iter().cmp(&other_bytes[..54]), "{i}");
            }
        }
    }

    fn lines_of_grids_and_places_of_digits(s) {
        for cells in &grids() {
            let [mut only_lines, mut lines, mut places] = [[Four([[77; 16]; 4]); 6]; 3];
            s.lines(cells, &mut only_lines);
            let is_right = s.lines_and_places(cells, &mut lines, &mut places);
            let mut has_all_digits = true;
            for line in 0..18 {
                let wanted: [u8; 16] = from_fn(|i| if i < 9 { cells[cell_of(line, i)] } else { 0 });
                assert_eq!(lines[line / 3].0[line % 3], wanted);
                has_all_digits &= (1..10).all(|digit| wanted[..9].contains(&digit));
            }
            assert!(lines.iter().all(|chute| chute.0[3] == [0; 16]));
            assert_eq!(only_lines.map(|chute| chute.0), lines.map(|chute| chute.0));
            assert_eq!(is_right, has_all_digits, "{cells:?}");
            for line in 0..18 {
                let places = places[line / 3].0[line % 3];
                if is_right {
                    assert!((0..9).all(|i| places[usize::from(cells[cell_of(line, i)])] == i as u8));
                }
            }
        }
    }

    fn cells_move_like_those_of_symmetries(s) {
        for seed in (0..200).step_by(STEP) {
            let symmetry = crate::grid::Symmetry::of_seed(seed);
            let mut random = Random::of_seed(seed);
            for zero in [0, b'0'] {
                // Mostly digits, and any other bytes.
                let cells: [u8; 81] = from_fn(|_| {
                    let word = random.word();
                    if word.is_multiple_of(4) { (word >> 8) as u8 } else { zero + (word >> 8) as u8 % 10 }
                });
                let padded = |lines: &[u8; 9]| from_fn(|i| if i < 9 { lines[i] } else { 0 });
                let moves = Moves {
                    is_transposed: symmetry.is_transposed(),
                    rows: s.load_bytes(&padded(symmetry.rows())),
                    columns: s.load_bytes(&padded(symmetry.columns())),
                };
                let names = from_fn(|d| if d < 10 { symmetry.digits()[d] + zero } else { 99 });
                let mut image = [0; 81];
                s.move_cells(&cells, moves, s.load_bytes(&names), zero, &mut image);
                for (i, byte) in image.into_iter().enumerate() {
                    let [row, column] = [symmetry.rows()[i / 9], symmetry.columns()[i % 9]].map(usize::from);
                    let from = if symmetry.is_transposed() { 9 * column + row } else { 9 * row + column };
                    let wanted = match cells[from].wrapping_sub(zero) {
                        digit @ 1..=9 => symmetry.digits()[usize::from(digit)] + zero,
                        _ => cells[from],
                    };
                    assert_eq!(byte, wanted, "{symmetry} {i}");
                }
            }
        }
    }
}
