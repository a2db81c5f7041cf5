//! Minimal puzzles, top-down: clues of a complete grid in random order, each removed if the puzzle keeps one solution.
//!
//! The puzzle is a function of the grid and the order. These shortcuts give the same puzzle with half the tests:
//!
//! - *Excluded candidate.* A clue can go if the puzzle without it has no solution in which its cell holds another digit. This
//!   is one search for a single solution, which a contradiction usually ends sooner than a search for two.
//! - *Unavoidable sets.* Two rows of a band form cycles: columns between which the two rows exchange their digits. Exchanging
//!   the rows in these columns gives another grid, so every puzzle has a clue there. The last clue of a cycle stays without a
//!   test. The same is true of two columns of a stack.
//! - *Many at once.* The first clues in the order are removed together, without those that are needed for such a set. If the
//!   puzzle keeps one solution, all these removals were right. Otherwise a shorter prefix is tried.
//!
//! Each search depends on the answer to the last one, so many puzzles are made side by side: the lanes of the engine take the
//! next search of any of them.

use std::ops::Range;

use super::grids;
use super::random::Random;
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::{CELLS, Candidates, Puzzle, Solution};
use crate::lanes::{self, Probes};
use crate::outcome::{Limits, Status};
use crate::simd::SimdLevel;
use crate::solver::{Engine, Solver};

/// Puzzles made side by side: enough to keep all lanes busy.
const SIDE_BY_SIDE: usize = 64;
/// Clues removed at once.
const FIRST_PREFIX: u8 = 36;
/// Shorter prefixes are not tried.
const LEAST_PREFIX: u8 = 12;
/// A search of more guesses is left to the solver, which restarts it.
const MAX_GUESSES: u64 = 1024;

/// A complete grid and the order in which its clues are removed.
pub(super) struct Start {
    pub grid: [u8; CELLS],
    pub order: [u8; CELLS],
}

impl Start {
    /// The start of puzzle `number` of a seed.
    pub fn of(seed: u64, number: u64) -> Start {
        let mut random = Random::stream(seed, number);
        let grid = grids::draw(&mut random);
        let mut order = std::array::from_fn(|cell| cell as u8);
        random.shuffle(&mut order);
        Start { grid, order }
    }
}

/// Makes a minimal puzzle of each start.
pub(super) fn minimal(
    level: SimdLevel,
    numbers: Range<u64>,
    start: impl FnMut(u64) -> Start,
    cancel: &CancelToken,
) -> Result<Vec<(Puzzle, Solution)>, Cancelled> {
    let mut pool = Pool {
        puzzles: Vec::with_capacity(SIDE_BY_SIDE),
        ready: Ready::default(),
        first: numbers.start,
        numbers: numbers.clone(),
        start,
        results: vec![None; (numbers.end - numbers.start) as usize],
    };
    while pool.puzzles.len() < SIDE_BY_SIDE && pool.puzzles.len() < pool.results.len() {
        pool.add();
    }
    lanes::answer(level, &mut pool, MAX_GUESSES, cancel)?;
    Ok(pool.results.into_iter().map(|result| result.expect("every puzzle is made")).collect())
}

/// The puzzles being made.
struct Pool<F> {
    puzzles: Vec<Unfinished>,
    /// Those that wait for a search.
    ready: Ready,
    first: u64,
    /// Those not yet started.
    numbers: Range<u64>,
    start: F,
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

impl<F: FnMut(u64) -> Start> Pool<F> {
    /// Starts the next puzzle in a new place.
    fn add(&mut self) {
        let index = self.puzzles.len() as u32;
        let number = self.numbers.next().expect("the caller checks");
        self.puzzles.push(Unfinished::new(number, (self.start)(number)));
        self.ready.push(index);
    }

    /// Stores a puzzle and starts the next one in its place.
    #[inline(never)]
    fn replace(&mut self, index: u32) {
        let done = &mut self.puzzles[index as usize];
        let solution = Solution::from_cells(done.grid).expect("digits");
        self.results[(done.number - self.first) as usize] = Some((done.puzzle, solution));
        if let Some(number) = self.numbers.next() {
            *done = Unfinished::new(number, (self.start)(number));
            self.ready.push(index);
        }
    }
}

impl<F: FnMut(u64) -> Start> Probes for Pool<F> {
    #[inline]
    fn is_ready(&self) -> bool {
        self.ready.len != 0
    }

    #[inline]
    fn take(&mut self) -> u32 {
        self.ready.pop()
    }

    #[inline]
    fn puzzle(&self, number: u32) -> &Puzzle {
        &self.puzzles[number as usize].puzzle
    }

    #[inline]
    fn excluded(&self, number: u32) -> Option<(u8, u8)> {
        let unfinished = &self.puzzles[number as usize];
        (unfinished.prefix == 0).then(|| unfinished.tested())
    }

    #[inline]
    fn solution_limit(&self, number: u32) -> u64 {
        if self.puzzles[number as usize].prefix == 0 { 1 } else { 2 }
    }

    #[inline]
    fn answer(&mut self, number: u32, solutions: Option<u64>) {
        let unfinished = &mut self.puzzles[number as usize];
        let solutions = solutions.unwrap_or_else(|| unfinished.solutions());
        if unfinished.answer(solutions) { self.ready.push(number) } else { self.replace(number) }
    }
}

/// A puzzle being made.
struct Unfinished {
    /// The clues that are left, without those that are tested.
    puzzle: Puzzle,
    grid: [u8; CELLS],
    order: [u8; CELLS],
    number: u64,
    /// The number of clues tested at once, from the start of the order; 0 if one clue is tested.
    prefix: u8,
    /// The index in the order of the first clue that has not been tested.
    next: u8,
    /// The clues of each row and of each column, as sets of columns and rows.
    clues: [[u16; 9]; 2],
    cycles: Cycles,
}

/// For each row and the next one in its band, and for each column and the next one in its stack: the cycle to which each
/// column or row belongs, as a set. The first line follows the last one.
type Cycles = [[[u16; 9]; 9]; 2];

/// The next and the last of the other lines of a band or stack.
const OTHERS: [[usize; 2]; 9] = [[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4], [7, 8], [8, 6], [6, 7]];

impl Unfinished {
    fn new(number: u64, Start { grid, order }: Start) -> Unfinished {
        let mut columns = [[0; 9]; 9];
        let mut rows = [[0; 9]; 9];
        for (cell, &digit) in grid.iter().enumerate() {
            rows[cell / 9][cell % 9] = digit;
            columns[cell % 9][cell / 9] = digit;
        }
        let cycles = [cycles(&rows), cycles(&columns)];
        let (puzzle, clues) = (Puzzle(grid), [[0x1FF; 9]; 2]);
        let mut new =
            Unfinished { puzzle, grid, order, number, prefix: FIRST_PREFIX, next: 0, clues, cycles };
        new.remove_prefix();
        new
    }

    /// The number of solutions of the probe, for searches that are too long for the lanes.
    #[cold]
    fn solutions(&self) -> u64 {
        let mut cells = *Candidates::from(&self.puzzle).cells();
        if self.prefix == 0 {
            let (cell, digit) = self.tested();
            cells[cell as usize] &= !(1 << (digit - 1));
        }
        let limits = if self.prefix == 0 { Limits::FIRST } else { Limits::UNIQUE };
        let candidates = Candidates::from_cells(cells).expect("sets of nine digits");
        let outcome =
            Solver::new().engine(Engine::Scalar).limits(limits).threads(1).solve([candidates].as_slice());
        debug_assert_ne!(outcome.statuses()[0], Status::Limit);
        outcome.solution_counts()[0]
    }

    /// The clue that is tested.
    #[inline]
    fn tested(&self) -> (u8, u8) {
        let cell = self.order[self.next as usize - 1];
        (cell, self.grid[cell as usize])
    }

    /// Takes the number of solutions and prepares the next probe. Returns `false` if the puzzle is minimal.
    #[inline]
    fn answer(&mut self, solutions: u64) -> bool {
        if self.prefix == 0 {
            if solutions != 0 {
                let (cell, digit) = self.tested();
                self.puzzle.0[cell as usize] = digit;
                let (row, column) = (cell as usize / 9, cell as usize % 9);
                self.clues[0][row] |= 1 << column;
                self.clues[1][column] |= 1 << row;
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
        while (self.next as usize) < CELLS {
            let cell = self.order[self.next as usize] as usize;
            self.next += 1;
            if self.remove_unless_needed(cell) {
                return true;
            }
        }
        false
    }

    /// Removes a clue, unless it is the last one in an unavoidable set.
    #[inline]
    fn remove_unless_needed(&mut self, cell: usize) -> bool {
        let (row, column) = (cell / 9, cell % 9);
        if self.is_last_in_cycle(0, row, column) || self.is_last_in_cycle(1, column, row) {
            return false;
        }
        self.clues[0][row] &= !(1 << column);
        self.clues[1][column] &= !(1 << row);
        self.puzzle.0[cell] = 0;
        true
    }

    #[inline(always)]
    fn is_last_in_cycle(&self, direction: usize, line: usize, at: usize) -> bool {
        let (clues, cycles) = (&self.clues[direction], &self.cycles[direction]);
        let [next, last] = OTHERS[line];
        let own = clues[line] & !(1 << at);
        (own | clues[next]) & cycles[line][at] == 0 || (own | clues[last]) & cycles[last][at] == 0
    }

    /// Removes the clues of the prefix, except those that are needed.
    fn remove_prefix(&mut self) {
        self.next = self.prefix;
        for at in 0..self.prefix {
            self.remove_unless_needed(self.order[at as usize] as usize);
        }
    }

    /// Starts again with fewer clues at once, after that with single ones.
    #[cold]
    fn shorten_prefix(&mut self) -> bool {
        let shorter = self.prefix - self.prefix / 4;
        self.prefix = if shorter < LEAST_PREFIX { 0 } else { shorter };
        (self.puzzle, self.clues) = (Puzzle(self.grid), [[0x1FF; 9]; 2]);
        self.remove_prefix();
        self.prefix != 0 || self.remove_next()
    }
}

/// The cycles of pairs of lines.
fn cycles(lines: &[[u8; 9]; 9]) -> [[u16; 9]; 9] {
    let mut places = [[0; 16]; 9];
    for (places, line) in places.iter_mut().zip(lines) {
        for (at, &digit) in (0..).zip(line) {
            places[digit as usize & 15] = at;
        }
    }
    let mut all = [[0; 9]; 9];
    for ((cycles, line), [next, _]) in all.iter_mut().zip(lines).zip(OTHERS) {
        // Where the digit of the line is in the next one. Sixteen entries save the checks of bounds.
        let mut steps = [0_u8; 16];
        let mut sets = [0_u16; 16];
        for at in 0..9 {
            steps[at] = places[next][line[at] as usize & 15];
            sets[at] = 1 << at;
        }
        // After rounds of 1, 2, 4 and 8 steps every set is complete. Without branches that depend on the length of cycles,
        // this takes a third of the time of following them.
        for _ in 0..4 {
            let (before, from) = (sets, steps);
            for at in 0..9 {
                sets[at] |= before[from[at] as usize & 15];
                steps[at] = from[from[at] as usize & 15];
            }
        }
        cycles.copy_from_slice(&sets[..9]);
    }
    all
}
