//! The removal of clues: minimal puzzles contained in grids and puzzles, and redundant clues.

pub mod contained;
pub mod cycles;
pub mod minimal;
pub mod side_by_side;
pub mod unavoidable;

use self::contained::Contained;
use self::cycles::Cycles;
use self::minimal::Start;
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
        let mut starts = self.starts(puzzles, outcomes);
        let made = minimal::minimal(self.level, minimal::FIRST_BLANKS, &mut starts, cancel)?;
        Ok(with_none(outcomes, made.into_iter().map(|(puzzle, _)| puzzle)))
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
        Ok(with_none(outcomes, contained::all(self.level, self.starts(puzzles, outcomes).collect(), max, cancel)?))
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
        let unique: Vec<_> = unique(puzzles, outcomes).collect();
        let mut counts = Vec::new();
        let questions = |(puzzle, grid): &(&Puzzle, [u8; CELLS])| -> Vec<_> {
            let mut cycles = Cycles::of_grid(self.level, grid);
            cycles.set_clues(puzzle);
            let tested = (0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0 && !cycles.need(cell));
            tested.map(|cell| is_needed(puzzle, cell)).collect()
        };
        // The questions of a chunk take 2 MB at most.
        for chunk in unique.chunks(256) {
            let lists: Vec<_> = chunk.iter().map(questions).collect();
            let redundant = |answers: Vec<bool>| answers.iter().filter(|is_needed| !**is_needed).count() as u32;
            counts.extend(ask(self.level, &lists, cancel)?.into_iter().map(redundant));
        }
        Ok(with_none(outcomes, counts))
    }

    /// The starts of puzzles with one solution. The order of removals depends on the seed and the puzzle.
    fn starts<'a>(&'a self, puzzles: &'a [Puzzle], outcomes: &'a Outcomes) -> impl Iterator<Item = Start> {
        let mix = |state: u64, cells: &[u8]| {
            let word = cells.iter().fold(0, |word, &digit| word << 4 | u64::from(digit));
            SplitMix64(state ^ word).next_word()
        };
        unique(puzzles, outcomes).map(move |(puzzle, grid)| {
            let hash = puzzle.cells().chunks(16).fold(0, mix);
            Start::of_puzzle(puzzle, grid, &mut Random::stream(self.seed, hash))
        })
    }
}

/// The puzzles with one solution, and their solutions.
fn unique<'a>(puzzles: &'a [Puzzle], outcomes: &'a Outcomes) -> impl Iterator<Item = (&'a Puzzle, [u8; CELLS])> {
    assert_eq!(puzzles.len(), outcomes.len(), "one outcome per puzzle");
    let unique = (0..puzzles.len()).filter(|&k| outcomes.statuses()[k] == Status::Unique);
    let grid = |k: usize| outcomes.rows()[k].first_chunk().expect("a row is longer").map(|byte| byte & 15);
    unique.map(move |k| (&puzzles[k], grid(k)))
}

/// The results of the puzzles with one solution, and `None` for the others.
fn with_none<T>(outcomes: &Outcomes, results: impl IntoIterator<Item = T>) -> Vec<Option<T>> {
    let mut results = results.into_iter();
    let is_unique = outcomes.statuses().iter().map(|status| *status == Status::Unique);
    is_unique.map(|is_unique| if is_unique { results.next() } else { None }).collect()
}
