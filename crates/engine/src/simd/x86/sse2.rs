//! SSE2, which every x86-64 machine has, for [`Portable`].

use core::arch::x86_64::__m128i;

use super::{memory, op};
use crate::simd::portable::Portable;
use crate::simd::row::Row4;
use crate::simd::{Logic, Transfer, Vector};

impl Portable {
    memory! {
        load load_16_bytes: &[u8; 16] => __m128i = _mm_loadu_si128;
        store store_16_bytes: __m128i => &mut [u8; 16] = _mm_storeu_si128;
    }

    /// `by_0`, `by_10` or `by_20` where the count is 0, 10 or 20.
    #[inline(always)]
    fn by_count(self, counts: __m128i, by_0: __m128i, by_10: __m128i, by_20: __m128i) -> __m128i {
        let ten = op!(_mm_cmpeq_epi32(counts, self.splat(10)));
        let twenty = op!(_mm_cmpeq_epi32(counts, self.splat(20)));
        self.or3(self.and(ten, by_10), self.and(twenty, by_20), self.and_nor(by_0, ten, twenty))
    }
}

impl Vector for Portable {
    const LANES: usize = 4;
    type V = __m128i;
    type Row = Row4;

    memory! {
        load load: &Row4 => __m128i = _mm_load_si128;
        store store: __m128i => &mut Row4 = _mm_store_si128;
    }

    inline! { fn splat(self, x: u32) -> __m128i = op!(_mm_set1_epi32(x as i32)); }
    inline! {
        fn and(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_and_si128(a, b));
        fn or(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_or_si128(a, b));
        fn xor(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_xor_si128(a, b));
        fn and_not(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_andnot_si128(b, a));

        fn add(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_add_epi32(a, b));
        fn sub(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_sub_epi32(a, b));
        fn to_float(self, a: __m128i) -> __m128i = op!(_mm_castps_si128(op!(_mm_cvtepi32_ps(a))));
    }
    #[inline(always)]
    fn min(self, a: __m128i, b: __m128i) -> __m128i {
        // Comparisons are signed, and all ones are the greatest number.
        let sign = self.splat(1 << 31);
        let greater = op!(_mm_cmpgt_epi32(self.xor(a, sign), self.xor(b, sign)));
        self.select(greater, b, a)
    }

    #[inline(always)]
    fn shl<const N: u32>(self, a: __m128i) -> __m128i {
        op!(_mm_sll_epi32(a, op!(_mm_cvtsi32_si128(N as i32))))
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: __m128i) -> __m128i {
        op!(_mm_srl_epi32(a, op!(_mm_cvtsi32_si128(N as i32))))
    }
    #[inline(always)]
    fn shl_each(self, a: __m128i, counts: __m128i) -> __m128i {
        self.by_count(counts, a, self.shl::<10>(a), self.shl::<20>(a))
    }
    #[inline(always)]
    fn shr_each(self, a: __m128i, counts: __m128i) -> __m128i {
        self.by_count(counts, a, self.shr::<10>(a), self.shr::<20>(a))
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: __m128i) -> __m128i {
        // The result is the exponent of a float. Those of all bytes are one subtraction.
        let exponents = op!(_mm_sub_epi8(self.splat((127 + TOP) * 0x0101_0101), a));
        let exponent = match BYTE {
            0 => self.shl::<23>(exponents),
            1 => self.shl::<15>(exponents),
            2 => self.shl::<7>(exponents),
            _ => self.shr::<1>(exponents),
        };
        let float = self.and(exponent, self.splat(0xff << 23));
        op!(_mm_cvttps_epi32(op!(_mm_castsi128_ps(float))))
    }

    inline! { fn less_than(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_cmpgt_epi32(b, a)); }
    #[inline(always)]
    fn zero_lanes(self, a: __m128i) -> u32 {
        let is_zero = op!(_mm_cmpeq_epi32(a, self.splat(0)));
        op!(_mm_movemask_ps(op!(_mm_castsi128_ps(is_zero)))) as u32
    }
}

impl Logic for Portable {}

impl Transfer for Portable {
    inline! { fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> __m128i = self.load_16_bytes(blocks[0]); }
    #[inline(always)]
    fn store_bytes(self, v: __m128i, bytes: &mut [u8]) {
        self.store_16_bytes(v, bytes.first_chunk_mut().expect("16 bytes"));
    }
    #[inline(always)]
    fn transpose_4x4(self, [a, b, c, d]: [__m128i; 4]) -> [__m128i; 4] {
        let (e, f) = (op!(_mm_unpacklo_epi32(a, b)), op!(_mm_unpackhi_epi32(a, b)));
        let (g, h) = (op!(_mm_unpacklo_epi32(c, d)), op!(_mm_unpackhi_epi32(c, d)));
        let (i, j) = (op!(_mm_unpacklo_epi64(e, g)), op!(_mm_unpackhi_epi64(e, g)));
        [i, j, op!(_mm_unpacklo_epi64(f, h)), op!(_mm_unpackhi_epi64(f, h))]
    }
}
