//! 128-bit vectors for every machine, by way of the `wide` crate: SSE2 on x86-64, NEON on 64-bit ARM,
//! plain arrays elsewhere. All three are part of their target's baseline, so nothing is detected.

use super::{Aligned, Kernel, Simd};
use wide::{bytemuck, f32x4, i32x4, u32x4};

/// NEON has instructions for what takes SSE2 several: a count of its own for each lane of a shift, and a bitwise select.
const NEON: bool = cfg!(all(target_arch = "aarch64", target_feature = "neon"));

/// Needs nothing of the machine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Simd for Portable {
    const LANES: usize = 4;
    type V = u32x4;
    type Row = Aligned<4>;

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
    #[inline(always)]
    fn splat(self, x: u32) -> u32x4 {
        u32x4::splat(x)
    }
    #[inline(always)]
    fn load(self, row: &Aligned<4>) -> u32x4 {
        u32x4::new(row.0)
    }
    #[inline(always)]
    fn store(self, v: u32x4, row: &mut Aligned<4>) {
        row.0 = v.to_array();
    }
    #[inline(always)]
    fn load_parts(self, parts: [&[u8; 16]; 4]) -> u32x4 {
        let (words, _) = parts[0].as_chunks::<4>();
        u32x4::new(std::array::from_fn(|i| u32::from_le_bytes(words[i])))
    }
    #[inline(always)]
    fn store_bytes(self, v: u32x4, bytes: &mut [u8]) {
        let (words, _) = bytes.as_chunks_mut::<4>();
        for (bytes, word) in words.iter_mut().zip(v.to_array()) {
            *bytes = word.to_le_bytes();
        }
    }
    #[inline(always)]
    fn and(self, a: u32x4, b: u32x4) -> u32x4 {
        a & b
    }
    #[inline(always)]
    fn or(self, a: u32x4, b: u32x4) -> u32x4 {
        a | b
    }
    #[inline(always)]
    fn xor(self, a: u32x4, b: u32x4) -> u32x4 {
        a ^ b
    }
    #[inline(always)]
    fn and_not(self, a: u32x4, b: u32x4) -> u32x4 {
        a & !b
    }
    #[inline(always)]
    fn add(self, a: u32x4, b: u32x4) -> u32x4 {
        a + b
    }
    #[inline(always)]
    fn sub(self, a: u32x4, b: u32x4) -> u32x4 {
        a - b
    }
    #[inline(always)]
    fn min(self, a: u32x4, b: u32x4) -> u32x4 {
        a.min(b)
    }
    #[inline(always)]
    fn less(self, a: u32x4, b: u32x4) -> u32x4 {
        a.simd_lt(b)
    }
    #[inline(always)]
    fn shl<const N: u32>(self, a: u32x4) -> u32x4 {
        a << N
    }
    #[inline(always)]
    fn shr<const N: u32>(self, a: u32x4) -> u32x4 {
        a >> N
    }
    #[inline(always)]
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: u32x4) -> u32x4 {
        if NEON {
            return u32x4::splat(1 << TOP) >> self.byte::<BYTE>(a);
        }
        // The number as a float is its exponent.
        let float: f32x4 = bytemuck::cast((u32x4::splat(127 + TOP) - self.byte::<BYTE>(a)) << 23u32);
        bytemuck::cast(float.fast_trunc_int())
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
    fn shl_each(self, a: u32x4, counts: u32x4) -> u32x4 {
        if NEON {
            return a << counts;
        }
        let (ten, twenty) = (counts.simd_eq(u32x4::splat(10)), counts.simd_eq(u32x4::splat(20)));
        (ten & (a << 10u32)) | (twenty & (a << 20u32)) | (a & !(ten | twenty))
    }
    #[inline(always)]
    fn float(self, a: u32x4) -> u32x4 {
        let integer: i32x4 = bytemuck::cast(a);
        bytemuck::cast(integer.round_float())
    }
    #[inline(always)]
    fn transpose_4(self, v: [u32x4; 4]) -> [u32x4; 4] {
        // Words of even vectors and words of odd ones, then all.
        let [a, b, c, d] = v;
        let (even, odd) = (a.unpack_lo(c), b.unpack_lo(d));
        let (even_2, odd_2) = (a.unpack_hi(c), b.unpack_hi(d));
        [even.unpack_lo(odd), even.unpack_hi(odd), even_2.unpack_lo(odd_2), even_2.unpack_hi(odd_2)]
    }
    #[inline(always)]
    fn transpose(self, rows: &mut [Aligned<4>]) {
        let rows: &mut [_; 4] = rows.first_chunk_mut().expect("as many rows as lanes");
        let columns = self.transpose_4(rows.map(|row| self.load(&row)));
        for (row, column) in rows.iter_mut().zip(columns) {
            self.store(column, row);
        }
    }
    #[inline(always)]
    fn zero_lanes(self, a: u32x4) -> u32 {
        a.simd_eq(u32x4::splat(0)).to_bitmask()
    }
    #[inline(always)]
    fn majority(self, a: u32x4, b: u32x4, c: u32x4) -> u32x4 {
        if NEON { self.select(a ^ b, c, a) } else { (a & b) | ((a | b) & c) }
    }
}
