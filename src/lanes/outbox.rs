//! First solutions on their way out of lanes.

use super::layout::{NUMBER, ROWS, SOLVED};
use super::text;
use crate::engine::ROW;
use crate::simd::{Row, Simd};

/// Solved grids, until there is a vector of them.
///
/// They are taken in several places and written in one: the code that writes them is long, and a copy of it in each
/// place takes more of the nearest instruction cache than there is.
pub(super) struct Outbox<S: Simd> {
    /// The vector that fills and the one before it, each with the numbers of puzzles and what says all of their grids.
    words: [[S::Row; 1 + SOLVED]; 2],
    /// Which one fills, and how far it is.
    at: usize,
    len: u32,
    /// Whether the other one is full.
    is_full: bool,
}

impl<S: Simd> Outbox<S> {
    pub fn new() -> Self {
        Outbox { words: [[S::Row::ZERO; 1 + SOLVED]; 2], at: 0, len: 0, is_full: false }
    }

    /// Takes the grids of some lanes of a vector that has just been swept. Between two calls what is full has to be
    /// written.
    #[inline(always)]
    pub fn take(&mut self, s: S, vector: &[S::Row; ROWS], mut lanes: u32) {
        while lanes != 0 {
            let room = S::LANES as u32 - self.len;
            let n = lanes.count_ones().min(room);
            let from = s.lowest_bits(lanes, n);
            let to = ((1 << n) - 1) << self.len;
            s.move_lanes(&vector[NUMBER..], from, &mut self.words[self.at & 1], to);
            lanes &= !from;
            self.len += n;
            if n == room {
                debug_assert!(!self.is_full, "what was full has been written");
                (self.at, self.len, self.is_full) = (1 - self.at, 0, true);
            }
        }
    }

    /// Writes the grids of the full vector as text, if there is one.
    #[inline(always)]
    pub fn write(&mut self, s: S, rows: &mut [[u8; ROW]]) {
        if self.is_full {
            self.is_full = false;
            let [numbers, lines @ ..] = &self.words[(1 - self.at) & 1];
            text::emit(s, lines, numbers.lanes(), rows);
        }
    }

    /// Writes the grids that are left.
    #[inline(always)]
    pub fn write_rest(&mut self, s: S, rows: &mut [[u8; ROW]]) {
        let [numbers, lines @ ..] = &self.words[self.at & 1];
        text::emit(s, lines, &numbers.lanes()[..self.len as usize], rows);
    }
}
