//! Times rapidoku's single-puzzle solver against the `sudoku` crate, interleaved, on the same text.
//!
//! ```text
//! cargo run --release -- [--limit N] [--rounds N] FILE...
//! ```

use std::hint::black_box;
use std::num::NonZeroU64;
use std::process::ExitCode;
use std::time::Instant;

use rapidoku::{Engine, Limits, Outcomes, Puzzle, Solver};
use sudoku::Sudoku;

/// Puzzles parsed and solved per call, as in the program's own batches.
const BATCH: usize = 1000;

/// Text to solution counts.
fn rapidoku(lines: &[&str], limits: Limits, outcomes: &mut Outcomes) -> u64 {
    let solver = Solver::new().engine(Engine::Scalar).limits(limits).threads(1);
    let mut puzzles = Vec::with_capacity(BATCH);
    let mut found = 0;
    for batch in lines.chunks(BATCH) {
        puzzles.clear();
        puzzles.extend(batch.iter().map(|line| line.parse().unwrap_or(Puzzle::MALFORMED)));
        solver.solve_into(&puzzles, outcomes);
        found += black_box(&*outcomes).solution_counts().iter().sum::<u64>();
    }
    found
}

/// The same with the `sudoku` crate: it writes its solutions to a buffer.
fn sudoku_crate(lines: &[&str], limits: Limits, buffer: &mut [[u8; 81]]) -> u64 {
    let mut found = 0;
    for line in lines {
        if let Ok(puzzle) = Sudoku::from_str_line(line) {
            found += puzzle.solutions_up_to_buffer(buffer, limits.solutions.get() as usize) as u64;
            black_box(&buffer);
        }
    }
    found
}

fn median(figures: &mut [f64]) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

/// Seconds that `work` takes, and its result.
fn timed(work: impl FnOnce() -> u64) -> (f64, u64) {
    let start = Instant::now();
    let found = work();
    (start.elapsed().as_secs_f64(), found)
}

/// One line of the table; false when the two disagree.
fn compare(name: &str, text: &str, limits: Limits, rounds: usize) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let mut outcomes = Outcomes::default();
    let mut buffer = vec![[0; 81]; limits.solutions.get() as usize];
    let (mut ours, mut theirs, mut ratios) = (vec![], vec![], vec![]);
    // Round 0 warms up.
    for round in 0..=rounds {
        let (our_secs, our_count) = timed(|| rapidoku(&lines, limits, &mut outcomes));
        let (their_secs, their_count) = timed(|| sudoku_crate(&lines, limits, &mut buffer));
        if our_count != their_count {
            eprintln!("{name}: {our_count} solutions by rapidoku, {their_count} by sudoku");
            return false;
        }
        if round > 0 {
            ours.push(lines.len() as f64 / our_secs);
            theirs.push(lines.len() as f64 / their_secs);
            ratios.push(their_secs / our_secs);
        }
    }
    let short = name.rsplit('/').next().unwrap_or(name);
    let [ours, theirs, ratio] = [ours, theirs, ratios].map(|mut figures| median(&mut figures));
    println!("{short:24} {:5} {ours:12.0} {theirs:12.0} {ratio:8.2}", limits.solutions);
    true
}

fn main() -> ExitCode {
    let two = NonZeroU64::MIN.saturating_add(1);
    let (mut limit, mut rounds, mut files) = (two, 7, vec![]);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse::<NonZeroU64>().ok());
        match arg.as_str() {
            "--limit" => limit = number().expect("--limit takes a positive number"),
            "--rounds" => rounds = number().expect("--rounds takes a positive number").get() as usize,
            _ => files.push(arg),
        }
    }
    let limits = Limits::up_to(limit);
    println!("{:24} {:>5} {:>12} {:>12} {:>8}", "puzzles/s", "limit", "rapidoku", "sudoku 0.8", "ratio");
    let mut agree = true;
    for file in &files {
        match std::fs::read_to_string(file) {
            Ok(text) => agree &= compare(file, &text, limits, rounds),
            Err(error) => {
                eprintln!("{file}: {error}");
                return ExitCode::from(2);
            }
        }
    }
    if agree { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
