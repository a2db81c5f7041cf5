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
    fn load_slice(self, words: &[u32]) -> u32x4 {
        u32x4::new(*words.first_chunk().expect("a vector of words"))
    }
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8]) -> u32x4 {
        let (words, _) = bytes.as_chunks::<4>();
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
    fn store_slice(self, v: u32x4, words: &mut [u32]) {
        *words.first_chunk_mut().expect("a vector of words") = v.to_array();
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
    fn power<const SHIFT: u32>(self, n: u32x4) -> u32x4 {
        if NEON {
            return u32x4::splat(1 << SHIFT) << n;
        }
        // The number as a float is its exponent.
        let float: f32x4 = bytemuck::cast((n + u32x4::splat(127 + SHIFT)) << 23u32);
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
    fn highest_bit(self, a: u32x4) -> u32x4 {
        // The exponent of the number as a float.
        let float: i32x4 = bytemuck::cast(a);
        let bits: u32x4 = bytemuck::cast(float.round_float());
        (bits >> 23u32) - u32x4::splat(127)
    }
    #[inline(always)]
    fn expand(self, a: u32x4, mask: u32, queue: &[u32]) -> u32x4 {
        let mut lanes = a.to_array();
        let mut mask = mask & 15;
        for &word in &queue[..4] {
            if mask == 0 {
                break;
            }
            lanes[mask.trailing_zeros() as usize & 3] = word;
            mask &= mask - 1;
        }
        u32x4::new(lanes)
    }
    #[inline(always)]
    fn compress(self, a: u32x4, mask: u32, queue: &mut [u32]) {
        let lanes = a.to_array();
        let mut mask = mask & 15;
        for word in &mut queue[..4] {
            if mask == 0 {
                break;
            }
            *word = lanes[mask.trailing_zeros() as usize & 3];
            mask &= mask - 1;
        }
    }
    #[inline(always)]
    fn transpose(self, rows: &mut [Aligned<4>]) {
        let rows: &mut [_; 4] = rows.first_chunk_mut().expect("as many rows as lanes");
        let [a, b, c, d] = rows.map(|row| self.load(&row));
        // Words of even rows and words of odd rows, then all.
        let (even, odd) = (a.unpack_lo(c), b.unpack_lo(d));
        self.store(even.unpack_lo(odd), &mut rows[0]);
        self.store(even.unpack_hi(odd), &mut rows[1]);
        let (even, odd) = (a.unpack_hi(c), b.unpack_hi(d));
        self.store(even.unpack_lo(odd), &mut rows[2]);
        self.store(even.unpack_hi(odd), &mut rows[3]);
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
