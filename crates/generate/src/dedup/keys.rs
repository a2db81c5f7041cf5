//! The keys of puzzles: equal for puzzles of the same class.

use std::num::NonZeroU128;

use xxhash_rust::xxh3::xxh3_128;

use crate::cancel::{CancelToken, Cancelled};
use crate::canon::{self, Canonical, Canonicalizer};
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::outcome::{Outcomes, Status};
use crate::simd::SimdLevel;
use crate::solver::Solver;

/// A hash of 128 bits that is the same for all puzzles of a class. Compare keys of the same
/// [`Equivalence`](super::Equivalence) and the same version only.
///
/// Among 100 million puzzles of different classes, two have the same key with probability 1.5 × 10⁻²³.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key(NonZeroU128);

impl Key {
    /// The hash.
    pub fn get(self) -> u128 {
        self.0.get()
    }

    /// The low and the high half.
    pub fn halves(self) -> [u64; 2] {
        [self.get() as u64, (self.get() >> 64) as u64]
    }

    /// The key for a hash of what the method compares. Equal hashes of different methods give different keys.
    fn new(hash: u128, method: Method) -> Key {
        Key(NonZeroU128::new(hash ^ method as u128).unwrap_or(NonZeroU128::MAX))
    }
}

/// What is compared. The discriminants differ in bits all over the key; they are digits of π.
#[repr(u128)]
enum Method {
    Clues = 0,
    Candidates = 0x243f_6a88_85a3_08d3_1319_8a2e_0370_7344,
    FormBySolution = 0xa409_3822_299f_31d0_082e_fa98_ec4e_6c89,
    Minlex = 0x4528_21e6_38d0_1377_be54_66cf_34e9_0c6c,
}

/// The key of the clues of a puzzle.
#[inline]
pub fn exact(puzzle: &Puzzle) -> Key {
    Key::new(canon::hash(puzzle), Method::Clues)
}

/// The key of the candidates of a puzzle.
pub fn exact_candidates(candidates: &Candidates) -> Key {
    let mut bytes = [0; 2 * CELLS];
    for (pair, set) in bytes.chunks_exact_mut(2).zip(candidates.cells()) {
        pair.copy_from_slice(&set.to_le_bytes());
    }
    Key::new(xxh3_128(&bytes), Method::Candidates)
}

/// Computes the keys of equivalent puzzles.
#[derive(Clone, Debug)]
pub struct SymmetryKeys {
    solver: Solver,
    canonicalizer: Canonicalizer,
}

/// The buffers of a thread.
#[derive(Default)]
pub struct Scratch {
    outcomes: Outcomes,
    forms: Vec<Option<Canonical>>,
    /// The puzzles without exactly one solution, and their indices.
    others: Vec<Puzzle>,
    indices: Vec<usize>,
}

impl SymmetryKeys {
    /// Solves at this SIMD level, on the calling thread.
    pub fn new(level: SimdLevel) -> SymmetryKeys {
        SymmetryKeys {
            solver: Solver::new().level(level).threads(1),
            canonicalizer: Canonicalizer::new().level(level).threads(1),
        }
    }

    /// Computes the key of each puzzle. Returns the outcomes.
    ///
    /// # Errors
    /// When `cancel` was set.
    pub fn fill<'s>(
        &self,
        puzzles: &[Puzzle],
        keys: &mut [Option<Key>],
        scratch: &'s mut Scratch,
        cancel: &CancelToken,
    ) -> Result<&'s Outcomes, Cancelled> {
        let Scratch { outcomes, forms, others, indices } = scratch;
        others.clear();
        indices.clear();
        self.solver.try_solve_into(puzzles, outcomes, cancel)?;
        self.canonicalizer.solved_into(puzzles, outcomes, forms);
        for (k, (form, key)) in forms.iter().zip(&mut *keys).enumerate() {
            *key = form.as_ref().map(|form| Key::new(form.hash(), Method::FormBySolution));
            if key.is_none() {
                // Puzzles whose clues clash have no form.
                *key = Some(exact(&puzzles[k]));
                if outcomes.statuses()[k] != Status::Invalid {
                    others.push(puzzles[k]);
                    indices.push(k);
                }
            }
        }
        self.canonicalizer.minlex_into(others, forms);
        for (form, &k) in forms.iter().zip(&*indices) {
            if let Some(form) = form {
                keys[k] = Some(Key::new(form.hash(), Method::Minlex));
            }
        }
        Ok(outcomes)
    }
}
