//! Clues that need no search: the last ones in small unavoidable sets.
//!
//! Two rows of a band form cycles: columns between which the two rows exchange their digits. Exchanging the rows in these
//! columns gives another grid, so every puzzle with one solution has a clue there. The last clue of a cycle cannot go. The
//! same is true of two columns of a stack.

use crate::grid::{CELLS, Puzzle};
use crate::simd::{Blocks, ByteKernel, Four, SimdLevel};

/// The cycles of a grid, and which of their cells are clues.
pub(super) struct Cycles {
    /// The clues of each row and of each column, as sets of columns and rows.
    clues: [[u16; 9]; 2],
    /// For each row and the next one in its band, and for each column and the next one in its stack: the cycle to which each
    /// column or row belongs, as a set. The first line follows the last one.
    cycles: [[u16; 9]; 18],
}

/// The next and the last of the other lines of a band or stack.
const OTHERS: [[usize; 2]; 9] = [[1, 2], [2, 0], [0, 1], [4, 5], [5, 3], [3, 4], [7, 8], [8, 6], [6, 7]];

impl Cycles {
    /// The cycles of a grid, all of whose cells are clues.
    #[inline]
    pub fn of_grid(level: SimdLevel, grid: &[u8; CELLS]) -> Cycles {
        let mut cycles = Cycles { clues: [[0x1FF; 9]; 2], cycles: [[0; 9]; 18] };
        level.run_bytes(FindCycles { grid, cycles: &mut cycles.cycles });
        cycles
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
        let (clues, cycles) = (&self.clues[direction], &self.cycles[9 * direction..][..9]);
        let [next, last] = OTHERS[line];
        let own = clues[line] & !(1 << at);
        (own | clues[next]) & cycles[line][at] == 0 || (own | clues[last]) & cycles[last][at] == 0
    }
}

/// Finds the cycles of each line and the next one in its chute, see [`Cycles`].
struct FindCycles<'a> {
    grid: &'a [u8; CELLS],
    cycles: &'a mut [[u16; 9]; 18],
}

impl ByteKernel for FindCycles<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Blocks>(self, s: S) {
        let (mut lines, mut places) = ([Four::ZERO; 6], [Four::ZERO; 6]);
        s.lines_and_places(self.grid, &mut lines, &mut places);
        let alone = s.repeat(s.load_bytes(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]));
        for (chute, cycles) in self.cycles.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            // Where the digit of the line is in the next one.
            let next = s.next_lines(s.load_four(&places[chute]));
            let mut steps = s.lookup_each(next, s.load_four(&lines[chute]));
            // Sets without the last place. It is in those that its own set contains.
            let mut sets = alone;
            // After rounds of 1, 2, 4 and 8 steps every set is complete.
            for _ in 0..4 {
                sets = s.or_each(sets, s.lookup_each(sets, steps));
                steps = s.lookup_each(steps, steps);
            }
            let mut stored = Four::ZERO;
            s.store_four(sets, &mut stored);
            for (cycles, sets) in cycles.iter_mut().zip(&stored.0) {
                let of_last = u16::from(sets[8]) | 1 << 8;
                for (at, (cycle, &set)) in cycles.iter_mut().zip(sets).enumerate() {
                    *cycle = u16::from(set) | (of_last >> at & 1) << 8;
                }
            }
        }
    }
}
