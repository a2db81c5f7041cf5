//! 128-bit vectors for every machine: SSE2 on x86-64 (`x86/sse2.rs`), NEON or plain arrays elsewhere (`elsewhere.rs`).
//! Each belongs to the baseline of its target, so nothing needs to be detected.

use std::array::from_fn;

use super::blocks::FourVectors;
use super::{ByteKernel, Bytes, Kernel, Simd, Step, Text, Tuning};

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
