//! Puzzles given as candidates: every level gives the answers of the scalar engine.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::{CELLS, box_of};
use rapidoku::{Candidates, Limits, Outcome, Outcomes, SimdLevel, Solver, Status, verify};

use crate::samples::{random_candidates, solve_candidates_alone, up_to};

fn in_lanes(level: SimdLevel, candidates: &[Candidates], limits: Limits) -> Outcomes {
    Solver::new().level(level).limits(limits).threads(1).solve(candidates)
}

#[test]
fn every_level_takes_candidates() {
    let mut random = ChaCha8Rng::seed_from_u64(9);
    let all: Vec<_> = (0..800).map(|_| random_candidates(&mut random)).collect();
    for limits in [up_to(1), up_to(2), up_to(100), up_to(2).max_guesses(3)] {
        let solve = |level, candidates: &[Candidates]| in_lanes(level, candidates, limits);
        let levels = SimdLevel::available();
        let first = solve(levels[0], &all);
        for &level in &levels[1..] {
            assert!(solve(level, &all) == first, "{level}");
        }
        // Neighbours make no difference, nor is there one if a batch is not full.
        for k in 0..100 {
            let alone = solve(levels[0], &all[k..=k]);
            assert_eq!(alone.get(0), first.get(k));
        }
        for (k, candidates) in all.iter().enumerate() {
            let found = first.get(k).unwrap();
            if limits.guesses == u64::MAX {
                let expected = solve_candidates_alone(candidates, limits);
                let parts = |outcome: Outcome| (outcome.status, outcome.solutions);
                assert_eq!(parts(found), parts(expected), "{candidates}");
            }
            assert_eq!(found.solution.is_some(), found.solutions > 0);
            found.solution.inspect(|solution| verify::check_candidates(candidates, solution).unwrap());
        }
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

/// A solved grid like no other.
fn random_solution(random: &mut ChaCha8Rng) -> [u8; CELLS] {
    let mut shuffled = || {
        let mut order: [usize; 9] = std::array::from_fn(|i| i);
        order.as_chunks_mut::<3>().0.shuffle(random);
        order.as_chunks_mut::<3>().0.iter_mut().for_each(|three| three.shuffle(random));
        order
    };
    let (rows, columns, mut digits) = (shuffled(), shuffled(), [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    digits.shuffle(random);
    std::array::from_fn(|cell| {
        let (r, c) = (rows[cell / 9], columns[cell % 9]);
        digits[(3 * r + r / 3 + c) % 9]
    })
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
                let solution = random_solution(&mut random);
                cells.iter_mut().zip(solution).for_each(|(set, digit)| *set |= 1 << (digit - 1));
            }
            Candidates::from_cells(cells).unwrap()
        })
        .collect();
    for limit in [1, 2, 5, 10, 1000] {
        let solve = |level, candidates: &[Candidates]| in_lanes(level, candidates, up_to(limit));
        let expected = solve(SimdLevel::PORTABLE, &all);
        for (k, candidates) in all.iter().enumerate() {
            let oracle = solve_candidates_alone(candidates, up_to(limit));
            assert_eq!(expected.solution_counts()[k], oracle.solutions, "{limit}: {candidates}");
        }
        // A few share the lanes of a vector, one has all of them.
        for (level, batch) in
            SimdLevel::available().into_iter().flat_map(|level| [(level, 300), (level, 3), (level, 1)])
        {
            for (some, first) in all.chunks(batch).zip((0..).step_by(batch)) {
                let outcomes = solve(level, some);
                for (k, candidates) in some.iter().enumerate() {
                    let (found, expected) = (outcomes.get(k), expected.get(first + k));
                    assert_eq!(found, expected, "{level} {limit} {batch}: {candidates}");
                }
            }
        }
    }
}

/// Random pencilmarks, most of which are searched with look-ahead or have no solution, against a depth-first search.
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
        let outcomes = Solver::new().limits(up_to(limit)).solve(&all);
        assert!(outcomes.guesses().iter().filter(|&&guesses| guesses > 128).count() > 10);
        for (candidates, outcome) in all.iter().zip(outcomes.iter()) {
            let solutions = candidates.solutions().limits(up_to(limit)).count() as u64;
            assert_eq!(outcome.solutions, solutions, "{candidates}");
            if let Some(solution) = outcome.solution {
                verify::check_candidates(candidates, &solution).unwrap();
            }
        }
        for level in SimdLevel::available() {
            assert!(in_lanes(level, &all, up_to(limit)) == outcomes, "{level}");
        }
    }
}
