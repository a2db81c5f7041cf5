//! Minimal puzzles, top-down: clues in random order, each removed if the puzzle keeps one solution.
//!
//! The start is a complete grid or any puzzle with one solution. Clues may also be removed in [groups](Groups).
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

use std::ops::Range;
use std::{array, slice};

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
    /// The groups of clues come first.
    pub order: [u8; CELLS],
    /// The number of groups.
    pub len: u8,
}

/// Sets of cells whose clues are removed together. Each has a number.
pub trait Groups {
    /// Fewer groups are not removed at once.
    const LEAST_PREFIX: u8;

    /// The number of groups of all cells.
    fn count(&self) -> usize;

    /// The number of cells that are blank after the first removals at once.
    fn first_blanks(&self) -> usize;

    fn cells<'a>(&'a self, group: &'a u8) -> &'a [u8];
}

/// Each cell alone; its index is the number.
pub struct Cells;

impl Groups for Cells {
    const LEAST_PREFIX: u8 = 12;

    fn count(&self) -> usize {
        CELLS
    }

    fn first_blanks(&self) -> usize {
        36
    }

    #[inline]
    fn cells<'a>(&'a self, group: &'a u8) -> &'a [u8] {
        slice::from_ref(group)
    }
}

impl Start {
    /// Draws a complete grid and an order of its cells.
    pub fn draw(random: &mut Random) -> Start {
        Start::of_grid(grids::draw(random), CELLS, random)
    }

    /// A complete grid, and an order of this number of groups that is drawn.
    fn of_grid(grid: [u8; CELLS], groups: usize, random: &mut Random) -> Start {
        let mut order = array::from_fn(|group| group as u8);
        random.shuffle(&mut order[..groups]);
        Start { grid, order, len: groups as u8 }
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

/// Grids drawn at a time, which takes less time than one by one.
const AT_A_TIME: usize = 8;

/// Makes puzzles from the complete grids with these numbers.
pub fn of_grids(
    level: SimdLevel,
    seed: u64,
    groups: &impl Groups,
    numbers: Range<u64>,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let n = numbers.end.saturating_sub(numbers.start) as usize;
    let draw = |first: u64| {
        let mut randoms = array::from_fn(|k| Random::stream(seed, first.wrapping_add(k as u64)));
        let grids: [_; AT_A_TIME] = grids::draw_many(&mut randoms);
        let mut grids = grids.into_iter();
        randoms.map(|mut random| Start::of_grid(grids.next().expect("as many"), groups.count(), &mut random))
    };
    minimal(level, groups, &mut numbers.step_by(AT_A_TIME).flat_map(draw).take(n), cancel)
}

/// Makes a puzzle of each start from which no group can be removed.
pub fn minimal(
    level: SimdLevel,
    groups: &impl Groups,
    starts: &mut dyn Iterator<Item = Start>,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let mut making = Making { level, groups, unfinished: Vec::with_capacity(PLACES), starts, results: Vec::new() };
    side_by_side::run(level, &mut making, cancel)?;
    Ok(making.results.into_iter().map(|result| result.expect("every puzzle is made")).collect())
}

/// The puzzles being made.
struct Making<'a, G> {
    level: SimdLevel,
    groups: &'a G,
    unfinished: Vec<Unfinished>,
    /// Those not yet started.
    starts: &'a mut dyn Iterator<Item = Start>,
    /// The puzzle of each start, once it is made.
    results: Vec<Option<(Puzzle, Solution)>>,
}

impl<G: Groups> Tasks for Making<'_, G> {
    fn start(&mut self, place: usize, probe: &mut Probe) -> bool {
        while let Some(start) = self.starts.next() {
            let mut new = Unfinished::new(self.level, self.results.len(), start, self.groups, probe);
            self.results.push(None);
            let needs_search = new.first_probe(self.groups, probe);
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
        let goes_on = self.unfinished[place].answer(self.groups, solutions, probe);
        if !goes_on {
            self.store(place, probe);
        }
        goes_on
    }
}

impl<G> Making<'_, G> {
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
    /// The number of groups tested at once, from the start of the order; 0 if one group is tested.
    prefix: u8,
    /// The index in the order of the first group that has not been tested.
    next: u8,
    cycles: Cycles,
}

impl Unfinished {
    #[inline]
    fn new(level: SimdLevel, number: usize, start: Start, groups: &impl Groups, probe: &mut Probe) -> Unfinished {
        let cycles = Cycles::of_grid(level, &start.grid);
        let mut new = Unfinished { start, number, prefix: 0, next: 0, cycles };
        let clues: usize = new.groups().iter().map(|group| groups.cells(group).len()).sum();
        let mut blanks = CELLS - clues;
        while blanks < groups.first_blanks() {
            blanks += groups.cells(&start.order[new.prefix as usize]).len();
            new.prefix += 1;
        }
        probe.puzzle = Puzzle::of_cells(start.grid);
        if clues < CELLS {
            new.reset(groups, probe);
        }
        new
    }

    #[inline]
    fn groups(&self) -> &[u8] {
        &self.start.order[..self.start.len as usize]
    }

    /// All clues again.
    #[cold]
    fn reset(&mut self, groups: &impl Groups, probe: &mut Probe) {
        probe.puzzle = Puzzle::EMPTY;
        for &cell in self.groups().iter().flat_map(|group| groups.cells(group)) {
            probe.puzzle.cells_mut()[cell as usize] = self.start.grid[cell as usize];
        }
        self.cycles.set_clues(&probe.puzzle);
    }

    /// Sets the first probe. Returns `false` if none is needed.
    fn first_probe<G: Groups>(&mut self, groups: &G, probe: &mut Probe) -> bool {
        if self.prefix < G::LEAST_PREFIX {
            self.prefix = 0;
            return self.remove_next(groups, probe);
        }
        while self.next < self.prefix {
            self.remove_unless_needed(groups, probe);
        }
        probe.excluded = None;
        true
    }

    /// Takes the number of solutions and sets the next probe. Returns `false` if the puzzle is done.
    #[inline]
    fn answer(&mut self, groups: &impl Groups, solutions: u64, probe: &mut Probe) -> bool {
        let is_unique = solutions == u64::from(probe.excluded.is_none());
        if is_unique {
            self.prefix = 0;
        } else if self.prefix != 0 {
            return self.shorten_prefix(groups, probe);
        } else {
            let cells = groups.cells(&self.start.order[self.next as usize - 1]);
            put_back(cells, &self.start.grid, &mut self.cycles, &mut probe.puzzle);
        }
        self.remove_next(groups, probe)
    }

    /// Removes the next group that may be redundant, and sets the probe that tests this. Returns `false` if there is
    /// none.
    #[inline]
    fn remove_next(&mut self, groups: &impl Groups, probe: &mut Probe) -> bool {
        while self.next < self.start.len {
            if self.remove_unless_needed(groups, probe) {
                probe.excluded = match *groups.cells(&self.start.order[self.next as usize - 1]) {
                    [cell] => Some((cell, self.start.grid[cell as usize])),
                    _ => None,
                };
                return true;
            }
        }
        false
    }

    /// Removes the next group, unless it has the last clue in an unavoidable set.
    #[inline(always)]
    fn remove_unless_needed(&mut self, groups: &impl Groups, probe: &mut Probe) -> bool {
        let cells = groups.cells(&self.start.order[self.next as usize]);
        self.next += 1;
        for (k, cell) in cells.iter().map(|&cell| cell as usize).enumerate() {
            if self.cycles.need(cell) {
                put_back(&cells[..k], &self.start.grid, &mut self.cycles, &mut probe.puzzle);
                return false;
            }
            self.cycles.remove(cell);
            probe.puzzle.cells_mut()[cell] = 0;
        }
        true
    }

    /// Starts again with fewer groups at once, after that with single ones.
    #[cold]
    fn shorten_prefix(&mut self, groups: &impl Groups, probe: &mut Probe) -> bool {
        self.prefix -= self.prefix.div_ceil(4);
        self.next = 0;
        self.reset(groups, probe);
        self.first_probe(groups, probe)
    }
}

/// Makes cells clues again.
#[inline]
fn put_back(cells: &[u8], grid: &[u8; CELLS], cycles: &mut Cycles, puzzle: &mut Puzzle) {
    for cell in cells.iter().map(|&cell| cell as usize) {
        puzzle.cells_mut()[cell] = grid[cell];
        cycles.add(cell);
    }
}
