//! The keys of puzzles: equal for puzzles of the same class.

use std::num::NonZeroU128;

use xxhash_rust::xxh3::xxh3_128;

use super::Equivalence;
use crate::canon::{self, Canonicalizer};
use crate::grid::{CELLS, Candidates, Puzzle};
use crate::outcome::{Outcomes, PuzzleSlice, Status};
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

/// Computes the keys of puzzles.
#[derive(Clone, Debug)]
pub struct KeyMaker {
    by: Equivalence,
    solver: Solver,
    canonicalizer: Canonicalizer,
}

impl KeyMaker {
    /// Solves at this SIMD level, on the calling thread.
    pub fn new(by: Equivalence, level: SimdLevel) -> KeyMaker {
        let canonicalizer = Canonicalizer::new().level(level).threads(1);
        KeyMaker { by, solver: Solver::new().level(level).threads(1), canonicalizer }
    }

    /// The solver of the outcomes from which keys are computed, if they are.
    pub fn solver(&self) -> Option<&Solver> {
        (self.by == Equivalence::Symmetry).then_some(&self.solver)
    }

    /// The key of each puzzle, given the outcomes of the [solver](KeyMaker::solver).
    pub fn keys(&self, puzzles: PuzzleSlice, outcomes: &Outcomes) -> Vec<Key> {
        match (self.by, puzzles) {
            (Equivalence::Exact, PuzzleSlice::Clues(puzzles)) => puzzles.iter().map(of_clues).collect(),
            (Equivalence::Exact, PuzzleSlice::Candidates(all)) => all.iter().map(of_candidates).collect(),
            (Equivalence::Symmetry, PuzzleSlice::Clues(puzzles)) => {
                let forms = self.canonicalizer.forms_of_all(puzzles, outcomes);
                let key = |(form, (puzzle, status)): (Option<Puzzle>, (&Puzzle, &Status))| match form {
                    Some(form) if *status == Status::Unique => Key::new(canon::hash(&form), Method::FormBySolution),
                    Some(form) => Key::new(canon::hash(&form), Method::Minlex),
                    // Puzzles whose clues clash have no form.
                    None => of_clues(puzzle),
                };
                forms.into_iter().zip(puzzles.iter().zip(outcomes.statuses())).map(key).collect()
            }
            (Equivalence::Symmetry, PuzzleSlice::Candidates(_)) => {
                panic!("symmetry is defined for clues, not for candidates")
            }
        }
    }
}

fn of_clues(puzzle: &Puzzle) -> Key {
    Key::new(canon::hash(puzzle), Method::Clues)
}

fn of_candidates(candidates: &Candidates) -> Key {
    let mut bytes = [0; 2 * CELLS];
    for (pair, set) in bytes.chunks_exact_mut(2).zip(candidates.cells()) {
        pair.copy_from_slice(&set.to_le_bytes());
    }
    Key::new(xxh3_128(&bytes), Method::Candidates)
}
