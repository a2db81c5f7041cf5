//! The puzzles that tests share.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::{CELLS, PEERS};
use rapidoku::rating::Difficulty;
use rapidoku::{Candidates, Engine, Limits, Outcome, Puzzle, Solution, Solver, Status, verify};

use crate::support::SOLUTION;

/// A search without a cap on guesses.
pub fn up_to(limit: u64) -> Limits {
    Limits::up_to(limit.try_into().expect("limits are above 0"))
}

/// The outcome of the scalar engine, the oracle of the lane engine.
pub fn solve_alone(puzzle: &Puzzle, limits: Limits) -> Outcome {
    Solver::new().engine(Engine::Scalar).limits(limits).solve_one(puzzle)
}

/// Asserts that a row is a solution of its puzzle, or blank if there is none.
pub fn check_row(puzzle: &Puzzle, row: &[u8], solved: bool) {
    assert_eq!(row[CELLS], b'\n');
    if !solved {
        return assert!(row[..CELLS].iter().all(|&byte| byte == b'.'), "{puzzle}");
    }
    let digits: [u8; CELLS] = std::array::from_fn(|cell| row[cell].wrapping_sub(b'0'));
    let solution = Solution::from_cells(digits).unwrap_or_else(|| panic!("{puzzle}: {row:?}"));
    verify::check(puzzle, &solution).unwrap_or_else(|flaw| panic!("{puzzle}: {flaw}"));
}

pub fn parse(line: &str) -> Puzzle {
    line.parse().unwrap()
}

/// One puzzle per line.
pub fn puzzles(text: &str) -> Vec<Puzzle> {
    text.lines().map(|line| line.parse().unwrap_or_else(|reason| panic!("{line}: {reason}"))).collect()
}

/// `datasets/sample_10k.txt` of this project.
pub const SAMPLE: &str = include_str!("../../datasets/sample_10k.txt");

pub fn sample() -> Vec<Puzzle> {
    static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| puzzles(SAMPLE));
    PUZZLES.clone()
}

/// The puzzles of the sample, each with its solution, or that of another puzzle if it has none.
pub fn pairs() -> &'static [(String, String)] {
    static PAIRS: LazyLock<Vec<(String, String)>> = LazyLock::new(|| {
        let outcomes = Solver::new().solve(&sample());
        let solution = |k| outcomes.solution(k).map_or(SOLUTION.to_owned(), |solution| solution.to_string());
        (0..).zip(sample()).map(|(k, puzzle)| (puzzle.to_string(), solution(k))).collect()
    });
    &PAIRS
}

/// The first lines of the sample.
pub fn head(lines: usize) -> String {
    SAMPLE.split_inclusive('\n').take(lines).collect()
}

/// Whether a puzzle has one solution, by the scalar engine.
pub fn is_unique(puzzle: &Puzzle) -> bool {
    solve_alone(puzzle, Limits::UNIQUE).status == Status::Unique
}

/// A puzzle without some of its clues.
pub fn without(puzzle: &Puzzle, cells: &[usize]) -> Puzzle {
    let mut rest = *puzzle.cells();
    cells.iter().for_each(|&cell| rest[cell] = 0);
    Puzzle::from_cells(rest).unwrap()
}

/// The clues of a puzzle that can be removed on their own.
pub fn redundant(puzzle: &Puzzle) -> Vec<usize> {
    (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0 && is_unique(&without(puzzle, &[cell]))).collect()
}

/// All solutions by trying each candidate of a cell with the fewest; too simple to be wrong.
pub fn plain_search(candidates: &[u16; CELLS], open: &[usize], found: &mut HashSet<[u8; CELLS]>) {
    let Some(at) = (0..open.len()).min_by_key(|&at| candidates[open[at]].count_ones()) else {
        found.insert(candidates.map(|set| set.trailing_zeros() as u8 + 1));
        return;
    };
    let mut rest = open.to_vec();
    let cell = rest.swap_remove(at);
    for digit in (0..9).filter(|digit| candidates[cell] & 1 << digit != 0) {
        let mut next = *candidates;
        next[cell] = 1 << digit;
        for &other in &rest {
            let is_same_box = other / 27 == cell / 27 && other % 9 / 3 == cell % 9 / 3;
            if other / 9 == cell / 9 || other % 9 == cell % 9 || is_same_box {
                next[other] &= !(1 << digit);
            }
        }
        plain_search(&next, &rest, found);
    }
}

/// The candidates of a cell that clash with no clue.
pub fn left(puzzle: &Puzzle, cell: usize) -> u16 {
    let clues = PEERS[cell].map(|peer| puzzle.cells()[peer as usize]);
    let seen = clues.into_iter().filter(|&digit| digit != 0).fold(0, |set, digit| set | 1 << (digit - 1));
    Candidates::from(puzzle).cells()[cell] & !seen
}

/// The status at limit 2 of a line of the sample, as its README states it.
pub fn sample_status(line: usize) -> Status {
    match line % 20 {
        0..18 => Status::Unique,
        18 => Status::Multiple,
        _ => Status::NoSolution,
    }
}

/// The puzzles of the sample with this status.
pub fn sample_of(status: Status) -> impl Iterator<Item = Puzzle> {
    (0..).zip(sample()).filter(move |&(line, _)| sample_status(line) == status).map(|(_, puzzle)| puzzle)
}

/// Candidates at random, among them mostly those of a solution.
pub fn random_candidates(random: &mut ChaCha8Rng) -> Candidates {
    let shift = random.random_range(0..9);
    let (keep, spoil) = (random.random_range(0.2..1.0), random.random_range(0.0..0.012));
    let cells = std::array::from_fn(|cell| {
        let right = (SOLUTION.as_bytes()[cell] - b'1' + shift) % 9;
        let spoilt = random.random_bool(spoil);
        let digits = (0..9).filter(|&d| if d == right { !spoilt } else { random.random_bool(keep) });
        digits.fold(0, |set, digit| set | 1 << digit)
    });
    Candidates::from_cells(cells).unwrap()
}

/// The outcome of the scalar engine for candidates.
pub fn solve_candidates_alone(candidates: &Candidates, limits: Limits) -> Outcome {
    let solver = Solver::new().engine(Engine::Scalar).limits(limits);
    solver.solve(std::slice::from_ref(candidates)).get(0).expect("there is one puzzle")
}

/// The folder of the large datasets, which are not part of the project: that of the environment variable
/// `RAPIDOKU_DATASETS`, or `../shared/datasets` beside the project. Tests that need it are ignored by default and have
/// `shared` in their names, so that the gate can run them where the folder exists.
///
/// # Panics
/// If there is no such folder.
pub fn shared_datasets() -> PathBuf {
    let is_root = |folder: &&Path| folder.join("Cargo.lock").is_file();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(is_root).expect("the project has a lock file");
    let folder = std::env::var_os("RAPIDOKU_DATASETS");
    let folder = folder.map_or_else(|| root.join("../shared/datasets"), |folder| root.join(folder));
    assert!(folder.is_dir(), "there are no shared datasets at {}", folder.display());
    folder
}

/// `datasets/rated.csv` of this project: puzzles with ER, EP and ED.
pub fn rated_puzzles() -> Vec<(Puzzle, [Difficulty; 3])> {
    let rows = include_str!("../../datasets/rated.csv").lines().skip(1);
    let fields = rows.map(|row| row.split(',').collect::<Vec<_>>());
    let rated = fields.map(|row| (row[0].parse().unwrap(), [1, 2, 3].map(|i| row[i].parse().unwrap())));
    rated.collect()
}
