use rapidoku::verify::{self, Flaw};
use rapidoku::{Candidates, Puzzle, Solution};

use crate::bytes::Bytes;
use crate::oracle;

/// Any complete grid, mostly nearly a solution: the checker accepts exactly those that the oracle accepts, and the flaw
/// that it names is one.
pub fn check(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let shift = bytes.below(9);
    let mut grid = oracle::SOLVED.map(|byte| (byte - b'1' + shift) % 9 + 1);
    let sets = bytes.sets();
    let clues = bytes.clues();
    while !bytes.is_empty() {
        let (a, b) = (usize::from(bytes.below(81)), usize::from(bytes.below(90)));
        if b < 81 { grid.swap(a, b) } else { grid[a] = b as u8 - 80 }
    }
    let solution = Solution::from_cells(grid).unwrap();
    let puzzle = Puzzle::from_cells(clues).unwrap();
    let result = verify::check(&puzzle, &solution);
    assert_eq!(result.is_ok(), oracle::solves(&grid, &oracle::sets(&clues)), "{puzzle} {solution}");
    if let Err(flaw) = result {
        assert_flaw(flaw, &grid, &oracle::sets(&clues));
    }
    let candidates = Candidates::from_cells(sets).unwrap();
    let result = verify::check_candidates(&candidates, &solution);
    assert_eq!(result.is_ok(), oracle::solves(&grid, &sets), "{candidates} {solution}");
    if let Err(flaw) = result {
        assert_flaw(flaw, &grid, &sets);
    }
}

fn assert_flaw(flaw: Flaw, grid: &[u8; 81], sets: &oracle::Sets) {
    match flaw {
        Flaw::Clue { cell, clue, digit } => {
            let cell = usize::from(cell.0);
            assert_eq!((sets[cell], grid[cell]), (1 << (clue - 1), digit));
            assert_ne!(clue, digit);
        }
        Flaw::Candidate { cell, digit } => {
            let cell = usize::from(cell.0);
            assert_eq!((grid[cell], sets[cell] >> (digit - 1) & 1), (digit, 0));
        }
        Flaw::House { house, digit } => {
            let house = usize::from(house.0);
            let is_in = |cell: usize| match house {
                0..9 => cell / 9 == house,
                9..18 => cell % 9 == house - 9,
                _ => cell / 27 * 3 + cell % 9 / 3 == house - 18,
            };
            assert!((0..81).filter(|&cell| is_in(cell)).all(|cell| grid[cell] != digit));
        }
    }
}
