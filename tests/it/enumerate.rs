//! `Solver::enumerate`: the solutions of a plain search, each once, in an order that depends on the puzzle only.

use std::collections::HashSet;
use std::ops::ControlFlow;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::CELLS;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{
    CancelToken, Cancelled, Candidates, Limits, Outcomes, Puzzle, SimdLevel, Solution, Solver, Status, verify,
};

use crate::samples::{plain_search, puzzles, random_candidates, sample, up_to};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION};

type Cells = [u8; CELLS];

/// The solutions of each puzzle in the order of the calls, and the outcomes.
fn enumerate<'a>(solver: &Solver, puzzles: impl Into<PuzzleSlice<'a>>) -> (Vec<Vec<Cells>>, Outcomes) {
    let puzzles = puzzles.into();
    let (mut found, mut outcomes, mut last) = (vec![Vec::new(); puzzles.len()], Outcomes::new(), 0);
    let result = solver.enumerate(puzzles, &mut outcomes, &CancelToken::new(), |k, row| {
        assert!(k >= last && row[CELLS] == b'\n');
        last = k;
        found[k].push(std::array::from_fn(|cell| row[cell] - b'0'));
        ControlFlow::Continue(())
    });
    assert_eq!(result, Ok(ControlFlow::Continue(())));
    (found, outcomes)
}

/// The same at all levels, and with several numbers of threads, which must make no difference.
fn enumerate_all<'a>(limits: Limits, puzzles: impl Into<PuzzleSlice<'a>>) -> (Vec<Vec<Cells>>, Outcomes) {
    let puzzles = puzzles.into();
    let solver = Solver::new().limits(limits);
    let expected = enumerate(&solver.clone().threads(1), puzzles);
    let levels = SimdLevel::available();
    for (at, threads) in [2, 7, 1].into_iter().enumerate() {
        let level = levels[at % levels.len()];
        let found = enumerate(&solver.clone().level(level).threads(threads), puzzles);
        assert!(found == expected, "{level}, {threads} threads");
    }
    for (k, found) in expected.0.iter().enumerate() {
        let outcome = expected.1.get(k).unwrap();
        assert_eq!(outcome.solutions, found.len() as u64);
        assert_eq!(outcome.solution.map(|solution| *solution.cells()), found.first().copied());
    }
    expected
}

fn set(found: &[Cells]) -> HashSet<Cells> {
    let all: HashSet<_> = found.iter().copied().collect();
    assert_eq!(all.len(), found.len(), "a solution was passed twice");
    all
}

/// A puzzle with a certain number of clues of [`SOLUTION`], those at the end of the grid.
fn last_clues(clues: usize) -> Puzzle {
    let text: String = SOLUTION.chars().enumerate().map(|(cell, c)| if cell < 81 - clues { '.' } else { c }).collect();
    text.parse().unwrap()
}

#[test]
fn the_solutions_of_a_plain_search() {
    let few = PUZZLE.replace("79", "..");
    let texts = [CLASH, PUZZLE, NO_SOLUTION, &few, PUZZLE, SOLUTION].join("\n");
    let mut all = puzzles(&texts);
    all.extend((37..49).map(last_clues));
    all.push(crate::support::clash());
    let (found, outcomes) = enumerate_all(Limits::ALL, &all);
    let mut numbers = Vec::new();
    for (k, puzzle) in all.iter().enumerate() {
        let mut expected = HashSet::new();
        if puzzle.clash().is_none() {
            let cells = *Candidates::from(puzzle).cells();
            plain_search(&cells, &Vec::from_iter(0..CELLS), &mut expected);
        }
        assert!(set(&found[k]) == expected, "{puzzle}: {} and {}", found[k].len(), expected.len());
        let status = match expected.len() {
            _ if puzzle.clash().is_some() => Status::Invalid,
            0 => Status::NoSolution,
            1 => Status::Unique,
            _ => Status::Multiple,
        };
        assert_eq!(outcomes.statuses()[k], status, "{puzzle}");
        numbers.push(expected.len());
    }
    assert_eq!(numbers[..6], [0, 1, 0, 2, 1, 1]);
    // Some fit into the first search, others do not.
    assert!(numbers.iter().any(|n| (100..1000).contains(n)), "{numbers:?}");
    assert!(numbers.iter().any(|n| (3000..10_000).contains(n)), "{numbers:?}");
    assert!(numbers.iter().any(|n| *n > 100_000), "{numbers:?}");
}

#[test]
fn a_limit_takes_the_first_solutions() {
    let all = [last_clues(43), PUZZLE.parse().unwrap(), Puzzle::EMPTY, last_clues(30), last_clues(40)];
    let (most, _) = enumerate(&Solver::new().limits(up_to(40_000)), &all);
    for limit in [1, 2, 3, 100, 1500, 2047, 2048, 2049, 2500, 10_000, 33_333] {
        let (found, outcomes) = enumerate_all(up_to(limit), &all);
        for (k, found) in found.iter().enumerate() {
            let n = most[k].len().min(limit as usize);
            assert!(*found == most[k][..n], "record {k}, limit {limit}: {}", found.len());
        }
        assert_eq!(outcomes.statuses()[2], if limit == 1 { Status::Solved } else { Status::Multiple });
    }
    for found in &most {
        set(found);
    }
    for cells in &most[2] {
        verify::check(&Puzzle::EMPTY, &Solution::from_cells(*cells).unwrap()).unwrap();
    }
}

/// The neighbours of a puzzle, and where a call begins, make no difference.
#[test]
fn any_neighbours() {
    let all: Vec<_> = sample().into_iter().take(400).chain([Puzzle::EMPTY, last_clues(33)]).rev().collect();
    let limits = up_to(5000);
    let (whole, outcomes) = enumerate_all(limits, &all);
    let solver = Solver::new().limits(limits).threads(1);
    for n in [1, 7, 40] {
        for (part, found) in all.chunks(n).zip(whole.chunks(n)) {
            assert!(enumerate(&solver, part).0 == found);
        }
    }
    let (alone, outcome) = enumerate(&solver, &all[..1]);
    assert_eq!((&alone[0], outcome.get(0)), (&whole[0], outcomes.get(0)));
}

#[test]
fn limits_of_guesses() {
    let all = [last_clues(41), last_clues(39), PUZZLE.parse().unwrap(), last_clues(38), Puzzle::EMPTY];
    let (whole, _) = enumerate(&Solver::new().limits(up_to(100_000)), &all);
    let (_, full) = enumerate(&Solver::new().limits(Limits::ALL), &all[..4]);
    let needed = full.guesses()[1];
    assert!(needed > 5000 && full.statuses()[1] == Status::Multiple);
    for cap in [0, 1, 100, 2047, 2048, 2049, 2100, 4000, needed - 1, needed, needed + 1] {
        let (found, outcomes) = enumerate_all(up_to(100_000).max_guesses(cap), &all);
        for (k, found) in found.iter().enumerate() {
            let outcome = outcomes.get(k).unwrap();
            let enough = full.guesses().get(k).is_some_and(|needed| *needed <= cap);
            assert_eq!(outcome.status == Status::GaveUp, !enough, "record {k}, {cap} guesses");
            assert_eq!(outcome.guesses, if enough { full.guesses()[k] } else { cap });
            assert!(*found == whole[k][..found.len()], "record {k}, {cap} guesses");
            assert!(found.len() == whole[k].len() || !enough);
            assert!(enough || k == 2 || cap < 100 || found.len() > 20, "record {k}, {cap} guesses");
        }
    }
}

#[test]
fn candidates() {
    let mut random = ChaCha8Rng::seed_from_u64(29);
    let mut all: Vec<_> = (0..100).map(|_| random_candidates(&mut random)).collect();
    all.push(Candidates::from(&last_clues(39)));
    let (found, _) = enumerate_all(up_to(3000), &all);
    let mut many = 0;
    for (candidates, found) in all.iter().zip(&found) {
        for cells in found {
            verify::check_candidates(candidates, &Solution::from_cells(*cells).unwrap()).unwrap();
        }
        let n = candidates.solutions().limits(up_to(3000)).count();
        assert_eq!(set(found).len(), n, "{candidates}");
        many += usize::from(n > 2000);
    }
    assert!(many > 1, "{many}");
    let (clues, _) = enumerate(&Solver::new().limits(up_to(3000)), &[last_clues(39)]);
    assert!(clues[0] == found[100], "candidates that clues imply have the order of the clues");
}

/// Searches that find nothing for thousands of guesses are dropped, and those of equivalent puzzles follow.
#[test]
fn restarts() {
    let (all, expected) = crate::restart::clues();
    let limits = up_to(2).max_guesses(60_000);
    let (found, outcomes) = enumerate_all(limits, &all);
    let mut restarted = 0;
    for (k, found) in found.iter().enumerate() {
        let outcome = outcomes.get(k).unwrap();
        assert_eq!(set(found).len() as u64, outcome.solutions);
        assert!(outcome.solutions == expected[k] || outcome.status == Status::GaveUp, "record {k}");
        for cells in found {
            verify::check(&all[k], &Solution::from_cells(*cells).unwrap()).unwrap();
        }
        restarted += usize::from(outcome.guesses > 4096 && outcome.status != Status::GaveUp);
    }
    assert!(restarted > 0);
}

#[test]
fn a_break_and_a_cancellation_end_it() {
    let all = [PUZZLE.parse().unwrap(), Puzzle::EMPTY, PUZZLE.parse().unwrap()];
    let solver = Solver::new().limits(Limits::ALL);
    for last in [1, 2, 1000, 5000, 20_000] {
        let (mut outcomes, mut calls) = (Outcomes::new(), 0);
        let result = solver.enumerate(&all, &mut outcomes, &CancelToken::new(), |_, _| {
            calls += 1;
            if calls == last { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((result, calls), (Ok(ControlFlow::Break(())), last));
        assert!(last == 1 || outcomes.get(0).unwrap().status == Status::Unique);
    }
    let (cancel, mut calls) = (CancelToken::new(), 0);
    let result = solver.enumerate(&all, &mut Outcomes::new(), &cancel, |_, _| {
        calls += 1;
        if calls == 5000 {
            cancel.cancel();
        }
        ControlFlow::Continue(())
    });
    assert_eq!(result, Err(Cancelled));
    assert!((5000..40_000).contains(&calls), "{calls}");
    // A search that finds nothing looks at the token as well.
    let line = "....8...........9.....29.5..4..98.................2.6...7........35....9.........";
    let dead: [Puzzle; 1] = [line.parse().unwrap()];
    let result = solver.enumerate(&dead, &mut Outcomes::new(), &cancel, |_, _| unreachable!("there is no solution"));
    assert_eq!(result, Err(Cancelled));
}
