//! Puzzles and numbers from the bytes of a fuzzer. When the bytes end, zeros follow.

use crate::oracle::{NINE, SOLVED, Sets};

/// The rest of the bytes.
pub struct Bytes<'a>(pub &'a [u8]);

impl<'a> Bytes<'a> {
    /// Whether no bytes are left.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The next byte, or 0 at the end.
    pub fn byte(&mut self) -> u8 {
        let Some((&byte, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        byte
    }

    /// A number below `end`.
    pub fn below(&mut self, end: u8) -> u8 {
        self.byte() % end
    }

    /// The lowest bit of the next byte.
    pub fn flag(&mut self) -> bool {
        self.byte() & 1 == 1
    }

    /// The next bytes, `n` or all that are left.
    pub fn take(&mut self, n: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(n.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// The digits of a puzzle, 0 for a blank. The first byte chooses between clues of a solved grid, kept where a bit
    /// mask says so and with digits renamed, and clues one by one.
    pub fn clues(&mut self) -> [u8; 81] {
        let mut clues = [0; 81];
        if self.flag() {
            let shift = self.below(9);
            let mask: [u8; 11] = std::array::from_fn(|_| self.byte());
            for (cell, clue) in clues.iter_mut().enumerate() {
                if mask[cell / 8] >> (cell % 8) & 1 == 1 {
                    *clue = (SOLVED[cell] - b'1' + shift) % 9 + 1;
                }
            }
            for _ in 0..self.below(4) {
                clues[usize::from(self.below(81))] = self.below(10);
            }
            return clues;
        }
        let mut cell = 0;
        while cell < 81 && !self.is_empty() {
            let byte = self.byte();
            if byte < 128 {
                clues[cell] = byte % 10;
                cell += 1;
            } else {
                // So many blanks.
                cell += usize::from(byte - 127);
            }
        }
        clues
    }

    /// The candidates of a puzzle: those of clues, with more or fewer digits in some cells.
    pub fn sets(&mut self) -> Sets {
        let mut sets = crate::oracle::sets(&self.clues());
        for _ in 0..self.byte() {
            if self.is_empty() {
                break;
            }
            sets[usize::from(self.below(81))] = u16::from_be_bytes([self.byte(), self.byte()]) & NINE;
        }
        sets
    }
}
