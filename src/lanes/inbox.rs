//! Puzzles on their way into lanes, a vector at a time.
//!
//! Where [`sweeps_ahead`](super::tuning::Tuning::sweeps_ahead) says so they are swept while they wait, all lanes at once and with nothing to be done in
//! between: many need no more than two sweeps, and of these only the solution is moved. Who is stuck comes into its
//! lane as it was before that sweep, is swept and stuck there once more, and guesses; so it does not show in an outcome
//! which sweeps were made ahead.

use super::layout::{NUMBER, ROWS};
use super::outbox::Outbox;
use super::sweep::Verdict;
use super::text;
use super::tuning::tuning;
use crate::engine::{Given, Outcomes, ROW, Search};
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::outcome::Status;
use crate::simd::{self, MOST_LANES, Row, Simd, lanes};

/// Sweeps ahead, at most. With a third one more puzzles are stuck, and lanes idle, than is gained.
const SWEEPS: u32 = 2;
/// So many vectors are not swept ahead after one in which many were stuck: there the first sweep is wasted.
const PAUSE: u32 = 15;

/// A vector of puzzles, and those behind it.
pub(super) struct Inbox<'a> {
    given: Given<'a>,
    /// How many of them have been here.
    read: usize,
    /// The clues of those in the vector, where candidates are given.
    clues: Vec<Puzzle>,
    /// Where they are, 0 or 1. In the other place they are as they were before the last sweep.
    at: usize,
    /// Sweeps that they have had.
    sweeps: u32,
    /// The lanes that have not been taken.
    pub waiting: u32,
    /// Those of them that the last sweep found stuck.
    stuck: u32,
    /// Vectors to come that are not swept ahead.
    pause: u32,
}

impl<'a> Inbox<'a> {
    pub fn new(given: Given<'a>) -> Self {
        Inbox { given, read: 0, clues: Vec::new(), at: 0, sweeps: 0, waiting: 0, stuck: 0, pause: 0 }
    }

    #[inline(always)]
    pub fn has_more(&self) -> bool {
        self.waiting != 0 || self.read < self.given.len()
    }

    /// The next vector of puzzles, when there are no others. Those with a clash go no farther. Whether they are to be
    /// swept before any is taken.
    #[inline(always)]
    pub fn fill<S: Simd>(
        &mut self,
        s: S,
        search: Search,
        [vector, other, _]: &mut [[S::Row; ROWS]; 3],
        outcomes: &mut Outcomes,
    ) -> bool {
        let first = self.read;
        let n = S::LANES.min(self.given.len() - first);
        let words = vector.first_chunk_mut().expect("27 of 36");
        let puzzles = match self.given {
            Given::Clues(puzzles) => &puzzles[first..first + n],
            Given::Candidates(all) => read_clues(&all[first..first + n], &mut self.clues),
        };
        let mut padded;
        let puzzles = if n == S::LANES {
            puzzles
        } else {
            padded = [Puzzle::EMPTY; MOST_LANES];
            padded[..n].copy_from_slice(puzzles);
            &padded
        };
        let clash = text::load(s, puzzles, words);
        if let Given::Candidates(all) = self.given {
            text::confine(&all[first..first + n], words);
        }
        for (number, lane) in (first as u32..).zip(vector[NUMBER].lanes_mut()) {
            *lane = number;
        }
        self.ask_for_puzzles::<S>(first + S::LANES);
        ask_for(outcomes, first + 2 * S::LANES, S::LANES);
        if n == S::LANES {
            // A length that the compiler knows makes a few stores of three calls.
            outcomes.presume(first, S::LANES, search);
        } else {
            presume_some(outcomes, first, n, search);
        }
        self.read += n;
        let filled = u32::MAX >> (32 - n);
        self.waiting = !clash & filled;
        for lane in lanes(clash & filled) {
            outcomes.note(first + lane, Status::Invalid, 0, 0);
        }
        (self.at, self.sweeps, self.stuck) = (0, 0, 0);
        if !tuning::<S>().sweeps_ahead {
            return false;
        }
        other[NUMBER] = vector[NUMBER];
        let pauses = self.pause != 0;
        self.pause -= u32::from(pauses);
        !pauses
    }

    /// Where a sweep ahead finds the puzzles, and where it leaves them: where they are, and where they were before the
    /// last one.
    #[inline(always)]
    pub fn places(&self) -> [usize; 2] {
        [self.at, 1 - self.at]
    }

    /// After a sweep ahead: whoever is done leaves. Whether there is to be another one.
    #[inline(always)]
    pub fn advance<S: Simd>(
        &mut self,
        s: S,
        verdict: Verdict,
        vector: &[S::Row; ROWS],
        outbox: &mut Outbox<S>,
        outcomes: &mut Outcomes,
    ) -> bool {
        let Verdict { dead, solved, stuck } = verdict;
        for lane in lanes(dead & self.waiting) {
            outcomes.note(vector[NUMBER].lanes()[lane] as usize, Status::None, 0, 0);
        }
        // What else they come to was noted when they came, see [`Outcomes::presume`].
        outbox.take(s, vector, solved & self.waiting);
        self.waiting &= !(dead | solved);
        self.stuck = stuck & self.waiting;
        self.at = 1 - self.at;
        self.sweeps += 1;
        if self.stuck == 0 {
            return self.sweeps < SWEEPS && self.waiting.count_ones() >= S::LANES as u32 * 3 / 4;
        }
        if self.stuck.count_ones() > S::LANES as u32 / 4 {
            self.pause = PAUSE;
        }
        false
    }

    /// Some lanes that wait, and the place from which they are to be taken.
    #[inline(always)]
    pub fn some<S: Simd>(&self) -> (u32, usize) {
        let ready = self.waiting & !self.stuck;
        let [newest, before] = self.places();
        if !tuning::<S>().sweeps_ahead {
            (self.waiting, 0)
        } else if ready != 0 {
            (ready, newest)
        } else {
            (self.waiting, before)
        }
    }

    /// Asks for the memory of the next vector of puzzles. (They are read from all of its lines at once.)
    #[inline(always)]
    fn ask_for_puzzles<S: Simd>(&self, from: usize) {
        let Given::Clues(puzzles) = self.given else { return };
        let Some(puzzles) = puzzles.get(from..from + S::LANES) else { return };
        for at in (0..S::LANES * CELLS).step_by(64) {
            simd::prefetch(puzzles[at / CELLS].cells(), at % CELLS);
        }
    }
}

/// Asks for the memory of `n` outcomes: it is written some sweeps from now, in the order in which puzzles are done.
#[inline(always)]
fn ask_for(outcomes: &Outcomes, from: usize, n: usize) {
    let Some(rows) = outcomes.rows.get(from..from + n) else { return };
    for at in (0..n * ROW).step_by(64) {
        simd::prefetch(rows.as_flattened(), at);
    }
    for at in (from..from + n).step_by(64 / size_of::<u64>()) {
        simd::prefetch(&outcomes.solutions, at);
        simd::prefetch(&outcomes.guesses, at);
    }
    simd::prefetch(&outcomes.status, from);
}

#[cold]
#[inline(never)]
fn presume_some(outcomes: &mut Outcomes, from: usize, n: usize, search: Search) {
    outcomes.presume(from, n, search);
}

#[cold]
#[inline(never)]
fn read_clues<'a>(candidates: &[Candidates], clues: &'a mut Vec<Puzzle>) -> &'a [Puzzle] {
    clues.clear();
    clues.extend(candidates.iter().map(Candidates::clues));
    clues
}
