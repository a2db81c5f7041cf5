//! Records that are hard for a depth-first search: their guesses are bounded, and restarts never show in an answer.

use std::collections::HashSet;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::PEERS;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{Candidates, Engine, Limits, Outcome, Outcomes, Puzzle, SimdLevel, Solution, Solver, Status, verify};

use crate::samples::{left, sample, solve_candidates_alone, up_to};
use crate::support::{PUZZLE, SOLUTION};

/// The limits of solutions for which there is a bound on the guesses.
const LIMITS: [u64; 3] = [1, 2, 100];
/// The documented bounds of guesses for puzzles of clues and for pencilmarks.
const CLUES_BOUND: u64 = 5000;
const MARKS_BOUND: u64 = 20_000;
const ENGINES: [Engine; 2] = [Engine::Lanes, Engine::Scalar];

/// The lines of a file of `datasets` without comments: a record and its number of solutions, at most 2.
fn lines(text: &'static str) -> impl Iterator<Item = (&'static str, u64)> {
    text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (record, solutions) = line.split_once(',').expect("two fields");
        (record, solutions.parse().expect("a number"))
    })
}

pub fn clues() -> (Vec<Puzzle>, Vec<u64>) {
    let lines = lines(include_str!("../../datasets/worst_cases.txt"));
    lines.map(|(record, solutions)| (record.parse::<Puzzle>().unwrap(), solutions)).unzip()
}

fn pencilmarks() -> (Vec<Candidates>, Vec<u64>) {
    let lines = lines(include_str!("../../datasets/worst_cases_pencilmarks.txt"));
    lines.map(|(record, solutions)| (record.parse::<Candidates>().unwrap(), solutions)).unzip()
}

/// Both kinds of records as candidates.
fn all_candidates() -> Vec<Candidates> {
    clues().0.iter().map(Candidates::from).chain(pencilmarks().0).collect()
}

fn check<'a>(
    puzzles: impl Into<PuzzleSlice<'a>>,
    expected: &[u64],
    bound: u64,
    check_solution: impl Fn(usize, &Solution),
) {
    let puzzles = puzzles.into();
    for engine in ENGINES {
        for limit in LIMITS {
            let outcomes = Solver::new().engine(engine).limits(up_to(limit)).solve(puzzles);
            for (k, outcome) in outcomes.iter().enumerate() {
                let name = format!("record {k}, {engine:?}, limit {limit}: {outcome:?}");
                assert!(outcome.guesses <= bound, "{name}");
                assert_eq!(outcome.solutions.min(2), expected[k].min(limit), "{name}");
                assert_eq!(outcome.status, Status::of_search(outcome.solutions, up_to(limit), false), "{name}");
                assert_eq!(outcome.solution.is_some(), expected[k] > 0, "{name}");
                if let Some(solution) = outcome.solution {
                    check_solution(k, &solution);
                }
            }
        }
    }
}

/// The numbers of solutions in the files were computed by tdoku and by SAT solvers.
#[test]
fn worst_cases_are_solved_within_the_bound() {
    let (puzzles, solutions) = clues();
    assert!(puzzles.len() >= 20);
    check(&puzzles, &solutions, CLUES_BOUND, |k, solution| verify::check(&puzzles[k], solution).unwrap());
    let (candidates, solutions) = pencilmarks();
    assert!(candidates.len() >= 20);
    check(&candidates, &solutions, MARKS_BOUND, |k, solution| {
        verify::check_candidates(&candidates[k], solution).unwrap()
    });
}

/// The order of the search is documented, so the numbers of guesses are part of the outcome. A change of them must be
/// intended: then it is a change of version, and these sums of guesses and of solutions are renewed.
#[test]
fn guesses_are_those_of_this_version() {
    // Above a limit of 128 solutions, lanes have other caps, and the scalar engine has no restarts. Few records there:
    // these searches take longer.
    let (sample, clues, marks) = (sample(), clues().0, pencilmarks().0);
    let (few_clues, few_marks) = (&clues[..8], &marks[28..32]);
    // Grids that are almost empty. Two digits are guessed at once up to 10 solutions.
    let grid: Solution = SOLUTION.parse().unwrap();
    let sparse = |clues| {
        let mut cells = [0; 81];
        (0..clues).map(|k| k * 29 % 81).for_each(|cell| cells[cell] = grid.cells()[cell]);
        Puzzle::from_cells(cells).unwrap()
    };
    let sparse: Vec<Puzzle> = (0..12).map(sparse).collect();
    let [all_limits, large, small] = [&[1, 2, 100, 128][..], &[129, 300], &[1, 2, 10, 11]];
    type Sums = &'static [(u64, u64)];
    let sums: [(PuzzleSlice, _, [Sums; 2]); 6] = [
        (
            (&sample).into(),
            all_limits,
            [
                &[(8958, 9500), (9824, 10_000), (46_488, 45_577), (54_692, 53_456)],
                &[(9275, 9500), (10_413, 10_000), (46_573, 45_577), (54_639, 53_456)],
            ],
        ),
        (
            (&clues).into(),
            all_limits,
            [
                &[(19_885, 22), (19_897, 44), (18_275, 2200), (18_901, 2816)],
                &[(34_569, 22), (34_580, 44), (36_688, 2200), (37_317, 2816)],
            ],
        ),
        (
            (&marks).into(),
            all_limits,
            [
                &[(20_345, 33), (24_681, 61), (69_302, 2293), (72_644, 2754)],
                &[(20_367, 33), (24_551, 61), (69_945, 2293), (73_924, 2754)],
            ],
        ),
        (few_clues.into(), large, [&[(7949, 516), (11_196, 1200)], &[(4678, 516), (5368, 1200)]]),
        (few_marks.into(), large, [&[(45_478, 387), (62_334, 829)], &[(21_559, 387), (38_349, 829)]]),
        (
            (&sparse).into(),
            small,
            [&[(225, 12), (230, 24), (296, 120), (633, 132)], &[(459, 12), (467, 24), (555, 120), (570, 132)]],
        ),
    ];
    for (puzzles, limits, expected) in sums {
        for (engine, expected) in ENGINES.into_iter().zip(expected) {
            for (&limit, &expected) in limits.iter().zip(expected) {
                let outcomes = Solver::new().engine(engine).limits(up_to(limit)).solve(puzzles);
                let sums = (outcomes.guesses().iter().sum(), outcomes.solution_counts().iter().sum());
                assert_eq!(sums, expected, "{} puzzles, {engine:?}, limit {limit}", outcomes.len());
            }
        }
    }
}

#[test]
fn restarts_do_not_depend_on_level_batch_or_threads() {
    let easy = vec![Candidates::from(&PUZZLE.parse::<Puzzle>().unwrap()); 3000];
    // Fewer records where searches take longer.
    for (limits, step) in [(Limits::FIRST, 1), (Limits::UNIQUE, 1), (up_to(100), 3), (up_to(1000), 9)] {
        let records: Vec<Candidates> = all_candidates().into_iter().step_by(step).collect();
        // Padded with puzzles that are not restarted, to more than a thread gets at a time.
        let candidates = [&records[..], &easy, &records].concat();
        let solver = Solver::new().limits(limits);
        let expected = solver.clone().threads(1).solve(&candidates);
        for (level, threads) in SimdLevel::available().into_iter().zip([3, 1].into_iter().cycle()) {
            let outcomes = solver.clone().level(level).threads(threads).solve(&candidates);
            assert!(outcomes == expected, "{limits:?}, {level}, {threads} threads");
        }
        for (k, record) in records.iter().enumerate() {
            let alone = solver.solve(std::slice::from_ref(record)).get(0);
            assert_eq!(alone, expected.get(k), "record {k} alone, {limits:?}");
        }
    }
}

/// The guesses of the first attempt at a puzzle of clues.
fn first_cap(engine: Engine) -> u64 {
    if engine == Engine::Lanes { 640 } else { 1024 }
}

#[test]
fn clues_and_their_candidates_have_the_same_outcome() {
    let (puzzles, _) = clues();
    let candidates: Vec<Candidates> = puzzles.iter().map(Candidates::from).collect();
    // Without those that clash with a clue.
    let without_clashes = |puzzle: &Puzzle| {
        let cells = std::array::from_fn(|cell| match puzzle.cells()[cell] {
            0 => left(puzzle, cell),
            digit => 1 << (digit - 1),
        });
        Candidates::from_cells(cells).expect("sets of nine digits")
    };
    let eliminated: Vec<Candidates> = puzzles.iter().map(without_clashes).collect();
    assert_ne!(candidates, eliminated);
    for engine in ENGINES {
        let solver = Solver::new().engine(engine);
        let of_puzzles = solver.solve(&puzzles);
        assert!(of_puzzles == solver.solve(&candidates), "{engine:?}");
        // One or the other guess differs, because more is known at the start. The attempts are the same.
        let others = solver.solve(&eliminated);
        assert_eq!(others.statuses(), of_puzzles.statuses());
        assert_eq!(others.solution_counts(), of_puzzles.solution_counts());
        let first = first_cap(engine);
        let restarted =
            |outcomes: &Outcomes| -> Vec<bool> { outcomes.guesses().iter().map(|&guesses| guesses >= first).collect() };
        assert_eq!(restarted(&others), restarted(&of_puzzles), "{engine:?}");
    }
}

/// A puzzle of clues without one of its candidates is a puzzle of pencilmarks, but is searched like clues. With the
/// rule for pencilmarks, one of these takes 1581 guesses.
#[test]
fn clues_with_a_candidate_removed_are_as_easy() {
    let (puzzles, solutions) = clues();
    let last = puzzles.len() - 9;
    assert_eq!(solutions[last..], [0; 9]);
    let removed = |puzzle: &Puzzle| -> Vec<Candidates> {
        let open = (0..81).filter(|&cell| puzzle.cells()[cell] == 0).enumerate();
        let without = |(n, cell): (usize, usize)| {
            let mut cells = *Candidates::from(puzzle).cells();
            cells[cell] &= !(1 << (n % 9));
            Candidates::from_cells(cells).expect("sets of nine digits")
        };
        open.map(without).collect()
    };
    let all: Vec<Candidates> = puzzles[last..].iter().flat_map(removed).collect();
    for engine in ENGINES {
        let outcomes = Solver::new().engine(engine).solve(&all);
        assert!(outcomes.statuses().iter().all(|&status| status == Status::NoSolution));
        assert!(outcomes.guesses().iter().all(|&guesses| guesses < 1400), "{engine:?}");
    }
}

/// A cap ends a search exactly there, whatever the attempt, and changes nothing for searches that need no more.
#[test]
fn a_cap_counts_the_guesses_of_all_attempts() {
    let candidates = all_candidates();
    for (engine, limit) in [(Engine::Lanes, 2), (Engine::Scalar, 2), (Engine::Scalar, 129)] {
        let solver = Solver::new().engine(engine).limits(up_to(limit));
        let whole = solver.solve(&candidates);
        let first = first_cap(engine);
        assert!(whole.guesses().iter().any(|&guesses| guesses > first), "{engine:?}");
        for cap in [0, 1, 127, 128, 129, first - 1, first, first + 1, 2000] {
            let capped = solver.clone().max_guesses(cap).solve(&candidates);
            for (k, (whole, capped)) in whole.iter().zip(capped.iter()).enumerate() {
                if whole.guesses <= cap {
                    assert_eq!(capped, whole, "record {k}, {engine:?}, cap {cap}");
                } else {
                    assert_eq!((capped.status, capped.guesses), (Status::GaveUp, cap), "record {k}, {engine:?}");
                }
            }
        }
    }
}

/// The iterator and the batch make the same search, which shows no solution twice.
#[test]
fn every_solution_is_shown_once() {
    let mut examined = 0;
    for (record, candidates) in all_candidates().iter().enumerate() {
        let mut solutions = candidates.solutions().limits(up_to(300).max_guesses(20_000));
        let mut seen = HashSet::new();
        for solution in solutions.by_ref() {
            verify::check_candidates(candidates, &solution).unwrap();
            assert!(seen.insert(solution), "record {record}");
        }
        assert_eq!(solutions.next(), None, "record {record}");
        let outcome = solutions.outcome();
        assert_eq!(outcome.solutions, seen.len() as u64, "record {record}");
        let batch = solve_candidates_alone(candidates, up_to(300).max_guesses(20_000));
        assert_eq!(batch, outcome, "record {record}");
        examined += u32::from(outcome.guesses > 1024);
    }
    assert!(examined > 10, "{examined}");
}

/// Limits below and above the one from which the scalar engine does not restart a search.
const EVERY_LIMIT: [u64; 8] = [1, 2, 100, 128, 129, 1000, 1_000_000, u64::MAX];

/// The worst cases with clues removed or moved and digits renamed.
fn mutants(n: usize) -> Vec<Puzzle> {
    let mut random = ChaCha8Rng::seed_from_u64(53);
    let mutant = |puzzle: &Puzzle| {
        let mut cells = *puzzle.cells();
        for _ in 0..random.random_range(0..=3) {
            let clues: Vec<usize> = (0..81).filter(|&cell| cells[cell] != 0).collect();
            let digit = std::mem::take(&mut cells[clues[random.random_range(0..clues.len())]]);
            let to = random.random_range(0..81);
            let fits = |digit| PEERS[to].iter().all(|&peer| cells[peer as usize] != digit);
            if cells[to] == 0 && fits(digit) && random.random_bool(0.6) {
                cells[to] = digit;
            }
        }
        let mut digits: [u8; 10] = std::array::from_fn(|digit| digit as u8);
        digits[1..].shuffle(&mut random);
        Puzzle::from_cells(cells.map(|digit| digits[digit as usize])).unwrap()
    };
    clues().0.iter().cycle().take(n).map(mutant).collect()
}

/// Asserts a bound on guesses: `most`, and `each` for a solution. A search that is capped has made more only if it has
/// found solutions.
fn assert_bound(outcomes: &Outcomes, most: u64, each: u64, name: &str) {
    let excess = |outcome: Outcome| outcome.guesses.saturating_sub(each.saturating_mul(outcome.solutions));
    let excesses: Vec<u64> = outcomes.iter().map(excess).collect();
    let over = excesses.iter().filter(|&&guesses| guesses > most).count();
    let worst = excesses.iter().zip(0..).max().expect("there are records");
    assert_eq!(over, 0, "{name}: {over} of {} exceed {most} guesses, most of all {worst:?}", outcomes.len());
}

/// The outcomes of the iterators over the solutions.
fn iterate(puzzles: &[Candidates], limits: Limits) -> Outcomes {
    let mut outcomes = Outcomes::new();
    outcomes.reset(puzzles.len());
    for (k, puzzle) in puzzles.iter().enumerate() {
        let mut solutions = puzzle.solutions().limits(limits);
        solutions.by_ref().for_each(drop);
        outcomes.set(k, solutions.outcome());
    }
    outcomes
}

/// Asserts that two searches agree about all puzzles that neither of them has given up.
fn assert_same_counts(a: &Outcomes, b: &Outcomes, name: &str) {
    for (k, (a, b)) in a.iter().zip(b.iter()).enumerate() {
        if ![a.status, b.status].contains(&Status::GaveUp) {
            assert_eq!((a.status, a.solutions), (b.status, b.solutions), "{name}, record {k}");
        }
    }
}

#[test]
fn puzzles_like_the_worst_cases_are_bounded_at_every_limit() {
    check_mutants(300);
}

#[test]
#[ignore = "long"]
fn many_puzzles_like_the_worst_cases_are_bounded_at_every_limit() {
    check_mutants(5000);
}

fn check_mutants(n: usize) {
    // The first has no solution. Without an examination of nodes, it takes 2.6 million guesses at limits above 128.
    let first = "..............2.57.............3........4....286......8......2......6....1.4.8...".parse().unwrap();
    let puzzles: Vec<Candidates> = [first].iter().chain(&mutants(n)).map(Candidates::from).collect();
    for limit in EVERY_LIMIT {
        // Most have more solutions than can be counted here.
        let puzzles = &puzzles[..if limit > 1000 { n / 10 } else { n }];
        let limits = up_to(limit).max_guesses(8000);
        let of = |engine| Solver::new().engine(engine).limits(limits).solve(puzzles);
        let (scalar, iterators) = (of(Engine::Scalar), iterate(puzzles, limits));
        assert_bound(&scalar, 2000, 2, &format!("scalar engine, limit {limit}"));
        assert_bound(&iterators, 2000, 2, &format!("iterator, limit {limit}"));
        assert_same_counts(&scalar, &iterators, &format!("iterator, limit {limit}"));
        assert_same_counts(&scalar, &of(Engine::Lanes), &format!("lanes, limit {limit}"));
    }
}

#[test]
fn pencilmarks_are_bounded_at_every_limit() {
    check_pencilmarks(6, 3);
}

#[test]
#[ignore = "long"]
fn all_pencilmarks_are_bounded_at_every_limit() {
    check_pencilmarks(1, 10);
}

/// Some have a million solutions and more: of these `few` are searched.
fn check_pencilmarks(step: usize, few: usize) {
    let candidates: Vec<Candidates> = pencilmarks().0.into_iter().step_by(step).collect();
    for limit in EVERY_LIMIT {
        let limits = up_to(limit).max_guesses(300_000);
        let candidates = &candidates[..if limit > 1000 { few } else { candidates.len() }];
        let iterators = iterate(candidates, limits);
        assert_bound(&iterators, 200_000, 8, &format!("iterator, limit {limit}"));
        let scalar = Solver::new().engine(Engine::Scalar).limits(limits).solve(candidates);
        assert_same_counts(&scalar, &iterators, &format!("limit {limit}"));
    }
}
