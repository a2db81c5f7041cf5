//! The thin vector vocabulary: what the lane engine needs of an instruction set, and nothing else.
//!
//! A value of a type that implements `Simd` is the proof that the machine has the instructions
//! (it comes from detection alone), so everything built on it is safe code. Each operation is
//! `#[inline(always)]` and `Simd::run` is the one `#[target_feature]` entry: a helper that is not
//! inlined into it would turn each instruction into a call.
//!
//! This is one of the two rooms of the crate where `unsafe` is allowed.

mod level;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use level::Level;
pub(crate) use portable::Portable;

/// Asks for the cache line of `bytes[at]`, if there is one, and does not wait for it. Memory that is read from one
/// end to the other comes by itself, but not across the border of a page.
#[inline(always)]
#[allow(unsafe_code)]
pub(crate) fn prefetch<T>(slice: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = slice.get(at) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: SSE is part of x86-64, and a prefetch has no effect that a program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}

/// The lanes of one vector in memory.
pub(crate) trait Row: Copy {
    const ZERO: Self;
    fn lanes(&self) -> &[u32];
    fn lanes_mut(&mut self) -> &mut [u32];
}

/// `N` lanes, aligned for any instruction set.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Aligned<const N: usize>(pub(crate) [u32; N]);

impl<const N: usize> Row for Aligned<N> {
    const ZERO: Self = Aligned([0; N]);

    #[inline(always)]
    fn lanes(&self) -> &[u32] {
        &self.0
    }

    #[inline(always)]
    fn lanes_mut(&mut self) -> &mut [u32] {
        &mut self.0
    }
}

/// Work that runs on any instruction set.
pub(crate) trait Kernel {
    type Output;
    /// Must be `#[inline(always)]`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// Lanes of the widest level.
pub(crate) const MOST_LANES: usize = 16;

/// The lanes of a mask, lowest first.
#[inline(always)]
pub(crate) fn lanes(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros() as usize & (MOST_LANES - 1);
            mask &= mask - 1;
            lane
        })
    })
}

/// What [`Simd::columns`] makes of 28 rows, four at a time.
pub(crate) type Columns<R> = [[R; 4]; 7];

/// The four words at a place (vector, first word) of what [`Simd::columns`] makes of four rows.
#[inline(always)]
pub(crate) fn four_of<R: Row>(columns: &[R; 4], (vector, word): (usize, usize)) -> [u32; 4] {
    *columns[vector].lanes()[word..].first_chunk().expect("a quarter")
}

/// Where [`Simd::transpose_4`] leaves the four words of a lane: in which vector, and from which word on.
#[inline(always)]
pub(crate) fn place_4<S: Simd>(lane: usize) -> (usize, usize) {
    (lane % 4, lane / 4 % (S::LANES / 4) * 4)
}

/// Vectors of 32-bit lanes.
///
/// Three-input operations exist because AVX-512 does each in one instruction.
pub(crate) trait Simd: Copy {
    /// Lanes of a vector; a power of two, at most [`MOST_LANES`].
    const LANES: usize;
    type V: Copy;
    type Row: Row;

    /// Runs `kernel` in a function compiled for this instruction set.
    fn run<K: Kernel>(self, kernel: K) -> K::Output;

    fn splat(self, x: u32) -> Self::V;
    fn load(self, row: &Self::Row) -> Self::V;
    fn store(self, v: Self::V, row: &mut Self::Row);
    /// The values of ASCII digits to `digits`, zero for every other byte. Whether all those were full stops.
    #[inline(always)]
    fn digits<const N: usize>(self, text: &[u8; N], digits: &mut [u8; N]) -> bool {
        // No branch in the loop, so that the compiler can use vectors.
        let mut other = 0;
        for (digit, &byte) in digits.iter_mut().zip(text) {
            let value = byte.wrapping_sub(b'0');
            *digit = if value <= 9 { value } else { 0 };
            other |= ((value > 9) & (byte != b'.')) as u8;
        }
        other == 0
    }
    /// The first `LANES / 4` of four pieces, side by side, as words in little-endian order.
    fn load_parts(self, parts: [&[u8; 16]; 4]) -> Self::V;
    /// To the first `4 * LANES` bytes of a slice that has as many.
    fn store_bytes(self, v: Self::V, bytes: &mut [u8]);

    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & !b`
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// Wraps; lanes are independent.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// Wraps; lanes are independent.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser of each lane; both below 2^31 or all ones.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// All ones in each lane where `a < b`; both below 2^31.
    fn less(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` in each lane where `test` is not zero, `b` elsewhere; `test` below 2^31.
    #[inline(always)]
    fn pick(self, test: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.select(self.less(self.splat(0), test), a, b)
    }
    fn shl<const N: u32>(self, a: Self::V) -> Self::V;
    fn shr<const N: u32>(self, a: Self::V) -> Self::V;

    /// Byte `BYTE` of each lane.
    #[inline(always)]
    fn byte<const BYTE: u32>(self, a: Self::V) -> Self::V {
        match BYTE {
            0 => self.and(a, self.splat(255)),
            1 => self.and(self.shr::<8>(a), self.splat(255)),
            2 => self.and(self.shr::<16>(a), self.splat(255)),
            _ => self.shr::<24>(a),
        }
    }

    /// `2^(TOP - n)` for each lane, where `n`, at most 9, is its byte `BYTE`.
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: Self::V) -> Self::V;
    /// Each lane of `a` shifted right by the count in that lane: 0, 10 or 20.
    fn shr_each(self, a: Self::V, counts: Self::V) -> Self::V;
    /// Each lane of `a` shifted left by the count in that lane: 0, 10 or 20.
    fn shl_each(self, a: Self::V, counts: Self::V) -> Self::V;

    /// Each lane, below 2^31, as a 32-bit float.
    fn float(self, a: Self::V) -> Self::V;

    /// All ones in the lanes of a mask.
    #[inline(always)]
    fn only(self, mask: u32) -> Self::V {
        let mut bits = Self::Row::ZERO;
        for (lane, bit) in bits.lanes_mut().iter_mut().enumerate() {
            *bit = 1 << lane;
        }
        self.less(self.splat(0), self.and(self.load(&bits), self.splat(mask)))
    }

    /// Bit `l` is set when lane `l` is zero.
    fn zero_lanes(self, a: Self::V) -> u32;

    /// The lowest `n` bits of those set in a mask that has as many.
    #[inline(always)]
    fn lowest(self, mask: u32, n: u32) -> u32 {
        let rest = (0..n).fold(mask, |rest, _| rest & rest.wrapping_sub(1));
        mask & !rest
    }

    /// Words from the lanes of one mask to as many lanes of another, the lowest to the lowest, in each of the rows.
    #[inline(always)]
    fn forward(self, source: &[Self::Row], mut from: u32, target: &mut [Self::Row], mut to: u32) {
        while to != 0 {
            let [at, into] = [from, to].map(|mask| mask.trailing_zeros() as usize & (Self::LANES - 1));
            for (row, target) in source.iter().zip(&mut *target) {
                target.lanes_mut()[into] = row.lanes()[at];
            }
            (from, to) = (from & from.wrapping_sub(1), to & (to - 1));
        }
    }

    /// Whether it pays to sweep new puzzles ahead, before they come into lanes.
    const AHEAD: bool = false;

    /// From so many lanes on [`Simd::columns`] is faster than one word after the other. From 1 on, it takes off `less` for
    /// nothing, or nearly.
    const MANY: u32 = u32::MAX;

    /// The words of the lanes of a mask without the bits of `less`, each lane's side by side in fours: those of rows
    /// `4i..4i + 4` in vectors `i`, at the [place](Simd::place) of the lane.
    #[inline(always)]
    fn columns(
        self,
        rows: &[Self::Row; 28],
        less: &[Self::V; 28],
        _mask: u32,
        columns: &mut Columns<Self::Row>,
    ) {
        for (at, columns) in columns.iter_mut().enumerate() {
            let v = [0, 1, 2, 3].map(|i| self.and_not(self.load(&rows[4 * at + i]), less[4 * at + i]));
            let v = self.transpose_4(v);
            for i in 0..4 {
                self.store(v[i], &mut columns[i]);
            }
        }
    }

    /// Where [`Simd::columns`] leaves the words of a lane, the `p`-th of its mask: which of four vectors, and from which word
    /// on.
    #[inline(always)]
    fn place(_p: usize, lane: usize) -> (usize, usize) {
        place_4::<Self>(lane)
    }

    /// From so many lanes on [`Simd::put_back`] is faster than one word after the other.
    const MANY_BACK: u32 = u32::MAX;

    /// Words to the lanes of a mask, at most four of them: those of the first entry to the lowest lane, and so on. What
    /// entries there are beyond the lanes means nothing.
    #[inline(always)]
    fn put_back(self, entries: [&[u32; 32]; 4], mask: u32, rows: &mut [Self::Row; 27]) {
        for (entry, lane) in entries.iter().zip(lanes(mask)) {
            for (row, word) in rows.iter_mut().zip(*entry) {
                row.lanes_mut()[lane] = *word;
            }
        }
    }

    /// Word `j` of vector `i` to word `i` of vector `j` inside each 128 bits.
    fn transpose_4(self, v: [Self::V; 4]) -> [Self::V; 4];

    /// Word `j` of row `i` to word `i` of row `j`, for the first `LANES` rows of a slice that has as many.
    fn transpose(self, rows: &mut [Self::Row]);

    /// `a & b & c`
    #[inline(always)]
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and(self.and(a, b), c)
    }
    /// `a | b | c`
    #[inline(always)]
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.or(a, b), c)
    }
    /// `a ^ b ^ c`
    #[inline(always)]
    fn xor3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.xor(self.xor(a, b), c)
    }
    /// `a | (b & c)`
    #[inline(always)]
    fn or_and(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(a, self.and(b, c))
    }
    /// `a | (b ^ c)`
    #[inline(always)]
    fn or_xor(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(a, self.xor(b, c))
    }
    /// `a & !(b | c)`
    #[inline(always)]
    fn and_nor(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and_not(a, self.or(b, c))
    }
    /// `a & !(b & c)`
    #[inline(always)]
    fn and_nand(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and_not(a, self.and(b, c))
    }
    /// `a & (b | !c)`
    #[inline(always)]
    fn and_or_not(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and_not(a, self.and_not(c, b))
    }
    /// `(a | b) & c`
    #[inline(always)]
    fn or_then_and(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and(self.or(a, b), c)
    }
    /// At least two of the three.
    #[inline(always)]
    fn majority(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.and(a, b), self.and(self.or(a, b), c))
    }
    /// `(mask & a) | (!mask & b)`
    #[inline(always)]
    fn select(self, mask: Self::V, a: Self::V, b: Self::V) -> Self::V {
        self.or(self.and(mask, a), self.and_not(b, mask))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes lanes of many masks from rows in which each word is another.
    struct TakeColumns;

    impl Kernel for TakeColumns {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let mut rows = [S::Row::ZERO; 28];
            for (i, row) in (1..).zip(&mut rows) {
                for (lane, word) in (0..).zip(row.lanes_mut()) {
                    *word = 1000 * i + lane;
                }
            }
            let less: [u32; 28] = std::array::from_fn(|i| 1 << (i % 5));
            let off = less.map(|bits| s.splat(bits));
            let mut columns: Columns<S::Row> = [[Row::ZERO; 4]; 7];
            for mask in (0..1 << S::LANES).step_by(if S::LANES > 8 { 7 } else { 1 }) {
                s.columns(&rows, &off, mask, &mut columns);
                for (p, lane) in (0..S::LANES).filter(|lane| mask >> lane & 1 != 0).enumerate() {
                    let taken = columns.iter().flat_map(|columns| four_of(columns, S::place(p, lane)));
                    let left = rows.iter().zip(less).map(|(row, less)| row.lanes()[lane] & !less);
                    assert!(taken.eq(left), "{mask:#b}, lane {lane}");
                }
            }
        }
    }

    /// Puts the words of entries, each of them another, to the lanes of many masks.
    struct PutBack;

    impl Kernel for PutBack {
        type Output = ();

        #[inline(always)]
        fn run<S: Simd>(self, s: S) {
            let entries: [[u32; 32]; 4] = [1, 2, 3, 4].map(|e| std::array::from_fn(|i| 1000 * e + i as u32));
            for mask in (0..1u32 << S::LANES).filter(|mask| mask.count_ones() <= 4) {
                let mut rows = [S::Row::ZERO; 27];
                s.put_back(entries.each_ref(), mask, &mut rows);
                for (i, row) in rows.iter().enumerate() {
                    let mut waiting = entries.iter().map(|entry| entry[i]);
                    for (lane, &word) in row.lanes().iter().enumerate() {
                        let is_one = mask >> lane & 1 != 0;
                        let wanted = if is_one { waiting.next().unwrap() } else { 0 };
                        assert_eq!(word, wanted, "{mask:#b}, row {i}, lane {lane}");
                    }
                }
            }
        }
    }

    #[test]
    fn entries_come_back_to_their_lanes_and_no_others() {
        for level in Level::available() {
            level.run(PutBack);
        }
    }

    #[test]
    fn columns_are_the_words_of_their_lanes() {
        for level in Level::available() {
            level.run(TakeColumns);
        }
    }
}
