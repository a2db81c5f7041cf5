//! 128-bit vectors for every machine, from the `wide` crate: SSE2 on x86-64, NEON on 64-bit ARM, plain arrays
//! elsewhere. Each belongs to the baseline of its target, so nothing needs to be detected.

use std::array::from_fn;

use wide::{bytemuck, f32x4, i32x4, u32x4};

use super::blocks::FourVectors;
use super::row::Row4;
use super::vector::byte;
use super::{ByteKernel, Bytes, Kernel, Logic, Simd, Step, Text, Transfer, Tuning, Vector};

/// NEON has single instructions for shifts with a count per lane and for bitwise selection. SSE2 needs several.
const NEON: bool = cfg!(all(target_arch = "aarch64", target_feature = "neon"));

/// The baseline of the target. Not a proof of anything, so any code can construct it.
#[derive(Clone, Copy, Debug)]
pub struct Portable;

impl Simd for Portable {
    const NAME: &str = "portable";
    const TUNING: Tuning = Tuning { sweeps_ahead: false, gather_from: u32::MAX, scatter_from: u32::MAX };

    #[inline(always)]
    fn run<K: Kernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }

    #[inline(never)]
    fn step<K: Step<Portable>>(self, step: K) -> K::Output {
        step.run(self)
    }
}

impl Portable {
    /// Runs a kernel on vectors of bytes.
    #[inline(always)]
    pub fn run_bytes<K: ByteKernel>(self, kernel: K) -> K::Output {
        kernel.run(self)
    }
}

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
    #[inline(always)]
    fn transpose(self, rows: &mut [Row4]) {
        let rows: &mut [_; 4] = rows.first_chunk_mut().expect("4 rows");
        let columns = self.transpose_4x4(rows.map(|row| self.load(&row)));
        for (row, column) in rows.iter_mut().zip(columns) {
            self.store(column, row);
        }
    }
}

impl Text for Portable {}

/// Plain arrays: without byte permutations, vectors of bytes gain nothing.
impl Bytes for Portable {
    type B = [u8; 16];

    inline! {
        fn load_bytes(self, bytes: &[u8; 16]) -> [u8; 16] = *bytes;
        fn bytes_of(self, v: [u8; 16]) -> [u8; 16] = v;
        fn splat_byte(self, x: u8) -> [u8; 16] = [x; 16];

        fn lookup(self, table: [u8; 16], at: [u8; 16]) -> [u8; 16] = at.map(|at| table[at as usize & 15]);
    }
    #[inline(always)]
    fn lookup_eight(self, table: [u8; 16], at: [u8; 16]) -> [u8; 16] {
        let mut found = [0; 16];
        for (found, at) in found.iter_mut().zip(&at[..8]) {
            *found = table[*at as usize & 15];
        }
        found
    }
    inline! {
        fn and_bytes(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] = from_fn(|i| a[i] & b[i]);
        fn or_bytes(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] = from_fn(|i| a[i] | b[i]);
        fn add_bytes(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] = from_fn(|i| a[i].wrapping_add(b[i]));
        fn min_bytes(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] = from_fn(|i| a[i].min(b[i]));
        fn max_bytes(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] = from_fn(|i| a[i].max(b[i]));
    }
    #[inline(always)]
    fn select_bytes(self, mask: [u8; 16], a: [u8; 16], b: [u8; 16]) -> [u8; 16] {
        from_fn(|i| a[i] & mask[i] | b[i] & !mask[i])
    }
    inline! {
        fn equal_bytes(self, a: [u8; 16], b: [u8; 16]) -> [u8; 16] = from_fn(|i| if a[i] == b[i] { 0xff } else { 0 });
    }
    #[inline(always)]
    fn high_bits(self, a: [u8; 16]) -> u32 {
        a.iter().enumerate().map(|(i, byte)| u32::from(byte >> 7) << i).sum()
    }
    inline! { fn middle_bits(self, a: [u8; 16]) -> [u8; 16] = a.map(|byte| byte >> 2 & 15); }

    #[inline(always)]
    fn weighted_sums(self, a: [u8; 16], weights: &[u8; 16]) -> [u8; 16] {
        let mut sums = a;
        for (bytes, weights) in sums.as_chunks_mut::<4>().0.iter_mut().zip(weights.as_chunks::<4>().0) {
            let products = bytes.iter().zip(weights).map(|(&byte, &weight)| u32::from(byte) * u32::from(weight));
            *bytes = products.sum::<u32>().to_le_bytes();
        }
        sums
    }
    inline! {
        fn first_number(self, a: [u8; 16]) -> u64 = u64::from_le_bytes(*a.first_chunk().expect("eight bytes"));
    }
    #[inline(always)]
    fn ten_nibbles(self, a: [u8; 16]) -> u64 {
        a[..10].iter().fold(0, |number, &nibble| number << 4 | u64::from(nibble)) << 24
    }
}

impl FourVectors for Portable {}
