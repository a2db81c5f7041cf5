//! The state of a search: the puzzles in the lanes, and their stacks.

use std::cell::Cell;

use super::guess;
use super::layout::{ROWS, WORDS};
use crate::outcome::Limits;
use crate::simd::{Gathered, MOST_LANES, Row, Simd};

/// Maximum depth of a lane's stack. [`super`] has the proof.
const MAX_DEPTH: usize = 108;
/// Index of the vector whose puzzles are searched. The two vectors before it belong to the [queue](super::queue).
pub(super) const ACTIVE: usize = 2;

/// A stack entry: the words of a puzzle in two cache lines.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Entry(pub [u32; 32]);

/// The index of entry `at` of a lane's stack. The stacks of all lanes are in one list: entry by entry, those of all
/// lanes beside each other.
#[inline(always)]
pub(super) fn slot<S: Simd>(at: u32, lane: usize) -> usize {
    at as usize * S::LANES + lane
}

thread_local! {
    /// The stack of this thread, kept from batch to batch: allocating it for each batch costs 2 to 6 % in page
    /// faults.
    static STACKS: Cell<Vec<Entry>> = const { Cell::new(Vec::new()) };
}

/// The puzzles being searched, and their stacks.
pub(super) struct Lanes<S: Simd> {
    pub limits: Limits,
    /// Vectors of puzzles: row `i` is word `i` of all lanes, see [`ROWS`]. The one at [`ACTIVE`] is searched.
    pub vectors: [[S::Row; ROWS]; 3],
    /// The configurations of each digit in bands (six rows) and stacks (six rows) after the last sweep.
    pub configs: [S::Row; 12],
    /// Lanes that hold a puzzle.
    pub busy: u32,
    /// Lanes with entries on their stack.
    pub has_stack: u32,
    /// Lanes that have guessed, or have a part of another lane's search.
    pub guessed: u32,
    /// Of these, lanes whose puzzle began with a guess of two digits. Unspecified for other lanes.
    pub sparse: u32,
    pub depth: [u32; MOST_LANES],
    pub guesses: [u64; MOST_LANES],
    pub solutions: [u64; MOST_LANES],
    /// The second children of open guesses, each in its [`slot`].
    pub stack: Vec<Entry>,
    /// Scratch space for the words of lanes that guess, on their way to the stack.
    pub columns: Gathered<S::Row>,
    /// The words after [`WORDS`] in stack entries for guesses of two digits, transposed.
    pub pair_entries: [S::Row; 4],
}

impl<S: Simd> Lanes<S> {
    #[inline(always)]
    pub fn new(limits: Limits) -> Self {
        let mut stack = STACKS.take();
        stack.resize(stack.len().max(MAX_DEPTH * S::LANES), Entry([0; 32]));
        Lanes {
            limits,
            vectors: [[S::Row::ZERO; ROWS]; 3],
            configs: [S::Row::ZERO; 12],
            busy: 0,
            has_stack: 0,
            guessed: 0,
            sparse: 0,
            depth: [0; MOST_LANES],
            guesses: [0; MOST_LANES],
            solutions: [0; MOST_LANES],
            stack,
            columns: [[S::Row::ZERO; 4]; 7],
            pair_entries: [S::Row::ZERO; 4],
        }
    }

    /// Leaves the stack for the next batch.
    pub fn keep_stack(self) {
        STACKS.set(self.stack);
    }

    /// Pops the newest entry to its lane. Returns the mask of the lane if its stack is empty then.
    #[inline(always)]
    pub fn pop(&mut self, lane: usize) -> u32 {
        let entry = &mut self.stack[slot::<S>(self.depth[lane] - 1, lane)].0;
        let is_last = if guess::is_pair(entry) {
            let (words, is_last) = guess::pop_pair(entry);
            write_lane::<S>(&mut self.vectors[ACTIVE], lane, &words);
            is_last
        } else {
            write_lane::<S>(&mut self.vectors[ACTIVE], lane, entry);
            true
        };
        self.depth[lane] -= u32::from(is_last);
        u32::from(self.depth[lane] == 0) << lane
    }

    /// Marks lanes as idle.
    #[inline(always)]
    pub fn free(&mut self, lanes: u32) {
        self.busy &= !lanes;
        self.has_stack &= !lanes;
        self.guessed &= !lanes;
    }

    /// Resets the counts of a lane for its next puzzle, or part of one.
    #[inline(always)]
    pub fn reset_lane(&mut self, lane: usize) {
        (self.depth[lane], self.guesses[lane], self.solutions[lane]) = (0, 0, 0);
    }
}

#[inline(always)]
pub(super) fn every_lane<S: Simd>() -> u32 {
    u32::MAX >> (32 - S::LANES)
}

/// Writes the words of an entry to a lane.
#[inline(always)]
pub(super) fn write_lane<S: Simd>(rows: &mut [S::Row; ROWS], lane: usize, words: &[u32; 32]) {
    for (row, word) in rows.iter_mut().zip(&words[..WORDS]) {
        row.lanes_mut()[lane] = *word;
    }
}
