//! Solves one puzzle, given as an argument or built in, and explains it if it has no unique solution.
//!
//! cargo run --example one_puzzle -- 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79

use std::process::ExitCode;

use rapidoku::{Explanation, Puzzle, SolveError};

const CLASSIC: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn main() -> ExitCode {
    let text = std::env::args().nth(1).unwrap_or_else(|| CLASSIC.to_owned());
    match rapidoku::solve(&text) {
        Ok(solution) => {
            println!("{solution:#}");
            ExitCode::SUCCESS
        }
        Err(SolveError::Invalid(reason)) => {
            eprintln!("not a puzzle: {reason}");
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("{error}");
            let puzzle: Puzzle = text.parse().expect("the text was a puzzle");
            eprintln!("{}", Explanation::of(&puzzle).to_text(&(&puzzle).into(), false));
            ExitCode::FAILURE
        }
    }
}
