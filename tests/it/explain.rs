//! Refutations, cores and pairs of solutions are right and minimal.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rapidoku::explain::{Contradiction, Explanation, Single, core, refute};
use rapidoku::grid::{CELLS, HOUSE_CELLS, PEERS};
use rapidoku::{Candidates, Puzzle, Solver, Status, verify};

use crate::samples::{random_candidates, sample, sample_of, sample_status, solve_candidates_alone, up_to};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE};

/// Follows a refutation with placements only, and checks that it holds and needs each of its steps.
fn is_refuted(start: &Candidates, steps: &[Single], end: Contradiction) -> bool {
    let mut digits = *start.clues().cells();
    let may = |digits: &[u8; CELLS], cell: u8, digit: u8| {
        let is_candidate = start.cells()[cell as usize] >> (digit - 1) & 1 == 1;
        is_candidate
            && digits[cell as usize] == 0
            && PEERS[cell as usize].iter().all(|&peer| digits[peer as usize] != digit)
    };
    let places = |digits: &[u8; CELLS], house: u8, digit: u8| {
        HOUSE_CELLS[house as usize].iter().filter(|&&cell| may(digits, cell, digit)).count()
    };
    for step in steps {
        let Single { cell, digit, house, .. } = *step;
        let forced = match house {
            None => (1..=9).filter(|&digit| may(&digits, cell.0, digit)).count() == 1,
            Some(house) => places(&digits, house.0, digit) == 1,
        };
        if !forced || !may(&digits, cell.0, digit) {
            return false;
        }
        digits[cell.0 as usize] = digit;
    }
    match end {
        Contradiction::Cell { cell } => {
            digits[cell.0 as usize] == 0 && (1..=9).all(|digit| !may(&digits, cell.0, digit))
        }
        Contradiction::Digit { digit, house } => {
            let there = HOUSE_CELLS[house.0 as usize].iter().any(|&cell| digits[cell as usize] == digit);
            !there && places(&digits, house.0, digit) == 0
        }
    }
}

/// Refutations hold and need each of their steps; cores have no solution, but less any clue they have.
fn assert_none_explained(puzzles: &[Candidates]) -> usize {
    let mut refuted = 0;
    let mut subsets = Vec::new();
    for puzzle in puzzles {
        if let Some(refutation) = refute(*puzzle) {
            let (steps, end) = (&refutation.steps, refutation.contradiction);
            assert!(is_refuted(puzzle, steps, end), "{puzzle}");
            for i in 0..steps.len() {
                let mut fewer = steps.clone();
                fewer.remove(i);
                assert!(!is_refuted(puzzle, &fewer, end), "{puzzle}: step {} is idle", i + 1);
            }
            refuted += 1;
        }
        let (core, is_minimal) = core(*puzzle, u64::MAX);
        assert!(is_minimal);
        let kept = |(core, set): (&u16, &u16)| *core == Candidates::NINE || core == set;
        assert!(core.cells().iter().zip(puzzle.cells()).all(kept));
        subsets.push(core);
    }
    let statuses = |puzzles: &[Candidates]| {
        let limits = up_to(1).max_guesses(20_000);
        let outcomes = Solver::new().limits(limits).solve(puzzles);
        // Of hundreds of thousands of puzzles with few clues, some are bad luck for one solver, but not for both.
        let other = |puzzle| solve_candidates_alone(puzzle, limits).status;
        let capped = |(status, puzzle)| if status == Status::GaveUp { other(puzzle) } else { status };
        outcomes.statuses().iter().copied().zip(puzzles).map(capped).collect::<Vec<_>>()
    };
    assert!(statuses(&subsets).iter().all(|&status| status == Status::NoSolution));
    let less_one = |core: &Candidates| {
        let cells = *core.cells();
        let given = (0..CELLS).filter(move |&cell| cells[cell] != Candidates::NINE);
        given.map(move |cell| {
            let mut fewer = cells;
            fewer[cell] = Candidates::NINE;
            Candidates::from_cells(fewer).unwrap()
        })
    };
    let fewer: Vec<_> = subsets.iter().flat_map(less_one).collect();
    assert!(fewer.len() >= puzzles.len());
    assert!(statuses(&fewer).iter().all(|&status| status == Status::Solved));
    refuted
}

#[test]
fn puzzles_without_solution_are_explained() {
    let none: Vec<_> = sample_of(Status::NoSolution).map(|puzzle| Candidates::from(&puzzle)).collect();
    let refuted = assert_none_explained(&none);
    assert!(refuted > 0 && refuted < none.len(), "{refuted} of {}", none.len());
}

#[test]
fn pencilmarks_without_solution_are_explained() {
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let all = (0..400).map(|_| random_candidates(&mut random));
    let none: Vec<_> =
        all.filter(|candidates| solve_candidates_alone(candidates, up_to(1)).status == Status::NoSolution).collect();
    let refuted = assert_none_explained(&none);
    assert!(refuted > 0 && refuted < none.len(), "{refuted} of {}", none.len());
}

#[test]
fn two_solutions_and_where_they_differ() {
    for (line, puzzle) in sample().iter().enumerate().take(400) {
        let Explanation::Multiple { solutions: [first, second], differ } =
            Explanation::new(Ok(puzzle.into()), u64::MAX)
        else {
            assert_ne!(sample_status(line), Status::Multiple);
            continue;
        };
        assert_eq!(sample_status(line), Status::Multiple);
        verify::check(puzzle, &first).unwrap();
        verify::check(puzzle, &second).unwrap();
        let here: Vec<_> = (0..81).filter(|&i| first.cells()[i] != second.cells()[i]).collect();
        assert_eq!(differ.iter().map(|cell| cell.0 as usize).collect::<Vec<_>>(), here);
    }
}

#[test]
fn colour_says_nothing_more() {
    for record in [PUZZLE, NO_SOLUTION, CLASH, &".".repeat(81)] {
        let puzzle: Candidates = (&record.parse::<Puzzle>().unwrap()).into();
        let explanation = Explanation::new(Ok(puzzle), u64::MAX);
        let (plain, coloured) = (explanation.to_text(&puzzle, false), explanation.to_text(&puzzle, true));
        let mut without = String::new();
        let mut parts = coloured.split("\x1b[");
        without += parts.next().unwrap();
        parts.for_each(|part| without += part.split_once('m').unwrap().1);
        assert_eq!(without, plain);
        assert_ne!(coloured, plain);
    }
}

#[test]
fn an_explanation_is_displayed_without_its_puzzle() {
    let unique: Puzzle = PUZZLE.parse().unwrap();
    for (text, status) in
        [(PUZZLE, "unique"), (&PUZZLE.replace("79", ".."), "multiple"), (NO_SOLUTION, "none"), (CLASH, "invalid")]
    {
        let puzzle: Puzzle = text.parse().unwrap();
        let explanation = Explanation::of(&puzzle);
        let (shown, whole) = (explanation.to_string(), explanation.to_text(&(&puzzle).into(), false));
        assert!(shown.starts_with(status), "{shown}");
        // All lines but the first, which counts the clues.
        let mut lines = whole.lines();
        assert!(shown.lines().skip(1).all(|line| lines.any(|other| other == line)), "{shown}\n{whole}");
    }
    assert!(Explanation::of(&unique).to_string().contains("\n   1. "), "{}", Explanation::of(&unique));
}
