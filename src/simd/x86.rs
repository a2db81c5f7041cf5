//! AVX-512 and AVX2.
#![allow(unsafe_code)]

use super::{Aligned, Columns, Kernel, Simd};
use core::arch::x86_64::*;

/// Detection, the entry compiled for the features, and the proof, from one list of features.
macro_rules! level {
    ($(#[$doc:meta])* $token:ident, $entry:ident, $list:literal, $($feature:tt)*) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $token(());

        impl $token {
            pub(crate) fn detect() -> Option<$token> {
                (true $(&& is_x86_feature_detected!($feature))*).then_some($token(()))
            }
        }

        #[target_feature(enable = $list)]
        fn $entry<K: Kernel>(simd: $token, kernel: K) -> K::Output {
            kernel.run(simd)
        }
    };
}

level!(
    /// Proof that the machine has AVX-512 F, BW, DQ and VL, which the first AVX-512 servers had.
    Avx512, run_avx512, "avx512f,avx512bw,avx512dq,avx512vl,bmi1,bmi2,popcnt,lzcnt",
    "avx512f" "avx512bw" "avx512dq" "avx512vl" "bmi1" "bmi2" "popcnt" "lzcnt"
);
level!(
    /// Proof that the machine has AVX2.
    Avx2, run_avx2, "avx2,bmi1,bmi2,popcnt,lzcnt",
    "avx2" "bmi1" "bmi2" "popcnt" "lzcnt"
);

/// The body of an operation: intrinsics behind the proof.
macro_rules! op {
    ($body:expr) => {
        // SAFETY: `self` exists only where detection found the features that these instructions need.
        unsafe { $body }
    };
}

// The truth table of a ternary operation is the operation itself on these three columns.
const A: i32 = 0xF0;
const B: i32 = 0xCC;
const C: i32 = 0xAA;

macro_rules! ternary {
    ($name:ident, $table:expr) => {
        #[inline(always)]
        fn $name(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            op!(_mm512_ternarylogic_epi32::<{ ($table) & 0xFF }>(a, b, c))
        }
    };
}

impl Avx512 {
    /// The number of each lane.
    #[inline(always)]
    fn numbers(self) -> __m512i {
        op!(_mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
    }

    /// Four quarters of a vector.
    #[inline(always)]
    fn side_by_side(self, [a, b, c, d]: [__m128i; 4]) -> __m512i {
        op!({
            let ab = _mm512_inserti32x4::<1>(_mm512_castsi128_si512(a), b);
            _mm512_inserti32x4::<3>(_mm512_inserti32x4::<2>(ab, c), d)
        })
    }

    /// The first 64 bytes of a slice that has as many.
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> __m512i {
        let bytes: &[u8; 64] = bytes.first_chunk().expect("a vector of bytes");
        // SAFETY: the features are there (see `op!`); 64 bytes are there to read, aligned or not.
        unsafe { _mm512_loadu_si512(bytes.as_ptr().cast()) }
    }
}

impl Simd for Avx512 {
    const LANES: usize = 16;
    const AHEAD: bool = true;
    const MANY: u32 = 1;
    const MANY_BACK: u32 = 3;
    type V = __m512i;
    type Row = Aligned<16>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        op!(run_avx512(self, kernel))
    }
    #[inline(always)]
    fn splat(self, x: u32) -> __m512i {
        op!(_mm512_set1_epi32(x as i32))
    }
    #[inline(always)]
    fn load(self, row: &Aligned<16>) -> __m512i {
        // SAFETY: the features are there (see `op!`); the row is 64 bytes, aligned to 64.
        unsafe { _mm512_load_si512(row.0.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, v: __m512i, row: &mut Aligned<16>) {
        // SAFETY: the features are there (see `op!`); the row is 64 bytes, aligned to 64.
        unsafe { _mm512_store_si512(row.0.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load_parts(self, parts: [&[u8; 16]; 4]) -> __m512i {
        // SAFETY: the features are there (see `op!`); 16 bytes are there to read, aligned or not.
        self.side_by_side(parts.map(|part| unsafe { _mm_loadu_si128(part.as_ptr().cast()) }))
    }
    #[inline(always)]
    fn store_bytes(self, v: __m512i, bytes: &mut [u8]) {
        let bytes: &mut [u8; 64] = bytes.first_chunk_mut().expect("a vector of bytes");
        // SAFETY: the features are there (see `op!`); 64 bytes are there to write, aligned or not.
        unsafe { _mm512_storeu_si512(bytes.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        let mut other = 0;
        for (text, digits) in text.as_chunks::<64>().0.iter().zip(digits.as_chunks_mut::<64>().0) {
            let bytes = self.load_bytes(text);
            op!({
                let values = _mm512_sub_epi8(bytes, _mm512_set1_epi8(b'0' as i8));
                let is_digit = _mm512_cmple_epu8_mask(values, _mm512_set1_epi8(9));
                let is_stop = _mm512_cmpeq_epi8_mask(bytes, _mm512_set1_epi8(b'.' as i8));
                other |= !(is_digit | is_stop);
                self.store_bytes(_mm512_maskz_mov_epi8(is_digit, values), digits);
            })
        }
        // The rest with half a vector, which does not cross a cache line as often. (Masks are faster than what AVX2 does.)
        const { assert!(N >= 32 && N % 64 <= 32) };
        let text: &[u8; 32] = text.last_chunk().expect("32 bytes");
        let digits: &mut [u8; 32] = digits.last_chunk_mut().expect("32 bytes");
        // SAFETY: the features are there (see `op!`); 32 bytes are there to read and to write, aligned or not.
        unsafe {
            let bytes = _mm256_loadu_si256(text.as_ptr().cast());
            let values = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
            let is_digit = _mm256_cmple_epu8_mask(values, _mm256_set1_epi8(9));
            let is_stop = _mm256_cmpeq_epi8_mask(bytes, _mm256_set1_epi8(b'.' as i8));
            _mm256_storeu_si256(digits.as_mut_ptr().cast(), _mm256_maskz_mov_epi8(is_digit, values));
            other | u64::from(!(is_digit | is_stop)) == 0
        }
    }
    #[inline(always)]
    fn and(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_andnot_si512(b, a))
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_sub_epi32(a, b))
    }
    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_min_epu32(a, b))
    }
    #[inline(always)]
    fn less(self, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_movm_epi32(_mm512_cmplt_epi32_mask(a, b)))
    }
    #[inline(always)]
    fn pick(self, test: __m512i, a: __m512i, b: __m512i) -> __m512i {
        op!(_mm512_mask_blend_epi32(_mm512_test_epi32_mask(test, test), b, a))
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_slli_epi32::<N>(a))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: __m512i) -> __m512i {
        op!(_mm512_srli_epi32::<N>(a))
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: __m512i) -> __m512i {
        // The count of a rotation is what the five lowest bits say, whatever stands above them.
        let n = match BYTE {
            0 => a,
            1 => self.shr::<8>(a),
            2 => self.shr::<16>(a),
            _ => self.shr::<24>(a),
        };
        op!(_mm512_rorv_epi32(self.splat(1 << TOP), n))
    }
    #[inline(always)]
    fn shr_each(self, a: __m512i, counts: __m512i) -> __m512i {
        op!(_mm512_srlv_epi32(a, counts))
    }
    #[inline(always)]
    fn shl_each(self, a: __m512i, counts: __m512i) -> __m512i {
        op!(_mm512_sllv_epi32(a, counts))
    }
    #[inline(always)]
    fn float(self, a: __m512i) -> __m512i {
        op!(_mm512_castps_si512(_mm512_cvtepi32_ps(a)))
    }
    #[inline(always)]
    fn only(self, mask: u32) -> __m512i {
        op!(_mm512_movm_epi32(mask as u16))
    }
    #[inline(always)]
    fn lowest(self, mask: u32, n: u32) -> u32 {
        op!(_pdep_u32((1 << n) - 1, mask))
    }
    #[inline(always)]
    fn forward(self, source: &[Aligned<16>], from: u32, target: &mut [Aligned<16>], to: u32) {
        // For each lane, where its word is: a lane of the target, or 16 more than one of the source. Not a masked store,
        // for which a load that comes soon has to wait.
        let from = op!({
            let lanes = self.numbers();
            let sources = _mm512_or_si512(lanes, _mm512_set1_epi32(16));
            _mm512_mask_expand_epi32(lanes, to as u16, _mm512_maskz_compress_epi32(from as u16, sources))
        });
        for (row, target) in source.iter().zip(target) {
            let (row, into) = (self.load(row), self.load(target));
            self.store(op!(_mm512_permutex2var_epi32(into, from, row)), target);
        }
    }
    #[inline(always)]
    fn columns(
        self,
        rows: &[Aligned<16>; 28],
        less: &[__m512i; 28],
        mut mask: u32,
        columns: &mut Columns<Aligned<16>>,
    ) {
        let mut half = 0;
        while mask != 0 {
            // The words of eight lanes from two rows in turn.
            let pairs = op!({
                let lanes = _mm512_maskz_compress_epi32(mask as u16, self.numbers());
                let twice = _mm512_permutexvar_epi32(self.shr::<1>(self.numbers()), lanes);
                _mm512_or_si512(twice, _mm512_set1_epi64(16 << 32))
            });
            for (at, columns) in columns.iter_mut().enumerate() {
                let [a, b, c, d] =
                    [0, 1, 2, 3].map(|i| self.and_not(self.load(&rows[4 * at + i]), less[4 * at + i]));
                let (even, odd) = op!({
                    let ab = _mm512_permutex2var_epi32(a, pairs, b);
                    let cd = _mm512_permutex2var_epi32(c, pairs, d);
                    (_mm512_unpacklo_epi64(ab, cd), _mm512_unpackhi_epi64(ab, cd))
                });
                self.store(even, &mut columns[half]);
                self.store(odd, &mut columns[half + 1]);
            }
            mask &= !self.lowest(mask, mask.count_ones().min(8));
            half = 2;
        }
    }
    #[inline(always)]
    fn place(p: usize, _lane: usize) -> (usize, usize) {
        // Side by side in pairs, as `columns` finds them: that takes the fewest steps.
        (p / 8 % 2 * 2 + p % 2, p / 2 % 4 * 4)
    }
    #[inline(always)]
    fn put_back(self, entries: [&[u32; 32]; 4], mask: u32, rows: &mut [Aligned<16>; 27]) {
        // For each lane of the mask, where the first of four words of its entry is.
        let first = op!(_mm512_maskz_expand_epi32(mask as u16, self.shl::<2>(self.numbers())));
        let from = [0, 1, 2, 3].map(|i| self.add(first, self.splat(i)));
        for (at, rows) in rows.chunks_mut(4).enumerate() {
            let words = entries.map(|entry| entry.as_chunks::<4>().0[at]);
            // SAFETY: the features are there (see `op!`); 16 bytes are there to read, aligned or not.
            let words =
                self.side_by_side(words.map(|words| unsafe { _mm_loadu_si128(words.as_ptr().cast()) }));
            for (row, from) in rows.iter_mut().zip(from) {
                let into = self.load(row);
                self.store(op!(_mm512_mask_permutexvar_epi32(into, mask as u16, from, words)), row);
            }
        }
    }
    #[inline(always)]
    fn transpose_4(self, [a, b, c, d]: [__m512i; 4]) -> [__m512i; 4] {
        op!({
            let (e, f) = (_mm512_unpacklo_epi32(a, b), _mm512_unpackhi_epi32(a, b));
            let (g, h) = (_mm512_unpacklo_epi32(c, d), _mm512_unpackhi_epi32(c, d));
            let (i, j) = (_mm512_unpacklo_epi64(e, g), _mm512_unpackhi_epi64(e, g));
            [i, j, _mm512_unpacklo_epi64(f, h), _mm512_unpackhi_epi64(f, h)]
        })
    }
    #[inline(always)]
    fn transpose(self, rows: &mut [Aligned<16>]) {
        let rows: &mut [_; 16] = rows.first_chunk_mut().expect("as many rows as lanes");
        let mut v = [self.splat(0); 16];
        for i in 0..16 {
            v[i] = self.load(&rows[i]);
        }
        // Four by four words inside each 128 bits, then the 128 bits.
        for i in 0..4 {
            [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]] =
                self.transpose_4([v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]]);
        }
        for i in 0..4 {
            let [a, b, c, d] = [v[i], v[4 + i], v[8 + i], v[12 + i]];
            let (e, f) = op!((_mm512_shuffle_i32x4::<0x88>(a, b), _mm512_shuffle_i32x4::<0xDD>(a, b)));
            let (g, h) = op!((_mm512_shuffle_i32x4::<0x88>(c, d), _mm512_shuffle_i32x4::<0xDD>(c, d)));
            self.store(op!(_mm512_shuffle_i32x4::<0x88>(e, g)), &mut rows[i]);
            self.store(op!(_mm512_shuffle_i32x4::<0x88>(f, h)), &mut rows[4 + i]);
            self.store(op!(_mm512_shuffle_i32x4::<0xDD>(e, g)), &mut rows[8 + i]);
            self.store(op!(_mm512_shuffle_i32x4::<0xDD>(f, h)), &mut rows[12 + i]);
        }
    }
    #[inline(always)]
    fn zero_lanes(self, a: __m512i) -> u32 {
        op!(u32::from(_mm512_testn_epi32_mask(a, a)))
    }

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

impl Avx2 {
    /// The first 32 bytes of a slice that has as many.
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> __m256i {
        let bytes: &[u8; 32] = bytes.first_chunk().expect("a vector of bytes");
        // SAFETY: the features are there (see `op!`); 32 bytes are there to read, aligned or not.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }
}

impl Simd for Avx2 {
    const LANES: usize = 8;
    const MANY: u32 = 4;
    type V = __m256i;
    type Row = Aligned<8>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        op!(run_avx2(self, kernel))
    }
    #[inline(always)]
    fn splat(self, x: u32) -> __m256i {
        op!(_mm256_set1_epi32(x as i32))
    }
    #[inline(always)]
    fn load(self, row: &Aligned<8>) -> __m256i {
        // SAFETY: the features are there (see `op!`); the row is 32 bytes, aligned to 64.
        unsafe { _mm256_load_si256(row.0.as_ptr().cast()) }
    }
    #[inline(always)]
    fn store(self, v: __m256i, row: &mut Aligned<8>) {
        // SAFETY: the features are there (see `op!`); the row is 32 bytes, aligned to 64.
        unsafe { _mm256_store_si256(row.0.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn load_parts(self, parts: [&[u8; 16]; 4]) -> __m256i {
        // SAFETY: the features are there (see `op!`); 16 bytes are there to read, aligned or not.
        let [a, b, ..] = parts.map(|part| unsafe { _mm_loadu_si128(part.as_ptr().cast()) });
        op!(_mm256_inserti128_si256::<1>(_mm256_castsi128_si256(a), b))
    }
    #[inline(always)]
    fn store_bytes(self, v: __m256i, bytes: &mut [u8]) {
        let bytes: &mut [u8; 32] = bytes.first_chunk_mut().expect("a vector of bytes");
        // SAFETY: the features are there (see `op!`); 32 bytes are there to write, aligned or not.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), v) }
    }
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        let mut all = self.splat(u32::MAX);
        // The last vector overlaps the one before it.
        for at in (0..N).step_by(32).map(|at| at.min(N - 32)) {
            let bytes = self.load_bytes(&text[at..]);
            op!({
                let values = _mm256_sub_epi8(bytes, _mm256_set1_epi8(b'0' as i8));
                let is_digit = _mm256_cmpeq_epi8(_mm256_min_epu8(values, _mm256_set1_epi8(9)), values);
                let is_stop = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'.' as i8));
                all = self.or_then_and(is_digit, is_stop, all);
                self.store_bytes(self.and(is_digit, values), &mut digits[at..]);
            })
        }
        op!(_mm256_movemask_epi8(all)) == -1
    }
    #[inline(always)]
    fn and(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn or(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn xor(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_andnot_si256(b, a))
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_add_epi32(a, b))
    }
    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_sub_epi32(a, b))
    }
    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_min_epu32(a, b))
    }
    #[inline(always)]
    fn less(self, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_cmpgt_epi32(b, a))
    }
    #[inline(always)]
    fn pick(self, test: __m256i, a: __m256i, b: __m256i) -> __m256i {
        op!(_mm256_blendv_epi8(a, b, _mm256_cmpeq_epi32(test, _mm256_setzero_si256())))
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_sll_epi32(a, _mm_cvtsi32_si128(N as i32)))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_srl_epi32(a, _mm_cvtsi32_si128(N as i32)))
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: __m256i) -> __m256i {
        op!(_mm256_srlv_epi32(self.splat(1 << TOP), self.byte::<BYTE>(a)))
    }
    #[inline(always)]
    fn shr_each(self, a: __m256i, counts: __m256i) -> __m256i {
        op!(_mm256_srlv_epi32(a, counts))
    }
    #[inline(always)]
    fn shl_each(self, a: __m256i, counts: __m256i) -> __m256i {
        op!(_mm256_sllv_epi32(a, counts))
    }
    #[inline(always)]
    fn float(self, a: __m256i) -> __m256i {
        op!(_mm256_castps_si256(_mm256_cvtepi32_ps(a)))
    }
    #[inline(always)]
    fn lowest(self, mask: u32, n: u32) -> u32 {
        op!(_pdep_u32((1 << n) - 1, mask))
    }
    #[inline(always)]
    fn forward(self, source: &[Aligned<8>], from: u32, target: &mut [Aligned<8>], to: u32) {
        let (turns, lanes) = &EXPAND[to as usize & 255];
        let from = &COMPRESS[from as usize & 255];
        // All ones in the lanes to send to, and for each of them the one to send from.
        let (to, from) = op!((widen(lanes), _mm256_permutevar8x32_epi32(widen(from), widen(turns))));
        for (row, target) in source.iter().zip(target) {
            let (row, into) = (self.load(row), self.load(target));
            self.store(op!(_mm256_blendv_epi8(into, _mm256_permutevar8x32_epi32(row, from), to)), target);
        }
    }
    #[inline(always)]
    fn transpose_4(self, [a, b, c, d]: [__m256i; 4]) -> [__m256i; 4] {
        op!({
            let (e, f) = (_mm256_unpacklo_epi32(a, b), _mm256_unpackhi_epi32(a, b));
            let (g, h) = (_mm256_unpacklo_epi32(c, d), _mm256_unpackhi_epi32(c, d));
            let (i, j) = (_mm256_unpacklo_epi64(e, g), _mm256_unpackhi_epi64(e, g));
            [i, j, _mm256_unpacklo_epi64(f, h), _mm256_unpackhi_epi64(f, h)]
        })
    }
    #[inline(always)]
    fn transpose(self, rows: &mut [Aligned<8>]) {
        let rows: &mut [_; 8] = rows.first_chunk_mut().expect("as many rows as lanes");
        let mut v = [self.splat(0); 8];
        for i in 0..8 {
            v[i] = self.load(&rows[i]);
        }
        // Four by four words inside each 128 bits, then the 128 bits.
        for i in 0..2 {
            [v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]] =
                self.transpose_4([v[4 * i], v[4 * i + 1], v[4 * i + 2], v[4 * i + 3]]);
        }
        for i in 0..4 {
            self.store(op!(_mm256_permute2x128_si256::<0x20>(v[i], v[4 + i])), &mut rows[i]);
            self.store(op!(_mm256_permute2x128_si256::<0x31>(v[i], v[4 + i])), &mut rows[4 + i]);
        }
    }
    #[inline(always)]
    fn zero_lanes(self, a: __m256i) -> u32 {
        op!(_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(a, _mm256_setzero_si256()))) as u32)
    }
}

/// Eight signed bytes as eight lanes.
///
/// # Safety
/// The machine must have AVX2.
#[inline(always)]
unsafe fn widen(bytes: &[i8; 8]) -> __m256i {
    // SAFETY: by the caller, and eight bytes are there to read.
    unsafe { _mm256_cvtepi8_epi32(_mm_loadl_epi64(bytes.as_ptr().cast())) }
}

/// For each mask, which word of the queue a lane takes, and -1 in the lanes that take one.
static EXPAND: [([i8; 8], [i8; 8]); 256] = {
    let mut table = [([0; 8], [0; 8]); 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut next) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask].0[lane] = next;
                table[mask].1[lane] = -1;
                next += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};

/// For each mask, the lanes it names, lowest first.
static COMPRESS: [[i8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut lane, mut next) = (0, 0);
        while lane < 8 {
            if mask >> lane & 1 == 1 {
                table[mask][next] = lane as i8;
                next += 1;
            }
            lane += 1;
        }
        mask += 1;
    }
    table
};
