//! Clues that need no search: the last ones in small unavoidable sets.
//!
//! Two rows of a band form cycles: columns between which the two rows exchange their digits. Exchanging the rows in
//! these columns gives another grid, so every puzzle with one solution has a clue there. The last clue of a cycle
//! cannot go. The same is true of two columns of a stack.

use crate::grid::{CELLS, Puzzle};
use crate::simd::{Blocks, ByteKernel, Four, SimdLevel};

/// The cycles of a grid, and which of their cells are clues.
pub struct Cycles {
    /// The clues of each row, then of each column, as sets of columns and rows. Entries from 18 on are not used:
    /// indices below 32 need no check.
    clues: [u16; 32],
    /// For each row and the next one in its band, and for each column and the next one in its stack: the cycle to which
    /// each column or row belongs, as a set. The first line follows the last one.
    pub cycles: [[u16; 9]; 18],
}

/// Where the clues and the cycles of a cell are.
#[derive(Clone, Copy)]
struct Lines {
    /// The row and the column in [`Cycles::clues`], each with the next and the last of the other lines of its chute.
    clues: [[u8; 3]; 2],
    /// The cycles of the row and the next one, of the last one and the row, and the same for the column.
    cycles: [[u8; 2]; 2],
    /// The places of the cell in its row and in its column, as sets.
    here: [u16; 2],
}

static LINES: [Lines; CELLS] = {
    let mut lines = [Lines { clues: [[0; 3]; 2], cycles: [[0; 2]; 2], here: [0; 2] }; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let mut direction = 0;
        while direction < 2 {
            let (line, at) = if direction == 0 { (cell / 9, cell % 9) } else { (cell % 9, cell / 9) };
            let chute = line / 3 * 3;
            let [next, last] = [chute + (line + 1) % 3, chute + (line + 2) % 3];
            let first = 9 * direction;
            lines[cell].clues[direction] = [(first + line) as u8, (first + next) as u8, (first + last) as u8];
            lines[cell].cycles[direction] = [(9 * (first + line) + at) as u8, (9 * (first + last) + at) as u8];
            lines[cell].here[direction] = 1 << at;
            direction += 1;
        }
        cell += 1;
    }
    lines
};

impl Cycles {
    /// The cycles of a grid, all of whose cells are clues.
    #[inline]
    pub fn of_grid(level: SimdLevel, grid: &[u8; CELLS]) -> Cycles {
        Cycles { clues: [0x1FF; 32], cycles: level.run_bytes(FindCycles(grid)) }
    }

    /// Sets the clues to those of a puzzle.
    #[inline]
    pub fn set_clues(&mut self, puzzle: &Puzzle) {
        self.clues = [0; 32];
        for (cell, _) in puzzle.cells().iter().enumerate().filter(|(_, digit)| **digit != 0) {
            self.toggle(cell);
        }
    }

    /// Makes a cell a clue or, if it is one, a blank.
    #[inline]
    pub fn toggle(&mut self, cell: usize) {
        let Lines { clues: [[row, ..], [column, ..]], here, .. } = LINES[cell];
        self.clues[row as usize & 31] ^= here[0];
        self.clues[column as usize & 31] ^= here[1];
    }

    /// Whether a clue is the last one in a cycle. If not, it may be needed nevertheless.
    #[inline]
    pub fn need(&self, cell: usize) -> bool {
        let lines = &LINES[cell];
        self.is_last(lines, 0) | self.is_last(lines, 1)
    }

    #[inline(always)]
    fn is_last(&self, lines: &Lines, direction: usize) -> bool {
        let [line, next, last] = lines.clues[direction];
        let [with_next, with_last] = lines.cycles[direction];
        let cycles = self.cycles.as_flattened();
        let clues = |line: u8| self.clues[line as usize & 31];
        let own = clues(line) & !lines.here[direction];
        ((own | clues(next)) & cycles[with_next as usize] == 0)
            | ((own | clues(last)) & cycles[with_last as usize] == 0)
    }
}

/// Finds the cycles of each line and the next one in its chute, see [`Cycles`].
struct FindCycles<'a>(&'a [u8; CELLS]);

impl ByteKernel for FindCycles<'_> {
    type Output = [[u16; 9]; 18];

    #[inline(always)]
    fn run<S: Blocks>(self, s: S) -> Self::Output {
        let mut of_lines = [[0; 9]; 18];
        let (mut lines, mut places) = ([Four::ZERO; 6], [Four::ZERO; 6]);
        s.lines_and_places(self.0, &mut lines, &mut places);
        let alone = s.repeat(s.load_bytes(&[1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]));
        for (chute, cycles) in of_lines.as_chunks_mut::<3>().0.iter_mut().enumerate() {
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
        of_lines
    }
}
