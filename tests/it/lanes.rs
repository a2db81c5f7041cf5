//! The lane engine: at every level the answers of the scalar engine, whatever the neighbours.

use std::ops::ControlFlow;

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::CELLS;
use rapidoku::{CancelToken, Candidates, Limits, Outcomes, Puzzle, SimdLevel, Solver, Status};

use crate::samples::{check_row, parse, puzzles, sample, shared_datasets, solve_alone, up_to, without};
use crate::support::{NO_SOLUTION, PUZZLE, clash};

fn solve(level: SimdLevel, puzzles: &[Puzzle], search: Limits) -> Outcomes {
    Solver::new().level(level).limits(search).threads(1).solve(puzzles)
}

/// The outcomes of all levels, which must be the same.
fn solve_all(puzzles: &[Puzzle], search: Limits) -> Outcomes {
    let levels = SimdLevel::available();
    let first = solve(levels[0], puzzles, search);
    for &level in &levels[1..] {
        let other = solve(level, puzzles, search);
        for (k, puzzle) in puzzles.iter().enumerate() {
            assert_eq!(first.get(k), other.get(k), "{} and {level}: {puzzle}", levels[0]);
        }
    }
    first
}

/// Holds outcomes against the scalar engine and the checker.
fn check(puzzles: &[Puzzle], search: Limits, outcomes: &Outcomes) {
    for (k, puzzle) in puzzles.iter().enumerate() {
        let expected = solve_alone(puzzle, search);
        let found = (outcomes.statuses()[k], outcomes.solution_counts()[k]);
        assert_eq!(found, (expected.status, expected.solutions), "record {k}: {puzzle}");
        check_row(puzzle, &outcomes.rows()[k], expected.solutions > 0);
    }
}

/// "Golden Nugget" of the players' forum: dozens of guesses.
fn hard() -> Puzzle {
    parse(".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7.....")
}

/// A puzzle of 17 clues, a thousand guesses.
fn very_hard() -> Puzzle {
    parse("....12....9....6......4..........73....5..9..2.4........57..8.......4..1.3.......")
}

/// Few clues, and next to no room: searches that begin with guesses of two digits and meet dead ends.
fn sparse() -> [Puzzle; 2] {
    [
        "............6.5...19....3...............4........2....72............85.9.4.......",
        "...2.5.1..3.......9..........1........2..........................5...............",
    ]
    .map(parse)
}

#[test]
fn the_levels_of_this_machine_are_those_that_the_system_names() {
    let names: Vec<_> = SimdLevel::available().into_iter().map(SimdLevel::name).collect();
    println!("levels tested: {}", names.join(" "));
    assert_eq!(names.last(), Some(&"portable"));
    // An emulator may show what its host has.
    if cfg!(target_arch = "x86_64")
        && let Ok(info) = std::fs::read_to_string("/proc/cpuinfo")
    {
        let flags: Vec<_> = info.lines().find(|l| l.starts_with("flags")).unwrap_or("").split(' ').collect();
        let has = |all: &[&str]| all.iter().all(|flag| flags.contains(flag));
        assert_eq!(names.contains(&"avx512"), has(&["avx512f", "avx512bw", "avx512dq", "avx512vl", "bmi2"]));
        assert_eq!(names.contains(&"avx2"), has(&["avx2", "bmi2"]));
    }
}

#[test]
fn batches_of_all_sizes_around_the_lanes() {
    let ones = parse(&format!("11{}", ".".repeat(79)));
    let pool = [parse(PUZZLE), hard(), parse(NO_SOLUTION), clash(), Puzzle::EMPTY, ones];
    for level in SimdLevel::available() {
        let lanes = level.lanes();
        for n in [0, 1, 2, 3, lanes - 1, lanes, lanes + 1, 2 * lanes - 1, 2 * lanes, 2 * lanes + 1, 5 * lanes] {
            for limit in [1, 2, 3] {
                let puzzles: Vec<_> = (0..n).map(|k| pool[(k * 7 + k / 5) % pool.len()]).collect();
                check(&puzzles, up_to(limit), &solve(level, &puzzles, up_to(limit)));
            }
        }
    }
}

#[test]
fn order_and_batches_make_no_difference() {
    let puzzles: Vec<_> = sample().into_iter().chain([Puzzle::EMPTY, clash(), hard()]).collect();
    let whole = solve_all(&puzzles, up_to(2));
    // 4409 is prime to the number of puzzles.
    let order: Vec<_> = (0..puzzles.len()).map(|k| k * 4409 % puzzles.len()).collect();
    for size in [1, 50, 777, 4000] {
        for level in SimdLevel::available() {
            for chunk in order.chunks(size).take(20_000 / size) {
                let puzzles: Vec<_> = chunk.iter().map(|&k| puzzles[k]).collect();
                let outcomes = solve(level, &puzzles, up_to(2));
                for (i, &k) in chunk.iter().enumerate() {
                    assert_eq!(outcomes.get(i), whole.get(k), "{}", puzzles[i]);
                }
            }
        }
    }
}

/// Alone in a batch a puzzle is shared by all lanes; where easy ones keep coming it has one to itself.
#[test]
fn lanes_that_share_a_puzzle_come_to_what_one_comes_to() {
    let many = without(&parse(PUZZLE), &Vec::from_iter(0..30));
    let [several, none] = sparse();
    let mut searches: Vec<_> = [1, 2, 3, 17, 500, 1 << 12, 1 << 13].map(up_to).into();
    let caps = (0..30).chain((30..70).step_by(3)).chain((70..1_000).step_by(97));
    let limits = [1, 2, 3, 10, 60].into_iter().cycle();
    searches.extend(caps.zip(limits).map(|(max_guesses, limit)| up_to(limit).max_guesses(max_guesses)));
    for level in SimdLevel::available() {
        for puzzle in [hard(), many, very_hard(), several, none] {
            for &search in &searches {
                let alone = solve(level, &[puzzle], search);
                // An easy one takes two sweeps, a guess or a solution no more than eight.
                let events = alone.guesses()[0] + alone.solution_counts()[0] + 1;
                let crowd = vec![parse(PUZZLE); 4 * events as usize * level.lanes()];
                let among = solve(level, &[&[puzzle], &crowd[..]].concat(), search);
                assert_eq!(alone.get(0), among.get(0), "{level} {search:?}: {puzzle}");
            }
        }
        let together = [hard(), many, several, very_hard(), none, many, hard()];
        for &search in &searches {
            let whole = solve(level, &together, search);
            for (k, &puzzle) in together.iter().enumerate() {
                let alone = solve(level, &[puzzle], search);
                assert_eq!(alone.get(0), whole.get(k), "{level} {search:?}: {puzzle}");
            }
        }
    }
}

/// Threads of other programs may have less stack than those of tests, and debug builds need more of it.
#[test]
fn small_stacks_suffice() {
    let [several, none] = sparse();
    let few = [parse(PUZZLE), hard(), parse(NO_SOLUTION), clash(), very_hard(), several, none, Puzzle::EMPTY];
    for level in SimdLevel::available() {
        let solve_and_check = move || {
            for puzzles in [&few[..], &few[1..2], &few.repeat(level.lanes())] {
                check(puzzles, up_to(2), &solve(level, puzzles, up_to(2)));
            }
            let candidates = few[..7].repeat(6);
            let candidates: Vec<Candidates> = candidates.iter().map(Candidates::from).collect();
            let solver = Solver::new().level(level).limits(up_to(100).max_guesses(1100)).threads(1);
            assert_eq!(solver.solve(&candidates), solver.solve(&few[..7].repeat(6)));
            let (mut found, token) = (0, CancelToken::new());
            let each = |_, _: &_| {
                found += 1;
                ControlFlow::Continue(())
            };
            let solver = solver.limits(up_to(3000));
            let end = solver.enumerate(&[Puzzle::EMPTY; 2], &mut Outcomes::new(), &token, each);
            assert_eq!((end, found), (Ok(ControlFlow::Continue(())), 6000), "{level}");
        };
        let thread = std::thread::Builder::new().stack_size(512 << 10).spawn(solve_and_check);
        thread.expect("threads can be started").join().expect("the answers are right");
    }
}

#[test]
fn the_sample_as_the_single_puzzle_solver_answers_it() {
    for limit in [1, 2, 10].map(up_to) {
        check(&sample(), limit, &solve_all(&sample(), limit));
    }
}

/// Puzzles with many solutions are counted in turns, on several threads: the outcome is that of one search, also at a
/// limit.
#[test]
fn counts_do_not_depend_on_level_threads_or_limit() {
    let [several, _] = sparse();
    let mut random = ChaCha8Rng::seed_from_u64(7);
    for round in 0..16 {
        let mut cells = *solve_alone(&parse(PUZZLE), up_to(1)).solution.unwrap().cells();
        while cells.iter().filter(|digit| **digit != 0).count() > 17 + round {
            cells[random.random_range(0..CELLS)] = 0;
        }
        let puzzles = [Puzzle::from_cells(cells).unwrap(), several];
        let solutions = 1 << random.random_range(13..18);
        let limits = up_to(solutions).max_guesses(random.random_range(5_000..200_000));
        let outcomes = solve_all(&puzzles, limits);
        let threads = Solver::new().limits(limits).threads(3).solve(&puzzles);
        assert_eq!(threads, outcomes, "{puzzles:?}, {limits:?}");
        for (puzzle, outcome) in puzzles.iter().zip(outcomes.iter()) {
            if outcome.status != Status::GaveUp {
                assert_eq!(outcome.solutions, solve_alone(puzzle, up_to(solutions)).solutions, "{puzzle}");
            } else {
                assert_eq!(outcome.guesses, limits.guesses);
            }
        }
    }
}

/// Long enough for other lanes to take parts of the search.
#[test]
fn a_cap_on_guesses_ends_a_divided_search() {
    let limit = up_to(128);
    let needed = solve_all(&[Puzzle::EMPTY], limit).guesses()[0];
    assert!(needed > 100, "{needed}");
    for cap in 0..needed {
        let outcomes = solve_all(&[Puzzle::EMPTY], limit.max_guesses(cap));
        assert_eq!((outcomes.statuses(), outcomes.guesses()), (&[Status::GaveUp][..], &[cap][..]));
    }
}

/// Other lanes take later parts of a search, which may lie beyond the cap.
#[test]
fn solutions_beyond_the_cap_of_a_divided_search_do_not_count() {
    let solution = Solver::new().solve_one(&parse(PUZZLE)).solution.unwrap();
    for stride in (1..81).filter(|stride| stride % 3 != 0) {
        let mut cells = [0; CELLS];
        for k in 0..18 + stride % 7 {
            let cell = k * stride % CELLS;
            cells[cell] = solution.cells()[cell];
        }
        let grid = [Puzzle::from_cells(cells).unwrap()];
        let needed = solve_all(&grid, up_to(128)).guesses()[0];
        for cap in 0..needed.min(60) {
            let outcomes = solve_all(&grid, up_to(128).max_guesses(cap));
            // A longer search is not divided before it has made some thousand guesses.
            let undivided = solve_all(&grid, up_to(1000).max_guesses(cap));
            assert_eq!(outcomes.solution_counts(), undivided.solution_counts(), "{} up to {cap}", grid[0]);
        }
    }
}

/// Small enough for an interpreter that looks for undefined behaviour.
#[test]
fn miri() {
    let puzzles = [parse(PUZZLE), clash(), parse(NO_SOLUTION), parse(PUZZLE), Puzzle::EMPTY];
    for limit in [1, 2] {
        check(&puzzles, up_to(limit), &solve(SimdLevel::PORTABLE, &puzzles, up_to(limit)));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Random clues, most of them clashing or contradictory, among puzzles.
    #[test]
    fn any_batch(
        grids in prop::collection::vec((prop::collection::vec((0..CELLS, 1..=9u8), 0..40), 0..10_000usize), 0..70),
        limit in 1..5u64,
    ) {
        let sample = sample();
        let puzzles: Vec<_> = grids.iter().map(|(clues, line)| {
            // Every other grid is a puzzle of the sample with some clues overwritten.
            let mut cells = if clues.len() % 2 == 0 { [0; CELLS] } else { *sample[*line].cells() };
            let few = if clues.len() % 2 == 0 { clues.len() } else { clues.len() / 16 };
            clues[..few].iter().for_each(|&(cell, digit)| cells[cell] = digit);
            Puzzle::from_cells(cells).unwrap()
        }).collect();
        let search = up_to(limit).max_guesses(100_000);
        let outcomes = solve_all(&puzzles, search);
        check(&puzzles, search, &outcomes);
    }
}

/// The shared datasets with their numbers of lines, and the status of these if it is the same.
const SHARED: [(&str, usize, Option<Status>); 8] = [
    ("17_clue.txt", 49_158, Some(Status::Unique)),
    ("magictour_top1465.txt", 1_465, Some(Status::Unique)),
    ("hardest_24k.txt", 24_383, Some(Status::Unique)),
    ("minimal_100k.txt", 100_000, Some(Status::Unique)),
    ("easy_100k.txt", 100_000, Some(Status::Unique)),
    ("sparse_2k.txt", 2_000, Some(Status::Multiple)),
    ("multi_20k.txt", 20_000, None),
    ("zero_20k.txt", 19_994, Some(Status::NoSolution)),
];

#[test]
#[ignore = "needs the shared datasets"]
fn all_shared_datasets_as_the_single_puzzle_solver_answers_them() {
    let folder = shared_datasets();
    for (name, lines, status) in SHARED {
        let puzzles = puzzles(&std::fs::read_to_string(folder.join(name)).unwrap());
        assert_eq!(puzzles.len(), lines, "{name}");
        for limit in [1, 2] {
            let outcomes = solve_all(&puzzles, up_to(limit));
            check(&puzzles, up_to(limit), &outcomes);
            let is_known = |found: &Status| limit == 1 || status.is_none_or(|status| *found == status);
            assert!(outcomes.statuses().iter().all(is_known), "{name}");
            let most = *outcomes.guesses().iter().max().unwrap();
            assert!(most < 100 || !name.starts_with("sparse"), "{name}: {most} guesses");
        }
    }
}

#[test]
#[ignore = "needs the shared datasets"]
fn counts_of_shared_puzzles_are_exact() {
    let read = |name| std::fs::read_to_string(shared_datasets().join(name)).unwrap();
    let counts: Vec<u64> = read("multi_20k.counts").lines().map(|count| count.parse().unwrap()).collect();
    assert_eq!(solve_all(&puzzles(&read("multi_20k.txt")), up_to(1_000_000)).solution_counts(), counts);
}
