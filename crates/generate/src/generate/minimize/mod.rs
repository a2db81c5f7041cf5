//! The removal of clues: minimal puzzles contained in grids and puzzles, and redundant clues.

pub mod contained;
pub mod cycles;
pub mod minimal;
pub mod side_by_side;
pub mod unavoidable;

use self::contained::Contained;
use self::cycles::Cycles;
use self::minimal::{Cells, Start};
use self::side_by_side::{ask, is_needed};
use super::random::Random;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Puzzle, SplitMix64};
use crate::outcome::{Outcomes, Status};
use crate::simd::SimdLevel;

/// Removes redundant clues of puzzles with one solution, on the calling thread.
///
/// The results for a puzzle depend on the seed and the puzzle only. Give many puzzles at a time: they fill the lanes of
/// the engine.
///
/// ```
/// use rapidoku::generate::Minimizer;
/// use rapidoku::{CancelToken, Puzzle, Solver, Status};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzles: [Puzzle; 2] = [line.parse()?, Puzzle::EMPTY];
/// let outcomes = Solver::new().solve(&puzzles);
/// let minimizer = Minimizer::new(2026);
///
/// let minimal = minimizer.minimize(&puzzles, &outcomes, &CancelToken::new()).unwrap();
/// assert!(minimal[0].unwrap().is_minimal());
/// assert_eq!(minimal[1], None); // It has several solutions.
///
/// let redundant = minimizer.redundant(&puzzles, &outcomes, &CancelToken::new()).unwrap();
/// assert_eq!(redundant, [Some(22), None]);
///
/// let all = minimizer.all(&puzzles, &outcomes, 1000, &CancelToken::new()).unwrap();
/// let contained = all[0].as_ref().unwrap();
/// assert!(contained.is_complete);
/// assert_eq!(contained.puzzles[0], minimal[0].unwrap());
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Minimizer {
    seed: u64,
    level: SimdLevel,
}

impl Minimizer {
    /// A minimizer with this seed, at the widest SIMD level of the machine.
    pub fn new(seed: u64) -> Minimizer {
        Minimizer { seed, level: SimdLevel::detect() }
    }

    /// Sets the SIMD level, which does not change the results.
    pub fn level(self, level: SimdLevel) -> Minimizer {
        Minimizer { level, ..self }
    }

    /// A minimal puzzle contained in each puzzle with the status [`Status::Unique`], `None` for others. The clues are
    /// removed in an order drawn from the seed and the puzzle, each if the puzzle keeps one solution.
    ///
    /// # Errors
    /// When `cancel` has been set.
    ///
    /// # Panics
    /// If there are not as many outcomes as puzzles.
    pub fn minimize(
        &self,
        puzzles: &[Puzzle],
        outcomes: &Outcomes,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Puzzle>>, Cancelled> {
        let unique = unique(puzzles, outcomes);
        let mut starts = unique.iter().map(|&k| self.start(&puzzles[k], grid(outcomes, k)));
        let mut results = vec![None; puzzles.len()];
        let made = minimal::minimal(self.level, &Cells, &mut starts, cancel)?;
        for (&k, (puzzle, _)) in unique.iter().zip(made) {
            results[k] = Some(puzzle);
        }
        Ok(results)
    }

    /// The minimal puzzles contained in each puzzle with the status [`Status::Unique`], at most `max` of each, `None`
    /// for others.
    ///
    /// There may be millions in a puzzle with many clues. Those found first differ in few clues: they are no random
    /// sample.
    ///
    /// # Errors
    /// When `cancel` has been set.
    ///
    /// # Panics
    /// If there are not as many outcomes as puzzles.
    pub fn all(
        &self,
        puzzles: &[Puzzle],
        outcomes: &Outcomes,
        max: usize,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<Contained>>, Cancelled> {
        let unique = unique(puzzles, outcomes);
        let starts = unique.iter().map(|&k| self.start(&puzzles[k], grid(outcomes, k)));
        let mut results = vec![None; puzzles.len()];
        for (&k, contained) in unique.iter().zip(contained::all(self.level, starts.collect(), max, cancel)?) {
            results[k] = Some(contained);
        }
        Ok(results)
    }

    /// The number of clues that can be removed on their own from each puzzle with the status [`Status::Unique`], `None`
    /// for others. A puzzle is minimal if there are none.
    ///
    /// # Errors
    /// When `cancel` has been set.
    ///
    /// # Panics
    /// If there are not as many outcomes as puzzles.
    pub fn redundant(
        &self,
        puzzles: &[Puzzle],
        outcomes: &Outcomes,
        cancel: &CancelToken,
    ) -> Result<Vec<Option<u32>>, Cancelled> {
        let unique = unique(puzzles, outcomes);
        let mut results = vec![None; puzzles.len()];
        let questions = |k: usize| -> Vec<_> {
            let mut cycles = Cycles::of_grid(self.level, &grid(outcomes, k));
            cycles.set_clues(&puzzles[k]);
            let tested = (0..CELLS).filter(|&cell| puzzles[k].cells()[cell] != 0 && !cycles.need(cell));
            tested.map(|cell| is_needed(&puzzles[k], cell)).collect()
        };
        // The questions of a chunk take 2 MB at most.
        for chunk in unique.chunks(256) {
            let lists: Vec<_> = chunk.iter().map(|&k| questions(k)).collect();
            for (&k, answers) in chunk.iter().zip(ask(self.level, &lists, cancel)?) {
                results[k] = Some(answers.iter().filter(|is_needed| !**is_needed).count() as u32);
            }
        }
        Ok(results)
    }

    /// The order of removals depends on the seed and the puzzle.
    fn start(&self, puzzle: &Puzzle, grid: [u8; CELLS]) -> Start {
        let mix = |state: u64, cells: &[u8]| {
            let word = cells.iter().fold(0, |word, &digit| word << 4 | u64::from(digit));
            SplitMix64(state ^ word).next_word()
        };
        let hash = puzzle.cells().chunks(16).fold(0, mix);
        Start::of_puzzle(puzzle, grid, &mut Random::stream(self.seed, hash))
    }
}

/// The indices of puzzles with one solution.
fn unique(puzzles: &[Puzzle], outcomes: &Outcomes) -> Vec<usize> {
    assert_eq!(puzzles.len(), outcomes.len(), "one outcome per puzzle");
    (0..puzzles.len()).filter(|&k| outcomes.statuses()[k] == Status::Unique).collect()
}

/// The solution of a puzzle.
fn grid(outcomes: &Outcomes, k: usize) -> [u8; CELLS] {
    outcomes.rows()[k].first_chunk().expect("a row is longer").map(|byte| byte & 15)
}
