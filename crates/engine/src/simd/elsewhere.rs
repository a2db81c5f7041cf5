//! Vectors of [`Portable`] where there is no SSE2, from the `wide` crate: NEON on 64-bit ARM, plain arrays elsewhere.

use wide::{bytemuck, f32x4, i32x4, u32x4};

use super::portable::Portable;
use super::row::Row4;
use super::vector::byte;
use super::{Logic, Transfer, Vector};

/// NEON has single instructions for shifts with a count per lane and for bitwise selection. Others need several.
const NEON: bool = cfg!(all(target_arch = "aarch64", target_feature = "neon"));

impl Vector for Portable {
    const LANES: usize = 4;
    type V = u32x4;
    type Row = Row4;

    inline! {
        fn splat(self, x: u32) -> u32x4 = u32x4::splat(x);
        fn load(self, row: &Row4) -> u32x4 = u32x4::new(row.0);
    }
    #[inline(always)]
    fn store(self, v: u32x4, row: &mut Row4) {
        row.0 = v.to_array();
    }

    inline! {
        fn and(self, a: u32x4, b: u32x4) -> u32x4 = a & b;
        fn or(self, a: u32x4, b: u32x4) -> u32x4 = a | b;
        fn xor(self, a: u32x4, b: u32x4) -> u32x4 = a ^ b;
        fn and_not(self, a: u32x4, b: u32x4) -> u32x4 = a & !b;

        fn add(self, a: u32x4, b: u32x4) -> u32x4 = a + b;
        fn sub(self, a: u32x4, b: u32x4) -> u32x4 = a - b;
        fn min(self, a: u32x4, b: u32x4) -> u32x4 = a.min(b);
    }
    #[inline(always)]
    fn to_float(self, a: u32x4) -> u32x4 {
        let integer: i32x4 = bytemuck::cast(a);
        bytemuck::cast(integer.round_float())
    }

    inline! {
        fn shl<const N: u32>(self, a: u32x4) -> u32x4 = a << N;
        fn shr<const N: u32>(self, a: u32x4) -> u32x4 = a >> N;
    }
    #[inline(always)]
    fn shl_each(self, a: u32x4, counts: u32x4) -> u32x4 {
        if NEON {
            return a << counts;
        }
        let (ten, twenty) = (counts.simd_eq(u32x4::splat(10)), counts.simd_eq(u32x4::splat(20)));
        (ten & (a << 10u32)) | (twenty & (a << 20u32)) | (a & !(ten | twenty))
    }
    #[inline(always)]
    fn shr_each(self, a: u32x4, counts: u32x4) -> u32x4 {
        if NEON {
            return a >> counts;
        }
        let (ten, twenty) = (counts.simd_eq(u32x4::splat(10)), counts.simd_eq(u32x4::splat(20)));
        (ten & (a >> 10u32)) | (twenty & (a >> 20u32)) | (a & !(ten | twenty))
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: u32x4) -> u32x4 {
        if NEON {
            return u32x4::splat(1 << TOP) >> byte::<BYTE, _>(self, a);
        }
        // A float whose exponent is the result.
        let float: f32x4 = bytemuck::cast((u32x4::splat(127 + TOP) - byte::<BYTE, _>(self, a)) << 23u32);
        bytemuck::cast(float.fast_trunc_int())
    }

    inline! {
        fn less_than(self, a: u32x4, b: u32x4) -> u32x4 = a.simd_lt(b);
        fn zero_lanes(self, a: u32x4) -> u32 = a.simd_eq(u32x4::splat(0)).to_bitmask();
    }
}

impl Logic for Portable {
    #[inline(always)]
    fn majority(self, a: u32x4, b: u32x4, c: u32x4) -> u32x4 {
        if NEON { self.select(a ^ b, c, a) } else { (a & b) | ((a | b) & c) }
    }
}

impl Transfer for Portable {
    #[inline(always)]
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> u32x4 {
        let (words, _) = blocks[0].as_chunks::<4>();
        u32x4::new(std::array::from_fn(|i| u32::from_le_bytes(words[i])))
    }
    #[inline(always)]
    fn store_bytes(self, v: u32x4, bytes: &mut [u8]) {
        let bytes: &mut [u8; 16] = bytes.first_chunk_mut().expect("16 bytes");
        let (words, _) = bytes.as_chunks_mut::<4>();
        for (bytes, word) in words.iter_mut().zip(v.to_array()) {
            *bytes = word.to_le_bytes();
        }
    }
    #[inline(always)]
    fn transpose_4x4(self, v: [u32x4; 4]) -> [u32x4; 4] {
        // Interleaves vectors 0 and 2, and 1 and 3, then both results.
        let [a, b, c, d] = v;
        let (even, odd) = (a.unpack_lo(c), b.unpack_lo(d));
        let (even_2, odd_2) = (a.unpack_hi(c), b.unpack_hi(d));
        [even.unpack_lo(odd), even.unpack_hi(odd), even_2.unpack_lo(odd_2), even_2.unpack_hi(odd_2)]
    }
}
