//! Any batch: every level of the lane engine gives the same outcomes, and the single-puzzle solver
//! agrees on status and count; every solution is one.
#![no_main]

use libfuzzer_sys::fuzz_target;
use rapidoku::engine::{Engine, Outcomes, Search};
use rapidoku::grid::{CELLS, Puzzle, Solution, Status};
use rapidoku::simd::Level;
use rapidoku::{scalar, verify};

// The first byte chooses limit and cap, the rest are puzzles: a byte with the high bit set skips so many
// blank cells, any other is a digit modulo ten.
fuzz_target!(|bytes: &[u8]| {
    let Some((&first, mut bytes)) = bytes.split_first() else { return };
    let search = Search { limit: u64::from(first % 4) + 1, max_guesses: 200 };
    let mut puzzles = Vec::new();
    while !bytes.is_empty() && puzzles.len() < 80 {
        let mut cells = [0; CELLS];
        let mut at = 0;
        while at < CELLS {
            let Some((&byte, rest)) = bytes.split_first() else { break };
            bytes = rest;
            if byte < 128 {
                cells[at] = byte % 10;
                at += 1;
            } else {
                at += usize::from(byte - 127);
            }
        }
        puzzles.push(Puzzle::from_cells(cells).unwrap());
    }

    let outcomes: Vec<_> = Level::available()
        .into_iter()
        .map(|level| {
            let mut outcomes = Outcomes::default();
            Engine::Lanes(level).solve(&puzzles, search, &mut outcomes);
            outcomes
        })
        .collect();
    assert!(outcomes.iter().all(|other| *other == outcomes[0]));
    for (k, puzzle) in puzzles.iter().enumerate() {
        let status = outcomes[0].status[k];
        let oracle = scalar::solve(puzzle, Search { max_guesses: 2000, ..search });
        if status != Status::Limit && oracle.status != Status::Limit {
            assert_eq!((status, outcomes[0].solutions[k]), (oracle.status, oracle.solutions), "{puzzle}");
        }
        if outcomes[0].solutions[k] > 0 {
            let digits = std::array::from_fn(|cell| outcomes[0].rows[k][cell] - b'0');
            verify::check(puzzle, &Solution::from_cells(digits).unwrap()).unwrap();
        }
    }
});
