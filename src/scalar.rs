//! The single-puzzle solver: bit sets of candidates, singles, locked candidates, and a guess.
//!
//! It answers for one puzzle at a time ([`solve`], [`for_each_solution`]) and is the oracle that the
//! lane engine is tested against, so it is written to be understood first and to be fast second.
//!
//! # State
//!
//! For each digit one set of 81 bits: the cells that may still hold it. A set is a `u128` with one
//! band in each 32-bit word, so that a band comes out with a shift and never straddles two registers:
//!
//! ```text
//! bits 96..128   64..91        32..59        0..27
//! (unused)       band 2        band 1        band 0      within a band: bit 9 * row + column
//! ```
//!
//! # Inference
//!
//! `Grid::propagate` repeats two steps until nothing moves:
//!
//! 1. For each digit whose set changed, `confine`: within a band, the digit takes one minirow (three
//!    cells of a row within a box) from each box and each row, hence one of six configurations. A table
//!    indexed by the nine minirows that are still possible gives the union of the configurations that
//!    fit. This is locked candidates, pointing and claiming, to closure. The same is done for the
//!    minicolumns of each stack. A box left with one minirow and one minicolumn has a hidden single;
//!    hidden singles of rows and columns come out the same way, since a row with a single place left
//!    for the digit has one minirow, which then is the only one in its box.
//! 2. Naked singles, found for all 81 cells at once by counting candidates with bit-sliced saturating
//!    counters: `once |= w; twice |= once & w` over the nine sets.
//!
//! # Search
//!
//! Depth-first, always at a cell with the minimum of remaining values (MRV; `Grid::branch` breaks
//! ties). Its lowest digit is tried first, then the grid without that candidate, where the choice is made
//! anew: so the first solution depends on the puzzle alone. The recursion is at most 81 deep, because
//! each level settles an open cell; a level keeps one `Grid` of 176 bytes on the stack and nothing is
//! allocated.

use std::cmp::Reverse;
use std::iter;
use std::ops::ControlFlow;

use crate::engine::{BLANK_ROW, Given, Outcomes, Search};
use crate::grid::{CELLS, Candidates, PEERS, Puzzle, Solution, Status};

/// A set of cells, see the drawing in the [module's page](self).
type Cells = u128;

/// How many cells that tie for the fewest candidates are compared for a guess.
const TIES: usize = 4;

/// Every cell of a grid.
const ALL: Cells = {
    let band = (1 << 27) - 1;
    band | band << 32 | band << 64
};

/// The bit number of a cell.
const fn bit_of(cell: usize) -> usize {
    cell / 27 * 32 + cell % 27
}

/// The cell of a bit number.
const fn cell_of(bit: usize) -> usize {
    bit - bit / 32 * 5
}

/// What is left of a digit's set, by bit number, once it is placed there.
const PLACED: [Cells; 96] = {
    let mut table = [0; 96];
    let mut cell = 0;
    while cell < CELLS {
        let mut keep = ALL;
        let mut i = 0;
        while i < PEERS[cell].len() {
            keep &= !(1 << bit_of(PEERS[cell][i] as usize));
            i += 1;
        }
        table[bit_of(cell)] = keep;
        cell += 1;
    }
    table
};

/// Which of the three minirows of a row hold a cell, by the nine cells of the row.
const MINIROWS: [u8; 512] = {
    let mut table = [0; 512];
    let mut row = 0;
    while row < 512 {
        table[row] = (row & 7 != 0) as u8 | ((row >> 3 & 7 != 0) as u8) << 1 | ((row >> 6 != 0) as u8) << 2;
        row += 1;
    }
    table
};

/// The union of the configurations that fit into `map`, and 0 if none does.
///
/// A configuration takes one line from each of three boxes, all lines different. Bit `3 * line + box` of
/// `map` says that the digit may be in that line of that box; in a band lines are rows, in a stack (with
/// the bit order transposed, which makes no difference to the set of configurations) columns.
const fn fitting(map: usize) -> usize {
    let mut union = 0;
    let mut a = 0;
    while a < 3 {
        let mut b = 0;
        while b < 3 {
            if a != b {
                let configuration = 1 << (3 * a) | 2 << (3 * b) | 4 << (3 * (3 - a - b));
                if map & configuration == configuration {
                    union |= configuration;
                }
            }
            b += 1;
        }
        a += 1;
    }
    union
}

/// What the minirows that a digit may take in a band tell about its cells there.
#[derive(Clone, Copy)]
struct Band {
    /// The cells of all configurations that fit; 0 is a contradiction.
    keep: u32,
    /// The cells of the boxes that are left with one minirow.
    one_row: u32,
}

/// By minirow map of a band: bit `3 * row + box`.
const BANDS: [Band; 512] = {
    let mut table = [Band { keep: 0, one_row: 0 }; 512];
    let mut map = 0;
    while map < 512 {
        let fits = fitting(map);
        let mut minirow = 0;
        while minirow < 9 {
            if fits >> minirow & 1 == 1 {
                table[map].keep |= 7 << (3 * minirow);
            }
            minirow += 1;
        }
        let mut stack = 0;
        while stack < 3 {
            if (fits >> stack & 0o111).count_ones() == 1 {
                table[map].one_row |= 0o7_007_007 << (3 * stack);
            }
            stack += 1;
        }
        map += 1;
    }
    table
};

/// By minicolumn map of a stack, bit `3 * band + column`: the minicolumns of all configurations that
/// fit, moved to bit `9 * band + column`.
const STACKS: [u32; 512] = {
    let mut table = [0; 512];
    let mut map = 0;
    while map < 512 {
        let fits = fitting(map) as u32;
        table[map] = (fits & 7) | (fits >> 3 & 7) << 9 | (fits >> 6) << 18;
        map += 1;
    }
    table
};

/// By the columns that a digit may take in a band: the cells of the boxes left with one column.
const ONE_COLUMN: [u32; 512] = {
    let mut table = [0; 512];
    let mut columns = 0;
    while columns < 512 {
        let mut stack = 0;
        while stack < 3 {
            if (columns >> (3 * stack) & 7usize).count_ones() == 1 {
                table[columns] |= 0o7_007_007 << (3 * stack);
            }
            stack += 1;
        }
        columns += 1;
    }
    table
};

/// The bit numbers of a set, ascending.
fn bits(mut cells: Cells) -> impl Iterator<Item = usize> {
    iter::from_fn(move || {
        let bit = cells.trailing_zeros() as usize;
        cells &= cells.wrapping_sub(1);
        (bit < 96).then_some(bit)
    })
}

/// The bands of a set.
fn bands(cells: Cells) -> [u32; 3] {
    [cells as u32, (cells >> 32) as u32, (cells >> 64) as u32]
}

/// The cells with clues. Finding them first, without a branch per cell, halves the time to set up a grid.
fn given_cells(puzzle: &Puzzle) -> Cells {
    let (all, _) = puzzle.cells().as_chunks::<27>();
    let band = |n: usize| all[n].iter().rfold(0, |set, &digit| set << 1 | (digit != 0) as u32);
    cells([band(0), band(1), band(2)])
}

/// The set of three bands.
fn cells([top, middle, bottom]: [u32; 3]) -> Cells {
    top as Cells | (middle as Cells) << 32 | (bottom as Cells) << 64
}

/// Reduces one digit's set to its locked candidates, and finds its singles (cells that are alone in
/// their box): `(set, singles)`, or `None` when a band or stack has no configuration left.
fn confine(set: Cells) -> Option<(Cells, Cells)> {
    let mut bands = bands(set);
    loop {
        let mut one_row = [0; 3];
        // Bit 9 * band + column: the digit may be in this column of this band.
        let mut columns = 0;
        for (band, cells) in bands.iter_mut().enumerate() {
            let row = |n: u32| MINIROWS[(*cells >> (9 * n) & 511) as usize] as u32;
            let known = BANDS[(row(0) | row(1) << 3 | row(2) << 6) as usize & 511];
            *cells &= known.keep;
            if *cells == 0 {
                return None;
            }
            one_row[band] = known.one_row;
            columns |= ((*cells | *cells >> 9 | *cells >> 18) & 511) << (9 * band);
        }
        let mut keep = 0;
        for stack in 0..3 {
            let map = columns >> (3 * stack) & 0o7_007_007;
            keep |= STACKS[((map | map >> 6 | map >> 12) & 511) as usize] << (3 * stack);
        }
        if columns & !keep == 0 {
            let single = |band: usize| {
                bands[band] & one_row[band] & ONE_COLUMN[(columns >> (9 * band) & 511) as usize]
            };
            return Some((cells(bands), cells([single(0), single(1), single(2)])));
        }
        for (band, cells) in bands.iter_mut().enumerate() {
            // Each of the band's nine column bits goes to all three rows.
            *cells &= (keep >> (9 * band) & 511) * 0o1_001_001;
        }
    }
}

/// The state of a search: what each digit may still take.
#[derive(Clone)]
struct Grid {
    /// The cells that may hold each digit (`digit - 1`).
    candidates: [Cells; 9],
    /// Cells whose digit is not settled. A settled cell is in the set of its digit only.
    open: Cells,
    /// Digits (a bit each) whose set lost a cell since [`confine`] last looked.
    moved: u16,
}

impl Grid {
    /// The clues and what they leave to other cells; `None` when two clues clash.
    fn new(puzzle: &Puzzle) -> Option<Grid> {
        let mut candidates = [ALL; 9];
        let mut clues = [0; 9];
        let given = given_cells(puzzle);
        let open = ALL & !given;
        for bit in bits(given) {
            let digit = puzzle.cells()[cell_of(bit)] as usize - 1;
            if candidates[digit] >> bit & 1 == 0 {
                return None;
            }
            candidates[digit] &= PLACED[bit];
            clues[digit] |= 1 << bit;
        }
        for (set, clues) in candidates.iter_mut().zip(clues) {
            *set &= open | clues;
        }
        Some(Grid { candidates, open, moved: 0x1ff })
    }

    /// The same for candidates, those with one taken for clues.
    fn of_candidates(candidates: &Candidates) -> Option<Grid> {
        let mut grid = Grid::new(&candidates.clues())?;
        let mut sets = [[0_u32; 9]; 3];
        let (bands_of_cells, _) = candidates.cells().as_chunks::<27>();
        for (sets, cells) in sets.iter_mut().zip(bands_of_cells) {
            // All digits side by side.
            for &allowed in cells.iter().rev() {
                for (digit, set) in sets.iter_mut().enumerate() {
                    *set = *set << 1 | (allowed & 1 << digit != 0) as u32;
                }
            }
        }
        for (digit, mine) in grid.candidates.iter_mut().enumerate() {
            *mine &= cells(sets.map(|band| band[digit]));
        }
        Some(grid)
    }

    /// Takes cells away from all digits but `digit`, which counts from 0 here and below.
    fn settle(&mut self, cells: Cells, digit: usize) {
        let mine = self.candidates[digit];
        let mut moved = 0;
        for set in self.candidates.iter_mut().rev() {
            moved = moved << 1 | (*set & cells != 0) as u16;
            *set &= !cells;
        }
        self.moved |= moved;
        self.candidates[digit] = mine;
        self.open &= !cells;
    }

    /// Settles a cell by its bit number.
    fn place(&mut self, bit: usize, digit: usize) {
        self.settle(1 << bit, digit);
        self.candidates[digit] &= PLACED[bit];
    }

    /// Applies all inference to the end; false on a contradiction.
    fn propagate(&mut self) -> bool {
        loop {
            if !self.confine_digits() {
                return false;
            }
            let (mut once, mut twice) = (0, 0);
            for set in self.candidates {
                twice |= once & set;
                once |= set;
            }
            if once != ALL {
                return false;
            }
            let singles = once & !twice & self.open;
            if singles == 0 {
                return true;
            }
            self.open &= !singles;
            for (digit, set) in self.candidates.iter_mut().enumerate() {
                let mine = *set & singles;
                self.moved |= ((mine != 0) as u16) << digit;
                for bit in bits(mine) {
                    *set &= PLACED[bit];
                }
            }
        }
    }

    /// [`confine`]s digits and settles their singles until no digit's set moves; false on a contradiction.
    fn confine_digits(&mut self) -> bool {
        let mut digit = 8;
        while self.moved != 0 {
            // Round robin, so that a digit is looked at after several others have been.
            let later = self.moved & (!1 << digit);
            digit = (if later != 0 { later } else { self.moved }).trailing_zeros() as usize;
            let Some((set, singles)) = confine(self.candidates[digit]) else { return false };
            self.candidates[digit] = set;
            let settled = singles & self.open;
            if settled != 0 {
                self.settle(settled, digit);
            }
            self.moved &= !(1 << digit);
        }
        true
    }

    /// Where to guess in a grid without naked singles, as bit number and digit: a cell with the fewest
    /// candidates, and the lowest of these.
    ///
    /// Of the first [`TIES`] such cells it takes the one that sees most others of the kind (the earliest,
    /// if several do), because they are what its digit is likely to settle: a quarter fewer guesses on hard
    /// puzzles than with the first of all, and looking at every one of them costs more than it saves.
    fn branch(&self) -> (usize, usize) {
        // Bit n of each cell's number of candidates is in planes[n].
        let mut planes = [0; 4];
        for set in self.candidates {
            let mut carry = set;
            for plane in &mut planes {
                (*plane, carry) = (*plane ^ carry, *plane & carry);
            }
        }
        let mut fewest = self.open;
        for plane in planes.iter().rev() {
            if fewest & !plane != 0 {
                fewest &= !plane;
            }
        }
        let seen = |&bit: &usize| ((fewest & !PLACED[bit]).count_ones(), Reverse(bit));
        let bit = bits(fewest).take(TIES).max_by_key(seen).expect("an unsolved grid has an open cell");
        let digit = self.candidates.iter().position(|set| set >> bit & 1 == 1);
        (bit, digit.expect("propagation leaves no cell without candidates"))
    }

    /// Writes the digits of a solved grid, each plus `zero`.
    fn write(&self, zero: u8, row: &mut [u8]) {
        for (digit, &set) in (zero + 1..).zip(&self.candidates) {
            for bit in bits(set) {
                row[cell_of(bit)] = digit;
            }
        }
    }

    /// A solved grid's digits.
    fn solution(&self) -> Solution {
        let mut cells = [0; CELLS];
        self.write(0, &mut cells);
        Solution::from_cells(cells).expect("a solved grid has a digit in each cell")
    }
}

/// A depth-first search and what it has come to.
struct Run<F> {
    search: Search,
    solutions: u64,
    guesses: u64,
    capped: bool,
    /// Sees each solved grid.
    visit: F,
}

impl<F: FnMut(&Grid) -> ControlFlow<()>> Run<F> {
    /// Visits the solutions of `grid`; breaks when the search as a whole is over.
    fn explore(&mut self, grid: &mut Grid) -> ControlFlow<()> {
        loop {
            if !grid.propagate() {
                return ControlFlow::Continue(());
            }
            if grid.open == 0 {
                self.solutions += 1;
                if (self.visit)(grid).is_break() {
                    self.search.limit = self.solutions;
                }
                let done = self.solutions >= self.search.limit;
                return if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            }
            if self.guesses == self.search.max_guesses {
                self.capped = true;
                return ControlFlow::Break(());
            }
            self.guesses += 1;
            let (bit, digit) = grid.branch();
            let mut child = grid.clone();
            child.place(bit, digit);
            self.explore(&mut child)?;
            grid.candidates[digit] &= !(1 << bit);
            grid.moved = 1 << digit;
        }
    }
}

/// What a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The verdict.
    pub status: Status,
    /// The first solution found, the same on every machine.
    pub solution: Option<Solution>,
    /// Solutions found, at most [`Search::limit`].
    pub solutions: u64,
    /// Guesses made: places at which the search branched.
    pub guesses: u64,
}

/// Searches from `grid`, showing each solved grid to `visit`; the answer is without the solution.
fn run(grid: Option<Grid>, search: Search, visit: impl FnMut(&Grid) -> ControlFlow<()>) -> Answer {
    let Some(mut grid) = grid else {
        return Answer { status: Status::Invalid, solution: None, solutions: 0, guesses: 0 };
    };
    let mut run = Run { search, solutions: 0, guesses: 0, capped: false, visit };
    // Why it is over is told by the counts.
    let _ = run.explore(&mut grid);
    let status = Status::of_search(run.solutions, run.search.limit, run.capped);
    Answer { status, solution: None, solutions: run.solutions, guesses: run.guesses }
}

/// Solves one puzzle.
///
/// The status is [`Status::Invalid`] when clues clash; [`Puzzle::clash`] tells which.
///
/// ```
/// use rapidoku::engine::Search;
/// use rapidoku::grid::{Puzzle, Status};
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// let answer = rapidoku::scalar::solve(&puzzle, Search { limit: 2, max_guesses: u64::MAX });
/// assert_eq!(answer.status, Status::Unique);
/// println!("{:#}", answer.solution.unwrap());
/// # Ok::<(), rapidoku::grid::Invalid>(())
/// ```
pub fn solve(puzzle: &Puzzle, search: Search) -> Answer {
    first_solution(Grid::new(puzzle), search)
}

/// Solves a puzzle in pencilmarks: of each cell its candidates.
///
/// A cell with one of them is a clue, and clues may clash as in [`solve`]. Candidates that say no more than
/// clues do give the answer that [`solve`] gives to these, guesses included.
pub fn solve_candidates(candidates: &Candidates, search: Search) -> Answer {
    first_solution(Grid::of_candidates(candidates), search)
}

fn first_solution(grid: Option<Grid>, search: Search) -> Answer {
    let mut first = None;
    let answer = run(grid, search, |grid| {
        first.get_or_insert_with(|| grid.solution());
        ControlFlow::Continue(())
    });
    Answer { solution: first, ..answer }
}

/// Shows every solution to `visit`, up to [`Search::limit`], in the order of the search.
///
/// When `visit` breaks, the search ends as if the solutions seen so far had been its limit.
pub fn for_each_solution(
    puzzle: &Puzzle,
    search: Search,
    visit: impl FnMut(&Solution) -> ControlFlow<()>,
) -> Answer {
    every_solution(Grid::new(puzzle), search, visit)
}

/// The same for a puzzle in pencilmarks, see [`solve_candidates`].
pub fn for_each_solution_of_candidates(
    candidates: &Candidates,
    search: Search,
    visit: impl FnMut(&Solution) -> ControlFlow<()>,
) -> Answer {
    every_solution(Grid::of_candidates(candidates), search, visit)
}

fn every_solution(
    grid: Option<Grid>,
    search: Search,
    mut visit: impl FnMut(&Solution) -> ControlFlow<()>,
) -> Answer {
    let mut first = None;
    let answer = run(grid, search, |grid| {
        let solution = grid.solution();
        first.get_or_insert(solution);
        visit(&solution)
    });
    Answer { solution: first, ..answer }
}

/// Solves puzzles into the rows of `outcomes`, which has one for each.
pub(crate) fn solve_batch(given: Given, search: Search, outcomes: &mut Outcomes) {
    match given {
        Given::Clues(puzzles) => solve_grids(puzzles.iter().map(Grid::new), search, outcomes),
        Given::Candidates(all) => solve_grids(all.iter().map(Grid::of_candidates), search, outcomes),
    }
}

fn solve_grids(grids: impl Iterator<Item = Option<Grid>>, search: Search, outcomes: &mut Outcomes) {
    for (k, grid) in grids.enumerate() {
        let row = &mut outcomes.rows[k];
        *row = BLANK_ROW;
        let mut blank = true;
        let answer = run(grid, search, |grid| {
            if blank {
                grid.write(b'0', &mut row[..]);
                blank = false;
            }
            ControlFlow::Continue(())
        });
        outcomes.status[k] = answer.status;
        outcomes.solutions[k] = answer.solutions;
        outcomes.guesses[k] = answer.guesses;
    }
}
