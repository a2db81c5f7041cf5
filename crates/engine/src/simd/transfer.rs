//! Movement of words and bytes into lanes, out of lanes and between lanes.

use super::{Row, Vector, lanes};

/// The words of gathered lanes, see [`Transfer::gather_lanes`]: array `i` has the words of rows `4 * i..4 * i + 4`.
pub type Gathered<R> = [[R; 4]; 7];

/// A group of four words: a vector, and the index of the first word in it.
pub type Group = (usize, usize);

/// The four words of a group.
#[inline(always)]
pub fn four_words<R: Row>(vectors: &[R; 4], (vector, word): Group) -> [u32; 4] {
    *vectors[vector].lanes()[word..].first_chunk().expect("a group is inside a vector")
}

/// Where [`Transfer::transpose_4x4`] places the words of a lane.
#[inline(always)]
pub fn transposed_at<S: Vector>(lane: usize) -> Group {
    (lane % 4, lane / 4 % (S::LANES / 4) * 4)
}

/// Permutations, and loads and stores that permute.
///
/// Most provided methods move one word at a time. An instruction set replaces those for which it has faster
/// permutations.
pub trait Transfer: Vector {
    /// One block for each 128 bits of the vector, as little-endian words; blocks beyond `LANES / 4` are ignored.
    fn load_blocks(self, blocks: [&[u8; 16]; 4]) -> Self::V;

    /// Writes little-endian words to the first `4 * LANES` bytes of `bytes`.
    ///
    /// # Panics
    /// If `bytes` is shorter.
    fn store_bytes(self, v: Self::V, bytes: &mut [u8]);

    /// Transposes the four-by-four words in each 128 bits: word `j` of vector `i` becomes word `i` of vector `j`.
    fn transpose_4x4(self, v: [Self::V; 4]) -> [Self::V; 4];

    /// Transposes the first `LANES` rows: word `j` of row `i` becomes word `i` of row `j`. Provided for four lanes.
    ///
    /// # Panics
    /// If there are fewer rows.
    #[inline(always)]
    fn transpose(self, rows: &mut [Self::Row]) {
        const { assert!(Self::LANES == 4) };
        let rows: &mut [_; 4] = rows.first_chunk_mut().expect("4 rows");
        let columns = self.transpose_4x4(rows.map(|row| self.load(&row)));
        for (row, column) in rows.iter_mut().zip(columns) {
            self.store(column, row);
        }
    }

    /// Copies the words of lanes `from` of each source row to lanes `to` of the target row with the same index, the
    /// lowest lane to the lowest. `from` and `to` have the same number of lanes.
    #[inline(always)]
    fn move_lanes(self, source: &[Self::Row], mut from: u32, target: &mut [Self::Row], mut to: u32) {
        while to != 0 {
            let [at, into] = [from, to].map(|mask| mask.trailing_zeros() as usize & (Self::LANES - 1));
            for (row, target) in source.iter().zip(&mut *target) {
                target.lanes_mut()[into] = row.lanes()[at];
            }
            (from, to) = (from & from.wrapping_sub(1), to & (to - 1));
        }
    }

    /// Writes `rows[i] & !clear[i]` so that the words of each lane of `mask` are contiguous in groups of four, one
    /// group in each array of `gathered`, at [`gathered_at`](Transfer::gathered_at). Other words of `gathered` are
    /// unspecified.
    #[inline(always)]
    fn gather_lanes(
        self,
        rows: &[Self::Row; 28],
        clear: &[Self::V; 28],
        _mask: u32,
        gathered: &mut Gathered<Self::Row>,
    ) {
        for (at, vectors) in gathered.iter_mut().enumerate() {
            // A loop, because a closure would not be inlined into each of several kernels.
            let mut v = [self.splat(0); 4];
            for i in 0..4 {
                v[i] = self.and_not(self.load(&rows[4 * at + i]), clear[4 * at + i]);
            }
            let v = self.transpose_4x4(v);
            for i in 0..4 {
                self.store(v[i], &mut vectors[i]);
            }
        }
    }

    /// Where [`gather_lanes`](Transfer::gather_lanes) places the words of `lane`, which has `rank` lower lanes in the
    /// mask.
    #[inline(always)]
    fn gathered_at(_rank: usize, lane: usize) -> Group {
        transposed_at::<Self>(lane)
    }

    /// Writes word `i` of an entry to row `i`, the first entry to the lowest lane of `mask`, and so on. `mask` has at
    /// most four lanes; the remaining entries are ignored.
    #[inline(always)]
    fn scatter_lanes(self, entries: [&[u32; 32]; 4], mask: u32, rows: &mut [Self::Row; 27]) {
        for (entry, lane) in entries.iter().zip(lanes(mask)) {
            for (row, word) in rows.iter_mut().zip(*entry) {
                row.lanes_mut()[lane] = *word;
            }
        }
    }

    /// The lowest `n` set bits of `mask`, which has at least `n`.
    #[inline(always)]
    fn lowest_bits(self, mask: u32, n: u32) -> u32 {
        let rest = (0..n).fold(mask, |rest, _| rest & rest.wrapping_sub(1));
        mask & !rest
    }
}
