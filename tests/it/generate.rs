//! Minimal puzzles and redundant clues. The oracle is the scalar engine, which shares no code with the lanes.

use std::collections::BTreeSet;

use rapidoku::generate::{Generator, Minimizer};
use rapidoku::{CancelToken, Limits, Puzzle, SimdLevel, Solver, Status};

use crate::samples::{is_unique, redundant, sample, sample_of, solve_alone, without};

fn is_within(part: &Puzzle, whole: &Puzzle) -> bool {
    part.cells().iter().zip(whole.cells()).all(|(&a, &b)| a == 0 || a == b)
}

#[test]
fn results_are_minimal_and_contained_and_the_same_at_every_level() {
    let mut given = sample()[..400].to_vec();
    // A complete grid, a clash, and no clues at all.
    given.extend([Solver::new().solve(&given).solution(0).unwrap().into(), crate::support::clash(), Puzzle::EMPTY]);
    let (outcomes, token) = (Solver::new().solve(&given), CancelToken::new());
    let expected = Minimizer::new(3).minimize(&given, &outcomes, &token).unwrap();
    for (k, found) in expected.iter().enumerate() {
        assert_eq!(found.is_some(), outcomes.statuses()[k] == Status::Unique);
        if let Some(found) = found {
            assert!(is_within(found, &given[k]) && is_unique(found), "{found}");
            assert!(redundant(found).is_empty(), "{found}");
        }
    }
    assert!(expected[400].is_some_and(|found| found.clue_count() < 30));
    for level in SimdLevel::available() {
        let minimizer = Minimizer::new(3).level(level);
        assert_eq!(minimizer.minimize(&given, &outcomes, &token).unwrap(), expected, "{level}");
    }
    // Alone or among others.
    for k in [0, 13, 18, 400] {
        let alone = [given[k]];
        let alone = Minimizer::new(3).minimize(&alone, &Solver::new().solve(&alone), &token).unwrap();
        assert_eq!(alone[0], expected[k]);
    }
    assert_ne!(Minimizer::new(4).minimize(&given, &outcomes, &token).unwrap(), expected);
    token.cancel();
    let many = vec![given[12]; 50_000];
    assert!(Minimizer::new(3).minimize(&many, &Solver::new().solve(&many), &token).is_err());
}

/// The definition: one clue at a time, with the scalar engine.
#[test]
fn shortcuts_give_the_puzzles_of_the_definition_at_every_level() {
    for level in SimdLevel::available() {
        let generator = Generator::new(5).level(level);
        let made = generator.minimal(100..400, &CancelToken::new()).unwrap();
        for (number, (puzzle, solution)) in (100..).zip(made) {
            let (grid, order) = generator.start(number);
            let mut naive = Puzzle::from_cells(grid).unwrap();
            for cell in order {
                let less = without(&naive, &[cell.into()]);
                naive = if is_unique(&less) { less } else { naive };
            }
            assert_eq!((*solution.cells(), puzzle), (grid, naive), "{level} {number}");
        }
    }
}

#[test]
fn puzzles_do_not_depend_on_those_made_with_them() {
    let (generator, token) = (Generator::new(6), CancelToken::new());
    let make = |numbers| generator.minimal(numbers, &token).unwrap();
    let all = make(0..300);
    for n in [0, 1, 7, 63, 64, 65] {
        assert_eq!(make(10..10 + n), all[10..10 + n as usize]);
    }
    assert_eq!(make(u64::MAX - 3..u64::MAX).len(), 3);
    assert_ne!(Generator::new(7).minimal(0..1, &token).unwrap()[0], all[0]);
    token.cancel();
    assert!(generator.minimal(0..100_000, &token).is_err());
}

#[test]
fn redundant_clues_are_counted() {
    let given = &sample()[..600];
    let (outcomes, token) = (Solver::new().solve(given), CancelToken::new());
    let expected: Vec<Option<u32>> = (0..given.len())
        .map(|k| (outcomes.statuses()[k] == Status::Unique).then(|| redundant(&given[k]).len() as u32))
        .collect();
    assert!(expected.iter().flatten().any(|&n| n > 5) && expected.contains(&Some(0)));
    for level in SimdLevel::available() {
        let found = Minimizer::new(0).level(level).redundant(given, &outcomes, &token).unwrap();
        assert_eq!(found, expected, "{level}");
    }
}

/// All minimal puzzles in a puzzle, by the definition.
fn all_minimal(puzzle: &Puzzle, seen: &mut BTreeSet<Puzzle>, found: &mut BTreeSet<Puzzle>) {
    if !seen.insert(*puzzle) {
        return;
    }
    let redundant = redundant(puzzle);
    if redundant.is_empty() {
        found.insert(*puzzle);
    }
    for cell in redundant {
        all_minimal(&without(puzzle, &[cell]), seen, found);
    }
}

/// Minimal puzzles with three to five further clues, so that the definition can be tried on all of their parts.
fn nearly_minimal() -> Vec<Puzzle> {
    let mut given: Vec<Puzzle> = sample_of(Status::Unique).take(16).collect();
    for (k, puzzle) in given.iter_mut().enumerate() {
        let grid = solve_alone(puzzle, Limits::UNIQUE).solution.unwrap();
        while let Some(&cell) = redundant(puzzle).first() {
            *puzzle = without(puzzle, &[cell]);
        }
        let mut cells = *puzzle.cells();
        let blank: Vec<usize> = (0..81).filter(|&cell| cells[cell] == 0).collect();
        for at in 0..3 + k % 3 {
            let cell = blank[at * 11 + k % 11];
            cells[cell] = grid.cells()[cell];
        }
        *puzzle = Puzzle::from_cells(cells).unwrap();
    }
    given
}

#[test]
fn all_minimal_puzzles_are_found_once() {
    let given = nearly_minimal();
    let (outcomes, token) = (Solver::new().solve(&given), CancelToken::new());
    let one = Minimizer::new(7).minimize(&given, &outcomes, &token).unwrap();
    let all = Minimizer::new(7).all(&given, &outcomes, 5000, &token).unwrap();
    let some = Minimizer::new(7).all(&given, &outcomes, 3, &token).unwrap();
    let mut sizes = Vec::new();
    for (k, puzzle) in given.iter().enumerate() {
        let mut expected = BTreeSet::new();
        all_minimal(puzzle, &mut BTreeSet::new(), &mut expected);
        let found = all[k].as_ref().unwrap();
        assert!(found.is_complete);
        assert_eq!(found.puzzles.len(), expected.len());
        assert_eq!(found.puzzles.iter().copied().collect::<BTreeSet<_>>(), expected);
        assert_eq!(Some(found.puzzles[0]), one[k]);
        let first = some[k].as_ref().unwrap();
        assert_eq!(first.puzzles, found.puzzles[..found.puzzles.len().min(3)]);
        assert!(!first.is_complete || found.puzzles.len() <= 3);
        sizes.push(expected.len());
    }
    assert!(sizes.iter().filter(|&&n| n >= 5).count() >= 10 && sizes.iter().any(|&n| n >= 25), "{sizes:?}");
    for level in SimdLevel::available() {
        let minimizer = Minimizer::new(7).level(level);
        assert_eq!(minimizer.all(&given, &outcomes, 5000, &token).unwrap(), all, "{level}");
    }
}
