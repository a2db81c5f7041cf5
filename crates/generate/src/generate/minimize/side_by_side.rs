//! Searches in lanes: tasks side by side, and lists of independent questions.

use std::num::NonZeroU64;

pub use crate::lanes::{PLACES, Probe, Tasks};

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Candidates, Puzzle};
use crate::lanes;
use crate::outcome::{Limits, Status};
use crate::simd::SimdLevel;
use crate::solver::{Engine, Solver};

/// Works on all tasks until they are done. A search that is too long for the lanes is left to the solver, which
/// restarts it.
pub fn run(level: SimdLevel, tasks: &mut dyn Tasks, cancel: &CancelToken) -> Result<(), Cancelled> {
    lanes::answer(level, tasks, count_solutions, cancel)
}

/// The question whether a clue of a puzzle with one solution is needed: whether the puzzle without it has another
/// solution.
#[inline]
pub fn is_needed(puzzle: &Puzzle, cell: usize) -> Probe {
    let mut puzzle = *puzzle;
    let digit = std::mem::take(&mut puzzle.cells_mut()[cell]);
    // Other solutions must differ there, so one of them answers the question.
    Probe { puzzle, excluded: Some((cell as u8, digit)), limit: 1 }
}

/// Answers lists of questions: whether there is a solution.
pub fn ask(level: SimdLevel, lists: &[Vec<Probe>], cancel: &CancelToken) -> Result<Vec<Vec<bool>>, Cancelled> {
    let mut answers: Vec<_> = lists.iter().map(|list| vec![false; list.len()]).collect();
    let answers_of_lists = answers.iter_mut().flatten();
    let mut open = lists.iter().flatten().zip(answers_of_lists);
    run(level, &mut Questions { open: &mut open, asked: [const { None }; PLACES] }, cancel)?;
    Ok(answers)
}

struct Questions<'q, 'a> {
    /// Those not yet asked, and where their answers go.
    open: &'q mut dyn Iterator<Item = (&'a Probe, &'a mut bool)>,
    /// Where the answer to the question in each place goes.
    asked: [Option<&'a mut bool>; PLACES],
}

impl Tasks for Questions<'_, '_> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        let Some((question, answer)) = self.open.next() else { return false };
        (*probe, self.asked[place]) = (*question, Some(answer));
        true
    }

    fn answer(&mut self, place: usize, solutions: u64, _: &mut Probe) -> bool {
        **self.asked[place].as_mut().expect("it has been asked") = solutions != 0;
        false
    }
}

#[cold]
fn count_solutions(probe: &Probe) -> u64 {
    let mut cells = *Candidates::from(&probe.puzzle).cells();
    if let Some((cell, digit)) = probe.excluded {
        cells[cell as usize] &= !(1 << (digit - 1));
    }
    let limits = Limits::up_to(NonZeroU64::new(probe.limit()).expect("searches find a solution"));
    let candidates = Candidates::from_cells(cells).expect("sets of nine digits");
    let outcome = Solver::new().engine(Engine::Scalar).limits(limits).threads(1).solve(&[candidates]);
    debug_assert_ne!(outcome.statuses()[0], Status::GaveUp);
    outcome.solution_counts()[0]
}
