use std::collections::HashSet;
use std::num::NonZeroU64;

use rapidoku::{
    CancelToken, Candidates, Engine, Explanation, Limits, Outcome, Outcomes, Puzzle, SimdLevel, Solution, SolveError,
    Solver, Status,
};

use super::levels::status;
use crate::bytes::Bytes;
use crate::oracle::{self, NINE, Sets};

/// The digits that the oracle tries for a puzzle at most, and the guesses of the library.
const STEPS: u64 = 3000;
const GUESSES: u64 = 3000;

/// A puzzle, given as clues or as candidates: conversions keep it, all ways to solve it give what the oracle gives, and
/// its explanation is true.
pub fn api(bytes: &[u8]) {
    let mut bytes = Bytes(bytes);
    let (kind, limit) = (bytes.byte(), u64::from(bytes.below(6)) + 1);
    if kind & 1 == 0 {
        let clues = bytes.clues();
        let puzzle = Puzzle::from_cells(clues).unwrap();
        conversions(&puzzle);
        candidates(Candidates::from(&puzzle), limit);
        one_solution(&puzzle);
        if kind & 6 == 0 {
            minimality(&puzzle);
        }
    } else {
        candidates(Candidates::from_cells(bytes.sets()).unwrap(), limit);
    }
}

/// A puzzle with two equal clues in a row.
fn clash() -> Puzzle {
    Puzzle::from_cells(std::array::from_fn(|cell| u8::from(cell < 2))).unwrap()
}

fn conversions(puzzle: &Puzzle) {
    let clues = puzzle.cells();
    let text = puzzle.to_string();
    let expected: Vec<u8> = clues.iter().map(|&clue| if clue == 0 { b'.' } else { b'0' + clue }).collect();
    assert_eq!(text.as_bytes(), expected);
    assert_eq!(text.parse(), Ok(*puzzle));
    assert_eq!(format!("{puzzle:#}").parse(), Ok(*puzzle));
    let blanks = clues.iter().filter(|&&clue| clue == 0).count();
    assert_eq!(puzzle.clue_count(), 81 - blanks);
    assert_eq!(puzzle.clash().is_some(), oracle::clashes(&oracle::sets(clues)));
    assert_eq!(Solution::try_from(*puzzle).is_ok(), blanks == 0);
    let candidates = Candidates::from(puzzle);
    assert_eq!(*candidates.cells(), oracle::sets(clues));
    assert_eq!((candidates.clues(), candidates.puzzle()), (*puzzle, Some(*puzzle)));
}

/// All ways to solve candidates.
fn candidates(given: Candidates, limit: u64) {
    let sets = given.cells();
    assert_eq!(given.to_string().parse(), Ok(given));
    let limits = Limits::up_to(NonZeroU64::new(limit).unwrap()).max_guesses(GUESSES);
    let expected = if oracle::clashes(sets) {
        Some((Status::Invalid, 0))
    } else {
        oracle::count(sets, limit, STEPS).map(|count| (status(count, limit), count))
    };
    let check = |outcome: &Outcome| {
        if let Some(expected) = expected.filter(|_| outcome.status != Status::GaveUp) {
            assert_eq!((outcome.status, outcome.solutions), expected, "{given}");
        }
        assert!(outcome.guesses <= GUESSES);
        match outcome.solution {
            Some(solution) => assert!(oracle::solves(solution.cells(), sets), "{given} {solution}"),
            None => assert_eq!(outcome.solutions, 0),
        }
    };

    // Among others, and into memory that has been used.
    let batch = [Candidates::from(&Puzzle::EMPTY), given, Candidates::from(&clash()), given];
    let mut used = Outcomes::new();
    let mut of_lanes = None;
    for solver in SimdLevel::available().into_iter().map(|level| Solver::new().level(level)) {
        solver.limits(limits).threads(1).solve_into(&batch, &mut used);
        let outcome = used.get(1).unwrap();
        check(&outcome);
        assert_eq!((used.get(3), used.get(4)), (Some(outcome), None));
        assert_eq!(*of_lanes.get_or_insert(outcome), outcome);
        assert_eq!((used.statuses()[2], used.solution(2)), (Status::Invalid, None));
        let row = &used.rows()[1];
        match outcome.solution {
            Some(solution) => assert_eq!(row[..81], solution.to_ascii()),
            None => assert!(row[..81].iter().all(|&byte| byte == b'.')),
        }
    }
    let scalar = Solver::new().engine(Engine::Scalar).limits(limits).threads(1);
    let alone = scalar.solve(std::slice::from_ref(&given)).get(0).unwrap();
    check(&alone);

    // A token that is set in advance: cancelled, or complete all the same.
    let cancel = CancelToken::new();
    cancel.cancel();
    if scalar.try_solve_into(&batch, &mut used, &cancel).is_ok() {
        assert_eq!(used.get(1), Some(alone));
    }
    let mut copy = Outcomes::new();
    copy.reset(1);
    assert_eq!((copy.statuses()[0], copy.solution(0)), (Status::NoSolution, None));
    copy.set(0, alone);
    assert_eq!(copy.get(0), Some(alone));

    // One solution after the other: as many, and all different.
    let mut solutions = given.solutions().limits(limits);
    let found: Vec<Solution> = solutions.by_ref().collect();
    assert_eq!(found.iter().collect::<HashSet<_>>().len(), found.len());
    assert!(found.iter().all(|solution| oracle::solves(solution.cells(), sets)));
    assert_eq!((solutions.outcome(), found.len() as u64), (alone, alone.solutions));
    assert_eq!(found.first().copied(), alone.solution);

    explanation(given);
}

fn explanation(given: Candidates) {
    let sets = given.cells();
    match Explanation::new(Ok(given), 300) {
        Explanation::Invalid { clashes, .. } => {
            assert!(oracle::clashes(sets) && !clashes.is_empty());
            for clash in clashes {
                let bit = 1 << (clash.digit - 1);
                assert!(clash.cells.len() > 1 && clash.cells.iter().all(|cell| sets[usize::from(cell.0)] == bit));
            }
        }
        Explanation::NoSolution { core, core_is_minimal, .. } => {
            assert_ne!(oracle::count(sets, 1, STEPS), Some(1));
            assert_ne!(oracle::count(core.cells(), 1, STEPS), Some(1));
            // Each cell is as given or open, and without any one of those as given there is a solution.
            for (cell, (&left, &set)) in core.cells().iter().zip(sets).enumerate() {
                assert!(left == set || left == NINE);
                let mut fewer = *core.cells();
                fewer[cell] = NINE;
                assert!(left == NINE || !core_is_minimal || is_solvable(&fewer), "{core}");
            }
        }
        Explanation::Multiple { solutions: [first, second], differ } => {
            assert!([first, second].iter().all(|solution| oracle::solves(solution.cells(), sets)));
            let cells = (0..81).filter(|&cell| first.cells()[cell] != second.cells()[cell]);
            assert!(cells.eq(differ.iter().map(|cell| usize::from(cell.0))) && !differ.is_empty());
        }
        Explanation::Unique { solution, steps, .. } => {
            assert!(oracle::solves(solution.cells(), sets));
            assert_ne!(oracle::count(sets, 2, STEPS), Some(2));
            // Steps place digits of the solution, remove no such digit, and lead to a complete grid.
            let mut placed = [0; 81];
            for step in &steps {
                if let Some((cell, digit)) = step.placed {
                    placed[usize::from(cell.0)] = digit;
                }
                for removed in &step.removed {
                    let digit = solution.cells()[usize::from(removed.cell.0)];
                    assert!(removed.digits.iter().all(|removed| removed != digit), "{given}: {step}");
                }
            }
            for (cell, (&digit, &set)) in placed.iter().zip(sets).enumerate() {
                let expected = solution.cells()[cell];
                assert!(digit == expected || (digit == 0 && set == 1 << (expected - 1)), "{given}: cell {cell}");
            }
        }
        Explanation::GaveUp => {}
    }
}

/// Whether there may be a solution.
fn is_solvable(sets: &Sets) -> bool {
    oracle::clashes(sets) || oracle::count(sets, 1, STEPS) != Some(0)
}

/// The functions for a text.
fn one_solution(puzzle: &Puzzle) {
    let sets = oracle::sets(puzzle.cells());
    let Some(count) = oracle::count(&sets, 2, STEPS) else { return };
    let text = puzzle.to_string();
    match rapidoku::solve(&text) {
        Ok(solution) => assert!(count == 1 && oracle::solves(solution.cells(), &sets)),
        Err(SolveError::Invalid(_)) => assert!(oracle::clashes(&sets)),
        Err(SolveError::NoSolution) => assert_eq!(count, 0),
        Err(SolveError::Multiple) => assert_eq!(count, 2),
        Err(other) => panic!("{other}"),
    }
    let outcomes = Solver::new().threads(1).solve_text(&[&text[..], &text[..80], &format!("{puzzle:#}")]);
    let expected = if oracle::clashes(&sets) { Status::Invalid } else { status(count, 2) };
    assert_eq!(outcomes.statuses(), [expected, Status::Invalid, expected]);
}

fn minimality(puzzle: &Puzzle) {
    let mut sets = oracle::sets(puzzle.cells());
    let mut is_minimal = oracle::count(&sets, 2, STEPS).map(|count| count == 1);
    for cell in 0..81 {
        if puzzle.cells()[cell] == 0 || is_minimal != Some(true) {
            continue;
        }
        let set = std::mem::replace(&mut sets[cell], NINE);
        is_minimal = oracle::count(&sets, 2, STEPS).map(|count| count == 2);
        sets[cell] = set;
    }
    if let Some(is_minimal) = is_minimal {
        assert_eq!(puzzle.is_minimal(), is_minimal, "{puzzle}");
    }
}
