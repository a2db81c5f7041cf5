//! Looks for puzzles that need many guesses, by hill climbing:
//!
//! ```text
//! cargo run --release --example worst_case -- [SECONDS [SEED]]
//! ```
//!
//! Each climb starts from a random grid of clues or pencilmarks. Every step solves some mutants of the best grid so far and
//! keeps the one with the most guesses. A climb without progress ends and the next one starts. Climbs take turns with the
//! engines, the limits 1, 2 and 100, and the kinds of grid. The time is divided among all threads.
//!
//! Prints the worst record of each kind: engine, limit, guesses, the time of a search for it alone, and the record. The
//! documented bound is 5,000 guesses and two milliseconds on one core; the program fails if a record needs more guesses.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rapidoku::grid::{CELLS, PEERS};
use rapidoku::{Candidates, Engine, Puzzle, Solver};

type Rng = ChaCha8Rng;

/// No record may need more guesses.
const BOUND: u64 = 5000;
/// Mutants per step.
const MUTANTS: usize = 48;
/// A climb ends after so many steps without progress.
const PATIENCE: u32 = 400;
/// Guesses after which a search is given up, for versions without a bound.
const CAP: u64 = 1_000_000;

/// A grid that can be changed at random.
trait Record: Copy {
    fn start(rng: &mut Rng) -> Self;
    fn mutant(&self, rng: &mut Rng) -> Self;
    /// The number of guesses of each record.
    fn guesses(records: &[Self], solver: &Solver) -> Vec<u64>;
    fn text(&self) -> String;
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
    fn start(rng: &mut Rng) -> Puzzle {
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

    fn guesses(records: &[Puzzle], solver: &Solver) -> Vec<u64> {
        solver.solve(records).guesses().to_vec()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

impl Record for Candidates {
    fn start(rng: &mut Rng) -> Candidates {
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

    fn guesses(records: &[Candidates], solver: &Solver) -> Vec<u64> {
        solver.solve(records).guesses().to_vec()
    }

    fn text(&self) -> String {
        self.to_string()
    }
}

/// The worst record of a kind.
struct Worst {
    guesses: u64,
    time: Duration,
    text: String,
}

/// Climbs until `end`, at most once. Returns the number of records solved and the worst one.
fn climb<R: Record>(solver: &Solver, rng: &mut Rng, end: Instant) -> (u64, Worst) {
    let mut best = R::start(rng);
    // A grid that needs no guess gives no direction.
    while R::guesses(&[best], solver)[0] == 0 && Instant::now() < end {
        best = R::start(rng);
    }
    let (mut guesses, mut solved, mut idle) = (0, 0, 0);
    while idle < PATIENCE && Instant::now() < end {
        let mutants: Vec<R> = (0..MUTANTS).map(|_| best.mutant(rng)).collect();
        let of_mutants = R::guesses(&mutants, solver);
        solved += MUTANTS as u64;
        let (most, at) = of_mutants.iter().zip(0..).max().expect("there are mutants");
        idle = if *most > guesses { 0 } else { idle + 1 };
        if *most >= guesses {
            (best, guesses) = (mutants[at], *most);
        }
    }
    let start = Instant::now();
    R::guesses(&[best], solver);
    (solved, Worst { guesses, time: start.elapsed(), text: best.text() })
}

/// The kinds of search.
const ENGINES: [Engine; 2] = [Engine::Lanes, Engine::Scalar];
const LIMITS: [u64; 3] = [1, 2, 100];
const KINDS: usize = ENGINES.len() * LIMITS.len() * 2;

/// Climbs until `end` with each kind in turn. Returns the number of records solved and the worst record of each kind.
fn climb_in_turn(seed: u64, end: Instant) -> (u64, [Option<Worst>; KINDS]) {
    let mut rng = Rng::seed_from_u64(seed);
    let mut worst = [const { None::<Worst> }; KINDS];
    let mut solved = 0;
    for kind in (0..KINDS).cycle() {
        if Instant::now() >= end {
            break;
        }
        let solver = Solver::new()
            .engine(ENGINES[kind % 2])
            .limit(LIMITS[kind / 2 % 3].try_into().expect("above 0"))
            .max_guesses(CAP)
            .threads(1);
        let climb = if kind < KINDS / 2 { climb::<Puzzle> } else { climb::<Candidates> };
        let (n, found) = climb(&solver, &mut rng, end);
        solved += n;
        if worst[kind].as_ref().is_none_or(|worst| worst.guesses < found.guesses) {
            worst[kind] = Some(found);
        }
    }
    (solved, worst)
}

fn main() -> ExitCode {
    let mut operands = std::env::args().skip(1).map(|n| n.parse::<u64>().expect("operands are numbers"));
    let end = Instant::now() + Duration::from_secs(operands.next().unwrap_or(60));
    let seed = operands.next().unwrap_or(1);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let results: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..threads).map(|t| scope.spawn(move || climb_in_turn(seed * 1000 + t, end))).collect();
        workers.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    });
    let mut is_bounded = true;
    for kind in 0..KINDS {
        let worst = results.iter().filter_map(|(_, worst)| worst[kind].as_ref());
        let Some(worst) = worst.max_by_key(|worst| worst.guesses) else { continue };
        is_bounded &= worst.guesses <= BOUND;
        let (engine, limit) = (ENGINES[kind % 2].name(), LIMITS[kind / 2 % 3]);
        println!(
            "{engine} {limit} {} guesses {:.3} ms {}",
            worst.guesses,
            worst.time.as_secs_f64() * 1e3,
            worst.text
        );
    }
    let solved: u64 = results.iter().map(|(solved, _)| solved).sum();
    println!("{solved} records solved, seed {seed}");
    if is_bounded { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
