//! Policies of the engine for each instruction set. All are choices by measurement: outcomes do not depend on them.

use crate::simd::Simd;

pub(super) struct Tuning {
    /// Whether new puzzles are swept before they enter lanes.
    pub sweeps_ahead: bool,
    /// The least number of guessing lanes for which [`gather_lanes`](crate::simd::Transfer::gather_lanes) is faster than
    /// copying word by word. If 1, the guess is subtracted there as well, at next to no cost.
    pub gather_from: u32,
    /// The least number of backtracking lanes for which [`scatter_lanes`](crate::simd::Transfer::scatter_lanes) is faster
    /// than copying word by word.
    pub scatter_from: u32,
}

const AVX512: Tuning = Tuning { sweeps_ahead: true, gather_from: 1, scatter_from: 3 };
const AVX2: Tuning = Tuning { sweeps_ahead: false, gather_from: 4, scatter_from: u32::MAX };
const PORTABLE: Tuning = Tuning { sweeps_ahead: false, gather_from: u32::MAX, scatter_from: u32::MAX };

/// The policies of an instruction set, which is identified by its number of lanes.
#[inline(always)]
pub(super) const fn tuning<S: Simd>() -> Tuning {
    match S::LANES {
        16 => AVX512,
        8 => AVX2,
        _ => PORTABLE,
    }
}
