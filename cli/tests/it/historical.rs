//! The historical solvers: they agree with the scalar solver, and each searches in its own way.

use rapidoku::{Limits, Outcome, Puzzle, Status, verify};
use rapidoku_jobs::historical::Historical;

use crate::samples::{puzzles, sample, solve_alone, up_to};
use crate::support::{self, CLASH, NO_SOLUTION, PUZZLE, SOLUTION};

/// Solvers that look ahead; the others put digits down cell by cell.
const WITH_CANDIDATES: [Historical; 2] = [Historical::ALL[2], Historical::ALL[3]];

#[track_caller]
fn assert_agrees(historical: Historical, puzzle: &Puzzle, limits: Limits) {
    let (answer, expected) = (historical.solve(puzzle, limits), solve_alone(puzzle, limits));
    assert_eq!(answer.status, expected.status, "{historical:?} on {puzzle}");
    assert_eq!(answer.solutions, expected.solutions, "{historical:?} on {puzzle}");
    assert_eq!(answer.solution.is_some(), answer.solutions > 0, "{historical:?} on {puzzle}");
    if let Some(solution) = answer.solution {
        verify::check(puzzle, &solution).unwrap_or_else(|flaw| panic!("{historical:?} on {puzzle}: {flaw}"));
    }
    if answer.status == Status::Unique {
        assert_eq!(answer.solution, expected.solution, "{historical:?} on {puzzle}");
    }
}

#[test]
fn all_agree_with_the_scalar_solver() {
    let (classics, sample) = (puzzles(include_str!("../../../datasets/classics.txt")), sample());
    // Among sixty lines are puzzles with one solution, several and none; the easy ones are for the slow.
    let easy = |line: &usize| (12..18).contains(&(line % 20));
    let easy: Vec<_> = (0..60).filter(easy).map(|line| sample[line]).collect();
    for (puzzles, historical, limit) in
        [(&classics[..], &WITH_CANDIDATES[..], 2), (&easy, &Historical::ALL, 2), (&sample[..120], &WITH_CANDIDATES, 10)]
    {
        for puzzle in puzzles {
            historical.iter().for_each(|one| assert_agrees(*one, puzzle, up_to(limit)));
        }
    }
}

#[test]
fn all_count_to_the_limit() {
    // Two rows and two boxes are left open: some hundred solutions, and the empty grid: 6.7e21.
    let open = format!("{}{}", ".".repeat(18), &SOLUTION[18..]);
    let open: Puzzle = open.parse().unwrap();
    let exact = solve_alone(&open, up_to(u64::MAX)).solutions;
    assert!(exact > 1);
    for historical in Historical::ALL {
        for limit in [1, 2, exact - 1, exact, exact + 1, u64::MAX] {
            assert_agrees(historical, &open, up_to(limit));
        }
        for limit in [1, 2, 1000] {
            assert_agrees(historical, &Puzzle::EMPTY, up_to(limit));
        }
    }
}

#[test]
fn all_detect_contradictions_and_reject_clashing_clues_without_a_search() {
    let no_solution: Puzzle = NO_SOLUTION.parse().unwrap();
    for historical in Historical::ALL {
        // The last cell of row 1 has no digit left: who starts at the bottom would take years to see it.
        if historical.name == "twenty-line" {
            let answer = historical.solve(&no_solution, up_to(1).max_guesses(100_000));
            assert_eq!((answer.status, answer.guesses), (Status::GaveUp, 100_000));
        } else {
            assert_agrees(historical, &no_solution, up_to(1));
        }
        let clash = CLASH.parse().unwrap();
        assert_eq!(historical.solve(&clash, up_to(2)), Outcome::INVALID, "{historical:?}");
    }
}

#[test]
fn the_cap_on_guesses_holds_and_is_exact() {
    let sample = sample();
    for historical in Historical::ALL {
        let guesses = |puzzle: &&Puzzle| historical.solve(puzzle, up_to(2)).guesses;
        // Lines 13 to 18 are the easy ones; the solvers with candidates do some of them without a guess.
        let puzzle = sample[12..18].iter().chain(&sample[..12]).find(|puzzle| guesses(puzzle) > 0).unwrap();
        let needed = guesses(&puzzle);
        let capped = |max_guesses| historical.solve(puzzle, up_to(2).max_guesses(max_guesses));
        assert_eq!((capped(needed).status, capped(needed).guesses), (Status::Unique, needed), "{historical:?}");
        let given_up = capped(needed - 1);
        assert_eq!((given_up.status, given_up.guesses), (Status::GaveUp, needed - 1), "{historical:?}");
    }
}

/// Known from the descriptions: which cell is filled first, and in which order digits are tried.
#[test]
fn each_searches_in_its_own_order() {
    for historical in Historical::ALL {
        let first = historical.solve(&Puzzle::EMPTY, up_to(1)).solution.expect("there are many");
        let cells = first.cells();
        match historical.name {
            "twenty-line" => assert_eq!(cells[72..], [9, 8, 7, 6, 5, 4, 3, 2, 1]),
            _ => assert_eq!(cells[..9], [1, 2, 3, 4, 5, 6, 7, 8, 9], "{historical:?}"),
        }
    }
    let guesses = |historical: Historical| historical.solve(&PUZZLE.parse().unwrap(), up_to(1)).guesses;
    let [twenty_line, brute_force, subsets, _, small_model_clone, small_model, three_line] =
        Historical::ALL.map(guesses);
    assert_eq!(subsets, 0, "an easy puzzle follows from rule 1");
    assert_eq!([small_model_clone, three_line], [small_model; 2]);
    assert!(brute_force > small_model && twenty_line != small_model);
}

#[test]
fn all_are_selected_by_name() {
    for historical in Historical::ALL {
        let run = support::solve(["--engine", historical.name, "--stats"], PUZZLE.as_bytes());
        assert_eq!((run.code, run.stdout()), (Some(0), &*format!("{SOLUTION}\n")), "{historical:?}");
        assert!(run.stderr.contains(&format!("{} engine", historical.name)), "{}", run.stderr);
    }
    support::call("solve --engine gpu", b"").fails_with("three-line");
}

/// The solver skips sets that cannot have changed. If it skipped others, the number of guesses would be another one.
#[test]
fn subsets_skips_no_set_that_may_have_changed() {
    let guesses = |puzzle: &Puzzle| Historical::ALL[2].solve(puzzle, up_to(2)).guesses;
    assert_eq!(sample()[..60].iter().map(guesses).sum::<u64>(), 80);
}
