//! The scalar engine: right statuses, counts and solutions, whatever the puzzle.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::Index;
use rapidoku::grid::{CELLS, PEERS};
use rapidoku::outcome::BLANK_ROW;
use rapidoku::{Candidates, Engine, Limits, Outcomes, Puzzle, Solver, Status};

use crate::samples::{check_row, plain_search, puzzles, sample, sample_status, solve_alone as solve, up_to};

fn batch(puzzles: &[Puzzle], search: Limits) -> Outcomes {
    Solver::new().engine(Engine::Scalar).limits(search).solve(puzzles)
}

/// Each row is a solution of its puzzle where there is one, and blank elsewhere.
#[test]
fn sample_and_classics() {
    let classics = puzzles(include_str!("../../datasets/classics.txt"));
    type Statuses = fn(usize) -> Status;
    let sets: [(_, Statuses); 2] = [(sample(), sample_status), (classics, |_| Status::Unique)];
    for (puzzles, status) in sets {
        let [first, both] = [1, 2].map(|limit| batch(&puzzles, up_to(limit)));
        assert_eq!(first.rows(), both.rows(), "the limit does not change which solution comes first");
        for (k, puzzle) in puzzles.iter().enumerate() {
            let (at_1, solutions) = match status(k) {
                Status::Unique => (Status::Solved, 1),
                Status::Multiple => (Status::Solved, 2),
                none => (none, 0),
            };
            check_row(puzzle, &first.rows()[k], solutions > 0);
            assert_eq!(first.statuses()[k], at_1, "line {} at limit 1", k + 1);
            assert_eq!((both.statuses()[k], both.solution_counts()[k]), (status(k), solutions), "line {}", k + 1);
        }
    }
}

/// Which solution comes first is a promise: a change here is a change of behaviour to tell users of.
#[test]
fn the_first_solution_never_changes() {
    let first = "123456789456789123789123456231674895865912374947538261374265918592841637618397542";
    for limit in [1, 2, 1_000] {
        assert_eq!(solve(&Puzzle::EMPTY, up_to(limit)).solution.unwrap().to_string(), first);
    }
}

#[test]
fn clashes_are_invalid_without_a_search() {
    let outcomes = batch(&[crate::support::clash(), Puzzle::EMPTY], up_to(1));
    assert_eq!(outcomes.statuses(), [Status::Invalid, Status::Solved]);
    assert_eq!((outcomes.guesses()[0], outcomes.rows()[0]), (0, BLANK_ROW));
    for (cell, peers) in PEERS.iter().enumerate() {
        for &peer in peers {
            let mut cells = [0; CELLS];
            cells[cell] = 4;
            cells[peer as usize] = 4;
            let answer = solve(&Puzzle::from_cells(cells).unwrap(), up_to(2));
            assert_eq!((answer.status, answer.solution, answer.solutions), (Status::Invalid, None, 0));
        }
    }
}

#[test]
fn an_iterator_knows_what_it_has_shown() {
    for puzzle in sample().iter().skip(18).step_by(20).take(50) {
        let mut solutions = puzzle.solutions();
        assert_eq!(solutions.outcome().status, Status::GaveUp, "nothing is known before the first solution");
        solutions.next();
        assert_eq!(solutions.outcome(), solve(puzzle, up_to(1)));
        assert_eq!(1 + solutions.by_ref().count() as u64, solve(puzzle, up_to(u64::MAX)).solutions);
        assert_eq!(solutions.outcome(), solve(puzzle, up_to(u64::MAX)));
        let mut limited = puzzle.solutions().limits(up_to(1));
        assert_eq!((limited.by_ref().count(), limited.outcome()), (1, solve(puzzle, up_to(1))));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn agrees_with_brute_force(
        line in any::<Index>(),
        blanks in prop::collection::vec(0..CELLS, 0..45),
        wrong in prop::option::of((0..CELLS, 1..=9_u8)),
    ) {
        // Lines 19 and 20 of every twenty have several solutions and none.
        let unique = sample()[20 * line.index(500)];
        let mut cells = *solve(&unique, up_to(1)).solution.unwrap().cells();
        blanks.iter().for_each(|&cell| cells[cell] = 0);
        if let Some((cell, digit)) = wrong {
            for peer in PEERS[cell].map(usize::from) {
                if cells[peer] == digit {
                    cells[peer] = 0;
                }
            }
            cells[cell] = digit;
        }
        let puzzle = Puzzle::from_cells(cells).unwrap();
        let mut expected = HashSet::new();
        if puzzle.clash().is_none() {
            plain_search(Candidates::from(&puzzle).cells(), &Vec::from_iter(0..CELLS), &mut expected);
        }
        let seen: HashSet<_> = puzzle.solutions().map(|solution| *solution.cells()).collect();
        prop_assert_eq!(seen, expected);
    }
}
