//! Puzzles whose clues are exactly at given cells.
//!
//! *Sampling.* A uniform grid without the cells that are blank in the pattern has one solution or several; those with
//! one are uniformly distributed among all puzzles with the pattern, because each of these belongs to one grid. A
//! symmetry of Sudoku turns a uniform grid into another one, so each grid is tried with many symmetries: instead of the
//! grid, the pattern is moved, to one of a table of images. Nearly all images miss a small [unavoidable
//! set](crate::generate::minimize::unavoidable) of the grid, which takes an AND for each set to find out. The others
//! are searched for a second solution in the lanes.
//!
//! All puzzles found of a grid are results. (The first one alone would not be uniform: grids with many puzzles would be
//! underrepresented.) There are so few images per grid that most grids have none or one.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use crate::cancel::{CancelToken, Cancelled};
use crate::generate::grids;
use crate::generate::minimize::side_by_side::{self, PLACES, Probe, Tasks};
use crate::generate::minimize::unavoidable;
use crate::generate::random::Random;
use crate::grid::{CELLS, Puzzle, Solution, Symmetry, bits};
use crate::simd::SimdLevel;

/// The cells that are clues.
///
/// Parses from 81 characters, `.` or `0` for a blank and anything else for a clue, with any white space between them.
///
/// ```
/// use rapidoku::generate::Pattern;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let pattern: Pattern = line.parse().unwrap();
/// assert_eq!(pattern.clue_count(), 30);
/// assert!(pattern.to_string().starts_with("XX..X....X..XXX"));
/// assert_eq!(pattern.impossible(), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(u128);

/// A text is not a [`Pattern`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("a pattern has 81 cells, '.' or '0' for a blank and another character for a clue; this text has {0}")]
#[non_exhaustive]
pub struct ParsePatternError(
    /// The number of characters that are not white space.
    pub usize,
);

impl FromStr for Pattern {
    type Err = ParsePatternError;

    fn from_str(text: &str) -> Result<Pattern, ParsePatternError> {
        let (mut mask, mut n) = (0, 0);
        for cell in text.chars().filter(|c| !c.is_whitespace()) {
            if n < CELLS && !matches!(cell, '.' | '0') {
                mask |= 1 << n;
            }
            n += 1;
        }
        if n == CELLS { Ok(Pattern(mask)) } else { Err(ParsePatternError(n)) }
    }
}

/// 81 characters, `X` for a clue and `.` for a blank.
impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text: String = (0..CELLS).map(|cell| if self.has(cell) { 'X' } else { '.' }).collect();
        f.pad(&text)
    }
}

impl From<&Puzzle> for Pattern {
    fn from(puzzle: &Puzzle) -> Pattern {
        Pattern((0..CELLS).filter(|&cell| puzzle.cells()[cell] != 0).map(|cell| 1 << cell).sum())
    }
}

impl Pattern {
    /// The number of clues.
    pub const fn clue_count(&self) -> u32 {
        self.0.count_ones()
    }

    pub(super) fn has(&self, cell: usize) -> bool {
        self.0 >> cell & 1 == 1
    }

    /// The reason why no puzzle with this pattern has exactly one solution, for reasons that are easily found.
    ///
    /// There are others: most patterns with 17 to 19 clues have no puzzle.
    pub fn impossible(&self) -> Option<String> {
        if self.clue_count() < 17 {
            // Gary McGuire, Bastian Tugemann and Gilles Civario, *There is no 16-clue Sudoku* (2012).
            return Some("no puzzle with fewer than 17 clues has one solution".to_owned());
        }
        let is_blank =
            |line: usize, along: usize, across: usize| (0..9).all(|at| !self.has(across * line + along * at));
        for first in 0..9 {
            let second = first - first % 3 + (first + 1) % 3;
            for (along, across) in [(1, 9), (9, 1)] {
                if is_blank(first, along, across) && is_blank(second, along, across) {
                    let (a, b) = (first.min(second) + 1, first.max(second) + 1);
                    let lines = if along == 1 { "rows" } else { "columns" };
                    let reason = "are blank, and exchanging them gives another solution";
                    return Some(format!("{lines} {a} and {b} {reason}"));
                }
            }
        }
        None
    }
}

/// A seed and a pattern with its images, from which puzzles are made.
#[derive(Clone, Debug)]
pub(super) struct PatternSource {
    pub seed: u64,
    pub level: SimdLevel,
    pub pattern: Pattern,
    pub images: Vec<Image>,
}

/// A symmetry and the image of the pattern.
#[derive(Clone, Debug)]
pub(super) struct Image {
    pub mask: u128,
    /// The cell of the grid that comes to each cell.
    pub sources: [u8; CELLS],
}

/// Images of a pattern in the table.
const IMAGES: usize = 1024;

impl PatternSource {
    pub fn new(seed: u64, pattern: Pattern, level: SimdLevel) -> PatternSource {
        // The same for all seeds.
        let image = |number| {
            // No digits, so they are not renamed.
            let cells = std::array::from_fn(|cell| 128 + cell as u8);
            let sources = Symmetry::random(0, number).text(&cells).map(|cell| cell - 128);
            let mask = bits(pattern.0).map(|cell| 1 << sources[cell]).sum();
            Image { mask, sources }
        };
        PatternSource { seed, level, pattern, images: (0..IMAGES as u64).map(image).collect() }
    }

    /// The number of images of the pattern that are tried for each grid. Typically one grid in two to ten gives a
    /// puzzle.
    pub fn images_per_grid(&self) -> usize {
        match self.pattern.clue_count() {
            0..=25 => IMAGES,
            26 => 256,
            27 => 96,
            28 => 48,
            29..=30 => 16,
            31 => 8,
            32..=33 => 4,
            34..=35 => 2,
            _ => 1,
        }
    }

    /// The puzzles found in the grids with these numbers. Every puzzle with the pattern and one solution has the same
    /// expected number among them. Puzzles with the same number are parts of equivalent solutions. Typical patterns of
    /// 30 clues take some 50 tries for a puzzle, of 27 clues 500, of 24 clues 100,000, of 22 clues 10,000,000 and more.
    pub fn sample(&self, numbers: Range<u64>, cancel: &CancelToken) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
        let mut tasks = Trying {
            source: self,
            numbers,
            grid: [0; CELLS],
            sets: Vec::new(),
            images: Vec::new(),
            tried: 0,
            places: [(0, [0; CELLS]); PLACES],
            found: Vec::new(),
        };
        side_by_side::run(self.level, &mut tasks, cancel)?;
        let mut found = tasks.found;
        found.sort_by_key(|(tried, ..)| *tried);
        Ok(found.into_iter().map(|(_, puzzle, solution)| (puzzle, solution)).collect())
    }
}

/// Grids being tried with images of the pattern.
struct Trying<'a> {
    source: &'a PatternSource,
    /// The grids that have not been started.
    numbers: Range<u64>,
    /// The present grid, its unavoidable sets, and the images that have not been tried.
    grid: [u8; CELLS],
    sets: Vec<u128>,
    images: Vec<u16>,
    /// The number of images tried.
    tried: u64,
    /// In each place, the number of the try and the solution.
    places: [(u64, [u8; CELLS]); PLACES],
    found: Vec<(u64, Puzzle, Solution)>,
}

impl Trying<'_> {
    /// Draws the next grid and the images for it. Returns `false` if there is none.
    fn next_grid(&mut self) -> bool {
        let Some(number) = self.numbers.next() else { return false };
        let mut random = Random::stream(self.source.seed, number);
        let per_grid = self.source.images_per_grid();
        self.grid = grids::draw(&mut random);
        let first = random.below(IMAGES as u64) as usize;
        self.images.extend((0..per_grid).rev().map(|k| ((first + k) % IMAGES) as u16));
        self.sets.clear();
        unavoidable::add_lines(self.source.level, &self.grid, &mut self.sets);
        if per_grid > FEW_IMAGES {
            unavoidable::add_digits(&self.grid, &mut self.sets);
        }
        // Small sets are missed most often.
        self.sets.sort_unstable_by_key(|set| set.count_ones());
        true
    }
}

/// For so few images per grid, sets of two digits take more time than they save.
const FEW_IMAGES: usize = 64;

impl Tasks for Trying<'_> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        loop {
            let Some(image) = self.images.pop() else {
                if self.next_grid() {
                    continue;
                }
                return false;
            };
            self.tried += 1;
            let Image { mask, sources } = &self.source.images[image as usize];
            if self.sets.iter().all(|set| set & mask != 0) {
                let solution = sources.map(|source| self.grid[source as usize]);
                let mut puzzle = Puzzle::EMPTY;
                for cell in bits(self.source.pattern.0) {
                    puzzle.cells_mut()[cell] = solution[cell];
                }
                *probe = Probe { puzzle, excluded: None, limit: 2 };
                self.places[place] = (self.tried, solution);
                return true;
            }
        }
    }

    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool {
        if solutions == 1 {
            let (tried, solution) = self.places[place];
            self.found.push((tried, probe.puzzle, Solution::from_cells(solution).expect("digits")));
        }
        false
    }
}
