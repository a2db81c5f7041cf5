//! Probes: puzzles that are not known before earlier ones are answered.

use super::codegen::own_frame;
use super::emit::EmitBuffer;
use super::layout::{FIELD, ID, ROWS, SOLVED_WORDS, word_and_field};
use super::load::load;
use super::task::{Solved, Task};
use crate::grid::{CELLS, Puzzle};
use crate::outcome::{Limits, Status};
use crate::simd::{MOST_LANES, Row, Simd, lanes};

/// A question about a puzzle: the number of its solutions up to a limit. There is no text of a solution.
pub(crate) struct Probe<'a> {
    pub number: u32,
    /// Without clashes.
    pub puzzle: &'a Puzzle,
    /// A blank cell of the puzzle, and a digit that it must not hold.
    pub excluded: Option<(u8, u8)>,
}

/// Probes, each of which may depend on the answers to others.
///
/// Used as a trait object: the search is compiled once for all of them. It is large, and there are few calls for each puzzle.
pub(crate) trait Probes {
    /// Whether a probe is ready. There may be one later, after an answer.
    fn is_ready(&self) -> bool;

    /// Takes a probe, if one is ready.
    fn take(&mut self) -> Option<Probe<'_>>;

    /// Takes probes as long as there is room and one is ready. Returns how many.
    fn take_some(
        &mut self,
        numbers: &mut [u32],
        puzzles: &mut [Puzzle],
        excluded: &mut [Option<(u8, u8)>],
    ) -> usize {
        let mut n = 0;
        for ((number, puzzle), excluded) in numbers.iter_mut().zip(puzzles).zip(excluded) {
            let Some(probe) = self.take() else { break };
            (*number, *puzzle, *excluded) = (probe.number, *probe.puzzle, probe.excluded);
            n += 1;
        }
        n
    }

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

/// The task of answering probes.
pub(super) struct Answer<'a>(pub &'a mut dyn Probes);

impl Task for Answer<'_> {
    #[inline(always)]
    fn has_more(&self) -> bool {
        self.0.is_ready()
    }

    #[inline(always)]
    fn load_next<S: Simd>(&mut self, s: S, _: Limits, vector: &mut [S::Row; ROWS]) -> u32 {
        let mut puzzles = [Puzzle::EMPTY; MOST_LANES];
        let mut excluded = [None; MOST_LANES];
        let n = self.0.take_some(vector[ID].lanes_mut(), &mut puzzles, &mut excluded);
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

    #[inline(always)]
    fn solution_limit(&self, number: usize, _: Limits) -> u64 {
        self.0.solution_limit(number as u32)
    }

    #[inline(always)]
    fn set_counts(&mut self, number: usize, status: Status, solutions: u64, _: u64) {
        self.0.answer(number as u32, (status != Status::Limit).then_some(solutions));
    }

    #[inline(always)]
    fn take_solved<S: Simd>(&mut self, _: S, vector: &[S::Row; ROWS], solved: Solved, _: &mut EmitBuffer<S>) {
        for lane in lanes(solved.unguessed) {
            self.0.answer(vector[ID].lanes()[lane], Some(1));
        }
    }

    /// No grid has been pushed to the buffer.
    #[inline(always)]
    fn emit<S: Simd>(&mut self, _: S, _: &[S::Row; SOLVED_WORDS], _: &[u32]) {}
}
