//! Puzzles whose clues form a symmetric pattern, top-down: whole orbits of cells in random order, each removed if the puzzle
//! keeps one solution.
//!
//! The result is a function of the grid and the order of orbits. As for [minimal puzzles](super::minimal), the first orbits are
//! removed together, and the last clue of a [cycle](super::cycles) stays without a test. An orbit of one cell is tested with
//! its candidate excluded, a larger one by a search for two solutions.

use std::fmt;
use std::ops::Range;

use super::cycles::Cycles;
use super::grids;
use super::random::Random;
use super::side_by_side::{self, PLACES, Probe, Tasks};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Puzzle, Solution};
use crate::simd::SimdLevel;

/// A symmetry of the cells with clues. The digits need not be symmetric.
///
/// ```
/// use rapidoku::Puzzle;
/// use rapidoku::generate::ClueSymmetry;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// let holding = ClueSymmetry::ALL.into_iter().filter(|symmetry| symmetry.holds(&puzzle));
/// let names: Vec<&str> = holding.map(ClueSymmetry::name).collect();
/// assert_eq!(names, ["none", "half-turn"]);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ClueSymmetry {
    /// Any cells.
    Any,
    /// Rotation by 180 degrees.
    HalfTurn,
    /// Rotation by 90 degrees.
    QuarterTurn,
    /// Reflection in the horizontal axis: the first row and the last one are alike.
    Horizontal,
    /// Reflection in the vertical axis: the first column and the last one are alike.
    Vertical,
    /// Reflection in the diagonal from the top left to the bottom right: rows and columns are alike.
    Diagonal,
    /// Reflection in both diagonals, which implies the half turn.
    BothDiagonals,
    /// All eight rotations and reflections.
    Full,
}

/// A map of cells.
type Map = fn(usize, usize) -> (usize, usize);

impl ClueSymmetry {
    /// All symmetries.
    pub const ALL: [ClueSymmetry; 8] = [
        ClueSymmetry::Any,
        ClueSymmetry::HalfTurn,
        ClueSymmetry::QuarterTurn,
        ClueSymmetry::Horizontal,
        ClueSymmetry::Vertical,
        ClueSymmetry::Diagonal,
        ClueSymmetry::BothDiagonals,
        ClueSymmetry::Full,
    ];

    /// The name on the command line: `none`, `half-turn`, `quarter-turn`, `horizontal`, `vertical`, `diagonal`,
    /// `both-diagonals` or `full`.
    pub const fn name(self) -> &'static str {
        match self {
            ClueSymmetry::Any => "none",
            ClueSymmetry::HalfTurn => "half-turn",
            ClueSymmetry::QuarterTurn => "quarter-turn",
            ClueSymmetry::Horizontal => "horizontal",
            ClueSymmetry::Vertical => "vertical",
            ClueSymmetry::Diagonal => "diagonal",
            ClueSymmetry::BothDiagonals => "both-diagonals",
            ClueSymmetry::Full => "full",
        }
    }

    /// Whether the cells with clues have this symmetry.
    pub fn holds(self, puzzle: &Puzzle) -> bool {
        let cells = puzzle.cells();
        let has_clue = |cell: &u8| cells[*cell as usize] != 0;
        self.orbits().iter().all(|orbit| orbit.iter().all(has_clue) || !orbit.iter().any(has_clue))
    }

    /// Maps that generate the group.
    fn generators(self) -> &'static [Map] {
        match self {
            ClueSymmetry::Any => &[],
            ClueSymmetry::HalfTurn => &[|r, c| (8 - r, 8 - c)],
            ClueSymmetry::QuarterTurn => &[|r, c| (c, 8 - r)],
            ClueSymmetry::Horizontal => &[|r, c| (8 - r, c)],
            ClueSymmetry::Vertical => &[|r, c| (r, 8 - c)],
            ClueSymmetry::Diagonal => &[|r, c| (c, r)],
            ClueSymmetry::BothDiagonals => &[|r, c| (c, r), |r, c| (8 - c, 8 - r)],
            ClueSymmetry::Full => &[|r, c| (c, r), |r, c| (c, 8 - r)],
        }
    }

    /// The sets of cells that are clues together, by their first cells.
    fn orbits(self) -> Vec<Vec<u8>> {
        let mut orbits: Vec<Vec<u8>> = Vec::new();
        for first in 0..CELLS as u8 {
            if orbits.iter().any(|orbit| orbit.contains(&first)) {
                continue;
            }
            let mut orbit = vec![first];
            let mut at = 0;
            while let Some(&cell) = orbit.get(at) {
                for map in self.generators() {
                    let (row, column) = map(cell as usize / 9, cell as usize % 9);
                    let image = (9 * row + column) as u8;
                    if !orbit.contains(&image) {
                        orbit.push(image);
                    }
                }
                at += 1;
            }
            orbits.push(orbit);
        }
        orbits
    }

    /// The number of cells that are blank after the first removals at once.
    fn first_blanks(self) -> usize {
        match self {
            ClueSymmetry::Any => 36,
            ClueSymmetry::HalfTurn
            | ClueSymmetry::Horizontal
            | ClueSymmetry::Vertical
            | ClueSymmetry::Diagonal => 32,
            ClueSymmetry::QuarterTurn | ClueSymmetry::BothDiagonals => 28,
            ClueSymmetry::Full => 24,
        }
    }
}

impl fmt::Display for ClueSymmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Makes puzzles with these numbers.
pub(super) fn symmetric(
    level: SimdLevel,
    seed: u64,
    numbers: Range<u64>,
    symmetry: ClueSymmetry,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let orbits = symmetry.orbits();
    let mut tasks = Making {
        level,
        seed,
        first: numbers.start,
        results: vec![None; (numbers.end - numbers.start) as usize],
        numbers,
        orbits: &orbits,
        first_blanks: symmetry.first_blanks(),
        unfinished: std::array::from_fn(|_| None),
    };
    side_by_side::run(level, &mut tasks, cancel)?;
    Ok(tasks.results.into_iter().map(|result| result.expect("every puzzle is made")).collect())
}

/// The puzzles being made.
struct Making<'a> {
    level: SimdLevel,
    seed: u64,
    first: u64,
    /// Those not yet started.
    numbers: Range<u64>,
    orbits: &'a [Vec<u8>],
    first_blanks: usize,
    unfinished: [Option<Unfinished>; PLACES],
    results: Vec<Option<(Puzzle, Solution)>>,
}

/// A puzzle being made. Its probe has the clues that are left, without those that are tested.
struct Unfinished {
    number: u64,
    grid: [u8; CELLS],
    /// The order in which orbits are removed.
    order: [u8; CELLS],
    /// The number of orbits tested at once, from the start of the order; 0 if one orbit is tested.
    prefix: usize,
    /// The index in the order of the first orbit that has not been tested.
    next: usize,
    cycles: Cycles,
}

/// Fewer orbits are not removed at once.
const LEAST_PREFIX: usize = 3;

impl Tasks for Making<'_> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        let Some(number) = self.numbers.next() else { return false };
        let mut random = Random::stream(self.seed, number);
        let grid = grids::draw(&mut random);
        let mut order = std::array::from_fn(|orbit| orbit as u8);
        random.shuffle(&mut order[..self.orbits.len()]);
        let (mut prefix, mut blanks) = (0, 0);
        while blanks < self.first_blanks {
            blanks += self.orbits[order[prefix] as usize].len();
            prefix += 1;
        }
        let cycles = Cycles::of_grid(self.level, &grid);
        let mut new = Unfinished { number, grid, order, prefix, next: 0, cycles };
        probe.puzzle = Puzzle(grid);
        new.first_probe(self.orbits, probe);
        self.unfinished[place] = Some(new);
        true
    }

    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool {
        let unfinished = self.unfinished[place].as_mut().expect("it has been started");
        if unfinished.answer(self.orbits, solutions, probe) {
            return true;
        }
        let solution = Solution::from_cells(unfinished.grid).expect("digits");
        self.results[(unfinished.number - self.first) as usize] = Some((probe.puzzle, solution));
        false
    }
}

impl Unfinished {
    /// Sets the first probe. There is one: the first orbits of a complete grid are not needed.
    fn first_probe(&mut self, orbits: &[Vec<u8>], probe: &mut Probe) {
        if self.prefix < LEAST_PREFIX {
            self.prefix = 0;
            self.remove_next(orbits, probe);
            return;
        }
        while self.next < self.prefix {
            self.remove_unless_needed(orbits, probe);
        }
        probe.excluded = None;
    }

    /// Takes the number of solutions and sets the next probe. Returns `false` if the puzzle is done.
    fn answer(&mut self, orbits: &[Vec<u8>], solutions: u64, probe: &mut Probe) -> bool {
        let is_unique = solutions == u64::from(probe.excluded.is_none());
        if is_unique {
            self.prefix = 0;
        } else if self.prefix != 0 {
            // Starts again with fewer orbits at once, after that with single ones.
            self.prefix -= self.prefix.div_ceil(4);
            self.next = 0;
            probe.puzzle = Puzzle(self.grid);
            self.cycles.set_clues(&probe.puzzle);
            self.first_probe(orbits, probe);
            return true;
        } else {
            for &cell in &orbits[self.order[self.next - 1] as usize] {
                probe.puzzle.0[cell as usize] = self.grid[cell as usize];
                self.cycles.add(cell as usize);
            }
        }
        self.remove_next(orbits, probe)
    }

    /// Removes the next orbit that may be redundant. Returns `false` if there is none.
    fn remove_next(&mut self, orbits: &[Vec<u8>], probe: &mut Probe) -> bool {
        while self.next < orbits.len() {
            if let Some(orbit) = self.remove_unless_needed(orbits, probe) {
                probe.excluded = match orbit[..] {
                    [cell] => Some((cell, self.grid[cell as usize])),
                    _ => None,
                };
                return true;
            }
        }
        false
    }

    /// Removes the next orbit and returns it, unless it contains the last clues of an unavoidable set.
    fn remove_unless_needed<'a>(&mut self, orbits: &'a [Vec<u8>], probe: &mut Probe) -> Option<&'a [u8]> {
        let orbit = &orbits[self.order[self.next] as usize];
        self.next += 1;
        for (k, &cell) in orbit.iter().enumerate() {
            if self.cycles.need(cell as usize) {
                orbit[..k].iter().for_each(|&cell| self.cycles.add(cell as usize));
                return None;
            }
            self.cycles.remove(cell as usize);
        }
        orbit.iter().for_each(|&cell| probe.puzzle.0[cell as usize] = 0);
        Some(orbit)
    }
}
