//! Clues that need no search: the last ones in small unavoidable sets.
//!
//! Two rows of a band form cycles: columns between which the two rows exchange their digits. Exchanging the rows in these
//! columns gives another grid, so every puzzle with one solution has a clue there. The last clue of a cycle cannot go. The
//! same is true of two columns of a stack.

use crate::grid::{CELLS, Puzzle};

/// The cycles of a grid, and which of their cells are clues.
pub(super) struct Cycles {
    /// The clues of each row and of each column, as sets of columns and rows.
    clues: [[u16; 9]; 2],
    /// For each row and the next one in its band, and for each column and the next one in its stack: the cycle to which each
    /// column or row belongs, as a set. The first line follows the last one.
    cycles: [[[u16; 9]; 9]; 2],
}

/// The next and the last of the other lines of a band or stack.
const OTHERS: [[usize; 2]; 9] = [[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4], [7, 8], [8, 6], [6, 7]];

impl Cycles {
    /// The cycles of a grid, all of whose cells are clues.
    #[inline]
    pub fn of_grid(grid: &[u8; CELLS]) -> Cycles {
        let mut columns = [[0; 9]; 9];
        let mut rows = [[0; 9]; 9];
        for (cell, &digit) in grid.iter().enumerate() {
            rows[cell / 9][cell % 9] = digit;
            columns[cell % 9][cell / 9] = digit;
        }
        Cycles { clues: [[0x1FF; 9]; 2], cycles: [cycles(&rows), cycles(&columns)] }
    }

    /// Sets the clues to those of a puzzle.
    #[inline]
    pub fn set_clues(&mut self, puzzle: &Puzzle) {
        self.clues = [[0; 9]; 2];
        for (cell, &digit) in puzzle.cells().iter().enumerate() {
            let is_clue = u16::from(digit != 0);
            self.clues[0][cell / 9] |= is_clue << (cell % 9);
            self.clues[1][cell % 9] |= is_clue << (cell / 9);
        }
    }

    #[inline]
    pub fn add(&mut self, cell: usize) {
        let (row, column) = (cell / 9, cell % 9);
        self.clues[0][row] |= 1 << column;
        self.clues[1][column] |= 1 << row;
    }

    #[inline]
    pub fn remove(&mut self, cell: usize) {
        let (row, column) = (cell / 9, cell % 9);
        self.clues[0][row] &= !(1 << column);
        self.clues[1][column] &= !(1 << row);
    }

    /// Whether a clue is the last one in a cycle. If not, it may be needed nevertheless.
    #[inline]
    pub fn need(&self, cell: usize) -> bool {
        let (row, column) = (cell / 9, cell % 9);
        self.is_last(0, row, column) || self.is_last(1, column, row)
    }

    #[inline(always)]
    fn is_last(&self, direction: usize, line: usize, at: usize) -> bool {
        let (clues, cycles) = (&self.clues[direction], &self.cycles[direction]);
        let [next, last] = OTHERS[line];
        let own = clues[line] & !(1 << at);
        (own | clues[next]) & cycles[line][at] == 0 || (own | clues[last]) & cycles[last][at] == 0
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
