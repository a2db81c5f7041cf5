//! Why a puzzle has no solution: by a chain of singles, and by as few clues (or cells) as do it.

use super::Refutation;
use crate::grid::{CELLS, Candidates, Cell, HOUSE_CELLS, House};
use crate::outcome::{Limits, Outcomes, PuzzleSlice, Status};
use crate::solver::{Engine, Solver};
use crate::technique::{Board, Contradiction, Digits, Step};

/// A contradiction that singles lead to, and those of them that it takes: without any one of the steps, the others
/// do not lead there. `None` where singles do not.
///
/// The clues must not clash.
pub fn refute(start: impl Into<Candidates>) -> Option<Refutation> {
    let start = Board::new(start);
    let (mut board, mut steps) = (start.clone(), Vec::new());
    let contradiction = loop {
        match board.next_single() {
            Ok(None) => return None,
            Ok(Some(step)) => {
                board.apply(&step);
                steps.push(step);
            }
            Err(contradiction) => break contradiction,
        }
    };
    // The last ones first. What holds with fewer steps holds with more, so one pass leaves none that can go.
    for i in (0..steps.len()).rev() {
        let step: Step = steps.remove(i);
        if !leads_to(&start, &steps, contradiction) {
            steps.insert(i, step);
        }
    }
    Some(Refutation { steps, contradiction })
}

/// Whether each of the singles follows from those before, and the contradiction from all.
fn leads_to(start: &Board, steps: &[Step], end: Contradiction) -> bool {
    let mut board = start.clone();
    for step in steps {
        let follows = match step.house {
            Some(House(house)) => places(&board, house, step.digits).eq(step.cells.iter().copied()),
            None => board.candidates(step.cells[0]) == step.digits,
        };
        if !follows {
            return false;
        }
        board.apply(step);
    }
    match end {
        Contradiction::Cell { cell } => board.candidates(cell) == Digits(0),
        Contradiction::Digit { digit, house } => {
            places(&board, house.0, Digits(1 << (digit - 1))).next().is_none()
        }
    }
}

/// The cells of a house without a digit that may hold this one.
fn places(board: &Board, house: u8, Digits(digit): Digits) -> impl Iterator<Item = Cell> {
    let cells = HOUSE_CELLS[house as usize].iter().map(|&cell| Cell(cell));
    cells.filter(move |&cell| board.candidates(cell).0 & digit != 0)
}

/// A subset of the clues of a puzzle without solution that has none already, but has one without any of its
/// clues: clues are tried in reading order, and left out for good where there is still no solution. Likewise with
/// other cells that lack candidates.
///
/// A puzzle that is given up after `max_guesses` counts as if it had a solution.
pub fn core(start: impl Into<Candidates>, max_guesses: u64) -> Candidates {
    let mut core = start.into();
    for cell in 0..CELLS {
        let mut less = core;
        less.0[cell] = Candidates::NINE;
        if less != core && has_no_solution(&less, max_guesses) {
            core = less;
        }
    }
    core
}

/// Of the puzzles with few clues that come up here, some are bad luck for one solver, and take it years, but not
/// for the other: they take turns, with ever more guesses.
fn has_no_solution(start: &Candidates, max_guesses: u64) -> bool {
    let mut outcomes = Outcomes::default();
    let mut cap = 10_000;
    loop {
        let limits = Limits::FIRST.max_guesses(max_guesses.min(cap));
        let mut status = Status::Limit;
        for engine in [Engine::Scalar, Engine::Lanes] {
            if status == Status::Limit {
                let solver = Solver::new().engine(engine).limits(limits).threads(1);
                solver.solve_into(PuzzleSlice::Candidates(&[*start]), &mut outcomes);
                status = outcomes.statuses()[0];
            }
        }
        if status != Status::Limit || cap >= max_guesses {
            return status == Status::None;
        }
        cap = cap.saturating_mul(10);
    }
}
