//! Duplicates among puzzles: the same puzzle again, or an equivalent one.
//!
//! A [`Deduplicator`] finds for each puzzle of a slice the first one of its class. `rapidoku::file::Dedup` does that
//! for files of any size.
//!
//! ```
//! use rapidoku::dedup::{Deduplicator, Equivalence};
//! use rapidoku::grid::Symmetry;
//! use rapidoku::{CancelToken, Puzzle};
//!
//! let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
//! let puzzle: Puzzle = line.parse()?;
//! let puzzles = [puzzle, Puzzle::EMPTY, Symmetry::of_seed(42).puzzle(&puzzle), puzzle];
//! let firsts = |by| Deduplicator::new(by).firsts(&puzzles, &CancelToken::new()).unwrap();
//! assert_eq!(firsts(Equivalence::Exact), [0, 1, 2, 0]);
//! assert_eq!(firsts(Equivalence::Symmetry), [0, 1, 0, 0]);
//! # Ok::<(), rapidoku::PuzzleError>(())
//! ```
//!
//! # Algorithm
//!
//! The class of a puzzle is represented by a [`Key`] of 128 bits: a hash of its clues, or of its [canonical
//! form](crate::canon). A map has the first puzzle of each key.

mod keys;

use std::collections::{HashMap, TryReserveError};
use std::hash::{BuildHasherDefault, Hasher};

pub use self::keys::Key;
#[doc(hidden)]
pub use self::keys::KeyMaker;
use crate::cancel::{CancelToken, Cancelled};
use crate::outcome::{Outcomes, PuzzleSlice};
use crate::parallel::for_each;
use crate::simd::SimdLevel;

/// Which puzzles belong to the same class.
///
/// Every puzzle belongs to a class, also if its clues clash. For a record that is not a puzzle, pass no key to
/// [`firsts_of_keys`](Deduplicator::firsts_of_keys).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Equivalence {
    /// Puzzles with the same clues, or the same candidates. Puzzles given as clues never equal those given as
    /// candidates.
    Exact,
    /// Puzzles that a [`Symmetry`](crate::grid::Symmetry) turns into each other. Those whose clues clash are compared
    /// as by [`Exact`](Equivalence::Exact).
    #[default]
    Symmetry,
}

/// The reason why a [`Deduplicator`] has no result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DedupError {
    /// The token was set.
    #[error("cancelled")]
    Cancelled,
    /// There is not enough memory.
    #[error(transparent)]
    OutOfMemory(#[from] TryReserveError),
}

impl From<Cancelled> for DedupError {
    fn from(_: Cancelled) -> DedupError {
        DedupError::Cancelled
    }
}

/// Finds duplicates in slices of puzzles, given as clues or as candidates.
///
/// Results do not depend on the SIMD level or the number of threads. By [`Equivalence::Symmetry`] most of the time goes
/// into solving and [canonical forms](crate::canon).
///
/// Calls end with [`DedupError::Cancelled`] some milliseconds after their token was set, and with
/// [`DedupError::OutOfMemory`] if there is no memory for keys or results.
///
/// # Panics
/// Methods panic when they get candidates and the equivalence is [`Equivalence::Symmetry`], which is defined for clues
/// only.
#[derive(Clone, Debug)]
pub struct Deduplicator {
    by: Equivalence,
    level: SimdLevel,
    threads: usize,
}

impl Deduplicator {
    /// The widest SIMD level of the machine, on all threads with the feature `parallel` and on the calling thread
    /// without it.
    pub fn new(by: Equivalence) -> Deduplicator {
        Deduplicator { by, level: SimdLevel::detect(), threads: 0 }
    }

    /// Sets the SIMD level.
    pub fn level(mut self, level: SimdLevel) -> Deduplicator {
        self.level = level;
        self
    }

    /// Sets the number of threads: 0, the default, for all threads of the current rayon pool, 1 for the calling thread
    /// alone. Without the feature `parallel` the calling thread does all the work.
    pub fn threads(mut self, threads: usize) -> Deduplicator {
        self.threads = threads;
        self
    }

    /// For each puzzle the index of the first one of its class: `result[k] == k` if puzzle `k` is the first, or belongs
    /// to no class. Needs up to 100 bytes of memory for each puzzle.
    ///
    /// # Errors
    /// When `cancel` was set, or there is not enough memory.
    ///
    /// ```
    /// use rapidoku::CancelToken;
    /// use rapidoku::dedup::{Deduplicator, Equivalence};
    /// use rapidoku::generate::Generator;
    ///
    /// let made = Generator::new(1).minimal(0..100, &CancelToken::new())?;
    /// let mut puzzles: Vec<_> = made.iter().map(|made| made.0).collect();
    /// puzzles.push(puzzles[7]);
    /// let firsts = Deduplicator::new(Equivalence::Symmetry).firsts(&puzzles, &CancelToken::new())?;
    /// let kept: Vec<_> = (0..puzzles.len()).filter(|&k| firsts[k] == k).collect();
    /// assert_eq!((kept.len(), firsts[100]), (100, 7));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn firsts<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        cancel: &CancelToken,
    ) -> Result<Vec<usize>, DedupError> {
        self.firsts_of_keys(&self.keys(puzzles, cancel)?, cancel)
    }

    /// For each puzzle of `within` the index of the first one of its class in `puzzles`, if there is any.
    ///
    /// # Errors
    /// When `cancel` was set, or there is not enough memory.
    ///
    /// ```
    /// use rapidoku::dedup::{Deduplicator, Equivalence};
    /// use rapidoku::grid::Symmetry;
    /// use rapidoku::{CancelToken, Puzzle};
    ///
    /// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// let train: [Puzzle; 1] = [line.parse()?];
    /// let test = [Puzzle::EMPTY, Symmetry::of_seed(7).puzzle(&train[0])];
    /// let leaks = Deduplicator::new(Equivalence::Symmetry).overlap(&train, &test, &CancelToken::new()).unwrap();
    /// assert_eq!(leaks, [None, Some(0)]);
    /// # Ok::<(), rapidoku::PuzzleError>(())
    /// ```
    pub fn overlap<'a, 'b>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        within: impl Into<PuzzleSlice<'b>>,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<usize>>, DedupError> {
        let mut keys = self.keys(puzzles, cancel)?;
        let n = keys.len();
        let more = self.keys(within, cancel)?;
        keys.try_reserve_exact(more.len())?;
        keys.extend(more);
        let firsts = self.firsts_of_keys(&keys, cancel)?;
        let mut found = reserved(keys.len() - n)?;
        found.extend(firsts[n..].iter().map(|&first| (first < n).then_some(first)));
        Ok(found)
    }

    /// The key of the class of each puzzle; all are `Some`. For inputs that arrive in pieces: pass the keys
    /// of all of them to [`firsts_of_keys`](Deduplicator::firsts_of_keys).
    ///
    /// # Errors
    /// When `cancel` was set, or there is not enough memory.
    pub fn keys<'a>(
        &self,
        puzzles: impl Into<PuzzleSlice<'a>>,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Key>>, DedupError> {
        let puzzles = puzzles.into();
        let mut keys = reserved(puzzles.len())?;
        keys.resize(puzzles.len(), None);
        let maker = KeyMaker::new(self.by, self.level);
        let items = keys.chunks_mut(CHUNK).enumerate();
        for_each(self.threads, puzzles.len().div_ceil(CHUNK), items, |(i, keys)| {
            cancel.check()?;
            let mut outcomes = Outcomes::new();
            let puzzles = puzzles.slice(i * CHUNK..i * CHUNK + keys.len());
            if let Some(solver) = maker.solver() {
                solver.try_solve_into(puzzles, &mut outcomes, cancel)?;
            }
            keys.iter_mut().zip(maker.keys(puzzles, &outcomes)).for_each(|(to, key)| *to = Some(key));
            Ok::<(), Cancelled>(())
        })?;
        Ok(keys)
    }

    /// For each key the index of the first equal one, which is its own if it is the first or missing.
    ///
    /// # Errors
    /// When `cancel` was set, or there is not enough memory.
    ///
    /// ```
    /// use rapidoku::dedup::{Deduplicator, Equivalence};
    /// use rapidoku::{CancelToken, Puzzle};
    ///
    /// let (dedup, cancel) = (Deduplicator::new(Equivalence::Exact), CancelToken::new());
    /// let mut keys = Vec::new();
    /// for record in [Some(Puzzle::EMPTY), None, None, Some(Puzzle::EMPTY)] {
    ///     match record {
    ///         Some(puzzle) => keys.extend(dedup.keys(&[puzzle], &cancel)?),
    ///         // A record that is not a puzzle belongs to no class.
    ///         None => keys.push(None),
    ///     }
    /// }
    /// assert_eq!(dedup.firsts_of_keys(&keys, &cancel)?, [0, 1, 2, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn firsts_of_keys(&self, keys: &[Option<Key>], cancel: &CancelToken) -> Result<Vec<usize>, DedupError> {
        let mut firsts = reserved(keys.len())?;
        firsts.extend(0..keys.len());
        let mut first_of = HashMap::<(u64, u64), usize, BuildHasherDefault<Spread>>::default();
        first_of.try_reserve(keys.len())?;
        for (firsts, keys) in firsts.chunks_mut(CHUNK).zip(keys.chunks(CHUNK)) {
            cancel.check()?;
            for (first, key) in firsts.iter_mut().zip(keys) {
                if let Some(key) = key {
                    *first = *first_of.entry(key.halves().into()).or_insert(*first);
                }
            }
        }
        Ok(firsts)
    }
}

/// The hasher of tables of hashes. They are random already, but those in a table may have the same leading bits, which
/// the table uses too.
#[doc(hidden)]
#[derive(Debug, Default)]
pub struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash.rotate_left(32);
    }
}

/// A vector with room for `n` items.
fn reserved<T>(n: usize) -> Result<Vec<T>, TryReserveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(n)?;
    Ok(vector)
}

/// Puzzles between two looks at the token. Their keys are computed at a time, so that their forms stay in the cache.
const CHUNK: usize = 2048;
