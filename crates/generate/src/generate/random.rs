//! Random numbers that depend on a seed and a number only.

use crate::grid::SplitMix64;

/// A stream of random numbers.
pub(super) struct Random(SplitMix64);

impl Random {
    /// The stream `number` of a seed. Streams of a seed start at different states of the generator.
    pub fn stream(seed: u64, number: u64) -> Random {
        // The output of SplitMix64 is a permutation of its states.
        let key = SplitMix64(seed).next_word();
        Random(SplitMix64(SplitMix64(key ^ number).next_word()))
    }

    /// A number below `n`, which is not 0, without bias: the method of Lemire, *Fast Random Integer Generation in an
    /// Interval* (2019).
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        loop {
            let product = u128::from(self.0.next_word()) * u128::from(n);
            let low = product as u64;
            if low >= n || low >= n.wrapping_neg() % n {
                return (product >> 64) as u64;
            }
        }
    }

    /// A number from 0 to 1, without 1, with 53 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.0.next_word() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Exchanges the items at random: every order is equally likely.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
    }
}
