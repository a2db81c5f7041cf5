//! The scalar engine: right statuses, counts and solutions, whatever the puzzle.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::sample::Index;
use rapidoku::grid::{CELLS, PEERS, Symmetry};
use rapidoku::outcome::BLANK_ROW;
use rapidoku::{Candidates, Engine, Limits, Outcomes, Puzzle, Solver, Status, verify};

use crate::samples::{
    check_row, plain_search, puzzles, sample, sample_status, shared_datasets, solve_alone as solve, up_to,
};

fn batch(puzzles: &[Puzzle], search: Limits) -> Outcomes {
    Solver::new().engine(Engine::Scalar).limits(search).solve(puzzles)
}

/// Every row is a solution of its puzzle where there is one to give, and blank elsewhere.
fn check_rows(puzzles: &[Puzzle], outcomes: &Outcomes) {
    for ((puzzle, row), &count) in puzzles.iter().zip(outcomes.rows()).zip(outcomes.solution_counts()) {
        check_row(puzzle, row, count > 0);
    }
}

/// Solves a file at limits 1 and 2; `status(k)` is what line `k` must have at limit 2.
fn check_file(puzzles: &[Puzzle], status: impl Fn(usize) -> Status) {
    let (first, both) = (batch(puzzles, up_to(1)), batch(puzzles, up_to(2)));
    check_rows(puzzles, &first);
    check_rows(puzzles, &both);
    assert_eq!(first.rows(), both.rows(), "the limit does not change which solution comes first");
    for k in 0..puzzles.len() {
        let (at_1, at_2) = match status(k) {
            Status::Unique => (Status::Solved, (Status::Unique, 1)),
            Status::Multiple => (Status::Solved, (Status::Multiple, 2)),
            none => (none, (none, 0)),
        };
        assert_eq!(first.statuses()[k], at_1, "line {} at limit 1", k + 1);
        assert_eq!((both.statuses()[k], both.solution_counts()[k]), at_2, "line {} at limit 2", k + 1);
    }
}

#[test]
fn sample_and_classics() {
    check_file(&sample(), sample_status);
    check_file(&puzzles(include_str!("../../datasets/classics.txt")), |_| Status::Unique);
}

/// The shared datasets with the status of all their lines.
const SHARED: [(&str, usize, Status); 7] = [
    ("17_clue.txt", 49_158, Status::Unique),
    ("magictour_top1465.txt", 1_465, Status::Unique),
    ("hardest_24k.txt", 24_383, Status::Unique),
    ("minimal_100k.txt", 100_000, Status::Unique),
    ("easy_100k.txt", 100_000, Status::Unique),
    ("sparse_2k.txt", 2_000, Status::Multiple),
    ("zero_20k.txt", 19_994, Status::NoSolution),
];

#[test]
#[ignore = "needs the shared datasets"]
fn shared_datasets_have_their_known_status() {
    let folder = shared_datasets();
    for (name, lines, status) in SHARED {
        let puzzles = puzzles(&std::fs::read_to_string(folder.join(name)).unwrap());
        assert_eq!(puzzles.len(), lines, "{name}");
        check_file(&puzzles, |_| status);
    }
}

#[test]
#[ignore = "needs the shared datasets"]
fn counts_of_shared_puzzles_are_exact() {
    let folder = shared_datasets();
    let puzzles = puzzles(&std::fs::read_to_string(folder.join("multi_20k.txt")).unwrap());
    let counts = std::fs::read_to_string(folder.join("multi_20k.counts")).unwrap();
    let counts: Vec<u64> = counts.lines().map(|count| count.parse().unwrap()).collect();
    assert_eq!(counts.len(), 20_000);
    let outcomes = batch(&puzzles, up_to(1_000_000));
    assert_eq!(outcomes.solution_counts(), counts);
    check_rows(&puzzles, &outcomes);
    check_file(&puzzles, |k| if counts[k] == 1 { Status::Unique } else { Status::Multiple });
}

/// A grid of few clues must not send the search astray.
#[test]
fn sparse_grids_take_tens_of_guesses() {
    let mut sparse = vec![Puzzle::EMPTY];
    for puzzle in sample().iter().take(2_000) {
        let mut cells = *puzzle.cells();
        let kept = cells.iter_mut().filter(|clue| **clue != 0);
        kept.enumerate().for_each(|(n, clue)| *clue *= (n % 2 == 0) as u8);
        sparse.push(Puzzle::from_cells(cells).unwrap());
    }
    let outcomes = batch(&sparse, up_to(2));
    assert!(outcomes.guesses().iter().all(|&guesses| guesses < 100), "{:?}", outcomes.guesses().iter().max());
    check_rows(&sparse, &outcomes);
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
    fn symmetric_puzzles_have_as_many_solutions(
        line in any::<Index>(),
        fewer in 0..4_usize,
        seed in any::<u64>(),
    ) {
        let sample = sample();
        let mut cells = *sample[line.index(sample.len())].cells();
        let clues = cells.iter_mut().filter(|clue| **clue != 0);
        clues.step_by(5).take(fewer).for_each(|clue| *clue = 0);
        let puzzle = Puzzle::from_cells(cells).unwrap();
        let moved = Symmetry::of_seed(seed).puzzle(&puzzle);
        let (here, there) = (solve(&puzzle, up_to(5_000)), solve(&moved, up_to(5_000)));
        prop_assert_eq!((here.status, here.solutions), (there.status, there.solutions));
        if let Some(solution) = there.solution {
            prop_assert_eq!(verify::check(&moved, &solution), Ok(()));
        }
    }

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
