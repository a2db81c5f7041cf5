//! Compares fresh random puzzles with the oracle for a number of seconds: every SIMD level, the scalar solver and, if a
//! program is given, its commands `solve` and `verify`. Prints the number of puzzles compared; used by .ci/long.
//!
//!     differential SECONDS [SEED [PROGRAM]]

use std::fs;
use std::num::NonZeroU64;
use std::process::Command;
use std::time::{Duration, Instant};

use rapidoku::{Candidates, Engine, Limits, Puzzle, SimdLevel, Solver, Status};
use rapidoku_fuzz::oracle::{self, Sets};
use rapidoku_fuzz::reading;

/// Puzzles per round.
const BATCH: usize = 4000;
/// The digits that the oracle tries for a puzzle at most. Puzzles that need more are solved, but not compared.
const STEPS: u64 = 20_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |n: usize, default| arguments.get(n).map_or(default, |text| text.parse().expect("a number"));
    let (seconds, seed) = (number(0, 10), number(1, 1));
    let deadline = Instant::now() + Duration::from_secs(seconds);
    let mut random = Random(seed);
    let (mut compared, mut given_up, mut rounds) = (0_u64, 0_u64, 0_u64);
    while Instant::now() < deadline {
        let limit = [1, 2, 2, 3, 10][random.below(5)];
        let has_marks = random.below(4) == 0;
        let batch: Vec<Sets> = (0..BATCH).map(|_| if has_marks { random.marks() } else { random.clues() }).collect();
        let expected: Vec<_> = batch.iter().map(|sets| expected(sets, limit)).collect();
        let known = expected.iter().filter(|expected| expected.is_some()).count() as u64;
        compare(&batch, &expected, limit, has_marks);
        if let Some(program) = arguments.get(2).filter(|_| rounds % 4 == 0) {
            solve_with(program, &batch, &expected, limit, has_marks);
            if !has_marks {
                verify_with(program, &mut random);
            }
        }
        (compared, given_up, rounds) = (compared + known, given_up + BATCH as u64 - known, rounds + 1);
    }
    println!("{compared} puzzles compared, {given_up} too hard for the oracle, seed {seed}");
}

type Expected = Option<(Status, u64)>;

fn expected(sets: &Sets, limit: u64) -> Expected {
    if oracle::clashes(sets) {
        return Some((Status::Invalid, 0));
    }
    let count = oracle::count(sets, limit, STEPS)?;
    let status = match count {
        0 => Status::NoSolution,
        1 if limit == 1 => Status::Solved,
        1 => Status::Unique,
        _ => Status::Multiple,
    };
    Some((status, count))
}

/// Solves the batch at all levels and with the scalar solver.
fn compare(batch: &[Sets], expected: &[Expected], limit: u64, has_marks: bool) {
    let limits = Limits::up_to(NonZeroU64::new(limit).unwrap()).max_guesses(100_000);
    let candidates: Vec<_> = batch.iter().map(|sets| Candidates::from_cells(*sets).unwrap()).collect();
    let clues: Vec<Puzzle> = candidates.iter().map(Candidates::clues).collect();
    let lanes = SimdLevel::available().into_iter().map(|level| Solver::new().level(level));
    for solver in lanes.chain([Solver::new().engine(Engine::Scalar)]) {
        let solver = solver.limits(limits).threads(1);
        let outcomes = if has_marks { solver.solve(&candidates) } else { solver.solve(&clues) };
        for ((outcome, expected), sets) in outcomes.iter().zip(expected).zip(&candidates) {
            if let Some(expected) = expected.filter(|_| outcome.status != Status::GaveUp) {
                assert_eq!((outcome.status, outcome.solutions), expected, "{solver:?}: {sets}");
            }
            assert_eq!(outcome.solution.is_some(), outcome.solutions > 0, "{solver:?}: {sets}");
            if let Some(solution) = outcome.solution {
                assert!(oracle::solves(solution.cells(), sets.cells()), "{solver:?}: {sets}");
            }
        }
    }
}

/// Runs the program on a file of the batch and compares its rows.
fn solve_with(program: &str, batch: &[Sets], expected: &[Expected], limit: u64, has_marks: bool) {
    let text = |sets: &Sets| {
        let candidates = Candidates::from_cells(*sets).unwrap();
        if has_marks { candidates.to_string() } else { candidates.clues().to_string() }
    };
    let lines: Vec<String> = batch.iter().map(text).collect();
    let rows = run(program, &["solve", "--format", "csv", "--limit", &limit.to_string()], &lines.join("\n"));
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), batch.len());
    for (((row, expected), sets), line) in rows.iter().zip(expected).zip(batch).zip(&lines) {
        let [_, solution, status, solutions] = row[..] else { panic!("{line}: {row:?}") };
        let Some(expected) = expected else { continue };
        assert_eq!((status, solutions), (expected.0.name(), &*expected.1.to_string()), "{line}");
        let digits: Vec<u8> = solution.bytes().map(|byte| byte.wrapping_sub(b'0')).collect();
        let is_solution = digits.try_into().is_ok_and(|grid| oracle::solves(&grid, sets));
        assert_eq!(is_solution, expected.1 > 0, "{line}: {row:?}");
    }
}

/// Has the program verify solutions, some of them wrong, and compares the records that it reports.
fn verify_with(program: &str, random: &mut Random) {
    let (mut text, mut wrong) = (String::new(), Vec::new());
    for line in 1..=BATCH {
        let mut grid = random.grid();
        let mask = random.next() as u128 | u128::from(random.next()) << 64;
        let clues: [u8; 81] = std::array::from_fn(|cell| if mask >> cell & 1 == 1 { grid[cell] } else { 0 });
        match random.below(4) {
            0 => grid[random.below(81)] = random.below(9) as u8 + 1,
            1 => grid.swap(random.below(81), random.below(81)),
            _ => {}
        }
        let digits = |cells: &[u8; 81]| cells.iter().map(|&digit| char::from(b'0' + digit)).collect::<String>();
        text += &format!("{}{}{}\n", digits(&clues), [",", " ", ";", "\t"][line % 4], digits(&grid));
        if !oracle::solves(&grid, &oracle::sets(&clues)) {
            wrong.push(line.to_string());
        }
    }
    let rows = run(program, &["verify", "--format", "csv", "--input-format", "lines"], &text);
    let reported: Vec<&str> = rows.lines().skip(1).filter_map(|row| row.split(',').nth(1)).collect();
    assert_eq!(reported, wrong);
}

fn run(program: &str, arguments: &[&str], text: &str) -> String {
    let input = reading::write(text.as_bytes());
    let output = Command::new(program).args(arguments).arg(&input).output().expect("the program starts");
    fs::remove_file(input).unwrap();
    assert!(output.status.code().is_some_and(|code| code < 2), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() >> 32) as usize % end
    }

    /// A random solution: rows of a simple pattern, and the symmetries of the game; then a few cells are emptied and
    /// filled again in another way, if there is one.
    fn grid(&mut self) -> [u8; 81] {
        let (rows, columns, digits) = (self.lines(), self.lines(), self.permutation::<9>());
        let is_transposed = self.below(2) == 1;
        let pattern: [u8; 81] = std::array::from_fn(|cell| {
            let (mut row, mut column) = (rows[cell / 9], columns[cell % 9]);
            if is_transposed {
                (row, column) = (column, row);
            }
            digits[(3 * (row % 3) + row / 3 + column) % 9] as u8 + 1
        });
        let mut sets = oracle::sets(&pattern);
        let mut order = self.permutation::<81>().to_vec();
        for cell in order.drain(..45) {
            sets[cell] = oracle::NINE;
        }
        self.fill(&mut sets, 2000).unwrap_or(pattern)
    }

    /// A random solution of a puzzle.
    fn fill(&mut self, sets: &mut Sets, mut steps: u64) -> Option<[u8; 81]> {
        let mut grid = [0; 81];
        for cell in 0..81 {
            let mut digits = self.permutation::<9>();
            digits.rotate_left(cell % 9);
            let set = sets[cell];
            let fits = digits.iter().find(|&&digit| {
                sets[cell] = set & 1 << digit;
                steps = steps.saturating_sub(1);
                sets[cell] != 0 && !oracle::clashes(sets) && oracle::count(sets, 1, steps) == Some(1)
            });
            grid[cell] = *fits? as u8 + 1;
        }
        Some(grid)
    }

    /// Clues at random, of a solution or not.
    fn clues(&mut self) -> Sets {
        let mut clues = self.pooled();
        let kept = match self.below(8) {
            0 => self.below(82),
            1 => 17 + self.below(8),
            _ => 22 + self.below(10),
        };
        for cell in self.permutation::<81>().into_iter().skip(kept) {
            clues[cell] = 0;
        }
        if self.below(6) == 0 {
            clues[self.below(81)] = self.below(10) as u8;
        }
        oracle::sets(&clues)
    }

    /// The candidates of a solution, others at random, and rarely one of the solution less.
    fn marks(&mut self) -> Sets {
        let grid = self.pooled();
        let keep = 100 + self.below(156);
        let spoil = self.below(4) == 0;
        let mut sets = grid.map(|digit| {
            let others = (0..9).filter(|_| self.below(256) < keep).fold(0, |set, at| set | 1 << at);
            others | 1 << (digit - 1)
        });
        if spoil {
            sets[self.below(81)] = self.next() as u16 & oracle::NINE;
        }
        sets
    }

    /// A random symmetry of a grid of a pool that grows: new grids take longer than puzzles from them.
    fn pooled(&mut self) -> [u8; 81] {
        use std::cell::RefCell;
        thread_local!(static POOL: RefCell<Vec<[u8; 81]>> = const { RefCell::new(Vec::new()) });
        let size = POOL.with_borrow(Vec::len);
        if size == 0 || self.below(100) == 0 {
            let grid = self.grid();
            POOL.with_borrow_mut(|pool| pool.push(grid));
        }
        let choice = self.below(size.max(1));
        let grid = POOL.with_borrow(|pool| pool[choice]);
        let (rows, columns, digits) = (self.lines(), self.lines(), self.permutation::<9>());
        std::array::from_fn(|cell| {
            let digit = grid[9 * rows[cell / 9] + columns[cell % 9]];
            digits[usize::from(digit) - 1] as u8 + 1
        })
    }

    fn permutation<const N: usize>(&mut self) -> [usize; N] {
        let mut order = std::array::from_fn(|n| n);
        for n in (1..N).rev() {
            order.swap(n, self.below(n + 1));
        }
        order
    }

    /// Nine lines, with bands and lines within bands in any order.
    fn lines(&mut self) -> [usize; 9] {
        let bands = self.permutation::<3>();
        let within = bands.map(|_| self.permutation::<3>());
        std::array::from_fn(|line| 3 * bands[line / 3] + within[line / 3][line % 3])
    }
}
