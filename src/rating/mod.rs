//! Rates a puzzle by the techniques of players, on the scale of Sudoku Explainer 1.2.1.

mod aligned;
mod bug;
mod chains;
mod fish;
mod hint;
mod locked;
mod loops;
mod rater;
mod sets;
mod singles;
mod state;
mod tables;
mod technique;
mod wings;

pub use rater::*;
pub use technique::{Difficulty, Technique, Techniques};
