//! What a search is for: where its puzzles come from, and where outcomes and solutions go.
//!
//! The search is compiled once for each instruction set, not for each kind. It asks for the kind at its events only, so
//! these branches are predicted: a copy for each kind is not faster.

use super::collect::Collector;
use super::emit::{Emit, EmitBuffer};
use super::layout::{ID, ROWS, SOLVED_WORDS};
use super::probes::Answer;
use super::split::Solve;
use super::state::Lanes;
use super::sweep::Verdict;
use crate::outcome::{Limits, Status};
use crate::simd::{MOST_LANES, Row, Simd, Step, lanes};

/// The kind of a search, with what it needs.
pub(super) enum Task<'t, 'a> {
    /// Counts the solutions of a batch, and writes the first one of each puzzle.
    Solve(Solve<'a>),
    /// Answers probes.
    Answer(&'t mut Answer<'a>),
    /// Collects all solutions of a batch, or of parts of searches.
    Collect(&'t mut Collector<'a>),
}

/// The lanes of a vector that are solved.
pub(super) struct Solved {
    pub all: u32,
    /// Those with the first solution of their puzzle.
    pub first: u32,
    /// Those whose puzzle needed no guess, and is done.
    pub unguessed: u32,
}

impl Task<'_, '_> {
    /// Whether two digits may be guessed at once.
    #[inline(always)]
    pub fn guesses_pairs(&self) -> bool {
        // For all solutions, most of the alternatives would be searched anyway.
        !matches!(self, Task::Collect(_))
    }

    /// Whether there are puzzles to load now.
    #[inline(always)]
    pub fn has_more(&self) -> bool {
        match self {
            Task::Solve(solve) => solve.batch.has_more(),
            Task::Answer(answer) => answer.has_more(),
            Task::Collect(collector) => collector.has_more(),
        }
    }

    /// Loads the next puzzles and their numbers into the first lanes of a vector. Returns the mask of lanes with a
    /// puzzle to search: puzzles with clashing clues are done at once.
    #[inline(always)]
    pub fn load_next<S: Simd>(&mut self, s: S, limits: Limits, vector: &mut [S::Row; ROWS]) -> u32 {
        match self {
            Task::Solve(Solve { batch, .. }) | Task::Collect(Collector { batch, .. }) => {
                batch.load_next(s, limits, vector)
            }
            Task::Answer(answer) => answer.load_next(s, vector),
        }
    }

    /// Stop the search of a puzzle at this number of solutions.
    #[inline(always)]
    pub fn solution_limit(&self, number: usize, limits: Limits) -> u64 {
        match self {
            Task::Answer(answer) => answer.solution_limit(number),
            _ => limits.solutions.get(),
        }
    }

    /// Takes the outcome of a puzzle, unless it is solved without a guess.
    #[inline(always)]
    pub fn set_counts(&mut self, number: usize, status: Status, solutions: u64, guesses: u64) {
        match self {
            Task::Solve(Solve { batch, .. }) | Task::Collect(Collector { batch, .. }) => {
                batch.outcomes.set_counts(number, status, solutions, guesses);
            }
            Task::Answer(answer) => answer.take(number as u32, (status != Status::GaveUp).then_some(solutions)),
        }
    }

    /// Takes the solutions in a vector that has just been swept. Those wanted as text go to the buffer.
    #[inline(always)]
    pub fn take_solved<S: Simd>(&mut self, s: S, vector: &[S::Row; ROWS], solved: Solved, buffer: &mut EmitBuffer<S>) {
        let wanted = match self {
            Task::Collect(Collector { counts: false, .. }) => solved.all,
            Task::Solve(_) | Task::Collect(_) => solved.first,
            Task::Answer(answer) => {
                lanes(solved.unguessed).for_each(|lane| answer.take(vector[ID].lanes()[lane], Some(1)));
                0
            }
        };
        buffer.push(s, vector, wanted);
    }

    /// Takes grids of the buffer, and the numbers of their puzzles.
    #[inline(always)]
    pub fn emit<S: Simd>(&mut self, s: S, lines: &[S::Row; SOLVED_WORDS], numbers: &[u32]) {
        match self {
            Task::Solve(solve) => s.step(Emit { lines, ids: numbers, rows: solve.batch.outcomes.rows }),
            Task::Answer(_) => {}
            // They become rows one after another.
            Task::Collect(Collector { found, .. }) => {
                s.step(Emit { lines, ids: &ASCENDING[..numbers.len()], rows: found.append(numbers) });
            }
        }
    }

    /// The same for a full vector of grids.
    #[inline(always)]
    pub fn emit_full<S: Simd>(&mut self, s: S, lines: &[S::Row; SOLVED_WORDS], numbers: &[u32]) {
        match self {
            // As a part of the search, because a call costs 4 % on easy puzzles.
            Task::Solve(solve) => Emit { lines, ids: numbers, rows: solve.batch.outcomes.rows }.run(s),
            _ => self.emit(s, lines, numbers),
        }
    }

    /// Takes the rest of the search in a lane that has reached the limit of guesses.
    #[cold]
    #[inline(never)]
    pub fn suspend<S: Simd>(&mut self, lanes: &Lanes<S>, lane: usize) {
        let suspended = match self {
            Task::Solve(solve) => solve.suspended.as_deref_mut(),
            Task::Answer(_) => None,
            Task::Collect(collector) => Some(&mut *collector.suspended),
        };
        if let Some(suspended) = suspended {
            suspended.push(lanes.suspended(lane));
        }
    }

    /// Gives idle lanes something to do between sweeps when there are no more puzzles.
    #[inline(always)]
    pub fn occupy<S: Simd>(&mut self, lanes: &mut Lanes<S>) {
        match self {
            Task::Solve(solve) => solve.occupy(lanes),
            Task::Answer(_) => {}
            Task::Collect(collector) => collector.occupy(lanes),
        }
    }

    /// Takes the results of a sweep for lanes that were [occupied](Task::occupy) with a part of a search. Returns the
    /// verdict on the other lanes; those of these lanes that have to backtrack count as dead.
    #[inline(always)]
    pub fn take_parts<S: Simd>(&mut self, lanes: &mut Lanes<S>, verdict: Verdict) -> Verdict {
        match self {
            Task::Solve(solve) if solve.part_lanes != 0 => solve.record_parts(lanes, verdict),
            _ => verdict,
        }
    }
}

const ASCENDING: [u32; MOST_LANES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
