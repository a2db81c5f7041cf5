//! The stacks of all lanes, in one list: entry by entry, those of all lanes beside each other.

use crate::simd::Simd;

/// A stack entry: the words of a puzzle in two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Entry(pub [u32; 32]);

/// The index of entry `at` of a lane's stack.
#[inline(always)]
pub(super) fn slot<S: Simd>(at: u32, lane: usize) -> usize {
    at as usize * S::LANES + lane
}
