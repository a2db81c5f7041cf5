//! The solutions that records give.

use rapidoku::file::internal::{is_separator, line_at};
use rapidoku::file::{BatchView, Layout};
use rapidoku::grid::CELLS;

/// The solution that a record gives, in the solution column or after the puzzle of a line.
pub fn solution(batch: &BatchView, k: usize) -> Option<[u8; CELLS]> {
    let start = batch.records.starts()[k] as usize;
    if batch.layout.is_lines() {
        return solution_of_line(line_at(batch.text, start));
    }
    let (_, solution) = batch.layout.solution(batch.text, start)?;
    digits(&solution).filter(|_| solution.len() == CELLS)
}

/// Whether the records of an input that starts with `text` give solutions.
pub fn has_solutions(layout: &Layout, text: &[u8]) -> bool {
    let head = &text[..text.len().min(EXAMINED)];
    let mut lines = head.split(|&byte| byte == b'\n');
    layout.has_solution() || (layout.is_lines() && lines.any(|line| solution_of_line(line).is_some()))
}

/// The number of bytes of an input in which solutions are looked for.
const EXAMINED: usize = 32 << 10;

/// The solution after the puzzle of a line.
fn solution_of_line(line: &[u8]) -> Option<[u8; CELLS]> {
    let rest = line.get(CELLS..)?;
    let separators = rest.iter().take_while(|&&byte| is_separator(byte)).count();
    let field = &rest[separators..];
    digits(field).filter(|_| !field.get(CELLS).is_some_and(u8::is_ascii_digit))
}

/// The complete grid at the start of a text.
fn digits(text: &[u8]) -> Option<[u8; CELLS]> {
    text.first_chunk().copied().filter(|cells| cells.iter().all(|byte| (b'1'..=b'9').contains(byte)))
}
