//! Any batch, of clues or of candidates: every level of the lane engine gives the same outcomes, and the single-puzzle
//! solver agrees on status and count; every solution is one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rapidoku::engine::{Engine, PuzzleSlice, Outcomes, Limits};
use rapidoku::grid::{CELLS, Candidates, Puzzle, Solution, Status};
use rapidoku::simd::Level;
use rapidoku::{scalar, verify};

// The first byte chooses limit, cap and kind, the rest are puzzles: a byte with the high bit set skips so many
// blank cells; any other is a digit modulo ten, or the first of two that are a set of candidates.
fuzz_target!(|bytes: &[u8]| {
    let Some((&first, mut bytes)) = bytes.split_first() else { return };
    let search = Limits { limit: u64::from(first % 4) + 1, max_guesses: 200 };
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

    let outcomes: Vec<_> = Level::available()
        .into_iter()
        .map(|level| {
            let mut outcomes = Outcomes::default();
            Engine::Lanes(level).solve(given, search, &mut outcomes);
            outcomes
        })
        .collect();
    assert!(outcomes.iter().all(|other| *other == outcomes[0]));
    for (k, puzzle) in candidates.iter().enumerate() {
        let status = outcomes[0].status[k];
        let oracle = scalar::solve_candidates(puzzle, Limits { max_guesses: 2000, ..search });
        if status != Status::Limit && oracle.status != Status::Limit {
            assert_eq!((status, outcomes[0].solutions[k]), (oracle.status, oracle.solutions), "{puzzle}");
        }
        if outcomes[0].solutions[k] > 0 {
            let digits = std::array::from_fn(|cell| outcomes[0].rows[k][cell] - b'0');
            verify::check_candidates(puzzle, &Solution::from_cells(digits).unwrap()).unwrap();
        }
    }
});
