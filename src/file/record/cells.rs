//! Stage 2, records: the fast path for the 81 cells of a puzzle, at any SIMD level.

use memchr::memchr2;

use crate::grid::{CELLS, Puzzle};
use crate::simd::Simd;
use crate::text::convert;

/// Reads a puzzle at the start of `text` if the line ends right after the cells, or a byte follows that `ends` the cells.
/// `line_end` then returns the length of the text from that byte to the line feed. Returns the offset of the next line, or
/// `None` if the slow path has to decide.
#[inline(always)]
pub(super) fn read_plain<S: Simd>(
    s: S,
    text: &[u8],
    puzzle: &mut Puzzle,
    ends: impl Fn(u8) -> bool,
    line_end: impl Fn(&[u8]) -> Option<usize>,
) -> Option<usize> {
    let (cells, rest) = text.split_first_chunk::<CELLS>()?;
    let end = match *rest.first()? {
        b'\n' => 0,
        b'\r' if rest.get(1) == Some(&b'\n') => 1,
        byte if ends(byte) => line_end(rest)?,
        _ => return None,
    };
    convert(s, cells, puzzle).then_some(CELLS + end + 1)
}

/// Reads a puzzle from cells that end at `end` of the line at the start of `text`, if the line ends there or a delimiter
/// follows, and the rest has no quotes. Returns the offset of the next line.
#[inline(always)]
pub(super) fn finish_line<S: Simd>(
    s: S,
    text: &[u8],
    end: usize,
    cells: &[u8; CELLS],
    delimiter: u8,
    puzzle: &mut Puzzle,
) -> Option<usize> {
    let rest = text.get(end..)?;
    let byte = *rest.first()?;
    if byte != b'\n' && byte != b'\r' && byte != delimiter {
        return None;
    }
    let length = memchr2(b'\n', b'"', rest).filter(|&at| rest[at] == b'\n')?;
    // A carriage return that does not end the line is part of a field.
    if byte == b'\r' && length != 1 {
        return None;
    }
    convert(s, cells, puzzle).then_some(end + length + 1)
}
