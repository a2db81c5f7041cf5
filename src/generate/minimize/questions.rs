//! Lists of independent questions about puzzles, answered in lanes.

use std::num::NonZeroU64;

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Candidates, Puzzle};
use crate::lanes::{self, Probe, Probes};
use crate::outcome::{Limits, Status};
use crate::simd::SimdLevel;
use crate::solver::{Engine, Solver};

/// A search of more guesses is left to the solver, which restarts it.
pub const MAX_GUESSES: u64 = 1024;

/// Whether a clue of a puzzle with one solution is needed: whether the puzzle without it has another solution.
#[derive(Clone, Copy)]
pub struct Question {
    /// The clues without the one in question.
    puzzle: Puzzle,
    /// The cell of that clue and its digit. Other solutions must differ there, so one of them answers the question.
    clue: (u8, u8),
}

impl Question {
    #[inline]
    pub fn is_needed(puzzle: &Puzzle, cell: usize) -> Question {
        let mut less = *puzzle;
        let digit = std::mem::take(&mut less.0[cell]);
        Question { puzzle: less, clue: (cell as u8, digit) }
    }
}

/// Answers questions. `answers` has one for each afterwards.
pub fn ask(
    level: SimdLevel,
    questions: &[Question],
    answers: &mut Vec<bool>,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    answers.clear();
    answers.resize(questions.len(), false);
    lanes::answer(level, &mut List { questions, answers, next: 0 }, MAX_GUESSES, cancel).map(drop)
}

struct List<'a> {
    questions: &'a [Question],
    answers: &'a mut [bool],
    next: u32,
}

impl Probes for List<'_> {
    fn is_ready(&self) -> bool {
        (self.next as usize) < self.questions.len()
    }

    fn take(&mut self) -> Option<Probe<'_>> {
        let number = self.next;
        let Question { puzzle, clue } = self.questions.get(number as usize)?;
        self.next += 1;
        Some(Probe { number, puzzle, excluded: Some(*clue) })
    }

    fn solution_limit(&self, _: u32) -> u64 {
        1
    }

    fn answer(&mut self, number: u32, solutions: Option<u64>) {
        let Question { puzzle, clue } = &self.questions[number as usize];
        let solutions = solutions.unwrap_or_else(|| count_solutions(puzzle, Some(*clue), 1));
        self.answers[number as usize] = solutions != 0;
    }
}

/// The number of solutions of a probe up to a limit, for searches that are too long for the lanes.
#[cold]
pub fn count_solutions(puzzle: &Puzzle, excluded: Option<(u8, u8)>, limit: u64) -> u64 {
    let mut cells = *Candidates::from(puzzle).cells();
    if let Some((cell, digit)) = excluded {
        cells[cell as usize] &= !(1 << (digit - 1));
    }
    let limits = Limits::up_to(NonZeroU64::new(limit).expect("searches find a solution"));
    let candidates = Candidates::from_cells(cells).expect("sets of nine digits");
    let outcome =
        Solver::new().engine(Engine::Scalar).limits(limits).threads(1).solve([candidates].as_slice());
    debug_assert_ne!(outcome.statuses()[0], Status::Limit);
    outcome.solution_counts()[0]
}
