//! Puzzles with a pattern by the method that suits it.

use std::ops::Range;

use super::digits;
use super::pattern::{Pattern, PatternSource};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{Puzzle, Solution};
use crate::simd::SimdLevel;

/// Patterns with fewer clues are searched for, unless puzzles must be uniformly distributed.
const SAMPLED_CLUES: u32 = 27;
/// Tries of a pattern in a batch, when it is sampled.
const TRIES_PER_BATCH: u64 = 1 << 16;
/// Numbers in a batch of a search: enough to fill the lanes, but each may take some 100 milliseconds.
const WALKS_PER_BATCH: u64 = 64;
/// Numbers in a batch at most.
const PER_BATCH: u64 = 1024;

/// Makes puzzles whose clues are exactly at the cells of a [`Pattern`], from random grids or by a search over the
/// digits.
///
/// ```
/// use rapidoku::generate::{Pattern, Patterned};
/// use rapidoku::{CancelToken, SimdLevel};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let pattern: Pattern = line.parse().unwrap();
/// let patterned = Patterned::new(7, pattern, false, None, SimdLevel::detect());
/// let made = patterned.puzzles(0..500, &CancelToken::new())?;
/// assert!(!made.is_empty());
/// for (puzzle, solution) in made {
///     assert_eq!(Pattern::from(&puzzle), pattern);
///     assert_eq!(rapidoku::solve(&puzzle.to_string()), Ok(solution));
/// }
/// # Ok::<(), rapidoku::Cancelled>(())
/// ```
#[derive(Clone, Debug)]
pub struct Patterned {
    source: PatternSource,
    is_search: bool,
    max_tries: u64,
}

impl Patterned {
    /// Puzzles of a seed. With 27 clues and more, or if `uniform` is set, every puzzle with the pattern and one
    /// solution is equally likely; with fewer, a search over the digits makes puzzles. `max_tries` is the number of
    /// tries without a puzzle before it gives up; the defaults are 1,000,000,000 and, for the search, 1,000,000.
    pub fn new(seed: u64, pattern: Pattern, uniform: bool, max_tries: Option<u64>, level: SimdLevel) -> Patterned {
        let is_search = !uniform && pattern.clue_count() < SAMPLED_CLUES;
        let max_tries = max_tries.unwrap_or(if is_search { 1_000_000 } else { 1_000_000_000 });
        Patterned { source: PatternSource::new(seed, pattern, level), is_search, max_tries }
    }

    /// The number of tries without a puzzle before it gives up.
    pub fn max_tries(&self) -> u64 {
        self.max_tries
    }

    /// Whether it searches over the digits.
    pub fn is_search(&self) -> bool {
        self.is_search
    }

    /// The most tries for each number.
    fn tries_per_number(&self) -> u64 {
        if self.is_search { self.max_tries.clamp(1, digits::MAX_TRIES) } else { self.source.images_per_grid() as u64 }
    }

    /// The number of successive numbers without a puzzle before it gives up.
    pub fn max_fruitless(&self) -> u64 {
        self.max_tries.div_ceil(self.tries_per_number())
    }

    /// The number of numbers that a thread should take at a time if this many puzzles are wanted.
    pub fn per_batch(&self, puzzles: u64) -> u64 {
        if self.is_search {
            // Some more than puzzles, so that lanes are not idle while the last numbers are searched.
            puzzles.clamp(16, WALKS_PER_BATCH).min(self.max_fruitless()).max(1)
        } else {
            (TRIES_PER_BATCH / self.tries_per_number()).clamp(1, PER_BATCH)
        }
    }

    /// The puzzles with these numbers, with their solutions. Many numbers have none. The puzzles have one solution, but
    /// need not be minimal.
    ///
    /// # Errors
    /// When `cancel` has been set.
    pub fn puzzles(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
        if self.is_search {
            digits::search(&self.source, self.tries_per_number(), numbers, cancel)
        } else {
            self.source.sample(numbers, cancel)
        }
    }
}
