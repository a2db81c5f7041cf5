//! Sources and sinks: where the puzzles of a search come from, and where their outcomes go.
//!
//! The search is compiled once for [batches](Batch) of puzzles and once for each type of [`Probes`]. Choices between
//! them are constants, so each kind costs nothing in the code of the other.

use super::codegen::own_frame;
use super::layout::{FIELD, ID, ROWS, WORDS, word_and_field};
use super::load::{load, remove_non_candidates};
use super::stack::Entry;
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::outcome::{Limits, OutcomesMut, PuzzleSlice, ROW, Status};
use crate::simd::{self, MOST_LANES, Row, Simd, lanes};

/// Where puzzles come from.
pub(super) trait Source<K: Sink> {
    fn has_more(&self, sink: &K) -> bool;

    /// Loads the next puzzles and their numbers into the first lanes of a vector. Returns the mask of lanes with a puzzle to
    /// search: puzzles with clashing clues are done at once.
    fn load_next<S: Simd>(&mut self, s: S, limits: Limits, vector: &mut [S::Row; ROWS], sink: &mut K) -> u32;
}

/// Where outcomes go.
pub(super) trait Sink {
    /// Whether every outcome is that of a puzzle solved without a guess until [`Sink::set_counts`] is called, first solutions
    /// are written as text, and searches are split when there are no more puzzles.
    const IS_BATCH: bool;

    /// Whether all solutions are written as text, not only the first ones. Then searches are not split: one that reaches the
    /// limit of guesses is [suspended](Sink::suspend), and idle lanes resume [parts](Sink::next_part) of searches when there
    /// are no more puzzles.
    const EMITS_ALL: bool = false;

    /// Sets the outcome of a puzzle.
    fn set_counts(&mut self, number: usize, status: Status, solutions: u64, guesses: u64);

    /// Stop the search of a puzzle at this number of solutions.
    fn solution_limit(&self, number: usize, limits: Limits) -> u64;

    /// The texts of first solutions.
    fn rows(&mut self) -> &mut [[u8; ROW]];

    /// Room for the texts of further solutions, one of each of these puzzles.
    fn append(&mut self, _numbers: &[u32]) -> &mut [[u8; ROW]] {
        &mut []
    }

    /// Keeps the rest of a search: the entries of its stack, the oldest first, and the words that are to be searched next.
    fn suspend(&mut self, _number: u32, _entries: impl Iterator<Item = Entry>) {}

    /// The next part of a search, as [`Sink::suspend`] takes it, and its number.
    fn next_part(&mut self) -> Option<(u32, &[Entry])> {
        None
    }
}

/// Where the outcomes of a [`Batch`] go.
pub(super) trait BatchSink: Sink {
    /// Whether no further puzzles are to be loaded.
    fn is_full(&self) -> bool;

    /// Prefetches the memory of `n` outcomes.
    fn prefetch(&self, from: usize, n: usize);

    /// See [`OutcomesMut::fill_single`]. The length `n` is a constant.
    fn fill_single(&mut self, from: usize, n: usize, limits: Limits);

    /// The same for any length.
    fn fill_single_partial(&mut self, from: usize, n: usize, limits: Limits);
}

/// Puzzles of a batch that are not yet loaded.
pub(super) struct Batch<'a> {
    given: PuzzleSlice<'a>,
    /// The number of puzzles loaded.
    loaded: usize,
    /// The clues of the puzzles loaded last, if candidates are given.
    clues: Vec<Puzzle>,
}

impl<'a> Batch<'a> {
    pub fn new(given: PuzzleSlice<'a>) -> Batch<'a> {
        Batch { given, loaded: 0, clues: Vec::new() }
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

impl<K: BatchSink> Source<K> for Batch<'_> {
    #[inline(always)]
    fn has_more(&self, sink: &K) -> bool {
        self.loaded < self.given.len() && !sink.is_full()
    }

    #[inline(always)]
    fn load_next<S: Simd>(&mut self, s: S, limits: Limits, vector: &mut [S::Row; ROWS], sink: &mut K) -> u32 {
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
        sink.prefetch(first + 2 * S::LANES, S::LANES);
        if n == S::LANES {
            // With a constant length LLVM turns three calls of `memset` into a few stores.
            sink.fill_single(first, S::LANES, limits);
        } else {
            sink.fill_single_partial(first, n, limits);
        }
        self.loaded += n;
        let used_lanes = u32::MAX >> (32 - n);
        for lane in lanes(clash & used_lanes) {
            sink.set_counts(first + lane, Status::Invalid, 0, 0);
        }
        !clash & used_lanes
    }
}

impl Sink for OutcomesMut<'_> {
    const IS_BATCH: bool = true;

    #[inline(always)]
    fn set_counts(&mut self, number: usize, status: Status, solutions: u64, guesses: u64) {
        OutcomesMut::set_counts(self, number, status, solutions, guesses);
    }

    #[inline(always)]
    fn solution_limit(&self, _: usize, limits: Limits) -> u64 {
        limits.solutions.get()
    }

    #[inline(always)]
    fn rows(&mut self) -> &mut [[u8; ROW]] {
        self.rows
    }
}

impl BatchSink for OutcomesMut<'_> {
    #[inline(always)]
    fn is_full(&self) -> bool {
        false
    }

    #[inline(always)]
    fn prefetch(&self, from: usize, n: usize) {
        prefetch_outcomes(self, from, n);
    }

    #[inline(always)]
    fn fill_single(&mut self, from: usize, n: usize, limits: Limits) {
        OutcomesMut::fill_single(self, from, n, limits);
    }

    #[inline(always)]
    fn fill_single_partial(&mut self, from: usize, n: usize, limits: Limits) {
        fill_single_partial(self, from, n, limits);
    }
}

/// Questions about puzzles, each of which may depend on the answers to others.
///
/// A probe is a puzzle without clashes and, optionally, a candidate of a blank cell that is excluded. The answer is the
/// number of its solutions up to a limit. There is no text of a solution.
pub(crate) trait Probes {
    /// Whether a probe is ready. There may be one later, after an answer.
    fn is_ready(&self) -> bool;

    /// Takes the number of a probe that is ready.
    fn take(&mut self) -> u32;

    /// The puzzle of a probe.
    fn puzzle(&self, number: u32) -> &Puzzle;

    /// A blank cell of the puzzle, and a digit that it must not hold.
    fn excluded(&self, number: u32) -> Option<(u8, u8)>;

    /// The number of solutions at which the search stops, 1 or 2.
    fn solution_limit(&self, number: u32) -> u64;

    /// Takes the number of solutions found, or `None` if the search reached its limit of guesses.
    fn answer(&mut self, number: u32, solutions: Option<u64>);
}

/// The word of each cell, and the position of its field.
static WORD_AND_SHIFT: [(u8, u8); CELLS] = {
    let mut table = [(0, 0); CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (word, field) = word_and_field(cell);
        table[cell] = (word as u8, (FIELD * field as u32) as u8);
        cell += 1;
    }
    table
};

/// The source that belongs to [`ProbeSink`].
pub(super) struct ProbeSource;

/// Takes the answers to probes.
pub(super) struct ProbeSink<'a, P>(pub &'a mut P);

impl<P: Probes> Source<ProbeSink<'_, P>> for ProbeSource {
    #[inline(always)]
    fn has_more(&self, ProbeSink(probes): &ProbeSink<P>) -> bool {
        probes.is_ready()
    }

    #[inline(always)]
    fn load_next<S: Simd>(
        &mut self,
        s: S,
        _: Limits,
        vector: &mut [S::Row; ROWS],
        ProbeSink(probes): &mut ProbeSink<P>,
    ) -> u32 {
        let mut puzzles = [Puzzle::EMPTY; MOST_LANES];
        let mut n = 0;
        while n < S::LANES && probes.is_ready() {
            let number = probes.take();
            vector[ID].lanes_mut()[n] = number;
            puzzles[n] = *probes.puzzle(number);
            n += 1;
        }
        let words: &mut [S::Row; WORDS] = vector.first_chunk_mut().expect("27 of 36");
        let clash = own_frame!(load(s, &puzzles[..S::LANES], words));
        let used_lanes = u32::MAX >> (32 - n);
        debug_assert_eq!(clash & used_lanes, 0, "clues of probes do not clash");
        for lane in 0..n {
            let number = vector[ID].lanes()[lane];
            if let Some((cell, digit)) = probes.excluded(number) {
                let (word, shift) = WORD_AND_SHIFT[cell as usize % CELLS];
                // Bit 9 - d of a field is digit d.
                vector[word as usize % ROWS].lanes_mut()[lane % S::LANES] &= !((1 << 9 >> digit) << shift);
            }
        }
        used_lanes
    }
}

impl<P: Probes> Sink for ProbeSink<'_, P> {
    const IS_BATCH: bool = false;

    #[inline(always)]
    fn set_counts(&mut self, number: usize, status: Status, solutions: u64, _: u64) {
        self.0.answer(number as u32, (status != Status::Limit).then_some(solutions));
    }

    #[inline(always)]
    fn solution_limit(&self, number: usize, _: Limits) -> u64 {
        self.0.solution_limit(number as u32)
    }

    #[inline(always)]
    fn rows(&mut self) -> &mut [[u8; ROW]] {
        &mut []
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
