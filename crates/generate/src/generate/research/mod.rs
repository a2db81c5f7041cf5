//! Puzzles for research: hard for the engine, with a pattern, and an unbiased sample of minimal ones.

mod digits;
mod hard;
mod pattern;
mod patterned;
pub mod weighted;

pub use hard::{HardPuzzle, HardSearch, HardSet};
pub use pattern::{ParsePatternError, Pattern};
pub use patterned::Patterned;
pub use weighted::{SAMPLE_WEIGHT, Weighted};
