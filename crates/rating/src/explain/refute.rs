//! Proofs that a puzzle has no solution: a chain of singles, and a minimal set of clues.

use super::Refutation;
use super::singles::{Board, Contradiction, Single};
use crate::grid::{CELLS, Candidates};
use crate::outcome::{Limits, Status};
use crate::solver::{Engine, Solver};

/// A contradiction that follows from singles, with the singles that it needs: without any one of them, the others do
/// not lead to it. `None` if singles lead to no contradiction.
///
/// The clues must not clash.
pub fn refute(start: impl Into<Candidates>) -> Option<Refutation> {
    let start = Board::new(&start.into());
    let (mut board, mut steps) = (start.clone(), Vec::new());
    let contradiction = loop {
        match board.next_single() {
            Ok(None) => return None,
            Ok(Some(step)) => {
                board.place(step.cell, step.digit);
                steps.push(step);
            }
            Err(contradiction) => break contradiction,
        }
    };
    // From the last one. A contradiction that follows from some steps follows from more, so one pass leaves only steps
    // that are needed.
    for i in (0..steps.len()).rev() {
        let step = steps.remove(i);
        if !leads_to(&start, &steps, contradiction) {
            steps.insert(i, step);
        }
    }
    Some(Refutation { steps, contradiction })
}

/// Whether each of the singles follows from those before, and the contradiction from all.
fn leads_to(start: &Board, steps: &[Single], end: Contradiction) -> bool {
    let mut board = start.clone();
    for &Single { cell, digit, house } in steps {
        let follows = match house {
            Some(house) => board.places(house, digit).eq([cell]),
            None => board.candidates(cell) == 1 << (digit - 1),
        };
        if !follows {
            return false;
        }
        board.place(cell, digit);
    }
    match end {
        Contradiction::Cell { cell } => board.candidates(cell) == 0,
        Contradiction::Digit { digit, house } => board.places(house, digit).next().is_none(),
    }
}

/// A subset of the clues of a puzzle without solution that has no solution either, and whether it is known to be
/// minimal. Clues are tried in reading order, and left out if there is still no solution. Other cells that lack
/// candidates are treated as clues.
///
/// A clue stays if the search without it needs more than `max_guesses`; then nothing is known.
pub fn core(start: impl Into<Candidates>, max_guesses: u64) -> (Candidates, bool) {
    let solver = Solver::new().engine(Engine::Scalar).limits(Limits::FIRST.max_guesses(max_guesses));
    let (mut core, mut is_minimal) = (start.into(), true);
    for cell in 0..CELLS {
        let mut sets = *core.cells();
        sets[cell] = Candidates::NINE;
        let less = Candidates::of_sets(sets);
        if less == core {
            continue;
        }
        match solver.solve(&[less]).statuses()[0] {
            Status::NoSolution => core = less,
            Status::GaveUp => is_minimal = false,
            _ => {}
        }
    }
    (core, is_minimal)
}
