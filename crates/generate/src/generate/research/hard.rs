//! Puzzles that take the engine many guesses: a search in the neighbourhood of the best ones so far.
//!
//! The search goes in rounds, so the result does not depend on the number of threads. In each round the best puzzles
//! that have not been expanded give their neighbours with one changed clue, until all have been expanded. Neighbours
//! with enough guesses are minimised, since every redundant clue makes a puzzle easier. The pool keeps the best ones,
//! one of each class of equivalent puzzles.

use std::collections::HashSet;

use crate::cancel::{CancelToken, Cancelled};
use crate::canon::Canonicalizer;
use crate::generate::{Generator, Minimizer};
use crate::grid::{CELLS, Puzzle, Solution};
use crate::outcome::{Outcomes, Status};
use crate::parallel::for_each;
use crate::simd::SimdLevel;
use crate::solver::Solver;

/// Searches for puzzles with many guesses.
///
/// The score of a puzzle is the number of guesses of the lane engine that prove that it has one solution. It measures
/// the work of a search, not the difficulty for people. Equivalent puzzles may have different scores.
///
/// ```
/// use rapidoku::generate::HardSearch;
/// use rapidoku::{CancelToken, Solver};
///
/// let found = HardSearch::new(7, 10).rounds(2).run(&[], &CancelToken::new())?;
/// assert_eq!(found.puzzles.len(), 10);
/// let puzzles: Vec<_> = found.puzzles.iter().map(|hard| hard.puzzle).collect();
/// let outcomes = Solver::new().solve(&puzzles);
/// assert!(found.puzzles.iter().zip(outcomes.guesses()).all(|(hard, guesses)| hard.guesses == *guesses));
/// # Ok::<(), rapidoku::Cancelled>(())
/// ```
#[derive(Clone, Debug)]
pub struct HardSearch {
    seed: u64,
    keep: usize,
    rounds: u64,
    level: SimdLevel,
    threads: usize,
}

/// A puzzle with one solution and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HardPuzzle {
    /// The puzzle, which is minimal.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// The guesses of the lane engine.
    pub guesses: u64,
}

/// The result of a [`HardSearch`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct HardSet {
    /// The best puzzles, best first. No two are equivalent.
    pub puzzles: Vec<HardPuzzle>,
    /// The number of puzzles scored.
    pub scored: u64,
}

/// Random puzzles at the start, if none are given; twice as many as are kept, if that is more.
const RANDOM_STARTS: usize = 20_000;
/// The pool keeps at least this many puzzles.
const LEAST_POOL: usize = 512;
/// Puzzles expanded in a round.
const PER_ROUND: usize = 256;
/// Puzzles of the start that a thread scores at a time.
const CHUNK: usize = 2048;
/// Chunks that are in memory at a time.
const CHUNKS: usize = 32;
/// A clue is not changed if there are more solutions without it: few candidates are in one of them only.
const MAX_SOLUTIONS: usize = 600;
/// Of the neighbours of a puzzle, at most this many enter the pool.
const BEST_NEIGHBOURS: usize = 64;

impl HardSearch {
    /// A search with this seed that keeps `keep` puzzles, of 8 rounds, at the widest SIMD level of the machine, on all
    /// threads with the feature `parallel` and on the calling thread without it.
    pub fn new(seed: u64, keep: usize) -> HardSearch {
        HardSearch { seed, keep, rounds: 8, level: SimdLevel::detect(), threads: 0 }
    }

    /// Sets the largest number of rounds. Each takes about the same time. The search ends earlier if all puzzles have
    /// been expanded.
    pub fn rounds(self, rounds: u64) -> HardSearch {
        HardSearch { rounds, ..self }
    }

    /// Sets the SIMD level, which does not change the results.
    pub fn level(self, level: SimdLevel) -> HardSearch {
        HardSearch { level, ..self }
    }

    /// Sets the number of threads: 0, the default, for all threads of the current rayon pool, 1 for the calling thread
    /// alone. It does not change the results.
    pub fn threads(self, threads: usize) -> HardSearch {
        HardSearch { threads, ..self }
    }

    /// Searches from the puzzles of `starts` that have one solution, or from random minimal puzzles if there are none.
    /// There may be fewer results than puzzles to keep if few are given. Takes some 300 bytes for each puzzle to keep.
    ///
    /// # Errors
    /// When `cancel` has been set.
    pub fn run(&self, starts: &[Puzzle], cancel: &CancelToken) -> Result<HardSet, Cancelled> {
        let mut pool = Pool { size: self.keep.max(LEAST_POOL), entries: Vec::new(), scored: 0 };
        let score = |puzzles: &[Puzzle], least, most| self.score(puzzles, least, most, cancel);
        for starts in starts.chunks(CHUNK * CHUNKS) {
            let chunks: Vec<&[Puzzle]> = starts.chunks(CHUNK).collect();
            self.add(&mut pool, chunks.len(), |k| score(chunks[k], 0, usize::MAX))?;
        }
        if pool.entries.is_empty() {
            let generator = Generator::new(self.seed).level(self.level);
            let starts = RANDOM_STARTS.max(self.keep.saturating_mul(2));
            for first in (0..starts).step_by(CHUNK * CHUNKS) {
                let chunks = (starts - first).div_ceil(CHUNK).min(CHUNKS);
                self.add(&mut pool, chunks, |k| {
                    let from = first + k * CHUNK;
                    let numbers = from as u64..starts.min(from + CHUNK) as u64;
                    let made = generator.minimal(numbers, cancel)?;
                    let puzzles: Vec<Puzzle> = made.into_iter().map(|(puzzle, _)| puzzle).collect();
                    score(&puzzles, 0, usize::MAX)
                })?;
            }
        }
        for _ in 0..self.rounds {
            let least = pool.least();
            let chosen = pool.entries.iter_mut().filter(|entry| !entry.is_expanded).take(PER_ROUND).map(|entry| {
                entry.is_expanded = true;
                entry.hard.puzzle
            });
            let chosen: Vec<Puzzle> = chosen.collect();
            if chosen.is_empty() {
                break;
            }
            self.add(&mut pool, chosen.len(), |k| score(&neighbours(&chosen[k]), least, BEST_NEIGHBOURS))?;
        }
        let puzzles = pool.entries.into_iter().take(self.keep).map(|entry| entry.hard).collect();
        Ok(HardSet { puzzles, scored: pool.scored })
    }

    /// Adds the puzzles that `task` finds for each number below `n`, in the order of numbers.
    fn add(
        &self,
        pool: &mut Pool,
        n: usize,
        task: impl Fn(usize) -> Result<(Vec<Entry>, u64), Cancelled> + Sync,
    ) -> Result<(), Cancelled> {
        let mut results = vec![(Vec::new(), 0); n];
        for_each(self.threads, n, results.iter_mut().enumerate(), |(k, result)| {
            *result = task(k)?;
            Ok(())
        })?;
        for (entries, scored) in results {
            pool.scored += scored;
            pool.entries.extend(entries);
        }
        pool.keep_best();
        Ok(())
    }

    /// Scores puzzles. Returns the `most` hardest of those with at least `least` guesses, minimised, and the number of
    /// puzzles scored.
    fn score(
        &self,
        puzzles: &[Puzzle],
        least: u64,
        most: usize,
        cancel: &CancelToken,
    ) -> Result<(Vec<Entry>, u64), Cancelled> {
        let solver = Solver::new().level(self.level).threads(1);
        let mut outcomes = Outcomes::new();
        solver.try_solve_into(puzzles, &mut outcomes, cancel)?;
        let (statuses, guesses) = (outcomes.statuses(), outcomes.guesses());
        let mut good: Vec<usize> =
            (0..puzzles.len()).filter(|&k| statuses[k] == Status::Unique && guesses[k] >= least).collect();
        good.sort_by_key(|&k| std::cmp::Reverse(guesses[k]));
        good.truncate(most);
        let good: Vec<Puzzle> = good.into_iter().map(|k| puzzles[k]).collect();
        solver.try_solve_into(&good, &mut outcomes, cancel)?;
        let minimal = Minimizer::new(self.seed).level(self.level).minimize(&good, &outcomes, cancel)?;
        let good: Vec<Puzzle> = minimal.into_iter().flatten().collect();
        solver.try_solve_into(&good, &mut outcomes, cancel)?;
        let mut forms = Vec::new();
        Canonicalizer::new().level(self.level).threads(1).solved_into(&good, &outcomes, &mut forms);
        let entry = |(k, puzzle): (usize, &Puzzle)| {
            let guesses = outcomes.guesses()[k];
            let solution = outcomes.solution(k)?;
            let hard = HardPuzzle { puzzle: *puzzle, solution, guesses };
            (guesses >= least).then_some(Entry { hard, form: forms[k]?.form, is_expanded: false })
        };
        Ok((good.iter().enumerate().filter_map(entry).collect(), puzzles.len() as u64))
    }
}

/// A puzzle of the pool.
#[derive(Clone)]
struct Entry {
    hard: HardPuzzle,
    form: Puzzle,
    is_expanded: bool,
}

/// The best puzzles so far, best first.
struct Pool {
    size: usize,
    entries: Vec<Entry>,
    scored: u64,
}

impl Pool {
    /// Puzzles with fewer guesses need not be added.
    fn least(&self) -> u64 {
        if self.entries.len() < self.size { 0 } else { self.entries[self.size - 1].hard.guesses + 1 }
    }

    fn keep_best(&mut self) {
        // A stable sort: of equivalent puzzles with as many guesses, the first one stays.
        self.entries.sort_by_key(|entry| std::cmp::Reverse(entry.hard.guesses));
        let mut forms = HashSet::new();
        self.entries.retain(|entry| forms.len() < self.size && forms.insert(entry.form));
    }
}

/// Puzzles with one solution that differ from `puzzle` in one clue.
///
/// Testing each change would take thousands of searches. Instead the solutions without a clue are enumerated: a
/// candidate that is in exactly one of them, as a clue, leaves this one.
fn neighbours(puzzle: &Puzzle) -> Vec<Puzzle> {
    let mut found = Vec::new();
    for cell in (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0) {
        let mut less = *puzzle;
        let clue = std::mem::take(&mut less.cells_mut()[cell]);
        let solutions: Vec<_> = less.solutions().take(MAX_SOLUTIONS + 1).collect();
        if solutions.len() > MAX_SOLUTIONS {
            continue;
        }
        // A set of digits for each cell.
        let (mut once, mut twice) = ([0_u16; CELLS], [0; CELLS]);
        for solution in &solutions {
            for ((once, twice), digit) in once.iter_mut().zip(&mut twice).zip(solution.cells()) {
                *twice |= *once & 1 << digit;
                *once |= 1 << digit;
            }
        }
        let others = (0..CELLS).flat_map(|other| (1..10).map(move |digit| (other, digit)));
        let is_in_one = |&(other, digit): &(usize, u8)| (once[other] & !twice[other]) >> digit & 1 == 1;
        found.extend(others.filter(is_in_one).filter(|other| *other != (cell, clue)).map(|(other, digit)| {
            let mut changed = less;
            changed.cells_mut()[other] = digit;
            changed
        }));
    }
    found
}
