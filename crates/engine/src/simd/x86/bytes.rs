//! Vectors of 16 bytes, the same for all levels: wider ones would need several lines of a grid per vector.

use core::arch::x86_64::{__m128i, _mm_storeu_si128};

use super::{Avx2, Avx512, Avx512Bytes, memory, op};
use crate::simd::Bytes;
use crate::simd::blocks::FourVectors;

macro_rules! bytes {
    ($token:ident) => {
        impl Bytes for $token {
            type B = __m128i;

            memory! { load load_bytes: &[u8; 16] => __m128i = _mm_loadu_si128; }
            #[inline(always)]
            fn bytes_of(self, v: __m128i) -> [u8; 16] {
                let mut bytes = [0; 16];
                // SAFETY: `self` proves the features, and the reference is valid for 16 bytes. No alignment is
                // required.
                unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), v) }
                bytes
            }
            inline! {
                fn splat_byte(self, x: u8) -> __m128i = op!(_mm_set1_epi8(x as i8));

                fn lookup(self, table: __m128i, at: __m128i) -> __m128i = op!(_mm_shuffle_epi8(table, at));
                fn and_bytes(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_and_si128(a, b));
                fn or_bytes(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_or_si128(a, b));
                fn add_bytes(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_add_epi8(a, b));
                fn min_bytes(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_min_epu8(a, b));
                fn max_bytes(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_max_epu8(a, b));
            }
            #[inline(always)]
            fn select_bytes(self, mask: __m128i, a: __m128i, b: __m128i) -> __m128i {
                op!(_mm_blendv_epi8(b, a, mask))
            }
            inline! {
                fn equal_bytes(self, a: __m128i, b: __m128i) -> __m128i = op!(_mm_cmpeq_epi8(a, b));
                fn high_bits(self, a: __m128i) -> u32 = op!(_mm_movemask_epi8(a)) as u32;
            }
            #[inline(always)]
            fn middle_bits(self, a: __m128i) -> __m128i {
                self.and_bytes(op!(_mm_srli_epi16::<2>(a)), self.splat_byte(15))
            }

            #[inline(always)]
            fn weighted_sums(self, a: __m128i, weights: &[u8; 16]) -> __m128i {
                let pairs = op!(_mm_maddubs_epi16(a, self.load_bytes(weights)));
                op!(_mm_madd_epi16(pairs, op!(_mm_set1_epi16(1))))
            }
            inline! { fn first_number(self, a: __m128i) -> u64 = op!(_mm_cvtsi128_si64(a)) as u64; }
            #[inline(always)]
            fn ten_nibbles(self, a: __m128i) -> u64 {
                let pairs = op!(_mm_maddubs_epi16(a, op!(_mm_set1_epi16(0x0110))));
                self.first_number(op!(_mm_packus_epi16(pairs, pairs))).swap_bytes()
            }
        }
    };
}

bytes!(Avx512Bytes);
bytes!(Avx512);
bytes!(Avx2);
impl FourVectors for Avx512 {}
impl FourVectors for Avx2 {}
