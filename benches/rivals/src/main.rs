//! Times a published crate, called as by `rapidoku bench --rival 'COMMAND {input} {limit} {rounds}'`:
//!
//! ```text
//! rapidoku-rivals CRATE FILE LIMIT ROUNDS   prints puzzles per second for each round, from text to counts
//! rapidoku-rivals CRATE FILE LIMIT          prints the number of solutions of each puzzle, at most LIMIT
//! rapidoku-rivals forms FILE                prints the canonical form of each complete grid, computed by `sudoku`
//! ```
//!
//! A line of the file starts with a puzzle of 81 characters, with `.` or `0` for blanks; other lines are skipped.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use rustoku_lib::Rustoku;
use sudoku::Sudoku;

/// The minimal time of a round.
const ROUND_TIME: Duration = Duration::from_millis(100);

type Count = fn(&str, usize, &mut Vec<[u8; 81]>) -> usize;

const CRATES: [(&str, Count); 2] = [("sudoku", count_sudoku), ("rustoku-lib", count_rustoku)];

/// The crate writes its solutions to a buffer, its fastest way to get both the solutions and their number.
fn count_sudoku(line: &str, limit: usize, buffer: &mut Vec<[u8; 81]>) -> usize {
    buffer.resize(limit, [0; 81]);
    let count = Sudoku::from_str_line(line).map_or(0, |puzzle| puzzle.solutions_up_to_buffer(buffer, limit));
    black_box(&buffer);
    count
}

fn count_rustoku(line: &str, limit: usize, _: &mut Vec<[u8; 81]>) -> usize {
    Rustoku::new_from_str(line).map_or(0, |mut puzzle| black_box(puzzle.solve_until(limit)).len())
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [command, file] = &args[..]
        && command == "forms"
    {
        return print_forms(file);
    }
    let Some((name, file, limit, rounds)) = parse(&args) else {
        let names = CRATES.map(|(name, _)| name).join(", ");
        eprintln!("usage: rapidoku-rivals CRATE FILE LIMIT [ROUNDS], with a crate of: {names}");
        return ExitCode::from(2);
    };
    let Some((_, count)) = CRATES.into_iter().find(|(known, _)| *known == name) else {
        eprintln!("unknown crate: {name}");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    let lines = text.lines().filter(|line| line.len() >= 81 && !line.starts_with('#'));
    let lines: Vec<String> = lines.map(|line| line[..81].replace('0', ".")).collect();
    let mut buffer = Vec::new();
    let Some(rounds) = rounds else {
        lines.iter().for_each(|line| println!("{}", count(line, limit, &mut buffer)));
        return ExitCode::SUCCESS;
    };
    let mut pass = || lines.iter().map(|line| count(line, limit, &mut buffer)).sum::<usize>();
    let expected = pass();
    for _ in 0..rounds {
        let (start, mut passes) = (Instant::now(), 0);
        while passes == 0 || start.elapsed() < ROUND_TIME {
            if pass() != expected {
                eprintln!("results differ between rounds");
                return ExitCode::FAILURE;
            }
            passes += 1;
        }
        println!("{:.0}", (lines.len() * passes) as f64 / start.elapsed().as_secs_f64());
    }
    ExitCode::SUCCESS
}

/// Prints the form of each grid: the least equivalent one.
fn print_forms(file: &str) -> ExitCode {
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => {
            eprintln!("{file}: {error}");
            return ExitCode::from(2);
        }
    };
    for line in text.lines() {
        match Sudoku::from_str_line(line).ok().and_then(|grid| grid.canonicalized()) {
            Some((form, _)) => println!("{}", form.to_str_line()),
            None => println!(),
        }
    }
    ExitCode::SUCCESS
}

/// The name of the crate, the file, the limit and the number of rounds, if it is given.
fn parse(args: &[String]) -> Option<(&str, &str, usize, Option<usize>)> {
    let (name, file, limit) = (args.first()?, args.get(1)?, args.get(2)?.parse().ok().filter(|limit| *limit > 0)?);
    match args.get(3) {
        None => Some((name, file, limit, None)),
        Some(rounds) => Some((name, file, limit, Some(rounds.parse().ok()?))),
    }
}
