//! Weights that correct the bias of minimal puzzles.
//!
//! A minimal puzzle is made by removals `1..=n` from a complete grid. Let `R(j)` be the number of clues that can be
//! removed on their own after `j` removals. Given the first `j` removals, removal `j + 1` is any of these with the same
//! probability. So with `G` grids, a grid and an order of removals have the probability `1 / G ∏ 1 / R(j)`. All `n!`
//! orders lead from the grid to the puzzle. With the weight
//!
//! ```text
//! w = R(0)/1 · R(1)/2 · ... · R(n-1)/n
//! ```
//!
//! the expected sum of weights is the same for every minimal puzzle, `1 / G`. The mean weight is the number of minimal
//! puzzles divided by the number of grids. The problem and an unbiased generator, which discards a grid at the first
//! clue that is needed, are due to Denis Berthier, *Unbiased Statistics of a CSP: A Controlled-Bias Generator* (2009).
//!
//! *R without all tests.* A clue that is needed is needed after further removals too. So a clue that stays is redundant
//! until some removal, its *death*, and needed from then on. If it is the last clue in a [set of two
//! lines](crate::generate::minimize::unavoidable), its death is not later than the last removal from the set. Most
//! deaths are near such a bound, and tests go back from there. They are 75 for a puzzle, instead of 2,500 for all clues
//! after each removal.
//!
//! *A sample.* A puzzle comes into the sample `w / SAMPLE_WEIGHT` times, rounded up or down at random such that this is
//! the expected number: usually never, seldom once, and several times if it is hard to reach. So every minimal puzzle
//! has the same expected number. The bounds on deaths give a bound on the weight, and most puzzles are rejected before
//! any death is known.

use std::ops::Range;

use crate::cancel::{CancelToken, Cancelled};
use crate::generate::minimize::minimal::{self, Start};
use crate::generate::minimize::side_by_side::{self, PLACES, Probe, Tasks};
use crate::generate::minimize::unavoidable;
use crate::generate::random::Random;
use crate::grid::{CELLS, Puzzle, Solution, bits};
use crate::simd::SimdLevel;

/// A minimal puzzle with its weight, from [`Generator::weighted`](crate::generate::Generator::weighted).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Weighted {
    /// The puzzle.
    pub puzzle: Puzzle,
    /// Its solution.
    pub solution: Solution,
    /// The weight. The mean over many puzzles is the number of minimal puzzles per complete grid, some 4.7 × 10¹⁵.
    pub weight: f64,
}

/// An unavoidable set has four cells or more, so a clue is needed after three removals at the earliest.
const EARLIEST_DEATH: u8 = 3;

/// The weight of one row of [an unbiased sample](crate::generate::Generator::unbiased). With a greater one samples
/// would be rarer, with a smaller one more puzzles would be repeated.
pub const SAMPLE_WEIGHT: f64 = 2e19;

/// The minimal puzzles with these numbers and their weights, or only those in the sample if puzzles may be rejected.
pub fn weigh(
    level: SimdLevel,
    seed: u64,
    numbers: Range<u64>,
    may_reject: bool,
    cancel: &CancelToken,
) -> Result<Vec<Weighted>, Cancelled> {
    let mut started = Vec::new();
    let mut starts = numbers.map(|number| {
        let mut random = Random::stream(seed, number);
        let start = Start::draw(&mut random);
        // Accepted if the weight is at least this.
        let least = if may_reject { random.unit() * SAMPLE_WEIGHT } else { 0.0 };
        started.push((start.order, least));
        start
    });
    let made = minimal::minimal(level, minimal::FIRST_BLANKS, &mut starts, cancel)?;
    let mut weights = vec![None; made.len()];
    let mut tasks = Weighing {
        level,
        made: &made,
        started: &started,
        next: 0,
        paths: std::array::from_fn(|_| None),
        weights: &mut weights,
    };
    side_by_side::run(level, &mut tasks, cancel)?;
    let mut results = Vec::new();
    for (((puzzle, solution), weight), (_, least)) in made.into_iter().zip(weights).zip(started) {
        let Some(weight) = weight else { continue };
        let copies = if may_reject { 1 + ((weight - least) / SAMPLE_WEIGHT) as usize } else { 1 };
        results.resize(results.len() + copies, Weighted { puzzle, solution, weight });
    }
    Ok(results)
}

/// The puzzles being weighed.
struct Weighing<'a> {
    level: SimdLevel,
    made: &'a [(Puzzle, Solution)],
    /// The order of removals of each puzzle, and the least weight with which it is accepted.
    started: &'a [([u8; CELLS], f64)],
    /// The next puzzle to be started.
    next: usize,
    /// In each place, a path and the index of its puzzle.
    paths: [Option<(Path, usize)>; PLACES],
    /// The weight of each puzzle that is accepted.
    weights: &'a mut [Option<f64>],
}

impl Tasks for Weighing<'_> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        while let Some((puzzle, solution)) = self.made.get(self.next) {
            let (order, least) = &self.started[self.next];
            let path = Path::new(self.level, solution.cells(), order, puzzle);
            self.next += 1;
            if path.weight() >= *least {
                self.paths[place] = Some((path, self.next - 1));
                if self.go_on(place, probe) {
                    return true;
                }
            }
        }
        false
    }

    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool {
        let (path, index) = self.paths[place].as_mut().expect("it has been started");
        let is_needed = solutions != 0;
        path.answer(is_needed);
        // The bound on the weight is lower if the clue is needed.
        let (_, least) = self.started[*index];
        if is_needed && least > 0.0 && path.weight() < least {
            return false;
        }
        self.go_on(place, probe)
    }
}

impl Weighing<'_> {
    /// Sets the next probe of a path, or its weight if there is none.
    fn go_on(&mut self, place: usize, probe: &mut Probe) -> bool {
        let (path, index) = self.paths[place].as_mut().expect("it has been started");
        if path.next_probe(probe) {
            return true;
        }
        self.weights[*index] = Some(path.weight());
        false
    }
}

/// The removals that made a puzzle, and bounds on the deaths of its clues.
struct Path {
    grid: [u8; CELLS],
    /// The number of the removal of each cell from 1, `CELLS` for clues.
    removed: [u8; CELLS],
    /// The number of removals.
    removals: u8,
    clues: Vec<Clue>,
    /// The clues whose deaths are known come first.
    known: usize,
    /// The number of removals before the probe.
    probed: u8,
}

/// A clue that stays. It is redundant after fewer than `earliest` removals, and needed after `latest`.
struct Clue {
    cell: u8,
    earliest: u8,
    latest: u8,
    /// The distance of the next test from `latest`.
    step: u8,
}

/// Deaths are often late: tests this far below the latest one possible are 75 for a puzzle, bisections 130.
const STEP: u8 = 5;

impl Path {
    /// The path from a grid to the minimal puzzle that is reached by removals in this order.
    fn new(level: SimdLevel, grid: &[u8; CELLS], order: &[u8; CELLS], puzzle: &Puzzle) -> Path {
        let mut removed = [CELLS as u8; CELLS];
        let mut removals = 0;
        let mut clues = Vec::with_capacity(32);
        for &cell in order {
            if puzzle.cells()[cell as usize] == 0 {
                removals += 1;
                removed[cell as usize] = removals;
            } else {
                // It was not removed because it was needed.
                clues.push(Clue { cell, earliest: EARLIEST_DEATH, latest: removals, step: STEP });
            }
        }
        let mut sets = Vec::with_capacity(64);
        unavoidable::add_lines(level, grid, &mut sets);
        let mask = clues.iter().fold(0_u128, |mask, clue| mask | 1 << clue.cell);
        for set in sets {
            let only = set & mask;
            if only.is_power_of_two() {
                let others = bits(set & !mask).map(|cell| removed[cell]);
                let last = others.max().expect("a set has four cells or more");
                let clue = clues.iter_mut().find(|clue| only >> clue.cell & 1 == 1).expect("it is a clue");
                if last < clue.latest {
                    // The bound is the death in nine of ten cases.
                    (clue.latest, clue.step) = (last, 1);
                }
            }
        }
        // Early deaths may lower the bound on the weight most.
        clues.sort_by_key(|clue| clue.latest);
        Path { grid: *grid, removed, removals, clues, known: 0, probed: 0 }
    }

    /// A number that is not below the weight: the weight itself once all deaths are known.
    fn weight(&self) -> f64 {
        let mut deaths = [0_u8; CELLS + 1];
        for clue in &self.clues {
            deaths[clue.latest as usize] += 1;
        }
        let mut redundant = CELLS as u8;
        let mut weight = 1.0;
        for j in 0..self.removals {
            redundant -= deaths[j as usize];
            // The products and quotients of IEEE 754 are the same on every machine.
            weight *= f64::from(redundant) / f64::from(j + 1);
            redundant -= 1;
        }
        weight
    }

    /// Sets the next probe. Returns `false` if all deaths are known.
    fn next_probe(&mut self, probe: &mut Probe) -> bool {
        while let Some(clue) = self.clues.get_mut(self.known) {
            if clue.earliest == clue.latest {
                self.known += 1;
                continue;
            }
            self.probed = clue.latest - (clue.latest - clue.earliest).div_ceil(2).min(clue.step);
            clue.step = STEP;
            let (cell, digit) = (clue.cell, self.grid[clue.cell as usize]);
            let left = |at: usize| if self.removed[at] > self.probed { self.grid[at] } else { 0 };
            probe.puzzle = Puzzle::of_cells(std::array::from_fn(left));
            probe.puzzle.cells_mut()[cell as usize] = 0;
            probe.excluded = Some((cell, digit));
            return true;
        }
        false
    }

    /// Takes the answer to the probe: whether the clue is needed.
    fn answer(&mut self, is_needed: bool) {
        let clue = &mut self.clues[self.known];
        if is_needed {
            clue.latest = self.probed;
        } else {
            clue.earliest = self.probed + 1;
        }
    }
}
