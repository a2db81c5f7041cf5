//! The solutions that records give.

use std::iter;

use memchr::memchr_iter;
use rapidoku::file::{BatchView, Layout};
use rapidoku::grid::CELLS;

/// The solution that a record gives, in the solution column or after the puzzle of a line.
pub fn solution(batch: &BatchView, k: usize) -> Option<[u8; CELLS]> {
    solution_at(batch.layout, batch.text, batch.records.starts()[k] as usize)
}

/// Whether the records of an input that starts with `text` give solutions.
pub fn has_solutions(layout: &Layout, text: &[u8]) -> bool {
    let head = &text[..text.len().min(EXAMINED)];
    let mut starts = iter::once(0).chain(memchr_iter(b'\n', head).map(|at| at + 1));
    layout.has_solution()
        || (layout.is_lines() && starts.any(|start| solution_at(layout, head, start).is_some()))
}

/// The number of bytes of an input in which solutions are looked for.
pub const EXAMINED: usize = 32 << 10;

/// The complete grid in the solution column of a record, or after the puzzle of a line, with any text behind it.
fn solution_at(layout: &Layout, text: &[u8], start: usize) -> Option<[u8; CELLS]> {
    let (_, field) = layout.solution(text, start)?;
    let ends = match layout.is_lines() {
        true => !field.get(CELLS).is_some_and(u8::is_ascii_digit),
        false => field.len() == CELLS,
    };
    let cells = field.first_chunk().copied().filter(|_| ends)?;
    cells.iter().all(|byte| (b'1'..=b'9').contains(byte)).then_some(cells)
}
