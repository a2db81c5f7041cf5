//! Minimal puzzles, top-down: clues in random order, each removed if the puzzle keeps one solution.
//!
//! The start is a complete grid or any puzzle with one solution.
//!
//! The result is a function of the start and the order. These shortcuts give the same puzzle with half the tests:
//!
//! - *Excluded candidate.* A clue can go if the puzzle without it has no solution in which its cell holds another digit. This
//!   is one search for a single solution, which a contradiction usually ends sooner than a search for two.
//! - *Unavoidable sets.* The last clue of a [cycle](super::cycles) stays without a test.
//! - *Many at once.* The first clues in the order are removed together, without those that are needed for such a set. If the
//!   puzzle keeps one solution, all these removals were right. Otherwise a shorter prefix is tried.
//!
//! Each search depends on the answer to the last one. Therefore puzzles are made side by side: the lanes of the engine take the
//! next search of any of them.

use std::array;
use std::ops::Range;

use super::cycles::Cycles;
use super::grids;
use super::questions::{MAX_GUESSES, count_solutions};
use super::random::Random;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Puzzle, Solution};
use crate::lanes::{self, Probe, Probes};
use crate::simd::SimdLevel;

/// Puzzles made side by side: enough to keep all lanes busy.
const SIDE_BY_SIDE: usize = 64;
/// Cells that are blank after the first removals at once.
const FIRST_BLANKS: u8 = 36;
/// Fewer clues are not removed at once.
const LEAST_PREFIX: u8 = 12;

/// A puzzle with one solution and the order in which its clues are removed.
#[derive(Clone, Copy)]
pub(super) struct Start {
    /// The solution.
    pub grid: [u8; CELLS],
    /// The cells of the clues come first.
    pub order: [u8; CELLS],
    /// The number of clues.
    pub clues: u8,
}

impl Start {
    /// Draws a complete grid and an order.
    pub fn draw(random: &mut Random) -> Start {
        Start::of_grid(grids::draw(random), random)
    }

    /// A complete grid, and an order that is drawn.
    fn of_grid(grid: [u8; CELLS], random: &mut Random) -> Start {
        let mut order = array::from_fn(|cell| cell as u8);
        random.shuffle(&mut order);
        Start { grid, order, clues: CELLS as u8 }
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
        Start { grid, order, clues: clues as u8 }
    }
}

/// The starts of a seed: complete grids. They are drawn some at a time, which takes less time than one by one.
pub(super) struct Starts {
    seed: u64,
    /// The number of the first start in `drawn`.
    first: u64,
    drawn: Vec<Start>,
}

/// Grids drawn at a time.
const AT_A_TIME: usize = 8;

impl Starts {
    pub fn new(seed: u64) -> Starts {
        Starts { seed, first: 0, drawn: Vec::new() }
    }

    /// The start of puzzle `number`. Fast for numbers in succession.
    #[inline]
    pub fn get(&mut self, number: u64) -> Start {
        let at = number.wrapping_sub(self.first);
        if at >= self.drawn.len() as u64 {
            self.draw(number);
            return self.drawn[0];
        }
        self.drawn[at as usize]
    }

    /// Draws the starts from `number` on.
    #[inline(never)]
    fn draw(&mut self, number: u64) {
        let mut randoms: [_; AT_A_TIME] =
            array::from_fn(|k| Random::stream(self.seed, number.wrapping_add(k as u64)));
        let grids = grids::draw_many(&mut randoms);
        self.first = number;
        self.drawn.clear();
        self.drawn
            .extend(grids.into_iter().zip(&mut randoms).map(|(grid, random)| Start::of_grid(grid, random)));
    }
}

/// Makes a minimal puzzle of each start. Numbers are those that `start` takes.
pub(super) fn minimal(
    level: SimdLevel,
    numbers: Range<u64>,
    start: &mut dyn FnMut(u64) -> Start,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let mut pool = Pool {
        level,
        puzzles: Vec::with_capacity(SIDE_BY_SIDE),
        ready: Ready::default(),
        first: numbers.start,
        numbers: numbers.clone(),
        start,
        results: vec![None; (numbers.end - numbers.start) as usize],
    };
    for index in 0..SIDE_BY_SIDE {
        pool.start_next(index);
    }
    lanes::answer(level, &mut pool, MAX_GUESSES, cancel)?;
    Ok(pool.results.into_iter().map(|result| result.expect("every puzzle is made")).collect())
}

/// The puzzles being made.
struct Pool<'a> {
    level: SimdLevel,
    puzzles: Vec<Unfinished>,
    /// Those that wait for a search.
    ready: Ready,
    first: u64,
    /// Those not yet started.
    numbers: Range<u64>,
    start: &'a mut dyn FnMut(u64) -> Start,
    results: Vec<Option<(Puzzle, Solution)>>,
}

/// A queue of indices. First in, first out, so that all puzzles advance and few lanes are idle at the end.
struct Ready {
    indices: [u8; SIDE_BY_SIDE],
    at: usize,
    len: usize,
}

impl Default for Ready {
    fn default() -> Ready {
        Ready { indices: [0; SIDE_BY_SIDE], at: 0, len: 0 }
    }
}

impl Ready {
    #[inline]
    fn push(&mut self, index: u32) {
        self.indices[(self.at + self.len) % SIDE_BY_SIDE] = index as u8;
        self.len += 1;
    }

    #[inline]
    fn pop(&mut self) -> u32 {
        let index = self.indices[self.at % SIDE_BY_SIDE];
        self.at += 1;
        self.len -= 1;
        index.into()
    }
}

impl Pool<'_> {
    /// Starts the next puzzle that needs a search.
    fn start_next(&mut self, index: usize) {
        while let Some(number) = self.numbers.next() {
            let mut new = Unfinished::new(self.level, number, (self.start)(number));
            let needs_search = new.first_probe();
            match self.puzzles.get_mut(index) {
                Some(place) => *place = new,
                None => self.puzzles.push(new),
            }
            if needs_search {
                return self.ready.push(index as u32);
            }
            self.store(index);
        }
    }

    fn store(&mut self, index: usize) {
        let done = &self.puzzles[index];
        let solution = Solution::from_cells(done.grid).expect("digits");
        self.results[(done.number - self.first) as usize] = Some((done.puzzle, solution));
    }

    /// Stores a puzzle and starts the next one in its place.
    #[inline(never)]
    fn replace(&mut self, index: u32) {
        self.store(index as usize);
        self.start_next(index as usize);
    }
}

impl Probes for Pool<'_> {
    fn is_ready(&self) -> bool {
        self.ready.len != 0
    }

    fn take(&mut self) -> Option<Probe<'_>> {
        let number = self.is_ready().then(|| self.ready.pop())?;
        let unfinished = &self.puzzles[number as usize];
        Some(Probe { number, puzzle: &unfinished.puzzle, excluded: unfinished.excluded() })
    }

    fn solution_limit(&self, number: u32) -> u64 {
        if self.puzzles[number as usize].prefix == 0 { 1 } else { 2 }
    }

    fn answer(&mut self, number: u32, solutions: Option<u64>) {
        let limit = self.solution_limit(number);
        let unfinished = &mut self.puzzles[number as usize];
        let solutions =
            solutions.unwrap_or_else(|| count_solutions(&unfinished.puzzle, unfinished.excluded(), limit));
        if unfinished.answer(solutions) { self.ready.push(number) } else { self.replace(number) }
    }
}

/// A puzzle being made.
struct Unfinished {
    /// The clues that are left, without those that are tested.
    puzzle: Puzzle,
    start: Start,
    number: u64,
    /// The number of clues tested at once, from the start of the order; 0 if one clue is tested.
    prefix: u8,
    /// The index in the order of the first clue that has not been tested.
    next: u8,
    cycles: Cycles,
}

impl std::ops::Deref for Unfinished {
    type Target = Start;

    #[inline(always)]
    fn deref(&self) -> &Start {
        &self.start
    }
}

impl Unfinished {
    fn new(level: SimdLevel, number: u64, start: Start) -> Unfinished {
        let cycles = Cycles::of_grid(level, &start.grid);
        let prefix = (FIRST_BLANKS + start.clues).saturating_sub(CELLS as u8);
        let mut new = Unfinished { puzzle: Puzzle(start.grid), start, number, prefix, next: 0, cycles };
        if new.clues < CELLS as u8 {
            new.reset();
        }
        new
    }

    /// All clues again.
    #[cold]
    fn reset(&mut self) {
        self.puzzle = Puzzle::EMPTY;
        for &cell in &self.start.order[..self.start.clues as usize] {
            self.puzzle.0[cell as usize] = self.start.grid[cell as usize];
        }
        self.cycles.set_clues(&self.puzzle);
    }

    /// The candidate that the probe excludes: the clue that is tested.
    #[inline]
    fn excluded(&self) -> Option<(u8, u8)> {
        (self.prefix == 0).then(|| {
            let cell = self.order[self.next as usize - 1];
            (cell, self.grid[cell as usize])
        })
    }

    /// Prepares the first probe. Returns `false` if none is needed.
    fn first_probe(&mut self) -> bool {
        if self.prefix < LEAST_PREFIX {
            self.prefix = 0;
            return self.remove_next();
        }
        self.remove_prefix();
        true
    }

    /// Takes the number of solutions and prepares the next probe. Returns `false` if the puzzle is minimal.
    #[inline]
    fn answer(&mut self, solutions: u64) -> bool {
        if self.prefix == 0 {
            if solutions != 0 {
                let cell = self.order[self.next as usize - 1] as usize;
                self.puzzle.0[cell] = self.grid[cell];
                self.cycles.add(cell);
            }
        } else if solutions == 1 {
            self.prefix = 0;
        } else {
            return self.shorten_prefix();
        }
        self.remove_next()
    }

    /// Removes the next clue that may be redundant. Returns `false` if there is none.
    #[inline]
    fn remove_next(&mut self) -> bool {
        while self.next < self.clues {
            if self.remove_unless_needed() {
                return true;
            }
        }
        false
    }

    /// Removes the next clue, unless it is the last one in an unavoidable set.
    #[inline]
    fn remove_unless_needed(&mut self) -> bool {
        let cell = self.order[self.next as usize] as usize;
        self.next += 1;
        if self.cycles.need(cell) {
            return false;
        }
        self.cycles.remove(cell);
        self.puzzle.0[cell] = 0;
        true
    }

    /// Removes the clues of the prefix, except those that are needed.
    fn remove_prefix(&mut self) {
        while self.next < self.prefix {
            self.remove_unless_needed();
        }
    }

    /// Starts again with fewer clues at once, after that with single ones.
    #[cold]
    fn shorten_prefix(&mut self) -> bool {
        self.prefix -= self.prefix / 4;
        self.next = 0;
        self.reset();
        self.first_probe()
    }
}
