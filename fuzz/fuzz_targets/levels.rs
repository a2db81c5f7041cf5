//! Any batch, of clues or of candidates: every level of the lane engine gives the same outcomes, and the single-puzzle
//! solver agrees on status and count; every solution is one.
#![no_main]

use std::num::NonZeroU64;

use libfuzzer_sys::fuzz_target;
use rapidoku::grid::CELLS;
use rapidoku::{Candidates, Engine, SimdLevel, Limits, Puzzle, PuzzleSlice, Solver, Status, verify};

// The first byte chooses limit, cap and kind, the rest are puzzles: a byte with the high bit set skips so many
// blank cells; any other is a digit modulo ten, or the first of two that are a set of candidates.
fuzz_target!(|bytes: &[u8]| {
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
    let oracle = Solver::new().engine(Engine::Scalar).limits(limits.max_guesses(2000)).solve(&candidates);
    for ((puzzle, outcome), oracle) in candidates.iter().zip(outcomes[0].iter()).zip(oracle.iter()) {
        if outcome.status != Status::Limit && oracle.status != Status::Limit {
            let found = (outcome.status, outcome.solutions);
            assert_eq!(found, (oracle.status, oracle.solutions), "{puzzle}");
        }
        assert_eq!(outcome.solution.is_some(), outcome.solutions > 0, "{puzzle}");
        if let Some(solution) = outcome.solution {
            verify::check_candidates(puzzle, &solution).unwrap();
        }
    }
});
