//! AVX-512.

use core::arch::x86_64::{__m128i, __m256i, __m512i};

use super::{level, memory, op};
use crate::simd::row::Row16;
use crate::simd::transfer::{Gathered, Group};
use crate::simd::{Bytes, Logic, Simd, Text, Transfer, Tuning, Vector};

level!(
    /// Proof that the machine has AVX-512 F, BW, DQ and VL, the subset of the first AVX-512 servers.
    Avx512 "avx512" Tuning { sweeps_ahead: true, gather_from: 1, scatter_from: 3 },
    "avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi1" "bmi2" "popcnt" "lzcnt"
);

impl Avx512 {
    memory! {
        load load_four_words: &[u32; 4] => __m128i = _mm_loadu_si128;
        load load_32_bytes: &[u8; 32] => __m256i = _mm256_loadu_si256;
        load load_64_bytes: &[u8; 64] => __m512i = _mm512_loadu_si512;
        store store_32_bytes: __m256i => &mut [u8; 32] = _mm256_storeu_si256;
        store store_64_bytes: __m512i => &mut [u8; 64] = _mm512_storeu_si512;
    }

    /// The index of each lane.
    #[inline(always)]
    fn lane_indices(self) -> __m512i {
        op!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }

    /// Four vectors of 128 bits as one.
    #[inline(always)]
    fn concat(self, [a, b, c, d]: [__m128i; 4]) -> __m512i {
        let ab = op!(_mm512_inserti32x4::<1>(op!(_mm512_castsi128_si512(a)), b));
        op!(_mm512_inserti32x4::<3>(op!(_mm512_inserti32x4::<2>(ab, c)), d))
    }
}

impl Vector for Avx512 {
    const LANES: usize = 16;
    type V = __m512i;
    type Row = Row16;

    memory! {
        load load: &Row16 => __m512i = _mm512_load_si512;
        store store: __m512i => &mut Row16 = _mm512_store_si512;
    }

    inline! { fn splat(self, x: u32) -> __m512i = op!(_mm512_set1_epi32(x as i32)); }
    inline! {
        fn and(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_and_si512(a, b));
        fn or(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_or_si512(a, b));
        fn xor(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_xor_si512(a, b));
        fn and_not(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_andnot_si512(b, a));

        fn add(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_add_epi32(a, b));
        fn sub(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_sub_epi32(a, b));
        fn min(self, a: __m512i, b: __m512i) -> __m512i = op!(_mm512_min_epu32(a, b));
        fn to_float(self, a: __m512i) -> __m512i = op!(_mm512_castps_si512(op!(_mm512_cvtepi32_ps(a))));

        fn shl<const N: u32>(self, a: __m512i) -> __m512i = op!(_mm512_slli_epi32::<N>(a));
        fn shr<const N: u32>(self, a: __m512i) -> __m512i = op!(_mm512_srli_epi32::<N>(a));
        fn shl_each(self, a: __m512i, counts: __m512i) -> __m512i = op!(_mm512_sllv_epi32(a, counts));
        fn shr_each(self, a: __m512i, counts: __m512i) -> __m512i = op!(_mm512_srlv_epi32(a, counts));
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: __m512i) -> __m512i {
        // A rotation uses the five lowest bits of the count and ignores those above.
        let n = match BYTE {
            0 => a,
            1 => self.shr::<8>(a),
            2 => self.shr::<16>(a),
            _ => self.shr::<24>(a),
        };
        op!(_mm512_rorv_epi32(self.splat(1 << TOP), n))
    }

    #[inline(always)]
    fn less_than(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_movm_epi32(op!(_mm512_cmplt_epi32_mask(a, b))))
    }
    inline! { fn zero_lanes(self, a: __m512i) -> u32 = u32::from(op!(_mm512_testn_epi32_mask(a, a))); }
    #[inline(always)]
    fn select_nonzero(self, test: __m512i, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_mask_blend_epi32(op!(_mm512_test_epi32_mask(test, test)), b, a))
    }
    inline! { fn mask_to_vector(self, mask: u32) -> __m512i = op!(_mm512_movm_epi32(mask as u16)); }
}

// The truth table of a function of three operands is the function itself, applied to these columns (Intel SDM,
// VPTERNLOG).
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;

macro_rules! ternary {
    ($name:ident, $table:expr) => {
        #[inline(always)]
        fn $name(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            op!(_mm512_ternarylogic_epi32::<{ $table }>(a, b, c))
        }
    };
}

impl Logic for Avx512 {
    ternary!(and3, A & B & C);
    ternary!(or3, A | B | C);
    ternary!(xor3, A ^ B ^ C);
    ternary!(or_and, A | (B & C));
    ternary!(or_xor, A | (B ^ C));
    ternary!(and_nor, A & !(B | C));
    ternary!(and_nand, A & !(B & C));
    ternary!(and_or_not, A & (B | !C));
    ternary!(or_then_and, (A | B) & C);
    ternary!(majority, (A & B) | (A & C) | (B & C));
    ternary!(select, (A & B) | (!A & C));
}

impl Transfer for Avx512 {
    #[inline(always)]
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> __m512i {
        // No closure: it would not be inlined into each of several kernels. The same applies below.
        let [a, b, c, d] = blocks;
        self.concat([self.load_bytes(a), self.load_bytes(b), self.load_bytes(c), self.load_bytes(d)])
    }
    #[inline(always)]
    fn store_bytes(self, v: __m512i, bytes: &mut [u8]) {
        self.store_64_bytes(v, bytes.first_chunk_mut().expect("64 bytes"));
    }
    #[inline(always)]
    fn transpose_4x4(self, [a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        let (e, f) = (op!(_mm512_unpacklo_epi32(a, b)), op!(_mm512_unpackhi_epi32(a, b)));
        let (g, h) = (op!(_mm512_unpacklo_epi32(c, d)), op!(_mm512_unpackhi_epi32(c, d)));
        let (i, j) = (op!(_mm512_unpacklo_epi64(e, g)), op!(_mm512_unpackhi_epi64(e, g)));
        [i, j, op!(_mm512_unpacklo_epi64(f, h)), op!(_mm512_unpackhi_epi64(f, h))]
    }
    #[inline(always)]
    fn transpose(self, rows: &mut [Row16]) {
        let rows: &mut [_; 16] = rows.first_chunk_mut().expect("16 rows");
        let mut v = [self.splat(0); 16];
        for i in 0..16 {
            v[i] = self.load(&rows[i]);
        }
        // The words in each 128 bits, then the blocks of 128 bits.
        for i in 0..4 {
            [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]] =
                self.transpose_4x4([v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]]);
        }
        for i in 0..4 {
            let [a, b, c, d] = [v[i], v[4 + i], v[8 + i], v[12 + i]];
            let (e, f) = (op!(_mm512_shuffle_i32x4::<0x88>(a, b)), op!(_mm512_shuffle_i32x4::<0xDD>(a, b)));
            let (g, h) = (op!(_mm512_shuffle_i32x4::<0x88>(c, d)), op!(_mm512_shuffle_i32x4::<0xDD>(c, d)));
            self.store(op!(_mm512_shuffle_i32x4::<0x88>(e, g)), &mut rows[i]);
            self.store(op!(_mm512_shuffle_i32x4::<0x88>(f, h)), &mut rows[4 + i]);
            self.store(op!(_mm512_shuffle_i32x4::<0xDD>(e, g)), &mut rows[8 + i]);
            self.store(op!(_mm512_shuffle_i32x4::<0xDD>(f, h)), &mut rows[12 + i]);
        }
    }
    #[inline(always)]
    fn move_lanes(self, source: &[Row16], from: u32, target: &mut [Row16], to: u32) {
        // The index of each word: a lane of the target, or 16 plus a lane of the source. Full stores, since a load
        // cannot be forwarded from a masked store.
        let lanes = self.lane_indices();
        let sources = op!(_mm512_maskz_compress_epi32(from as u16, self.or(lanes, self.splat(16))));
        let indices = op!(_mm512_mask_expand_epi32(lanes, to as u16, sources));
        for (row, target) in source.iter().zip(target) {
            let (row, into) = (self.load(row), self.load(target));
            self.store(op!(_mm512_permutex2var_epi32(into, indices, row)), target);
        }
    }
    #[inline(always)]
    fn gather_lanes(self, rows: &[Row16; 28], clear: &[__m512i; 28], mut mask: u32, gathered: &mut Gathered<Row16>) {
        let mut half = 0;
        while mask != 0 {
            // Indices of the words of eight lanes, alternately in two rows.
            let lanes = op!(_mm512_maskz_compress_epi32(mask as u16, self.lane_indices()));
            let twice = op!(_mm512_permutexvar_epi32(self.shr::<1>(self.lane_indices()), lanes));
            let pairs = self.or(twice, op!(_mm512_set1_epi64(16 << 32)));
            for (at, vectors) in gathered.iter_mut().enumerate() {
                let mut words = [self.splat(0); 4];
                for i in 0..4 {
                    words[i] = self.and_not(self.load(&rows[4 * at + i]), clear[4 * at + i]);
                }
                let [a, b, c, d] = words;
                let ab = op!(_mm512_permutex2var_epi32(a, pairs, b));
                let cd = op!(_mm512_permutex2var_epi32(c, pairs, d));
                let (even, odd) = (op!(_mm512_unpacklo_epi64(ab, cd)), op!(_mm512_unpackhi_epi64(ab, cd)));
                self.store(even, &mut vectors[half]);
                self.store(odd, &mut vectors[half + 1]);
            }
            mask &= !self.lowest_bits(mask, mask.count_ones().min(8));
            half = 2;
        }
    }
    #[inline(always)]
    fn gathered_at(rank: usize, _lane: usize) -> Group {
        // The order of the unpack instructions in `gather_lanes`: even ranks in one vector, odd ones in the next.
        (rank / 8 % 2 * 2 + rank % 2, rank / 2 % 4 * 4)
    }
    #[inline(always)]
    fn scatter_lanes(self, entries: [&[u32; 32]; 4], mask: u32, rows: &mut [Row16; 27]) {
        // For each lane of the mask, the index of the first of the four words of its entry.
        let first = op!(_mm512_maskz_expand_epi32(mask as u16, self.shl::<2>(self.lane_indices())));
        let mut from = [first; 4];
        for (i, from) in (0..).zip(&mut from) {
            *from = self.add(first, self.splat(i));
        }
        for (at, rows) in rows.chunks_mut(4).enumerate() {
            let [a, b, c, d] = [0, 1, 2, 3].map(|i: usize| entries[i].as_chunks::<4>().0[at]);
            let words = self.concat([
                self.load_four_words(&a),
                self.load_four_words(&b),
                self.load_four_words(&c),
                self.load_four_words(&d),
            ]);
            for (row, from) in rows.iter_mut().zip(from) {
                let into = self.load(row);
                self.store(op!(_mm512_mask_permutexvar_epi32(into, mask as u16, from, words)), row);
            }
        }
    }
    inline! { fn lowest_bits(self, mask: u32, n: u32) -> u32 = op!(_pdep_u32((1 << n) - 1, mask)); }
}

impl Text for Avx512 {
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        const { assert!(N >= 32 && N % 64 <= 32) };
        let (stop, zero, nine) = (b'.' as i8, b'0' as i8, 9);
        let (mut other, mut zeros, mut stops) = (0, 0, 0);
        for (text, digits) in text.as_chunks().0.iter().zip(digits.as_chunks_mut().0) {
            let bytes = self.load_64_bytes(text);
            let values = op!(_mm512_sub_epi8(bytes, op!(_mm512_set1_epi8(zero))));
            let is_digit = op!(_mm512_cmple_epu8_mask(values, op!(_mm512_set1_epi8(nine))));
            let is_stop = op!(_mm512_cmpeq_epi8_mask(bytes, op!(_mm512_set1_epi8(stop))));
            other |= !(is_digit | is_stop);
            zeros |= op!(_mm512_testn_epi8_mask(values, values));
            stops |= is_stop;
            self.store_64_bytes(op!(_mm512_maskz_mov_epi8(is_digit, values)), digits);
        }
        // The rest in half a vector, which crosses a cache line less often. Masks are faster than the AVX2 comparisons.
        let bytes = self.load_32_bytes(text.last_chunk().expect("32 bytes"));
        let values = op!(_mm256_sub_epi8(bytes, op!(_mm256_set1_epi8(zero))));
        let is_digit = op!(_mm256_cmple_epu8_mask(values, op!(_mm256_set1_epi8(nine))));
        let is_stop = op!(_mm256_cmpeq_epi8_mask(bytes, op!(_mm256_set1_epi8(stop))));
        let values = op!(_mm256_maskz_mov_epi8(is_digit, values));
        self.store_32_bytes(values, digits.last_chunk_mut().expect("32 bytes"));
        zeros |= u64::from(op!(_mm256_testn_epi8_mask(values, values)) & is_digit);
        stops |= u64::from(is_stop);
        other | u64::from(!(is_digit | is_stop)) == 0 && (zeros == 0 || stops == 0)
    }
}
