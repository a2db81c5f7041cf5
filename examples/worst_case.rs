//! Looks for puzzles that need many guesses or much time, by hill climbing:
//!
//! ```text
//! cargo run --release --example worst_case -- [SECONDS [SEED [THREADS]]]
//! ```
//!
//! Every other climb starts from a committed worst case (`datasets/worst_cases*.txt`), the others from a random grid of
//! clues or pencilmarks. Every step solves some mutants of the best grid so far and keeps the worst one. A climb
//! without progress ends and the next one starts. Climbs take turns with the kinds of grid, the engines, the limits 1,
//! 2 and 100, for the scalar engine also 1,000, and what they maximise: guesses or time. Every thread (default: one per
//! core) climbs for the given time.
//!
//! Times are the least of several repetitions on one thread, without other records in the batch. Interruptions do not
//! count then, but a second thread on the same core does.
//!
//! Prints a record to standard error when it needs more guesses or more time than all before it of its kind, and at the
//! end the worst two of each kind to standard output: engine, limit, guesses, time, record. The program fails if a
//! record needs more than [`bound`] permits.

use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::{CELLS, PEERS};
use rapidoku::{Candidates, Engine, Outcomes, Puzzle, PuzzleError, Solver};

type Rng = ChaCha8Rng;

/// No record may need more guesses or more time.
struct Bound {
    guesses: u64,
    time: Duration,
}
/// Mutants per step.
const MUTANTS: usize = 48;
/// A climb ends after this number of steps without progress.
const PATIENCE: u32 = 100;
/// Guesses after which a search is given up, for versions without a bound.
const CAP: u64 = 1_000_000;

/// A grid that can be changed at random.
trait Record: Copy + FromStr<Err = PuzzleError> {
    /// The committed worst cases: a record and its number of solutions, or a comment, in each line.
    const COMMITTED: &str;

    fn random(rng: &mut Rng) -> Self;
    fn mutant(&self, rng: &mut Rng) -> Self;
    /// The outcomes of some records.
    fn solve(records: &[Self], solver: &Solver) -> Outcomes;
    fn text(&self) -> String;

    /// One of the committed worst cases.
    fn committed(rng: &mut Rng) -> Self {
        let lines = Self::COMMITTED.lines().filter(|line| !line.starts_with('#'));
        let records: Vec<&str> = lines.filter_map(|line| Some(line.split_once(',')?.0)).collect();
        records[rng.random_range(0..records.len())].parse().expect("the file has records")
    }

    /// The least time of some searches for this record alone.
    fn time(&self, solver: &Solver, repetitions: u32) -> Duration {
        let time = |_| {
            let start = Instant::now();
            Self::solve(std::slice::from_ref(self), solver);
            start.elapsed()
        };
        (0..repetitions).map(time).min().expect("there are repetitions")
    }
}

/// Whether a digit may stand in a cell.
fn fits(cells: &[u8; CELLS], cell: usize, digit: u8) -> bool {
    PEERS[cell].iter().all(|&peer| cells[peer as usize] != digit)
}

/// Writes a digit without a clash to an empty cell, if a few attempts find one.
fn add_clue(cells: &mut [u8; CELLS], rng: &mut Rng) {
    for _ in 0..20 {
        let (cell, digit) = (rng.random_range(0..CELLS), rng.random_range(1..=9));
        if cells[cell] == 0 && fits(cells, cell, digit) {
            cells[cell] = digit;
            return;
        }
    }
}

fn remove_clue(cells: &mut [u8; CELLS], rng: &mut Rng) {
    let clues: Vec<usize> = (0..CELLS).filter(|&cell| cells[cell] != 0).collect();
    if !clues.is_empty() {
        cells[clues[rng.random_range(0..clues.len())]] = 0;
    }
}

impl Record for Puzzle {
    const COMMITTED: &str = include_str!("../datasets/worst_cases.txt");

    fn random(rng: &mut Rng) -> Puzzle {
        let mut cells = [0; CELLS];
        for _ in 0..rng.random_range(12..26) {
            add_clue(&mut cells, rng);
        }
        Puzzle::from_cells(cells).expect("cells are 0 to 9")
    }

    fn mutant(&self, rng: &mut Rng) -> Puzzle {
        let mut cells = *self.cells();
        for _ in 0..rng.random_range(1..=3) {
            match rng.random_range(0..4) {
                0 => add_clue(&mut cells, rng),
                1 => remove_clue(&mut cells, rng),
                _ => {
                    remove_clue(&mut cells, rng);
                    add_clue(&mut cells, rng);
                }
            }
        }
        Puzzle::from_cells(cells).expect("cells are 0 to 9")
    }

    fn solve(records: &[Puzzle], solver: &Solver) -> Outcomes {
        solver.solve(records)
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl Record for Candidates {
    const COMMITTED: &str = include_str!("../datasets/worst_cases_pencilmarks.txt");

    fn random(rng: &mut Rng) -> Candidates {
        let keep = rng.random_range(0.45..0.75);
        let set = |rng: &mut Rng| (0..9).filter(|_| rng.random_bool(keep)).fold(0, |set, d| set | 1 << d);
        let cells = std::array::from_fn(|_| set(rng));
        Candidates::from_cells(cells).expect("sets of nine digits")
    }

    fn mutant(&self, rng: &mut Rng) -> Candidates {
        let mut cells = *self.cells();
        for _ in 0..rng.random_range(1..=6) {
            cells[rng.random_range(0..CELLS)] ^= 1 << rng.random_range(0..9);
        }
        Candidates::from_cells(cells).expect("sets of nine digits")
    }

    fn solve(records: &[Candidates], solver: &Solver) -> Outcomes {
        solver.solve(records)
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// The last record of a climb.
#[derive(Clone)]
struct Worst {
    guesses: u64,
    time: Duration,
    text: String,
}

/// What all climbs of one kind found.
#[derive(Clone, Default)]
struct Found {
    most_guesses: Option<Worst>,
    longest: Option<Worst>,
}

impl Found {
    /// Takes the record of a climb. Returns whether it is worse than all before.
    fn add(&mut self, worst: &Worst) -> bool {
        let has_more = self.most_guesses.as_ref().is_none_or(|other| worst.guesses > other.guesses);
        let is_longer = self.longest.as_ref().is_none_or(|other| worst.time > other.time);
        if has_more {
            self.most_guesses = Some(worst.clone());
        }
        if is_longer {
            self.longest = Some(worst.clone());
        }
        has_more || is_longer
    }

    /// The record with the most guesses, and the one that took longest if it is another one.
    fn records(&self) -> impl Iterator<Item = &Worst> {
        let most = self.most_guesses.as_ref();
        let longest = self.longest.as_ref().filter(|longest| most.is_none_or(|most| most.text != longest.text));
        most.into_iter().chain(longest)
    }
}

/// What a climb maximises.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aim {
    Guesses,
    Time,
}

/// The worst of some records, and how bad it is: guesses or nanoseconds.
fn worst_of<R: Record>(records: &[R], solver: &Solver, aim: Aim) -> (R, u64) {
    match aim {
        Aim::Guesses => {
            let outcomes = R::solve(records, solver);
            let (&guesses, at) = outcomes.guesses().iter().zip(0..).max().expect("there are records");
            (records[at], guesses)
        }
        Aim::Time => {
            let nanoseconds = |record: &R, n| record.time(solver, n).as_nanos() as u64;
            let timed = records.iter().map(|record| (nanoseconds(record, 2), record));
            let (_, worst) = timed.max_by_key(|(time, _)| *time).expect("there are records");
            // Measured again, because the maximum of many noisy values is mostly noise.
            (*worst, nanoseconds(worst, 8))
        }
    }
}

/// Climbs until `end`, at most once. Returns the number of records solved and the worst one.
fn climb<R: Record>(solver: &Solver, rng: &mut Rng, aim: Aim, is_fresh: bool, end: Instant) -> (u64, Worst) {
    let mut best = if is_fresh { R::random(rng) } else { R::committed(rng) };
    // A grid that needs no guess gives no direction.
    while R::solve(&[best], solver).guesses()[0] == 0 && Instant::now() < end {
        best = R::random(rng);
    }
    let (mut most, mut solved, mut idle) = (0, 0, 0);
    while idle < PATIENCE && Instant::now() < end {
        let mutants: Vec<R> = (0..MUTANTS).map(|_| best.mutant(rng)).collect();
        let (worst, value) = worst_of(&mutants, solver, aim);
        solved += MUTANTS as u64;
        idle = if value > most { 0 } else { idle + 1 };
        if value >= most {
            (best, most) = (worst, value);
        }
    }
    let guesses = R::solve(&[best], solver).guesses()[0];
    (solved, Worst { guesses, time: best.time(solver, 20), text: best.text() })
}

/// The kinds of search: engine and limit, for both kinds of grid.
const SEARCHES: [(Engine, u64); 7] = [
    (Engine::Lanes, 1),
    (Engine::Scalar, 1),
    (Engine::Lanes, 2),
    (Engine::Scalar, 2),
    (Engine::Lanes, 100),
    (Engine::Scalar, 100),
    (Engine::Scalar, 1000),
];
const KINDS: usize = SEARCHES.len() * 2;

fn engine_and_limit(kind: usize) -> (Engine, u64) {
    SEARCHES[kind % SEARCHES.len()]
}

/// The bound of a kind. The goal for all kinds is 5,000 guesses and 2 ms. Many pencilmarks without structure miss it: a
/// guess with look-ahead takes 6 us on a Zen 3 without AVX-512. Machines are slower with other work, so times may be
/// several times longer.
fn bound(kind: usize) -> Bound {
    let is_for_many = engine_and_limit(kind).1 > 128;
    let (guesses, ms) = match (kind < KINDS / 2, is_for_many) {
        (true, false) => (5000, 10),
        (true, true) => (10_000, 20),
        (false, false) => (20_000, 160),
        (false, true) => (400_000, 1600),
    };
    Bound { guesses, time: Duration::from_millis(ms) }
}

/// A line of the output.
fn line(kind: usize, worst: &Worst) -> String {
    let (engine, limit) = engine_and_limit(kind);
    let ms = worst.time.as_secs_f64() * 1e3;
    format!("{} {limit} {} guesses {ms:.3} ms {}", engine.name(), worst.guesses, worst.text)
}

/// What all threads found.
#[derive(Default)]
struct Total {
    solved: u64,
    climbs: u64,
    found: [Found; KINDS],
}

/// Climbs until `end` with each kind and aim in turn.
fn climb_in_turn(seed: u64, end: Instant, total: &Mutex<Total>) {
    let mut rng = Rng::seed_from_u64(seed);
    // Different threads begin with different kinds, for short runs.
    for turn in seed as usize.. {
        if Instant::now() >= end {
            break;
        }
        let kind = turn % KINDS;
        let aim = if (turn / KINDS).is_multiple_of(2) { Aim::Guesses } else { Aim::Time };
        let is_fresh = (turn / KINDS / 2).is_multiple_of(2);
        let (engine, limit) = engine_and_limit(kind);
        let limit = limit.try_into().expect("above 0");
        let solver = Solver::new().engine(engine).limit(limit).max_guesses(CAP).threads(1);
        let climb = if kind < KINDS / 2 { climb::<Puzzle> } else { climb::<Candidates> };
        let (solved, worst) = climb(&solver, &mut rng, aim, is_fresh, end);
        let mut total = total.lock().expect("no worker panics");
        total.solved += solved;
        total.climbs += 1;
        if total.found[kind].add(&worst) {
            eprintln!("{}", line(kind, &worst));
        }
    }
}

fn main() -> ExitCode {
    let mut operands = std::env::args().skip(1).map(|n| n.parse::<u64>().expect("operands are numbers"));
    let end = Instant::now() + Duration::from_secs(operands.next().unwrap_or(60));
    let seed = operands.next().unwrap_or(1);
    let cores = || std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let threads = operands.next().unwrap_or_else(cores);
    let total = Mutex::new(Total::default());
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let total = &total;
            scope.spawn(move || climb_in_turn(seed * 1000 + thread, end, total));
        }
    });
    let total = total.into_inner().expect("no worker panicked");
    let mut is_bounded = true;
    for (kind, found) in total.found.iter().enumerate() {
        let bound = bound(kind);
        for worst in found.records() {
            is_bounded &= worst.guesses <= bound.guesses && worst.time <= bound.time;
            println!("{}", line(kind, worst));
        }
    }
    println!("{} records solved in {} climbs, seed {seed}", total.solved, total.climbs);
    if is_bounded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
