//! AVX2.

use core::arch::x86_64::{__m256i, _mm_loadl_epi64};

use super::{level, memory, op};
use crate::simd::row::Row8;
use crate::simd::vector::byte;
use crate::simd::{Bytes, Logic, Simd, Text, Transfer, Tuning, Vector};

level!(
    /// Proof that the machine has AVX2.
    Avx2 "avx2" Tuning { sweeps_ahead: true, gather_from: 4, scatter_from: u32::MAX },
    "avx2" "bmi1" "bmi2" "popcnt" "lzcnt"
);

impl Avx2 {
    memory! {
        load load_32_bytes: &[u8; 32] => __m256i = _mm256_loadu_si256;
        store store_32_bytes: __m256i => &mut [u8; 32] = _mm256_storeu_si256;
    }

    /// Eight signed bytes as eight lanes.
    #[inline(always)]
    fn widen(self, bytes: &[i8; 8]) -> __m256i {
        // SAFETY: `self` proves the features, and the reference is valid for 8 bytes. No alignment is required.
        let bytes = unsafe { _mm_loadl_epi64(bytes.as_ptr().cast()) };
        op!(_mm256_cvtepi8_epi32(bytes))
    }
}

impl Vector for Avx2 {
    const LANES: usize = 8;
    type V = __m256i;
    type Row = Row8;

    memory! {
        load load: &Row8 => __m256i = _mm256_load_si256;
        store store: __m256i => &mut Row8 = _mm256_store_si256;
    }

    inline! { fn splat(self, x: u32) -> __m256i = op!(_mm256_set1_epi32(x as i32)); }
    inline! {
        fn and(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_and_si256(a, b));
        fn or(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_or_si256(a, b));
        fn xor(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_xor_si256(a, b));
        fn and_not(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_andnot_si256(b, a));

        fn add(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_add_epi32(a, b));
        fn sub(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_sub_epi32(a, b));
        fn min(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_min_epu32(a, b));
        fn to_float(self, a: __m256i) -> __m256i = op!(_mm256_castps_si256(op!(_mm256_cvtepi32_ps(a))));
    }

    #[inline(always)]
    fn shl<const N: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_sll_epi32(a, op!(_mm_cvtsi32_si128(N as i32))))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_srl_epi32(a, op!(_mm_cvtsi32_si128(N as i32))))
    }
    inline! {
        fn shl_each(self, a: __m256i, counts: __m256i) -> __m256i = op!(_mm256_sllv_epi32(a, counts));
        fn shr_each(self, a: __m256i, counts: __m256i) -> __m256i = op!(_mm256_srlv_epi32(a, counts));
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_srlv_epi32(self.splat(1 << TOP), byte::<BYTE, _>(self, a)))
    }

    inline! { fn less_than(self, a: __m256i, b: __m256i) -> __m256i = op!(_mm256_cmpgt_epi32(b, a)); }
    #[inline(always)]
    fn zero_lanes(self, a: __m256i) -> u32 {
        let is_zero = op!(_mm256_cmpeq_epi32(a, self.splat(0)));
        op!(_mm256_movemask_ps(op!(_mm256_castsi256_ps(is_zero)))) as u32
    }
    #[inline(always)]
    fn select_nonzero(self, test: __m256i, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_blendv_epi8(a, b, op!(_mm256_cmpeq_epi32(test, self.splat(0)))))
    }
}

impl Logic for Avx2 {}

impl Transfer for Avx2 {
    #[inline(always)]
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> __m256i {
        // No closure: it would not be inlined into each of several kernels.
        let (a, b) = (self.load_bytes(blocks[0]), self.load_bytes(blocks[1]));
        op!(_mm256_inserti128_si256::<1>(op!(_mm256_castsi128_si256(a)), b))
    }
    #[inline(always)]
    fn store_bytes(self, v: __m256i, bytes: &mut [u8]) {
        self.store_32_bytes(v, bytes.first_chunk_mut().expect("32 bytes"));
    }
    #[inline(always)]
    fn transpose_4x4(self, [a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
        let (e, f) = (op!(_mm256_unpacklo_epi32(a, b)), op!(_mm256_unpackhi_epi32(a, b)));
        let (g, h) = (op!(_mm256_unpacklo_epi32(c, d)), op!(_mm256_unpackhi_epi32(c, d)));
        let (i, j) = (op!(_mm256_unpacklo_epi64(e, g)), op!(_mm256_unpackhi_epi64(e, g)));
        [i, j, op!(_mm256_unpacklo_epi64(f, h)), op!(_mm256_unpackhi_epi64(f, h))]
    }
    #[inline(always)]
    fn transpose(self, rows: &mut [Row8]) {
        let rows: &mut [_; 8] = rows.first_chunk_mut().expect("8 rows");
        let mut v = [self.splat(0); 8];
        for i in 0..8 {
            v[i] = self.load(&rows[i]);
        }
        // The words in each 128 bits, then the blocks of 128 bits.
        for i in 0..2 {
            [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]] =
                self.transpose_4x4([v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]]);
        }
        for i in 0..4 {
            self.store(op!(_mm256_permute2x128_si256::<0x20>(v[i], v[4 + i])), &mut rows[i]);
            self.store(op!(_mm256_permute2x128_si256::<0x31>(v[i], v[4 + i])), &mut rows[4 + i]);
        }
    }
    #[inline(always)]
    fn move_lanes(self, source: &[Row8], from: u32, target: &mut [Row8], to: u32) {
        let Mask { ranks, is_set, .. } = &MASKS[to as usize & 255];
        let Mask { lanes, .. } = &MASKS[from as usize & 255];
        // All ones in the lanes of `to`, and for each of them the lane of `from` with the same rank.
        let is_set = self.widen(is_set);
        let from = op!(_mm256_permutevar8x32_epi32(self.widen(lanes), self.widen(ranks)));
        for (row, target) in source.iter().zip(target) {
            let (row, into) = (self.load(row), self.load(target));
            let moved = op!(_mm256_permutevar8x32_epi32(row, from));
            self.store(op!(_mm256_blendv_epi8(into, moved, is_set)), target);
        }
    }
    inline! { fn lowest_bits(self, mask: u32, n: u32) -> u32 = op!(_pdep_u32((1 << n) - 1, mask)); }
}

impl Text for Avx2 {
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        let (mut all, mut zeros, mut stops) = (self.splat(u32::MAX), self.splat(0), self.splat(0));
        // The last vector overlaps the one before it.
        for at in (0..N).step_by(32).map(|at| at.min(N - 32)) {
            let bytes = self.load_32_bytes(text[at..].first_chunk().expect("32 bytes"));
            let values = op!(_mm256_sub_epi8(bytes, op!(_mm256_set1_epi8(b'0' as i8))));
            let capped = op!(_mm256_min_epu8(values, op!(_mm256_set1_epi8(9))));
            let is_digit = op!(_mm256_cmpeq_epi8(capped, values));
            let is_stop = op!(_mm256_cmpeq_epi8(bytes, op!(_mm256_set1_epi8(b'.' as i8))));
            all = self.or_then_and(is_digit, is_stop, all);
            zeros = self.or(zeros, op!(_mm256_cmpeq_epi8(values, op!(_mm256_setzero_si256()))));
            stops = self.or(stops, is_stop);
            self.store_bytes(self.and(is_digit, values), &mut digits[at..]);
        }
        let has_any = |mask| op!(_mm256_testz_si256(mask, mask)) == 0;
        op!(_mm256_movemask_epi8(all)) == -1 && !(has_any(zeros) && has_any(stops))
    }
}

/// A mask of lanes as lists.
struct Mask {
    /// Its lanes, lowest first.
    lanes: [i8; 8],
    /// For each of its lanes, the number of lower ones.
    ranks: [i8; 8],
    /// -1 for each of its lanes.
    is_set: [i8; 8],
}

static MASKS: [Mask; 256] = {
    let mut masks = [const { Mask { lanes: [0; 8], ranks: [0; 8], is_set: [0; 8] } }; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut rank) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                masks[mask].lanes[rank] = lane as i8;
                masks[mask].ranks[lane] = rank as i8;
                masks[mask].is_set[lane] = -1;
                rank += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    masks
};
