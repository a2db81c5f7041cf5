//! Every operation of every level that this machine has, against plain arrays.
//!
//! The oracles handle one lane at a time, with scalar code that shares nothing with the implementations.

use std::any::type_name;
use std::array::from_fn;

use rapidoku_engine::grid::SplitMix64;
use rapidoku_engine::simd::*;

/// A test that runs as a kernel on every level; the instruction set is `S` in its body.
macro_rules! on_every_level {
    ($(fn $name:ident($s:ident) $body:block)*) => { $(
        #[test]
        fn $name() {
            struct Test;

            impl Kernel for Test {
                type Output = ();

                #[inline(always)]
                fn run<S: Simd>(self, $s: S) $body
            }

            for level in SimdLevel::available() {
                level.run(Test);
            }
        }
    )* };
}

/// Applies a vector operation to all cases, `LANES` at a time, and compares each lane with a scalar function.
macro_rules! check {
    ($s:ident, $cases:expr, |$a:pat_param, $b:pat_param, $c:pat_param| $operation:expr, $oracle:expr) => {
        for cases in $cases.chunks_exact(S::LANES) {
            let [$a, $b, $c] = from_fn(|operand| $s.load(&row::<S>(from_fn(|lane| cases[lane % S::LANES][operand]))));
            let result = $operation;
            let wanted: fn(u32, u32, u32) -> u32 = $oracle;
            let results = words($s, result);
            for (lane, (result, &[a, b, c])) in results.into_iter().zip(cases).enumerate() {
                let (name, operation) = (type_name::<S>(), stringify!($operation));
                assert_eq!(result, wanted(a, b, c), "{name}: {operation} of {a:#x}, {b:#x}, {c:#x}, lane {lane}");
            }
        }
    };
}

/// The first lanes of `words`, as a row.
#[inline(always)]
fn row<S: Simd>(words: [u32; MOST_LANES]) -> S::Row {
    let mut row = S::Row::ZERO;
    row.lanes_mut().copy_from_slice(&words[..S::LANES]);
    row
}

/// The lanes of a vector.
#[inline(always)]
fn words<S: Simd>(s: S, v: S::V) -> Vec<u32> {
    let mut row = S::Row::ZERO;
    s.store(v, &mut row);
    row.lanes().to_vec()
}

/// Tests take each mask, case and position; with Miri, which takes a thousand times as long, one in 61.
pub const STEP: usize = if cfg!(miri) { 61 } else { 1 };

/// All masks of the lanes.
fn masks<S: Simd>() -> impl Iterator<Item = u32> + Clone {
    (0..1u32 << S::LANES).step_by(STEP)
}

/// The lanes of a mask.
fn lanes_of<S: Simd>(mask: u32) -> Vec<usize> {
    (0..S::LANES).filter(|lane| mask >> lane & 1 == 1).collect()
}

/// Random words.
pub struct Random(SplitMix64);

impl Random {
    pub fn of_seed(seed: u64) -> Random {
        Random(SplitMix64(seed))
    }

    pub fn word(&mut self) -> u32 {
        self.0.next_word() as u32
    }

    fn words(&mut self) -> [u32; MOST_LANES] {
        from_fn(|_| self.word())
    }
}

/// Zero, all ones, single bits, limits of signed and unsigned words, and the boundaries of the fields of three cells.
fn edges() -> Vec<u32> {
    let mut edges = vec![0, u32::MAX, u32::MAX - 1, i32::MAX as u32, (1 << 31) + 1, 0x5555_5555, 0xAAAA_AAAA];
    edges.extend((0..32).map(|bit| 1 << bit));
    for field in [0, 10, 20] {
        edges.extend([0x0FF, 0x1FE, 0x1FF, 0x201, 0x3FF].map(|digits| digits << field));
    }
    // All digits, all guards, and the lowest bit, of three fields.
    edges.extend([0x1FF, 0x200, 0x001].map(|digits: u32| digits | digits << 10 | digits << 20));
    edges.into_iter().step_by(STEP.min(11)).collect()
}

/// Triples of operands: each pair of edge values in each two positions, and random words.
fn cases() -> Vec<[u32; 3]> {
    let mut random = Random::of_seed(1);
    let mut cases = Vec::new();
    for x in edges() {
        for y in edges() {
            let z = random.word();
            cases.extend([[x, y, z], [x, z, y], [z, x, y]]);
        }
    }
    cases.extend((0..4096 / STEP).map(|_| from_fn(|_| random.word())));
    cases.resize(cases.len().next_multiple_of(MOST_LANES), [0; 3]);
    cases
}

#[test]
fn lanes_are_the_set_bits_of_a_mask() {
    for mask in (0..1u32 << MOST_LANES).step_by(STEP * STEP) {
        let wanted: Vec<_> = (0..MOST_LANES).filter(|lane| mask >> lane & 1 == 1).collect();
        assert_eq!(lanes(mask).collect::<Vec<_>>(), wanted, "{mask:#b}");
    }
}

#[test]
fn a_prefetch_beyond_the_end_does_nothing() {
    for at in [0, 1, 2, usize::MAX] {
        prefetch(&[1, 2], at);
    }
    prefetch::<u8>(&[], 0);
}

on_every_level! {
    fn a_row_is_as_wide_as_a_vector_and_aligned(_s) {
        assert_eq!(size_of::<S::V>(), 4 * S::LANES);
        assert_eq!(S::Row::ZERO.lanes(), &[0; MOST_LANES][..S::LANES]);
        assert_eq!(align_of::<S::Row>() % (4 * S::LANES), 0);
        assert!(S::LANES.is_power_of_two() && S::LANES <= MOST_LANES);
    }

    fn memory(s) {
        let mut random = Random::of_seed(2);
        for _ in 0..1000 {
            let words = random.words();
            let mut copy = row::<S>(random.words());
            s.store(s.load(&row::<S>(words)), &mut copy);
            assert_eq!(copy.lanes(), &words[..S::LANES]);
        }
        for x in edges() {
            assert_eq!(words(s, s.splat(x)), vec![x; S::LANES]);
        }
    }

    fn operations_on_each_lane(s) {
        // The first case has each of the eight combinations of three bits.
        let mut cases = cases();
        cases[0] = [0xF0F0_F0F0, 0xCCCC_CCCC, 0xAAAA_AAAA];
        check!(s, cases, |a, b, _| s.and(a, b), |a, b, _| a & b);
        check!(s, cases, |a, b, _| s.or(a, b), |a, b, _| a | b);
        check!(s, cases, |a, b, _| s.xor(a, b), |a, b, _| a ^ b);
        check!(s, cases, |a, b, _| s.and_not(a, b), |a, b, _| a & !b);
        check!(s, cases, |a, b, c| s.and3(a, b, c), |a, b, c| a & b & c);
        check!(s, cases, |a, b, c| s.or3(a, b, c), |a, b, c| a | b | c);
        check!(s, cases, |a, b, c| s.xor3(a, b, c), |a, b, c| a ^ b ^ c);
        check!(s, cases, |a, b, c| s.or_and(a, b, c), |a, b, c| a | (b & c));
        check!(s, cases, |a, b, c| s.or_xor(a, b, c), |a, b, c| a | (b ^ c));
        check!(s, cases, |a, b, c| s.and_nor(a, b, c), |a, b, c| a & !(b | c));
        check!(s, cases, |a, b, c| s.and_nand(a, b, c), |a, b, c| a & !(b & c));
        check!(s, cases, |a, b, c| s.and_or_not(a, b, c), |a, b, c| a & (b | !c));
        check!(s, cases, |a, b, c| s.or_then_and(a, b, c), |a, b, c| (a | b) & c);
        check!(s, cases, |a, b, c| s.select(a, b, c), |a, b, c| (a & b) | (!a & c));
        check!(s, cases, |a, b, c| s.majority(a, b, c), |a, b, c| {
            let is_set = |bit: &u32| (a >> bit & 1) + (b >> bit & 1) + (c >> bit & 1) >= 2;
            (0..32).filter(is_set).fold(0, |all, bit| all | 1 << bit)
        });
        check!(s, cases, |a, b, _| s.add(a, b), |a, b, _| a.wrapping_add(b));
        check!(s, cases, |a, b, _| s.sub(a, b), |a, b, _| a.wrapping_sub(b));
        macro_rules! shifts {
            ($($n:literal)*) => { $(
                check!(s, cases, |a, _, _| s.shl::<$n>(a), |a, _, _| a << $n);
                check!(s, cases, |a, _, _| s.shr::<$n>(a), |a, _, _| a >> $n);
            )* };
        }
        shifts!(0 1 2 3 4 5 7 8 9 10 12 15 16 18 20 23 24 30 31);
    }

    fn operations_on_a_part_of_all_words(s) {
        let with = |change: fn([u32; 3]) -> [u32; 3]| -> Vec<_> { cases().into_iter().map(change).collect() };
        let small = with(|case| case.map(|x| x & i32::MAX as u32));
        check!(s, small, |a, _, _| s.to_float(a), |a, _, _| (a as f32).to_bits());
        check!(s, small, |a, b, _| s.less_than(a, b), |a, b, _| if a < b { u32::MAX } else { 0 });
        check!(s, small, |a, b, c| s.select_nonzero(a, b, c), |a, b, c| if a != 0 { b } else { c });
        let small_or_ones = with(|case| case.map(|x| if x >> 31 == 1 { u32::MAX } else { x }));
        check!(s, small_or_ones, |a, b, _| s.min(a, b), |a, b, _| if a < b { a } else { b });
        let fields = with(|[a, b, c]| [a, b % 3 * 10, c]);
        check!(s, fields, |a, b, _| s.shl_each(a, b), |a, b, _| a << b);
        check!(s, fields, |a, b, _| s.shr_each(a, b), |a, b, _| a >> b);
        macro_rules! one_hot {
            ($($byte:literal)*) => { $({
                // Byte `$byte` of the first operand is a digit of the second one.
                let digits = with(|[a, b, c]| [a & !(255 << (8 * $byte)) | b % 10 << (8 * $byte), b, c]);
                check!(s, digits, |a, _, _| s.one_hot::<$byte, 9>(a), |_, b, _| 1 << (9 - b % 10));
                check!(s, digits, |a, _, _| s.one_hot::<$byte, 19>(a), |_, b, _| 1 << (19 - b % 10));
                check!(s, digits, |a, _, _| s.one_hot::<$byte, 29>(a), |_, b, _| 1 << (29 - b % 10));
            })* };
        }
        one_hot!(0 1 2 3);
    }

    fn masks_of_lanes(s) {
        for mask in masks::<S>() {
            let lanes = lanes_of::<S>(mask);
            let is_set = |lane: usize| lanes.contains(&lane);
            let v = s.load(&row::<S>(from_fn(|lane| if is_set(lane) { 0 } else { 1 << (lane * 31 % 32) })));
            assert_eq!(s.zero_lanes(v), mask, "{}", type_name::<S>());
            let wanted: Vec<_> = (0..S::LANES).map(|lane| if is_set(lane) { u32::MAX } else { 0 }).collect();
            assert_eq!(words(s, s.mask_to_vector(mask)), wanted, "{}", type_name::<S>());
            for n in 0..=lanes.len() {
                let wanted = lanes[..n].iter().fold(0, |mask, lane| mask | 1 << lane);
                assert_eq!(s.lowest_bits(mask, n as u32), wanted, "{}: {n} of {mask:#b}", type_name::<S>());
            }
        }
    }

    fn blocks_of_bytes(s) {
        let mut random = Random::of_seed(3);
        for at in 0..64 {
            let bytes: [u8; 128] = from_fn(|_| random.word() as u8);
            // Blocks in any order, at any alignment.
            let starts: [usize; 4] = from_fn(|i| (at + 31 * i) % 112);
            let v = s.load_blocks(starts.map(|start| bytes[start..].first_chunk().unwrap()));
            let of_blocks = starts.iter().flat_map(|&start| bytes[start..start + 16].as_chunks().0);
            let wanted: Vec<u32> = of_blocks.map(|&word| u32::from_le_bytes(word)).take(S::LANES).collect();
            assert_eq!(words(s, v), wanted, "{}", type_name::<S>());

            let (mut stored, mut wanted_bytes) = (bytes, bytes);
            s.store_bytes(v, &mut stored[at..]);
            for (i, word) in wanted.iter().enumerate() {
                wanted_bytes[at + 4 * i..][..4].copy_from_slice(&word.to_le_bytes());
            }
            assert_eq!(stored, wanted_bytes, "{}", type_name::<S>());
        }
    }

    fn transpositions(s) {
        let mut random = Random::of_seed(4);
        // One row more than lanes: it must keep its words.
        let before: Vec<_> = (0..=S::LANES).map(|_| random.words()).collect();
        let mut rows: Vec<_> = before.iter().map(|&words| row::<S>(words)).collect();
        s.transpose(&mut rows);
        for (i, row) in rows.iter().enumerate() {
            for (j, &word) in row.lanes().iter().enumerate() {
                let wanted = if i < S::LANES { before[j][i] } else { before[i][j] };
                assert_eq!(word, wanted, "{}: row {i}, word {j}", type_name::<S>());
            }
        }

        let before: [_; 4] = from_fn(|_| random.words());
        let transposed = s.transpose_4x4(before.map(|words| s.load(&row::<S>(words))));
        let mut rows = [S::Row::ZERO; 4];
        for i in 0..4 {
            s.store(transposed[i], &mut rows[i]);
            for (word, &x) in rows[i].lanes().iter().enumerate() {
                let wanted = before[word % 4][word / 4 * 4 + i];
                assert_eq!(x, wanted, "{}: vector {i}, word {word}", type_name::<S>());
            }
        }
        for lane in 0..S::LANES {
            let four = four_words(&rows, transposed_at::<S>(lane));
            assert_eq!(four, before.map(|words| words[lane]), "{}: lane {lane}", type_name::<S>());
        }
    }

    fn moves_between_lanes(s) {
        let mut random = Random::of_seed(5);
        // Each mask, and for narrow vectors each of them many times.
        for from in (0..1 << MOST_LANES).step_by(STEP).map(|mask: u32| mask % (1 << S::LANES)) {
            let lanes = lanes_of::<S>(from);
            // As many random lanes.
            let mut into: Vec<usize> = (0..S::LANES).collect();
            into.sort_by_cached_key(|_| random.word());
            into.truncate(lanes.len());
            into.sort();
            let to = into.iter().fold(0, |mask, lane| mask | 1 << lane);
            let source: [_; 3] = from_fn(|_| random.words());
            let before: [_; 3] = from_fn(|_| random.words());
            let mut target = before.map(|words| row::<S>(words));
            // The last row has no source.
            s.move_lanes(&source.map(|words| row::<S>(words))[..2], from, &mut target, to);
            let mut wanted = before;
            for (&at, &into) in lanes.iter().zip(&into) {
                for i in 0..2 {
                    wanted[i][into] = source[i][at];
                }
            }
            for i in 0..3 {
                let (result, wanted) = (target[i].lanes(), &wanted[i][..S::LANES]);
                assert_eq!(result, wanted, "{}: {from:#b} to {to:#b}", type_name::<S>());
            }
        }
    }

    fn gathered_lanes(s) {
        let mut random = Random::of_seed(6);
        let before: [_; 28] = from_fn(|_| random.words());
        let clear: [_; 28] = from_fn(|_| random.words());
        let rows = before.map(|words| row::<S>(words));
        let clear_vectors = clear.map(|words| s.load(&row::<S>(words)));
        let mut gathered = [[S::Row::ZERO; 4]; 7];
        for mask in masks::<S>() {
            s.gather_lanes(&rows, &clear_vectors, mask, &mut gathered);
            for (rank, lane) in lanes_of::<S>(mask).into_iter().enumerate() {
                for (i, vectors) in gathered.iter().enumerate() {
                    let four = four_words(vectors, S::gathered_at(rank, lane));
                    let wanted = from_fn(|word| before[4 * i + word][lane] & !clear[4 * i + word][lane]);
                    assert_eq!(four, wanted, "{}: {mask:#b}, lane {lane}", type_name::<S>());
                }
            }
        }
    }

    fn scattered_lanes(s) {
        let mut random = Random::of_seed(7);
        let entries: [[u32; 32]; 4] = from_fn(|_| from_fn(|_| random.word()));
        let before: [_; 27] = from_fn(|_| random.words());
        for mask in masks::<S>().filter(|mask| mask.count_ones() <= 4) {
            let mut rows = before.map(|words| row::<S>(words));
            s.scatter_lanes(entries.each_ref(), mask, &mut rows);
            for (i, row) in rows.iter().enumerate() {
                let mut wanted = before[i];
                for (rank, lane) in lanes_of::<S>(mask).into_iter().enumerate() {
                    wanted[lane] = entries[rank][i];
                }
                assert_eq!(row.lanes(), &wanted[..S::LANES], "{}: {mask:#b}, row {i}", type_name::<S>());
            }
        }
    }

    fn digits_of_text(s) {
        macro_rules! lengths {
            ($($n:literal)*) => { $(
                for blank in *b".0" {
                let plain: [u8; $n] = from_fn(|i| if i % 3 == 0 { blank } else { b'1' + (i * i % 9) as u8 });
                for at in (0..$n).step_by(STEP.min(31)) {
                    for byte in (0..=255).step_by(STEP) {
                        let mut text = plain;
                        text[at] = byte;
                        let mut digits = [99; $n];
                        let is_plain = s.digits(&text, &mut digits);
                        let value = |byte: u8| if byte.is_ascii_digit() { byte - b'0' } else { 0 };
                        assert_eq!(digits, text.map(value), "{}: {byte} at {at}", type_name::<S>());
                        let wanted = byte == blank || (b'1'..=b'9').contains(&byte);
                        assert_eq!(is_plain, wanted, "{}: {byte} at {at}", type_name::<S>());
                    }
                }
                }
            )* };
        }
        lengths!(32 64 81 96 128);
    }
}
