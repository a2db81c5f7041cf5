//! Random grids and puzzles, and minimal puzzles contained in others.
//!
//! Each grid and each puzzle is a function of a seed and a number. So the results do not depend on the SIMD level, the
//! number of threads or the numbers that are generated together.

mod column_sets;
mod contained;
mod cycles;
mod grids;
mod minimal;
mod minimize;
mod questions;
mod random;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Puzzle, Solution};
use crate::simd::SimdLevel;

pub use minimize::{Contained, Minimizer};

/// A generator of complete grids and minimal puzzles, on the calling thread.
///
/// ```
/// use rapidoku::generate::Generator;
/// use rapidoku::{CancelToken, Puzzle};
///
/// let generator = Generator::new(2026);
/// for (puzzle, solution) in generator.minimal(0..10, &CancelToken::new())? {
///     assert!(puzzle.is_minimal());
///     assert_eq!(rapidoku::solve(&puzzle.to_string()), Ok(solution));
/// }
/// // Puzzle 7 is the same alone and among others.
/// let others = generator.minimal(5..9, &CancelToken::new())?;
/// assert_eq!(others[2], generator.minimal(7..8, &CancelToken::new())?[0]);
/// # Ok::<(), rapidoku::Cancelled>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Generator {
    seed: u64,
    level: SimdLevel,
}

impl Generator {
    /// A generator with this seed, at the widest SIMD level of the machine.
    pub fn new(seed: u64) -> Generator {
        Generator { seed, level: SimdLevel::detect() }
    }

    /// Sets the SIMD level, which does not change the results.
    pub fn level(self, level: SimdLevel) -> Generator {
        Generator { level, ..self }
    }

    /// Complete grid `number` of the seed. Every grid has the same probability.
    pub fn grid(&self, number: u64) -> Solution {
        Solution::from_cells(grids::draw(&mut random::Random::stream(self.seed, number))).expect("digits")
    }

    /// Minimal puzzles with these numbers, with their solutions. No clue can be removed from a minimal puzzle without giving
    /// it a second solution.
    ///
    /// The clues of a random grid, that of [`Generator::grid`], are removed in random order, each if the puzzle keeps one
    /// solution. Puzzles with few clues are overrepresented among these: every minimal puzzle can occur, but not with the
    /// same probability. A call with a thousand puzzles or more keeps the lanes of the engine busy.
    ///
    /// # Errors
    /// When `cancel` has been set.
    pub fn minimal(
        &self,
        numbers: Range<u64>,
        cancel: &CancelToken,
    ) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
        minimal::minimal(self.level, numbers, &mut |number| minimal::Start::of(self.seed, number), cancel)
    }
}
