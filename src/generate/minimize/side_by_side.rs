//! Tasks side by side: each is a sequence of searches, and each search depends on the answer to the last one.
//!
//! The lanes of the engine take the next search of any task, so they are busy although each task waits for its answers.
//! Tasks do not depend on each other.

use super::questions::{MAX_GUESSES, count_solutions};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::Puzzle;
use crate::lanes::{self, Probes};
use crate::simd::SimdLevel;

/// Tasks at a time: enough to keep all lanes busy.
pub const PLACES: usize = 64;

/// A search for solutions of a puzzle without clashes.
#[derive(Clone, Copy)]
pub struct Probe {
    pub puzzle: Puzzle,
    /// A blank cell and a digit that it must not hold. With it one solution is searched for.
    pub excluded: Option<(u8, u8)>,
    /// The number of solutions at which a search without an excluded candidate stops.
    pub limit: u64,
}

impl Probe {
    #[inline]
    fn limit(&self) -> u64 {
        if self.excluded.is_some() { 1 } else { self.limit }
    }
}

/// The tasks. Each is in one of [`PLACES`] places while it is worked on.
pub trait Tasks {
    /// Starts the next task that needs a search, in a place, and sets its first probe. Returns `false` if there is none.
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool;

    /// Takes the number of solutions of the probe of a task, at most 1 with an excluded candidate and at most its limit without.
    /// Sets the next probe, or returns `false` if the task is done.
    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool;

    /// A search with more guesses is done by the scalar engine.
    fn max_guesses(&self) -> u64 {
        MAX_GUESSES
    }
}

/// Works on all tasks until they are done.
pub fn run(level: SimdLevel, tasks: &mut impl Tasks, cancel: &CancelToken) -> Result<(), Cancelled> {
    let empty = Probe { puzzle: Puzzle::EMPTY, excluded: None, limit: 2 };
    let mut places = Places { tasks, probes: [empty; PLACES], ready: [0; PLACES], at: 0, len: 0 };
    for place in 0..PLACES {
        if !places.tasks.start(place, &mut places.probes[place]) {
            break;
        }
        places.push(place as u32);
    }
    let max_guesses = places.tasks.max_guesses();
    lanes::answer(level, &mut places, max_guesses, cancel).map(drop)
}

struct Places<'a, T> {
    tasks: &'a mut T,
    probes: [Probe; PLACES],
    /// A queue of places with a probe. First in, first out, so that all tasks advance and few lanes are idle at the end.
    ready: [u8; PLACES],
    at: usize,
    len: usize,
}

impl<T> Places<'_, T> {
    #[inline]
    fn push(&mut self, place: u32) {
        self.ready[(self.at + self.len) % PLACES] = place as u8;
        self.len += 1;
    }
}

impl<T: Tasks> Probes for Places<'_, T> {
    fn is_ready(&self) -> bool {
        self.len != 0
    }

    fn take(&mut self) -> Option<lanes::Probe<'_>> {
        if !self.is_ready() {
            return None;
        }
        let place = self.ready[self.at % PLACES];
        self.at += 1;
        self.len -= 1;
        let Probe { puzzle, excluded, .. } = &self.probes[place as usize];
        Some(lanes::Probe { number: place.into(), puzzle, excluded: *excluded })
    }

    fn solution_limit(&self, place: u32) -> u64 {
        self.probes[place as usize].limit()
    }

    fn answer(&mut self, number: u32, solutions: Option<u64>) {
        let place = number as usize;
        let probe = &mut self.probes[place];
        let solutions =
            solutions.unwrap_or_else(|| count_solutions(&probe.puzzle, probe.excluded, probe.limit()));
        if self.tasks.answer(place, solutions, probe) || self.tasks.start(place, probe) {
            self.push(number);
        }
    }
}
