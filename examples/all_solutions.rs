//! Prints all solutions of a puzzle, up to a thousand.
//!
//! cargo run --example all_solutions -- PUZZLE

use rapidoku::{Puzzle, PuzzleError};

const TWO: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8....";

fn main() -> Result<(), PuzzleError> {
    let puzzle: Puzzle = std::env::args().nth(1).as_deref().unwrap_or(TWO).parse()?;
    let mut solutions = puzzle.solutions();
    for solution in solutions.by_ref().take(1000) {
        println!("{solution}");
    }
    let outcome = solutions.outcome();
    eprintln!("{} solutions, {} guesses", outcome.solutions, outcome.guesses);
    Ok(())
}
