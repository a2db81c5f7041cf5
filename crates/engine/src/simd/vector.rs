//! The core vector operations.

use super::Row;

/// Vectors of 32-bit lanes. Operations are lane by lane unless they say otherwise.
///
/// Some have a restricted domain, so that each instruction set can use its cheapest instruction. Outside that domain
/// results differ between levels, but are not undefined.
pub trait Vector: Copy {
    /// Lanes of a vector; a power of two, at most [`MOST_LANES`](super::MOST_LANES).
    const LANES: usize;
    /// A vector in a register.
    type V: Copy;
    /// A vector in memory.
    type Row: Row;

    /// `x` in each lane.
    fn splat(self, x: u32) -> Self::V;
    fn load(self, row: &Self::Row) -> Self::V;
    fn store(self, v: Self::V, row: &mut Self::Row);

    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn xor(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & !b`
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;

    /// `a + b`, wrapping.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a - b`, wrapping.
    fn sub(self, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser of `a` and `b`, each below 2^31 or all ones.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a` as the bits of an `f32`; `a` below 2^31.
    fn to_float(self, a: Self::V) -> Self::V;

    /// `a << N`
    fn shl<const N: u32>(self, a: Self::V) -> Self::V;
    /// `a >> N`
    fn shr<const N: u32>(self, a: Self::V) -> Self::V;
    /// `a << counts`; each count is 0, 10 or 20.
    fn shl_each(self, a: Self::V, counts: Self::V) -> Self::V;
    /// `a >> counts`; each count is 0, 10 or 20.
    fn shr_each(self, a: Self::V, counts: Self::V) -> Self::V;
    /// `2^(TOP - n)`, where `n`, at most 9, is byte `BYTE` of the lane.
    fn one_hot<const BYTE: u32, const TOP: u32>(self, a: Self::V) -> Self::V;

    /// All ones where `a < b`, else zero; both below 2^31.
    fn less_than(self, a: Self::V, b: Self::V) -> Self::V;
    /// The mask of lanes that are zero.
    fn zero_lanes(self, a: Self::V) -> u32;

    /// `a` where `test` is not zero, else `b`; `test` below 2^31.
    #[inline(always)]
    fn select_nonzero(self, test: Self::V, a: Self::V, b: Self::V) -> Self::V {
        let mask = self.less_than(self.splat(0), test);
        self.or(self.and(mask, a), self.and_not(b, mask))
    }

    /// All ones in the lanes of `mask`, else zero.
    #[inline(always)]
    fn mask_to_vector(self, mask: u32) -> Self::V {
        let mut bits = Self::Row::ZERO;
        for (lane, bit) in bits.lanes_mut().iter_mut().enumerate() {
            *bit = 1 << lane;
        }
        self.less_than(self.splat(0), self.and(self.load(&bits), self.splat(mask)))
    }
}

/// Byte `BYTE` of each lane.
#[inline(always)]
pub(super) fn byte<const BYTE: u32, S: Vector>(s: S, a: S::V) -> S::V {
    match BYTE {
        0 => s.and(a, s.splat(255)),
        1 => s.and(s.shr::<8>(a), s.splat(255)),
        2 => s.and(s.shr::<16>(a), s.splat(255)),
        _ => s.shr::<24>(a),
    }
}
