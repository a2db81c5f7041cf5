//! Limits, statuses and outcomes as values.

use rapidoku::outcome::{BLANK_ROW, PuzzleSlice};
use rapidoku::verify::{Flaw, check_candidates};
use rapidoku::{Candidates, Engine, Limits, Outcome, Outcomes, Puzzle, Solution, Solver, Status};

use crate::samples::up_to;
use crate::support::{PUZZLE, SOLUTION};

#[test]
fn names() {
    let names = Status::ALL.map(Status::name);
    assert_eq!(names, ["solved", "unique", "multiple", "none", "invalid", "gave-up"]);
    for status in Status::ALL {
        assert_eq!(format!("{status:>9}|{status}"), format!("{:>9}|{}", status.name(), status.name()));
    }
    assert_eq!([Engine::Lanes, Engine::Scalar].map(Engine::name), ["lanes", "scalar"]);
}

#[test]
fn the_status_of_a_search() {
    for found in [0, 1, 2, 9] {
        for limit in [1, 2, 9] {
            assert_eq!(Status::of_search(found, up_to(limit), true), Status::GaveUp);
        }
    }
    assert_eq!([1, 2, 9].map(|limit| Status::of_search(0, up_to(limit), false)), [Status::NoSolution; 3]);
    let of_one = [1, 2, 9].map(|limit| Status::of_search(1, up_to(limit), false));
    assert_eq!(of_one, [Status::Solved, Status::Unique, Status::Unique]);
    assert_eq!([2, 9].map(|limit| Status::of_search(2, up_to(limit), false)), [Status::Multiple; 2]);
}

#[test]
fn limits_have_no_cap_unless_one_is_set() {
    assert_eq!((up_to(3).solutions.get(), up_to(3).guesses), (3, u64::MAX));
    assert_eq!((up_to(3).max_guesses(5).solutions.get(), up_to(3).max_guesses(5).guesses), (3, 5));
    assert_eq!([Limits::FIRST, Limits::UNIQUE, Limits::ALL], [1, 2, u64::MAX].map(up_to));
    assert_eq!(Limits::default(), Limits::UNIQUE);
}

#[test]
fn slices_of_puzzles() {
    let clues = [Puzzle::EMPTY, crate::support::clash(), Puzzle::EMPTY];
    let candidates = clues.each_ref().map(Candidates::from);
    for slice in [PuzzleSlice::from(&clues), PuzzleSlice::from(&candidates)] {
        assert_eq!((slice.len(), slice.is_empty()), (3, false));
        assert_eq!((slice.slice(1..1).len(), slice.slice(1..1).is_empty()), (0, true));
        let part = slice.slice(1..3);
        assert_eq!((part.len(), part.is_empty()), (2, false));
        assert_eq!(Solver::new().solve(part).statuses(), [Status::Invalid, Status::Multiple]);
    }
}

#[test]
fn outcomes_are_what_was_set_last() {
    let solution: Solution = SOLUTION.parse().unwrap();
    assert_eq!(BLANK_ROW.split_last(), Some((&b'\n', &[b'.'; 81][..])));
    let mut outcomes = Outcomes::new();
    assert!(outcomes.is_empty());
    outcomes.reset(2);
    assert_eq!((outcomes.len(), outcomes.is_empty()), (2, false));
    let blank = Outcome::new(Status::NoSolution, 0, 0);
    assert_eq!(outcomes.iter().collect::<Vec<_>>(), [blank; 2]);

    let solved = Outcome::new(Status::Unique, 1, 7).with_solution(Some(solution));
    outcomes.set(1, solved);
    assert_eq!((outcomes.get(0), outcomes.get(1), outcomes.get(2)), (Some(blank), Some(solved), None));
    assert_eq!((outcomes.solution(0), outcomes.solution(1), outcomes.solution(2)), (None, Some(solution), None));
    assert_eq!((outcomes.rows()[0], &outcomes.rows()[1][..81]), (BLANK_ROW, SOLUTION.as_bytes()));
    assert_eq!((outcomes.solution_counts(), outcomes.guesses()), (&[0, 1][..], &[0, 7][..]));
    outcomes.set_status(1, Status::GaveUp);
    assert_eq!(outcomes.statuses(), [Status::NoSolution, Status::GaveUp]);
    assert_eq!(outcomes.solution(1), Some(solution));
    // An outcome without solution leaves nothing of the one before.
    outcomes.set(1, Outcome::INVALID);
    assert_eq!((outcomes.get(1), outcomes.rows()[1]), (Some(Outcome::INVALID), BLANK_ROW));
    outcomes.set(1, solved);
    outcomes.reset(2);
    assert_eq!(outcomes.iter().collect::<Vec<_>>(), [blank; 2]);
    assert_eq!(outcomes.rows(), [BLANK_ROW; 2]);
}

#[test]
fn a_minimal_puzzle_needs_each_clue() {
    // No puzzle of 16 clues has a single solution, so this one of 17 is minimal.
    let minimal: Puzzle =
        "....12....9....6......4..........73....5..9..2.4........57..8.......4..1.3.......".parse().unwrap();
    assert_eq!(minimal.clue_count(), 17);
    assert!(minimal.is_minimal());
    let solution = rapidoku::solve(&minimal.to_string()).unwrap();
    for cell in 0..81 {
        let mut cells = *minimal.cells();
        // One clue less: several solutions. One more: that one is not needed.
        cells[cell] = if cells[cell] == 0 { solution.cells()[cell] } else { 0 };
        assert!(!Puzzle::from_cells(cells).unwrap().is_minimal(), "cell {cell}");
    }
    let puzzle: Puzzle = PUZZLE.parse().unwrap();
    assert!(!puzzle.is_minimal() && !Puzzle::EMPTY.is_minimal() && !crate::support::clash().is_minimal());
}

#[test]
fn the_checker_names_each_cell_without_its_candidate() {
    let solution: Solution = SOLUTION.parse().unwrap();
    let all = Candidates::from(&Puzzle::EMPTY);
    assert_eq!(check_candidates(&all, &solution), Ok(()));
    for (cell, &digit) in (0..).zip(solution.cells()) {
        let mut sets = *all.cells();
        sets[usize::from(cell)] &= !(1 << (digit - 1));
        let flaw = Flaw::Candidate { cell: rapidoku::grid::Cell(cell), digit };
        assert_eq!(check_candidates(&Candidates::from_cells(sets).unwrap(), &solution), Err(flaw));
        // A single candidate is a clue.
        let clue = digit % 9 + 1;
        sets[usize::from(cell)] = 1 << (clue - 1);
        let flaw = Flaw::Clue { cell: rapidoku::grid::Cell(cell), clue, digit };
        assert_eq!(check_candidates(&Candidates::from_cells(sets).unwrap(), &solution), Err(flaw));
        sets[usize::from(cell)] = 1 << (digit - 1);
        assert_eq!(check_candidates(&Candidates::from_cells(sets).unwrap(), &solution), Ok(()));
    }
}

#[cfg(all(feature = "file", feature = "serde"))]
#[test]
fn outcomes_are_read_back_from_json() {
    use crate::support::{CLASH, PUZZLE};

    let puzzles = [PUZZLE, &PUZZLE.replace("79", ".."), CLASH].map(|line| line.parse::<Puzzle>().unwrap());
    let outcomes = Solver::new().solve(&puzzles);
    let json = serde_json::to_value(&outcomes).unwrap();
    assert_eq!((json[0]["status"].as_str(), json[1]["status"].as_str()), (Some("unique"), Some("multiple")));
    assert_eq!(json[0]["solution"], outcomes.solution(0).unwrap().to_string());
    let invalid = serde_json::json!({ "status": "invalid", "solution": null, "solutions": 0, "guesses": 0 });
    assert_eq!(json[2], invalid);
    assert_eq!(serde_json::from_value::<Outcomes>(json).unwrap(), outcomes);
    let error = serde_json::from_str::<Puzzle>("\"53..7\"").unwrap_err();
    assert!(error.to_string().contains("too short"), "{error}");
}
