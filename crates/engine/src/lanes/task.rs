//! What a search is for: where its puzzles come from, and where outcomes and solutions go.
//!
//! There are three kinds: the [first solutions of a batch](super::split::Solve), [all
//! solutions](super::collect::Results), and [probes](super::probes::Answer). The search is compiled once for each, so
//! none costs anything in the code of the others.

use super::emit::EmitBuffer;
use super::layout::{ROWS, SOLVED_WORDS};
use super::state::Lanes;
use super::sweep::{Sweep, Verdict};
use crate::outcome::{Limits, Status};
use crate::simd::Simd;

pub(super) trait Task {
    /// Whether two digits may be guessed at once.
    const GUESSES_PAIRS: bool = true;

    /// Whether there are puzzles to load now.
    fn has_more(&self) -> bool;

    /// Loads the next puzzles and their numbers into the first lanes of a vector. Returns the mask of lanes with a
    /// puzzle to search: puzzles with clashing clues are done at once.
    fn load_next<S: Simd>(&mut self, s: S, limits: Limits, vector: &mut [S::Row; ROWS]) -> u32;

    /// Stop the search of a puzzle at this number of solutions.
    #[inline(always)]
    fn solution_limit(&self, _number: usize, limits: Limits) -> u64 {
        limits.solutions.get()
    }

    /// Takes the outcome of a puzzle, unless it is solved without a guess.
    fn set_counts(&mut self, number: usize, status: Status, solutions: u64, guesses: u64);

    /// Takes the solutions in a vector that has just been swept. Those wanted as text go to the buffer.
    fn take_solved<S: Simd>(&mut self, s: S, vector: &[S::Row; ROWS], solved: Solved, emit_buffer: &mut EmitBuffer<S>);

    /// Takes grids of the buffer, and the numbers of their puzzles.
    fn emit<S: Simd>(&mut self, s: S, lines: &[S::Row; SOLVED_WORDS], numbers: &[u32]);

    /// The same for a full vector of grids.
    #[inline(always)]
    fn emit_full<S: Simd>(&mut self, s: S, lines: &[S::Row; SOLVED_WORDS], numbers: &[u32]) {
        self.emit(s, lines, numbers);
    }

    /// Sweeps a vector.
    #[inline(always)]
    fn sweep<S: Simd>(s: S, sweep: Sweep<S::Row>) -> Verdict {
        s.step(sweep)
    }

    /// Takes the rest of the search in a lane that has reached the limit of guesses.
    #[inline(always)]
    fn suspend<S: Simd>(&mut self, _lanes: &Lanes<S>, _lane: usize) {}

    /// Gives idle lanes something to do between sweeps when there are no more puzzles.
    #[inline(always)]
    fn occupy<S: Simd>(&mut self, _lanes: &mut Lanes<S>) {}

    /// Takes the results of a sweep for lanes that were [occupied](Task::occupy) with a part of a search. Returns the
    /// verdict on the other lanes; those of these lanes that have to backtrack count as dead.
    #[inline(always)]
    fn take_parts<S: Simd>(&mut self, _lanes: &mut Lanes<S>, verdict: Verdict) -> Verdict {
        verdict
    }
}

/// The lanes of a vector that are solved.
pub(super) struct Solved {
    pub all: u32,
    /// Those with the first solution of their puzzle.
    pub first: u32,
    /// Those whose puzzle needed no guess, and is done.
    pub unguessed: u32,
}
