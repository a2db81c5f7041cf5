//! Puzzles given as candidates: every level gives the answers of the scalar engine.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::{CELLS, Symmetry, box_of};
use rapidoku::{Candidates, Limits, Outcomes, SimdLevel, Solver, Status, verify};

use crate::samples::{random_candidates, solve_candidates_alone, up_to};
use crate::support::SOLUTION;

fn in_lanes(level: SimdLevel, candidates: &[Candidates], limits: Limits) -> Outcomes {
    Solver::new().level(level).limits(limits).threads(1).solve(candidates)
}

/// The outcomes at every level, which are those of the scalar engine, whatever the batch: a few share the lanes of a
/// vector, one has all of them.
fn check(all: &[Candidates], limits: Limits) -> Outcomes {
    let expected = in_lanes(SimdLevel::PORTABLE, all, limits);
    for level in SimdLevel::available() {
        for batch in [all.len(), 3, 1] {
            for (some, first) in all.chunks(batch).zip((0..).step_by(batch)) {
                for (k, found) in in_lanes(level, some, limits).iter().enumerate() {
                    assert_eq!(Some(found), expected.get(first + k), "{level}, {limits:?}: {}", some[k]);
                }
            }
        }
    }
    for (candidates, found) in all.iter().zip(expected.iter()) {
        if limits.guesses == u64::MAX {
            let alone = solve_candidates_alone(candidates, limits);
            assert_eq!((found.status, found.solutions), (alone.status, alone.solutions), "{candidates}");
        }
        assert_eq!(found.solution.is_some(), found.solutions > 0);
        found.solution.inspect(|solution| verify::check_candidates(candidates, solution).unwrap());
    }
    expected
}

#[test]
fn every_level_takes_candidates() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let all: Vec<_> = (0..800).map(|_| random_candidates(&mut random)).collect();
    for limits in [up_to(1), up_to(2), up_to(100), up_to(2).max_guesses(3)] {
        check(&all, limits);
    }
}

/// A cell that is the only place of two digits in its box has no digit, and no guess is needed to see it.
#[test]
fn no_cell_is_the_only_place_of_two_digits() {
    let all: Vec<_> = (0..CELLS)
        .map(|only| {
            Candidates::from_cells(std::array::from_fn(|cell| {
                let elsewhere = box_of(cell) == box_of(only) && cell != only;
                Candidates::NINE & if elsewhere { !0b1001 } else { !0 }
            }))
            .unwrap()
        })
        .collect();
    for level in SimdLevel::available() {
        let outcomes = in_lanes(level, &all, up_to(1));
        assert!(outcomes.statuses().iter().all(|&status| status == Status::NoSolution), "{level}");
        assert!(outcomes.guesses().iter().all(|&guesses| guesses == 0), "{level}");
    }
}

/// Some solved grids laid over each other have few solutions, and so much open in every band and stack that two digits
/// are guessed at once. What is put aside for that has to make up the whole, and nothing twice.
#[test]
fn all_that_is_put_aside_is_searched_once() {
    let mut random = ChaCha8Rng::seed_from_u64(27);
    let all: Vec<_> = (0..300)
        .map(|k| {
            let mut cells = [0u16; CELLS];
            for _ in 0..3 + k % 2 {
                let solution = Symmetry::of_seed(random.random()).solution(&SOLUTION.parse().unwrap());
                cells.iter_mut().zip(solution.cells()).for_each(|(set, digit)| *set |= 1 << (digit - 1));
            }
            Candidates::from_cells(cells).unwrap()
        })
        .collect();
    for limit in [1, 2, 5, 10, 1000] {
        check(&all, up_to(limit));
    }
}

/// Random pencilmarks, most of which are searched with look-ahead or have no solution.
#[test]
fn look_ahead_finds_what_a_plain_search_finds() {
    let mut random = ChaCha8Rng::seed_from_u64(27);
    let all: Vec<Candidates> = (0..600)
        .map(|_| {
            let keep = random.random_range(0.5..0.72);
            let mut set = || (0..9).filter(|_| random.random_bool(keep)).fold(0, |set, d| set | 1 << d);
            Candidates::from_cells(std::array::from_fn(|_| set())).unwrap()
        })
        .collect();
    for limit in [1, 2, 100] {
        let outcomes = check(&all, up_to(limit));
        assert!(outcomes.guesses().iter().filter(|&&guesses| guesses > 128).count() > 10);
    }
}
