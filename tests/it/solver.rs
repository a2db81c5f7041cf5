//! `Solver` and `solve`: the same outcomes for any number of threads, whatever was in the buffers before.

use rapidoku::{
    CancelToken, Cancelled, Candidates, Engine, Limits, Outcomes, Puzzle, PuzzleError, SolveError, Solver, Status,
    solve,
};

use crate::samples::{sample, sample_status};
use crate::support::{CLASH, NO_SOLUTION, PUZZLE, SOLUTION};

#[test]
fn threads_make_no_difference() {
    let puzzles = sample();
    let candidates: Vec<Candidates> = puzzles.iter().map(Candidates::from).collect();
    let texts: Vec<String> = puzzles.iter().map(Puzzle::to_string).collect();
    for engine in [Engine::Lanes, Engine::Scalar] {
        let solver = Solver::new().engine(engine);
        let expected = solver.clone().threads(1).solve(&puzzles);
        for (line, &status) in expected.statuses().iter().enumerate() {
            assert_eq!(status, sample_status(line), "line {line}");
        }
        for threads in [0, 1, 2, 3, 7] {
            let solver = solver.clone().threads(threads);
            assert!(solver.solve(&puzzles) == expected, "{engine:?}, {threads} threads");
            assert!(solver.solve(&candidates) == expected, "{engine:?}, {threads} threads, candidates");
            assert!(solver.solve_text(&texts) == expected, "{engine:?}, {threads} threads, texts");
        }
    }
}

#[test]
fn sizes_around_what_a_thread_gets_at_a_time() {
    let puzzles = sample();
    let whole = Solver::new().threads(1).solve(&puzzles);
    for n in [0, 1, 2, 2047, 2048, 2049, 4096, 4097, 9999] {
        let outcomes = Solver::new().solve(&puzzles[..n]);
        assert_eq!(outcomes.len(), n);
        assert!(outcomes.iter().eq(whole.iter().take(n)), "{n} puzzles");
    }
}

#[test]
fn buffers_may_hold_anything() {
    let puzzles = sample();
    let mut outcomes = Outcomes::new();
    for range in [0..3000, 18..40, 5000..9000, 0..0, 19..20] {
        for engine in [Engine::Lanes, Engine::Scalar] {
            let solver = Solver::new().engine(engine);
            solver.solve_into(&puzzles[range.clone()], &mut outcomes);
            assert!(outcomes == solver.solve(&puzzles[range.clone()]), "{range:?}");
        }
    }
}

#[test]
fn texts_that_are_not_puzzles_are_invalid() {
    let grid = format!("{:#}", PUZZLE.parse::<Puzzle>().unwrap());
    let outcomes = Solver::new().solve_text(&[PUZZLE, "oops", "", CLASH, NO_SOLUTION, &grid]);
    let expected =
        [Status::Unique, Status::Invalid, Status::Invalid, Status::Invalid, Status::NoSolution, Status::Unique];
    assert_eq!(outcomes.statuses(), expected);
    assert_eq!(outcomes.solution(0).unwrap().to_string(), SOLUTION);
    assert_eq!(outcomes.get(1).unwrap().solution, None);
    assert_eq!(outcomes.get(6), None);
}

#[test]
fn a_single_puzzle_has_a_solution_or_a_reason() {
    assert_eq!(solve(PUZZLE).unwrap().to_string(), SOLUTION);
    assert_eq!(solve(SOLUTION).unwrap().to_string(), SOLUTION);
    assert_eq!(solve(NO_SOLUTION), Err(SolveError::NoSolution));
    assert_eq!(solve(&".".repeat(81)), Err(SolveError::Multiple));
    assert_eq!(solve("12"), Err(SolveError::Invalid(PuzzleError::CellCount { cells: 2 })));
    let clash = solve(CLASH).unwrap_err();
    assert!(matches!(clash, SolveError::Invalid(PuzzleError::Clash { digit: 1, .. })), "{clash:?}");
    assert_eq!(clash.to_string(), "not a valid puzzle: digit 1 twice in row 1: r1c1 and r1c9");
    // A chain of errors would repeat the reason.
    assert!(std::error::Error::source(&clash).is_none());
}

#[test]
fn limits_end_a_search() {
    let empty = [Puzzle::EMPTY];
    let solver = Solver::new().limit(7.try_into().unwrap());
    assert_eq!(solver.current_limits(), Limits::up_to(7.try_into().unwrap()));
    assert_eq!(solver.solve(&empty).solution_counts(), [7]);
    let first = solver.limits(Limits::FIRST);
    assert_eq!(first.solve(&empty).statuses(), [Status::Solved]);
    assert_eq!(first.max_guesses(0).solve(&empty).statuses(), [Status::GaveUp]);
}

/// Neither engine ever gets to the end of the empty grid.
#[test]
fn a_token_ends_endless_searches() {
    // Cancelled at the start, and in the middle of the search.
    for (engine, milliseconds) in [(Engine::Lanes, 0), (Engine::Lanes, 200), (Engine::Scalar, 0), (Engine::Scalar, 200)]
    {
        let cancel = CancelToken::new();
        let solver = Solver::new().engine(engine).limits(Limits::ALL);
        let (sender, result) = std::sync::mpsc::channel();
        let token = cancel.clone();
        std::thread::spawn(move || {
            let puzzles = [Puzzle::EMPTY; 5];
            sender.send(solver.try_solve_into(&puzzles, &mut Outcomes::new(), &token)).unwrap();
        });
        std::thread::sleep(std::time::Duration::from_millis(milliseconds));
        cancel.cancel();
        let result = result.recv_timeout(std::time::Duration::from_secs(60));
        assert_eq!(result.expect("it ends"), Err(Cancelled), "{engine:?}");
    }
}
