//! Minimal puzzles, top-down: clues in random order, each removed if the puzzle keeps one solution.
//!
//! The start is a complete grid or any puzzle with one solution. Clues may also be removed in groups.
//!
//! The result is a function of the start and the order. These shortcuts give the same puzzle with half the tests:
//!
//! - *Excluded candidate.* A clue can go if the puzzle without it has no solution in which its cell holds another
//!   digit. This is one search for a single solution, which a contradiction usually ends sooner than a search for two.
//!   A group of several clues is tested by a search for two solutions.
//! - *Unavoidable sets.* The last clue of a [cycle](super::cycles) stays without a test.
//! - *Many at once.* The first clues in the order are removed together, without those that are needed for such a set.
//!   If the puzzle keeps one solution, all these removals were right. Otherwise a shorter prefix is tried.
//!
//! Each search depends on the answer to the last one. Therefore puzzles are made [side by side](super::side_by_side).

use std::array;
use std::ops::Range;

use super::cycles::Cycles;
use super::side_by_side::{self, PLACES, Probe, Tasks};
use crate::cancel::{CancelToken, Cancelled};
use crate::generate::grids;
use crate::generate::random::Random;
use crate::grid::{CELLS, Puzzle, Solution};
use crate::simd::SimdLevel;

/// A puzzle with one solution and the order in which its clues are removed.
#[derive(Clone, Copy)]
pub struct Start {
    /// The solution.
    pub grid: [u8; CELLS],
    /// The cells with clues come first, each with [`MORE`] if the next one is removed together with it.
    pub order: [u8; CELLS],
    /// The number of clues.
    pub len: u8,
}

const MORE: u8 = 128;
/// The number of cells that are blank after the first removals at once.
pub const FIRST_BLANKS: u8 = 36;
/// Fewer clues are not removed at once.
const LEAST_PREFIX: u8 = 12;

impl Start {
    /// Draws a complete grid and an order of its cells.
    pub fn draw(random: &mut Random) -> Start {
        Start::of_grid(grids::draw(random), None, random)
    }

    /// A complete grid, and an order of its cells or groups of cells that is drawn.
    fn of_grid(grid: [u8; CELLS], groups: Option<&[Vec<u8>]>, random: &mut Random) -> Start {
        let mut order = array::from_fn(|number| number as u8);
        random.shuffle(&mut order[..groups.map_or(CELLS, <[_]>::len)]);
        if let Some(groups) = groups {
            let (numbers, mut n) = (order, 0);
            for &number in &numbers[..groups.len()] {
                for &cell in &groups[number as usize] {
                    order[n] = cell | MORE;
                    n += 1;
                }
                order[n - 1] &= !MORE;
            }
        }
        Start { grid, order, len: CELLS as u8 }
    }

    /// A puzzle with this solution.
    pub fn of_puzzle(puzzle: &Puzzle, grid: [u8; CELLS], random: &mut Random) -> Start {
        let mut order = [0; CELLS];
        let mut clues = 0;
        for (cell, &digit) in (0..).zip(puzzle.cells()) {
            order[clues] = cell;
            clues += usize::from(digit != 0);
        }
        random.shuffle(&mut order[..clues]);
        Start { grid, order, len: clues as u8 }
    }
}

/// Makes puzzles from the complete grids with these numbers. The clues of a group of cells are removed together.
pub fn of_grids(
    level: SimdLevel,
    seed: u64,
    groups: Option<&[Vec<u8>]>,
    first_blanks: u8,
    numbers: Range<u64>,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let n = numbers.end.saturating_sub(numbers.start) as usize;
    let draw = |first: u64| {
        let (grids, randoms) = grids::numbered(seed, first);
        let mut grids = grids.into_iter();
        randoms.map(|mut random| Start::of_grid(grids.next().expect("as many"), groups, &mut random))
    };
    minimal(level, first_blanks, &mut numbers.step_by(grids::AT_A_TIME).flat_map(draw).take(n), cancel)
}

/// Makes a puzzle of each start from which no clues can be removed.
pub fn minimal(
    level: SimdLevel,
    first_blanks: u8,
    starts: &mut dyn Iterator<Item = Start>,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let mut making =
        Making { level, first_blanks, unfinished: Vec::with_capacity(PLACES), starts, results: Vec::new() };
    side_by_side::run(level, &mut making, cancel)?;
    Ok(making.results.into_iter().map(|result| result.expect("every puzzle is made")).collect())
}

/// The puzzles being made.
struct Making<'a> {
    level: SimdLevel,
    first_blanks: u8,
    unfinished: Vec<Unfinished>,
    /// Those not yet started.
    starts: &'a mut dyn Iterator<Item = Start>,
    /// The puzzle of each start, once it is made.
    results: Vec<Option<(Puzzle, Solution)>>,
}

impl Tasks for Making<'_> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        while let Some(start) = self.starts.next() {
            let mut new = Unfinished::new(self.level, self.results.len(), start, self.first_blanks, probe);
            self.results.push(None);
            let needs_search = new.first_probe(probe);
            match self.unfinished.get_mut(place) {
                Some(place) => *place = new,
                None => self.unfinished.push(new),
            }
            if needs_search {
                return true;
            }
            self.store(place, probe);
        }
        false
    }

    fn answer(&mut self, place: usize, solutions: u64, probe: &mut Probe) -> bool {
        let goes_on = self.unfinished[place].answer(solutions, probe);
        if !goes_on {
            self.store(place, probe);
        }
        goes_on
    }
}

impl Making<'_> {
    fn store(&mut self, place: usize, probe: &Probe) {
        let Unfinished { number, start, .. } = &self.unfinished[place];
        let solution = Solution::from_cells(start.grid).expect("digits");
        self.results[*number] = Some((probe.puzzle, solution));
    }
}

/// A puzzle being made. Its probe has the clues that are left, without those that are tested.
struct Unfinished {
    start: Start,
    number: usize,
    /// The number of clues tested at once, from the start of the order; 0 if one group is tested.
    prefix: u8,
    /// The index in the order of the first group that has not been tested.
    next: u8,
    cycles: Cycles,
}

impl Unfinished {
    #[inline]
    fn new(level: SimdLevel, number: usize, start: Start, first_blanks: u8, probe: &mut Probe) -> Unfinished {
        let cycles = Cycles::of_grid(level, &start.grid);
        let blanks = CELLS as u8 - start.len;
        let prefix = first_blanks.saturating_sub(blanks);
        let mut new = Unfinished { start, number, prefix, next: 0, cycles };
        probe.puzzle = Puzzle::of_cells(start.grid);
        if blanks > 0 {
            new.reset(probe);
        }
        new
    }

    /// All clues again.
    #[cold]
    fn reset(&mut self, probe: &mut Probe) {
        probe.puzzle = Puzzle::EMPTY;
        for cell in self.start.order[..self.start.len as usize].iter().map(|cell| (cell & !MORE) as usize) {
            probe.puzzle.cells_mut()[cell] = self.start.grid[cell];
        }
        self.cycles.set_clues(&probe.puzzle);
    }

    /// Sets the first probe. Returns `false` if none is needed.
    fn first_probe(&mut self, probe: &mut Probe) -> bool {
        if self.prefix < LEAST_PREFIX {
            self.prefix = 0;
            return self.remove_next(probe);
        }
        while self.next < self.prefix {
            self.remove_unless_needed(probe);
        }
        probe.excluded = None;
        true
    }

    /// Takes the number of solutions and sets the next probe. Returns `false` if the puzzle is done.
    #[inline]
    fn answer(&mut self, solutions: u64, probe: &mut Probe) -> bool {
        let is_unique = solutions == u64::from(probe.excluded.is_none());
        if is_unique {
            self.prefix = 0;
        } else if self.prefix != 0 {
            return self.shorten_prefix(probe);
        } else {
            self.put_back(probe);
        }
        self.remove_next(probe)
    }

    /// Removes the next group that may be redundant, and sets the probe that tests this. Returns `false` if there is
    /// none.
    #[inline]
    fn remove_next(&mut self, probe: &mut Probe) -> bool {
        while self.next < self.start.len {
            let cell = self.start.order[self.next as usize];
            if self.remove_unless_needed(probe) {
                probe.excluded = (cell < MORE).then(|| (cell, self.start.grid[cell as usize]));
                return true;
            }
        }
        false
    }

    /// Removes the next group, unless it has the last clue in an unavoidable set.
    #[inline(always)]
    fn remove_unless_needed(&mut self, probe: &mut Probe) -> bool {
        let cell = self.start.order[self.next as usize];
        self.next += 1;
        if cell < MORE { self.remove(cell, probe) } else { self.remove_several(probe) }
    }

    #[cold]
    fn remove_several(&mut self, probe: &mut Probe) -> bool {
        let first = self.next - 1;
        while self.start.order[self.next as usize - 1] >= MORE {
            self.next += 1;
        }
        let is_removed = (first..self.next).all(|at| self.remove(self.start.order[at as usize] & !MORE, probe));
        if !is_removed {
            self.put_back(probe);
        }
        is_removed
    }

    #[inline(always)]
    fn remove(&mut self, cell: u8, probe: &mut Probe) -> bool {
        let cell = cell as usize;
        let is_needed = self.cycles.need(cell);
        if !is_needed {
            self.cycles.toggle(cell);
            probe.puzzle.cells_mut()[cell] = 0;
        }
        !is_needed
    }

    /// Makes the cells of the last group clues again.
    #[inline]
    fn put_back(&mut self, probe: &mut Probe) {
        let end = self.next as usize;
        let others = self.start.order[..end - 1].iter().rev().take_while(|cell| **cell >= MORE).count();
        for cell in &self.start.order[end - 1 - others..end] {
            let cell = (cell & !MORE) as usize;
            if probe.puzzle.cells()[cell] == 0 {
                probe.puzzle.cells_mut()[cell] = self.start.grid[cell];
                self.cycles.toggle(cell);
            }
        }
    }

    /// Starts again with fewer clues at once, after that with single groups.
    #[cold]
    fn shorten_prefix(&mut self, probe: &mut Probe) -> bool {
        self.prefix -= self.prefix.div_ceil(4);
        self.next = 0;
        self.reset(probe);
        self.first_probe(probe)
    }
}
