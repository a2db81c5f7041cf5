//! Hidden singles of all digits and houses at once.
//!
//! A row of a board has a lane for each digit, with a bit for each column, so that the compiler can use vector
//! instructions. Functions are inlined into kernels.

use super::state::State;
use super::tables::{NINE, bits};
use crate::simd::{Kernel, Simd};

/// One set of columns for each digit. Vectors have powers of two as lengths.
type Lanes = [u16; 16];

/// The candidates of a grid, row by row.
type Board = [Lanes; NINE];

/// The hidden singles that were placed.
pub struct Placed {
    cells: Board,
    /// Whether singles of rows and columns that are not full were looked for.
    used_lines: bool,
    /// Whether there were any.
    pub has_lines: bool,
    pub count: u16,
}

// A loop, since the closures of iterators are not always inlined.
#[inline(always)]
fn or(a: &mut Lanes, b: &Lanes) {
    for lane in 0..16 {
        a[lane] |= b[lane];
    }
}

/// Adds the candidates of another board.
#[inline(always)]
fn or_all(board: &mut Board, other: &Board) {
    for row in 0..NINE {
        or(&mut board[row], &other[row]);
    }
}

/// The set if it has one member, else none.
#[inline(always)]
fn single(set: u16) -> u16 {
    if set & set.wrapping_sub(1) == 0 { set } else { 0 }
}

/// The candidates with no other place in their block.
#[inline(always)]
fn block_singles(board: &Board) -> Board {
    let mut found = [[0; 16]; NINE];
    for (rows, found) in board.chunks_exact(3).zip(found.chunks_exact_mut(3)) {
        for shift in [0, 3, 6] {
            for lane in 0..16 {
                let part = |row: usize| (rows[row][lane] >> shift & 7) << (3 * row);
                let set = single(part(0) | part(1) | part(2));
                (0..3).for_each(|row| found[row][lane] |= (set >> (3 * row) & 7) << shift);
            }
        }
    }
    found
}

/// The candidates with no other place in their row or column.
#[inline(always)]
fn line_singles(board: &Board) -> Board {
    let (mut once, mut twice) = ([0; 16], [0; 16]);
    for row in board {
        for lane in 0..16 {
            twice[lane] |= once[lane] & row[lane];
            once[lane] |= row[lane];
        }
    }
    let mut found = *board;
    for row in &mut found {
        for lane in 0..16 {
            row[lane] = single(row[lane]) | row[lane] & once[lane] & !twice[lane];
        }
    }
    found
}

/// The candidates of the only empty cell of a row or column.
#[inline(always)]
fn last_in_line(board: &Board) -> Board {
    let (mut empty, mut once, mut twice) = ([0; NINE], 0, 0);
    for (row, empty) in board.iter().zip(&mut empty) {
        *empty = row.iter().fold(0, |all, set| all | set);
        twice |= once & *empty;
        once |= *empty;
    }
    let mut found = *board;
    for (row, empty) in found.iter_mut().zip(empty) {
        let last = single(empty) | empty & once & !twice;
        row.iter_mut().for_each(|set| *set &= last);
    }
    found
}

/// Removes the candidates of placed cells, and those that see their digits.
#[inline(always)]
fn place(board: &mut Board, placed: &Board) {
    let mut columns = [0; 16];
    placed.iter().for_each(|row| or(&mut columns, row));
    for (rows, placed) in board.chunks_exact_mut(3).zip(placed.chunks_exact(3)) {
        let mut blocks = [0; 16];
        placed.iter().for_each(|row| or(&mut blocks, row));
        // Not `map`, which is not inlined.
        for set in &mut blocks {
            let any = (*set | *set >> 1 | *set >> 2) & 0o111;
            *set = any | any << 1 | any << 2;
        }
        for (row, placed) in rows.iter_mut().zip(placed) {
            let filled = placed.iter().fold(0, |all, set| all | set);
            for lane in 0..16 {
                let whole = if placed[lane] == 0 { 0 } else { 0x1ff };
                row[lane] &= !(columns[lane] | blocks[lane] | whole | filled);
            }
        }
    }
}

#[inline(always)]
fn is_empty(board: &Board) -> bool {
    let mut any = [0; 16];
    board.iter().for_each(|row| or(&mut any, row));
    any == [0; 16]
}

/// Finds the hidden singles of blocks and of full houses, and then, if `lines`, of all houses, until there are none.
/// The puzzle has a solution.
pub struct HiddenSingles<'a> {
    pub state: &'a State,
    pub blocks_first: bool,
    pub lines: bool,
}

impl Kernel for HiddenSingles<'_> {
    type Output = Placed;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> Placed {
        let mut board: Board = [[0; 16]; NINE];
        let rows = board.iter_mut().zip(&self.state.places[NINE..]);
        rows.for_each(|(lanes, places)| lanes[..NINE].copy_from_slice(places));
        place_all(board, self.blocks_first, self.lines)
    }
}

#[inline(always)]
fn place_all(mut board: Board, blocks_first: bool, lines: bool) -> Placed {
    let mut placed = Placed { cells: [[0; 16]; NINE], used_lines: !blocks_first, has_lines: false, count: 0 };
    loop {
        let mut found = block_singles(&board);
        if !placed.used_lines && is_empty(&found) {
            found = last_in_line(&board);
            placed.used_lines = is_empty(&found) && lines;
        }
        if placed.used_lines {
            or_all(&mut found, &line_singles(&board));
        }
        if is_empty(&found) {
            break;
        }
        placed.has_lines |= placed.used_lines;
        or_all(&mut placed.cells, &found);
        place(&mut board, &found);
    }
    for row in &placed.cells {
        row.iter().for_each(|set| placed.count += set.count_ones() as u16);
    }
    placed
}

impl Placed {
    /// Applies them to the state. If they complete it, only that is noted.
    pub fn apply(&self, state: &mut State) {
        if self.count as u32 == state.empty.count_ones() {
            state.empty = 0;
            return;
        }
        self.each(|cell, digit| state.place(cell, digit));
    }

    /// Visits the cells with their digits.
    fn each(&self, mut visit: impl FnMut(usize, usize)) {
        for (row, lanes) in self.cells.iter().enumerate() {
            for (digit, &columns) in lanes[..NINE].iter().enumerate() {
                bits(columns).for_each(|column| visit(9 * row + column, digit));
            }
        }
    }
}
