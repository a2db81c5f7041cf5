//! Random numbers.

/// A generator of random numbers: SplitMix64 by Guy Steele, Doug Lea and Christine Flood (2014).
#[doc(hidden)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    #[inline(always)]
    pub fn next_word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `n`. The bias for a small `n` is below 2⁻⁶⁰.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next_word() % n
    }

    /// The same without a division, and with a bias below `N` / 2⁶⁴.
    #[inline(always)]
    pub fn below_constant<const N: u64>(&mut self) -> u64 {
        ((u128::from(self.next_word()) * u128::from(N)) >> 64) as u64
    }

    pub fn shuffled<const N: usize>(&mut self, mut items: [u8; N]) -> [u8; N] {
        for i in (1..N).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
        items
    }
}
