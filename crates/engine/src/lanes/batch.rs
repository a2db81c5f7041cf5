//! A batch: puzzles in memory and their outcomes.

use super::codegen::own_frame;
use super::layout::{ID, ROWS};
use super::load::{load, remove_non_candidates};
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::outcome::{Limits, OutcomesMut, PuzzleSlice, ROW, Status};
use crate::simd::{self, MOST_LANES, Row, Simd, lanes};

/// The puzzles of a batch, and their outcomes. Each puzzle is taken to be solved without a guess when it is loaded,
/// because most are; other outcomes are set later.
pub(super) struct Batch<'a> {
    given: PuzzleSlice<'a>,
    /// An entry for each puzzle.
    pub outcomes: OutcomesMut<'a>,
    /// The number of puzzles loaded.
    pub loaded: usize,
    /// The clues of the puzzles loaded last, if candidates are given.
    clues: Vec<Puzzle>,
}

impl<'a> Batch<'a> {
    pub fn new(given: PuzzleSlice<'a>, outcomes: OutcomesMut<'a>) -> Batch<'a> {
        Batch { given, outcomes, loaded: 0, clues: Vec::new() }
    }

    /// Whether not all puzzles are loaded.
    #[inline(always)]
    pub fn has_more(&self) -> bool {
        self.loaded < self.given.len()
    }

    /// See [`Task::load_next`](super::task::Task::load_next).
    #[inline(always)]
    pub fn load_next<S: Simd>(&mut self, s: S, limits: Limits, vector: &mut [S::Row; ROWS]) -> u32 {
        let first = self.loaded;
        let n = S::LANES.min(self.given.len() - first);
        let words = vector.first_chunk_mut().expect("27 of 36");
        let puzzles = match self.given {
            PuzzleSlice::Clues(puzzles) => &puzzles[first..first + n],
            PuzzleSlice::Candidates(all) => read_clues(&all[first..first + n], &mut self.clues),
        };
        let mut padded;
        let puzzles = if n == S::LANES {
            puzzles
        } else {
            padded = [Puzzle::EMPTY; MOST_LANES];
            padded[..n].copy_from_slice(puzzles);
            &padded
        };
        let clash = own_frame!(load(s, puzzles, words));
        if let PuzzleSlice::Candidates(all) = self.given {
            remove_non_candidates(&all[first..first + n], words);
        }
        for (number, lane) in (first as u32..).zip(vector[ID].lanes_mut()) {
            *lane = number;
        }
        self.prefetch_puzzles::<S>(first + S::LANES);
        prefetch_outcomes(&self.outcomes, first + 2 * S::LANES, S::LANES);
        if n == S::LANES {
            // With a constant length LLVM turns three calls of `memset` into a few stores.
            self.outcomes.fill_single(first, S::LANES, limits);
        } else {
            fill_single_partial(&mut self.outcomes, first, n, limits);
        }
        self.loaded += n;
        let used_lanes = u32::MAX >> (32 - n);
        for lane in lanes(clash & used_lanes) {
            self.outcomes.set_counts(first + lane, Status::Invalid, 0, 0);
        }
        !clash & used_lanes
    }

    /// Prefetches the next vector of puzzles. (Loading reads from all of its cache lines at once.)
    #[inline(always)]
    fn prefetch_puzzles<S: Simd>(&self, from: usize) {
        let PuzzleSlice::Clues(puzzles) = self.given else { return };
        let Some(puzzles) = puzzles.get(from..from + S::LANES) else { return };
        for at in (0..S::LANES * CELLS).step_by(64) {
            simd::prefetch(puzzles[at / CELLS].cells(), at % CELLS);
        }
    }
}

/// Prefetches the memory of `n` outcomes, which are written some sweeps later and in any order.
#[inline(always)]
fn prefetch_outcomes(outcomes: &OutcomesMut, from: usize, n: usize) {
    let Some(rows) = outcomes.rows.get(from..from + n) else { return };
    for at in (0..n * ROW).step_by(64) {
        simd::prefetch(rows.as_flattened(), at);
    }
    for at in (from..from + n).step_by(64 / size_of::<u64>()) {
        simd::prefetch(outcomes.solutions, at);
        simd::prefetch(outcomes.guesses, at);
    }
    simd::prefetch(outcomes.status, from);
}

#[cold]
#[inline(never)]
fn fill_single_partial(outcomes: &mut OutcomesMut, from: usize, n: usize, limits: Limits) {
    outcomes.fill_single(from, n, limits);
}

#[cold]
#[inline(never)]
fn read_clues<'a>(candidates: &[Candidates], clues: &'a mut Vec<Puzzle>) -> &'a [Puzzle] {
    clues.clear();
    clues.extend(candidates.iter().map(Candidates::clues));
    clues
}
