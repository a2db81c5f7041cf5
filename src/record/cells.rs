//! The 81 cells of a puzzle, wherever they stand.

use memchr::memchr;

use crate::grid::{CELLS, Invalid, Puzzle};
use crate::simd::{Portable, Simd};

/// Reads one record: a line without its line feed.
///
/// # Errors
/// The first trouble from the left. A clash of clues is none: see [`Puzzle::clash`].
pub fn parse(line: &[u8]) -> Result<Puzzle, Invalid> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let mut puzzle = Puzzle::EMPTY;
    if let Some((cells, rest)) = line.split_first_chunk()
        && convert(Portable, cells, &mut puzzle)
    {
        let may_end = rest.first().is_none_or(|&byte| is_separator(byte));
        return if may_end { Ok(puzzle) } else { Err(Invalid::TooLong) };
    }
    match (1..).zip(line).find(|&(_, &byte)| !is_cell(byte)) {
        Some((column, &byte)) => Err(Invalid::BadCharacter { column, byte }),
        None => Err(Invalid::TooShort { cells: line.len() as u32 }),
    }
}

#[inline(always)]
pub(crate) fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b';')
}

#[inline(always)]
pub(super) fn is_cell(byte: u8) -> bool {
    byte.is_ascii_digit() | is_blank_cell(byte)
}

/// Whether it is a blank other than `0`.
#[inline(always)]
fn is_blank_cell(byte: u8) -> bool {
    // Bitwise or: a chain of comparisons without branches is what vectorises.
    (byte == b'.') | (byte == b'-') | (byte == b'_') | (byte == b'*') | (byte == b'?') | (byte | 0x20 == b'x')
}

/// The fast path: if `text` starts with a puzzle and the end of its line is near or marked by a byte that
/// `ends` it, that puzzle and where the next line starts. `None` says nothing, [`parse`] decides.
#[inline(always)]
pub(super) fn read_plain<S: Simd>(
    s: S,
    text: &[u8],
    puzzle: &mut Puzzle,
    ends: impl Fn(u8) -> bool,
) -> Option<usize> {
    let (cells, rest) = text.split_first_chunk::<CELLS>()?;
    let end = match *rest.first()? {
        b'\n' => 0,
        b'\r' if rest.get(1) == Some(&b'\n') => 1,
        byte if ends(byte) => memchr(b'\n', rest)?,
        _ => return None,
    };
    convert(s, cells, puzzle).then_some(CELLS + end + 1)
}

/// All cells at once; `false` when some are none.
#[inline(always)]
pub(super) fn convert<S: Simd>(s: S, text: &[u8; CELLS], puzzle: &mut Puzzle) -> bool {
    // Nearly all files have the blanks `.` or `0`; the others are zero too.
    s.digits(text, &mut puzzle.0) || text.iter().fold(true, |all, &byte| all & is_cell(byte))
}
