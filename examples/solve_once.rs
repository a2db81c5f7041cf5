//! Takes a file of puzzles one step further at a time, on one thread and without a clock, for
//! `scripts/instructions.sh` to count the instructions of each step:
//!
//! ```sh
//! cargo run --release --example solve_once -- datasets/sample_10k.txt read|parse|scalar|avx512|avx2|portable
//! ```

use std::hint::black_box;

use rapidoku::engine::{Engine, Outcomes, Search};
use rapidoku::record::Records;
use rapidoku::simd::Level;

fn main() {
    let args: Vec<_> = std::env::args().skip(1).collect();
    let [path, step] = &args[..] else { panic!("arguments: FILE STEP") };
    let text = std::fs::read(path).expect("a file that can be read");
    if step == "read" {
        return;
    }

    let mut records = Records::default();
    records.read(&text);
    if step == "parse" {
        black_box(&records);
        println!("{}", records.puzzles.len());
        return;
    }

    let level = Level::available().into_iter().find(|level| level.name() == step);
    let engine = match level {
        Some(level) => Engine::Lanes(level),
        None if step == "scalar" => Engine::Scalar,
        None => panic!("this machine cannot do {step}"),
    };
    let mut outcomes = Outcomes::default();
    engine.solve(&records.puzzles, Search { limit: 2, max_guesses: u64::MAX }, &mut outcomes);
    black_box(&outcomes);
    println!("{}", records.puzzles.len());
}
