//! Policies of the lane engine for each instruction set.

/// Policies of the engine. All are choices by measurement: outcomes do not depend on them.
pub struct Tuning {
    /// Whether new puzzles are swept before they enter lanes.
    pub sweeps_ahead: bool,
    /// The least number of guessing lanes for which [`gather_lanes`](super::Transfer::gather_lanes) is faster than
    /// copying word by word. If 1, the guess is subtracted there as well, at next to no cost.
    pub gather_from: u32,
    /// The least number of backtracking lanes for which [`scatter_lanes`](super::Transfer::scatter_lanes) is faster
    /// than copying word by word.
    pub scatter_from: u32,
}
