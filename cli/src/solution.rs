//! The solutions that records give.

use std::iter;

use memchr::memchr_iter;
use rapidoku::file::{BatchView, Layout};
use rapidoku::grid::CELLS;

/// The solution that a record gives, in the solution column or after the puzzle of a line.
pub fn solution(batch: &BatchView, k: usize) -> Option<[u8; CELLS]> {
    batch.layout.given_solution(batch.text, batch.records.starts()[k] as usize)
}

/// Whether the records of an input that starts with `text` give solutions.
pub fn has_solutions(layout: &Layout, text: &[u8]) -> bool {
    let head = &text[..text.len().min(EXAMINED)];
    let mut starts = iter::once(0).chain(memchr_iter(b'\n', head).map(|at| at + 1));
    layout.has_solution()
        || (layout.is_lines() && starts.any(|start| layout.given_solution(head, start).is_some()))
}

/// The number of bytes of an input in which solutions are looked for.
pub const EXAMINED: usize = 32 << 10;
