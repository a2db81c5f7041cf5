//! Solves a million strings on all cores. Strings that are not puzzles have the status `invalid`.
//!
//! cargo run --release --example million_strings

use std::time::Instant;

use rapidoku::{Solver, Status};

fn main() {
    let sample = include_str!("../datasets/sample_10k.txt");
    let mut lines: Vec<String> = sample.lines().cycle().take(1_000_000).map(str::to_owned).collect();
    lines[7] = "not a puzzle".to_owned();

    let start = Instant::now();
    let outcomes = Solver::new().solve_text(&lines);
    let seconds = start.elapsed().as_secs_f64();

    for status in Status::ALL {
        let count = outcomes.statuses().iter().filter(|&&other| other == status).count();
        println!("{status:>8} {count:>7}");
    }
    println!("{:.0} puzzles/s", lines.len() as f64 / seconds);
    println!("{}", outcomes.solution(0).expect("the first puzzle has a solution"));
}
