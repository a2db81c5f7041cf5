//! Probes: searches that are not known before earlier ones are answered.
//!
//! A *task* is a sequence of probes, each of which depends on the answer to the last one. Tasks do not depend on each
//! other. The lanes take the next probe of any task, so they are busy although each task waits for its answers.

use super::codegen::own_frame;
use super::layout::{FIELD, ID, ROWS, word_and_field};
use super::load::load;
use crate::grid::{CELLS, Puzzle};
use crate::simd::{MOST_LANES, Row, Simd};

/// Tasks at a time: enough to keep all lanes busy.
pub const PLACES: usize = 64;

/// A search for solutions of a puzzle without clashes. The answer is their number.
#[derive(Clone, Copy)]
pub struct Probe {
    pub puzzle: Puzzle,
    /// A blank cell and a digit that it must not hold. With it one solution is searched for.
    pub excluded: Option<(u8, u8)>,
    /// The number of solutions at which a search without an excluded candidate stops.
    pub limit: u64,
}

impl Probe {
    /// The number of solutions at which the search stops.
    #[inline]
    pub fn limit(&self) -> u64 {
        if self.excluded.is_some() { 1 } else { self.limit }
    }
}

/// The tasks. Each is in one of [`PLACES`] places while it is worked on.
///
/// Used as a trait object: the search is compiled once for all kinds of tasks. It is large, and there are few calls for
/// each puzzle.
pub trait Tasks {
    /// Starts the next task that needs a search, in a place, and sets its first probe. Returns `false` if there is
    /// none.
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool;

    /// Takes the number of solutions of the probe of a task, at most [`Probe::limit`]. Sets the next probe, or returns
    /// `false` if the task is done.
    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool;

    /// The number of guesses at which the lanes give up a search.
    fn max_guesses(&self) -> u64 {
        1024
    }
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

/// Answers probes.
pub(super) struct Answer<'a> {
    tasks: &'a mut dyn Tasks,
    /// Finishes a search that is too long for the lanes.
    count: fn(&Probe) -> u64,
    probes: [Probe; PLACES],
    /// A queue of places with a probe. First in, first out, so that all tasks advance and few lanes are idle at the
    /// end.
    ready: [u8; PLACES],
    at: usize,
    len: usize,
}

impl<'a> Answer<'a> {
    pub fn new(tasks: &'a mut dyn Tasks, count: fn(&Probe) -> u64) -> Answer<'a> {
        let empty = Probe { puzzle: Puzzle::EMPTY, excluded: None, limit: 2 };
        let mut answer = Answer { tasks, count, probes: [empty; PLACES], ready: [0; PLACES], at: 0, len: 0 };
        for place in 0..PLACES {
            if !answer.tasks.start(place, &mut answer.probes[place]) {
                break;
            }
            answer.push(place);
        }
        answer
    }

    #[inline(always)]
    fn push(&mut self, place: usize) {
        self.ready[(self.at + self.len) % PLACES] = place as u8;
        self.len += 1;
    }

    #[inline(always)]
    fn pop(&mut self) -> usize {
        let place = self.ready[self.at % PLACES];
        self.at += 1;
        self.len -= 1;
        place as usize % PLACES
    }

    /// Takes the number of solutions found, or `None` if the search reached its limit of guesses.
    #[inline(never)]
    pub fn take(&mut self, place: u32, solutions: Option<u64>) {
        let place = place as usize;
        let probe = &mut self.probes[place];
        let solutions = solutions.unwrap_or_else(|| (self.count)(probe));
        if self.tasks.answer(place, solutions, probe) || self.tasks.start(place, probe) {
            self.push(place);
        }
    }

    #[inline(always)]
    pub fn has_more(&self) -> bool {
        self.len != 0
    }

    #[inline(always)]
    pub fn solution_limit(&self, place: usize) -> u64 {
        self.probes[place].limit()
    }

    /// See [`Task::load_next`](super::task::Task::load_next).
    #[inline(always)]
    pub fn load_next<S: Simd>(&mut self, s: S, vector: &mut [S::Row; ROWS]) -> u32 {
        let mut puzzles = [Puzzle::EMPTY; MOST_LANES];
        let mut excluded = [None; MOST_LANES];
        let n = self.len.min(S::LANES);
        for lane in 0..n {
            let place = self.pop();
            vector[ID].lanes_mut()[lane] = place as u32;
            (puzzles[lane], excluded[lane]) = (self.probes[place].puzzle, self.probes[place].excluded);
        }
        let words = vector.first_chunk_mut().expect("27 of 36");
        let clash = own_frame!(load(s, &puzzles[..S::LANES], words));
        let used_lanes = u32::MAX >> (32 - n);
        debug_assert_eq!(clash & used_lanes, 0, "clues of probes do not clash");
        for (lane, excluded) in excluded[..n].iter().enumerate() {
            if let Some((cell, digit)) = *excluded {
                let (word, shift) = WORD_AND_SHIFT[cell as usize % CELLS];
                // Bit 9 - d of a field is digit d.
                vector[word as usize % ROWS].lanes_mut()[lane % S::LANES] &= !((1 << 9 >> digit) << shift);
            }
        }
        used_lanes
    }
}
