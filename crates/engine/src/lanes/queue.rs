//! The queue of new puzzles, a vector at a time.
//!
//! Where [`sweeps_ahead`](crate::simd::Tuning::sweeps_ahead) is set, new puzzles are swept while they wait. All lanes
//! are busy in these sweeps, and there are no events. Many puzzles need no more than two sweeps, and only their
//! solutions are moved. A puzzle that is stuck enters its lane in the state before that sweep, is stuck there again,
//! and guesses; so outcomes do not depend on the sweeps made ahead. On Zen 5 this is 3 to 7 % faster on 17-clue and
//! minimal puzzles. With AVX2 on an Intel Xeon, easy and minimal puzzles and those without a solution take 3 to 7 %
//! less time, and generation 10 % less, but the hardest and sparse puzzles take 1 to 2 % more. With four lanes, these
//! take 2 to 3 % more, and minimal puzzles are not faster.

use super::emit::EmitBuffer;
use super::layout::{ID, ROWS};
use super::sweep::Verdict;
use super::task::{Solved, Task};
use crate::outcome::{Limits, Status};
use crate::simd::{Row, Simd, lanes};

/// Maximum number of sweeps ahead. A third one leaves more lanes idle than it saves.
const MAX_SWEEPS_AHEAD: u32 = 2;
/// After a vector with many stuck puzzles, this number of vectors is not swept ahead: where puzzles are soon stuck,
/// the first sweep is wasted.
const PAUSE: u32 = 15;

/// The next vector of puzzles.
#[derive(Default)]
pub(super) struct Queue {
    /// The index of the vector that holds the puzzles, 0 or 1. The other one holds their state before the last sweep.
    current: usize,
    /// Sweeps since the vector was loaded.
    sweeps: u32,
    /// The lanes with a puzzle that waits.
    pub waiting: u32,
    /// Those of them that were stuck in the last sweep.
    stuck: u32,
    /// The number of vectors that will not be swept ahead.
    pause: u32,
}

impl Queue {
    /// Loads the next vector of puzzles when no others wait. Puzzles with clashing clues are done at once. Returns
    /// whether the vector is to be swept in the queue.
    #[inline(always)]
    pub fn load_next<S: Simd>(
        &mut self,
        s: S,
        limits: Limits,
        [vector, other, _]: &mut [[S::Row; ROWS]; 3],
        task: &mut Task,
    ) -> bool {
        self.waiting = task.load_next(s, limits, vector);
        (self.current, self.sweeps, self.stuck) = (0, 0, 0);
        if !S::TUNING.sweeps_ahead {
            return false;
        }
        other[ID] = vector[ID];
        let is_paused = self.pause != 0;
        self.pause -= u32::from(is_paused);
        !is_paused
    }

    /// The indices of the vectors that the next sweep reads and writes.
    #[inline(always)]
    pub fn sweep_indices(&self) -> [usize; 2] {
        [self.current, 1 - self.current]
    }

    /// Handles the events after a sweep ahead: finished puzzles leave the queue. Returns whether to sweep again.
    #[inline(always)]
    pub fn after_sweep<S: Simd>(
        &mut self,
        s: S,
        verdict: Verdict,
        vector: &[S::Row; ROWS],
        emit_buffer: &mut EmitBuffer<S>,
        task: &mut Task,
    ) -> bool {
        let Verdict { dead, solved, stuck } = verdict;
        for lane in lanes(dead & self.waiting) {
            task.set_counts(vector[ID].lanes()[lane] as usize, Status::NoSolution, 0, 0);
        }
        let solved = solved & self.waiting;
        task.take_solved(s, vector, Solved { all: solved, first: solved, unguessed: solved }, emit_buffer);
        self.waiting &= !(dead | solved);
        self.stuck = stuck & self.waiting;
        self.current = 1 - self.current;
        self.sweeps += 1;
        if self.stuck == 0 {
            return self.sweeps < MAX_SWEEPS_AHEAD && self.waiting.count_ones() >= S::LANES as u32 * 3 / 4;
        }
        if self.stuck.count_ones() > S::LANES as u32 / 4 {
            self.pause = PAUSE;
        }
        false
    }

    /// Lanes whose puzzles can start, and the index of the vector to take them from.
    #[inline(always)]
    pub fn ready<S: Simd>(&self) -> (u32, usize) {
        let ready = self.waiting & !self.stuck;
        let [newest, before] = self.sweep_indices();
        if !S::TUNING.sweeps_ahead {
            (self.waiting, 0)
        } else if ready != 0 {
            (ready, newest)
        } else {
            (self.waiting, before)
        }
    }
}
