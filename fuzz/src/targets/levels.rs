use std::num::NonZeroU64;

use rapidoku::grid::CELLS;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{Candidates, Engine, Limits, Puzzle, SimdLevel, Solver, Status};

use crate::oracle;

/// The digits that the oracle tries for a puzzle at most.
const STEPS: u64 = 3000;

/// Any batch, of clues or of candidates: every level of the lane engine gives the same outcomes, and the scalar
/// engine and the oracle agree on status and count; every solution is one.
///
/// The first byte chooses limit, cap and kind, the rest are puzzles: a byte with the high bit set is a number of
/// blank cells; any other is a digit modulo ten, or the first of two that are a set of candidates.
pub fn levels(bytes: &[u8]) {
    let Some((&first, mut bytes)) = bytes.split_first() else { return };
    let limit = NonZeroU64::MIN.saturating_add(u64::from(first % 4));
    let limits = Limits::up_to(limit).max_guesses(200);
    let (mut clues, mut candidates) = (Vec::new(), Vec::new());
    while !bytes.is_empty() && clues.len() < 80 {
        let (mut digits, mut sets) = ([0; CELLS], [Candidates::NINE; CELLS]);
        let mut at = 0;
        while at < CELLS {
            let Some((&byte, rest)) = bytes.split_first() else { break };
            bytes = rest;
            if byte < 128 {
                digits[at] = byte % 10;
                if first >= 128 {
                    let Some((&low, rest)) = bytes.split_first() else { break };
                    bytes = rest;
                    sets[at] = u16::from_be_bytes([byte, low]) & Candidates::NINE;
                }
                at += 1;
            } else {
                at += usize::from(byte - 127);
            }
        }
        clues.push(Puzzle::from_cells(digits).unwrap());
        candidates.push(Candidates::from_cells(sets).unwrap());
    }
    let given = if first < 128 {
        candidates = clues.iter().map(Candidates::from).collect();
        PuzzleSlice::Clues(&clues)
    } else {
        PuzzleSlice::Candidates(&candidates)
    };

    let outcomes: Vec<_> = SimdLevel::available()
        .into_iter()
        .map(|level| Solver::new().level(level).limits(limits).threads(1).solve(given))
        .collect();
    assert!(outcomes.iter().all(|other| *other == outcomes[0]));
    let alone = Solver::new().engine(Engine::Scalar).limits(limits.max_guesses(2000)).solve(&candidates);
    for ((puzzle, outcome), alone) in candidates.iter().zip(outcomes[0].iter()).zip(alone.iter()) {
        let found = (outcome.status, outcome.solutions);
        if outcome.status != Status::GaveUp && alone.status != Status::GaveUp {
            assert_eq!(found, (alone.status, alone.solutions), "{puzzle}");
        }
        if outcome.status != Status::GaveUp {
            if oracle::clashes(puzzle.cells()) {
                assert_eq!(found, (Status::Invalid, 0), "{puzzle}");
            } else if let Some(count) = oracle::count(puzzle.cells(), limit.get(), STEPS) {
                assert_eq!(found, (status(count, limit.get()), count), "{puzzle}");
            }
        }
        assert_eq!(outcome.solution.is_some(), outcome.solutions > 0, "{puzzle}");
        if let Some(solution) = outcome.solution {
            assert!(oracle::solves(solution.cells(), puzzle.cells()), "{puzzle} {solution}");
        }
    }
}

/// The status of a complete search.
pub fn status(solutions: u64, limit: u64) -> Status {
    match (solutions, limit) {
        (0, _) => Status::NoSolution,
        (1, 1) => Status::Solved,
        (1, _) => Status::Unique,
        _ => Status::Multiple,
    }
}
