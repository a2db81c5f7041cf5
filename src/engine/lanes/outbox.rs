//! First solutions on their way out of lanes.

use super::layout::{NUMBER, ROWS, SOLVED};
use super::text;
use crate::engine::ROW;
use crate::simd::{Row, Simd};

/// Solved grids, until there is a vector of them.
pub(super) struct Outbox<S: Simd> {
    /// The number of the puzzle and what says all of its grid.
    words: [S::Row; 1 + SOLVED],
    len: u32,
}

impl<S: Simd> Outbox<S> {
    pub fn new() -> Self {
        Outbox { words: [S::Row::ZERO; 1 + SOLVED], len: 0 }
    }

    /// Takes the grids of some lanes of a vector that has just been swept.
    #[inline(always)]
    pub fn take(&mut self, s: S, vector: &[S::Row; ROWS], mut lanes: u32, rows: &mut [[u8; ROW]]) {
        while lanes != 0 {
            let room = S::LANES as u32 - self.len;
            let n = lanes.count_ones().min(room);
            let from = s.lowest(lanes, n);
            let to = ((1 << n) - 1) << self.len;
            s.forward(&vector[NUMBER..], from, &mut self.words, to);
            lanes &= !from;
            self.len += n;
            if n == room {
                self.empty(s, rows);
            }
        }
    }

    /// Writes the grids as text.
    #[inline(always)]
    pub fn empty(&mut self, s: S, rows: &mut [[u8; ROW]]) {
        let [numbers, lines @ ..] = &self.words;
        text::emit(s, lines, &numbers.lanes()[..self.len as usize], rows);
        self.len = 0;
    }
}
