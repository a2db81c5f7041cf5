//! Random grids and puzzles, and minimal puzzles contained in others.
//!
//! Each grid and each puzzle is a function of a seed and a number. So the results do not depend on the SIMD level, the
//! number of threads or the numbers that are generated together.

mod column_sets;
mod filter;
mod grids;
mod minimize;
mod random;
mod research;
mod symmetric;

use std::ops::Range;

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Puzzle, Solution};
use crate::simd::SimdLevel;

use minimize::minimal;
use research::weighted;

pub use filter::Filter;
pub use minimize::Minimizer;
pub use minimize::contained::Contained;
pub use research::{HardPuzzle, HardSearch, HardSet, ParsePatternError, Pattern, Patterned, SAMPLE_WEIGHT, Weighted};
pub use symmetric::ClueSymmetry;

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

    /// Complete grids with these numbers. Every grid has the same probability.
    pub fn grids(&self, numbers: Range<u64>) -> Vec<Solution> {
        let n = numbers.end.saturating_sub(numbers.start) as usize;
        let grids = numbers.step_by(grids::AT_A_TIME).flat_map(|first| grids::numbered(self.seed, first).0);
        grids.take(n).map(|cells| Solution::from_cells(cells).expect("digits")).collect()
    }

    /// The grid of a minimal puzzle, and the order in which its clues are removed: for tests.
    #[doc(hidden)]
    pub fn start(&self, number: u64) -> ([u8; CELLS], [u8; CELLS]) {
        let minimal::Start { grid, order, .. } = minimal::Start::draw(&mut random::Random::stream(self.seed, number));
        (grid, order)
    }

    /// Minimal puzzles with these numbers, with their solutions. No clue can be removed from a minimal puzzle without
    /// giving it a second solution.
    ///
    /// The clues of a random grid, that of [`Generator::grids`], are removed in random order, each if the puzzle keeps
    /// one solution. Puzzles with few clues are overrepresented among these: every minimal puzzle can occur, but not
    /// with the same probability. A call with a thousand puzzles or more keeps the lanes of the engine busy.
    ///
    /// # Errors
    /// When `cancel` has been set.
    pub fn minimal(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
        self.symmetric(ClueSymmetry::Any, numbers, cancel)
    }

    /// Puzzles with these numbers whose cells with clues have a symmetry, with their solutions.
    ///
    /// The orbits of the symmetry, sets of cells that are clues or blanks together, are removed from a random grid in
    /// random order, each if the puzzle keeps one solution. So the puzzle is minimal among puzzles with this symmetry:
    /// no orbit can be removed. Single clues often can. With [`ClueSymmetry::Any`] the puzzles are those of
    /// [`Generator::minimal`]. The distribution has the same kind of bias.
    ///
    /// # Errors
    /// When `cancel` has been set.
    ///
    /// ```
    /// use rapidoku::CancelToken;
    /// use rapidoku::generate::{ClueSymmetry, Generator};
    ///
    /// let made = Generator::new(7).symmetric(ClueSymmetry::HalfTurn, 0..100, &CancelToken::new())?;
    /// assert!(made.iter().all(|(puzzle, _)| ClueSymmetry::HalfTurn.holds(puzzle)));
    /// # Ok::<(), rapidoku::Cancelled>(())
    /// ```
    pub fn symmetric(
        &self,
        symmetry: ClueSymmetry,
        numbers: Range<u64>,
        cancel: &CancelToken,
    ) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
        let groups = (symmetry != ClueSymmetry::Any).then(|| symmetry.orbits());
        minimal::of_grids(self.level, self.seed, groups.as_deref(), symmetry.parts().1, numbers, cancel)
    }

    /// The puzzles of [`Generator::minimal`] with weights that correct their bias: over all numbers, every minimal
    /// puzzle has the same expected sum of weights.
    ///
    /// Weights differ by ten orders of magnitude. The *effective sample size*, the square of their sum divided by the
    /// sum of their squares, is about 800 for 400,000 puzzles. Weighing takes four times as long as making the puzzles.
    ///
    /// # Errors
    /// When `cancel` has been set.
    ///
    /// ```
    /// use rapidoku::CancelToken;
    /// use rapidoku::generate::Generator;
    ///
    /// // Without weights, the share of puzzles with 26 clues and more is underestimated.
    /// let weighted = Generator::new(7).weighted(0..2000, &CancelToken::new())?;
    /// let sum = |least: usize| -> f64 {
    ///     weighted.iter().filter(|w| w.puzzle.clue_count() >= least).map(|w| w.weight).sum()
    /// };
    /// let count = weighted.iter().filter(|w| w.puzzle.clue_count() >= 26).count();
    /// assert!(sum(26) / sum(0) > 0.6);
    /// assert!(count < 400);
    /// # Ok::<(), rapidoku::Cancelled>(())
    /// ```
    pub fn weighted(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<Weighted>, Cancelled> {
        weighted::weigh(self.level, self.seed, numbers, false, cancel)
    }

    /// Those of the puzzles of [`Generator::weighted`] that are in an unbiased sample: every minimal puzzle has the
    /// same expected number in it.
    ///
    /// A puzzle is in the sample `weight /` [`SAMPLE_WEIGHT`] times, rounded up or down at random: about one in 4300,
    /// and some of them several times in succession. A call needs many thousands of numbers for a few puzzles.
    ///
    /// # Errors
    /// When `cancel` has been set.
    ///
    /// ```
    /// use rapidoku::CancelToken;
    /// use rapidoku::generate::Generator;
    ///
    /// let sample = Generator::new(7).unbiased(0..10_000, &CancelToken::new())?;
    /// assert!(sample.len() < 20);
    /// # Ok::<(), rapidoku::Cancelled>(())
    /// ```
    pub fn unbiased(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<Weighted>, Cancelled> {
        weighted::weigh(self.level, self.seed, numbers, true, cancel)
    }
}
