//! The layout of candidates: 27 words of three 9-bit fields per puzzle. The drawing is in [`super`].

use crate::grid::CELLS;
use crate::outcome::ROW;
use crate::simd::Simd;

/// Words of candidates of a puzzle.
pub(super) const WORDS: usize = 27;
/// Words that determine a solved grid. For the boxes of diagonal `j`, word `4j + r` holds the digits of minirow `r`
/// and word `4j + 2 + k` those of minicolumn `k`, with `j`, `r` and `k` 0 or 1. The digits where one of them is 2
/// follow. (27 words instead of these eight made easy and 17-clue puzzles 3 % slower.)
pub(super) const SOLVED_WORDS: usize = 8;
/// The row after the words: the index of each puzzle in its batch.
pub(super) const ID: usize = WORDS;
/// Rows of a vector of puzzles. The rows after [`ID`] hold the solved grids of the last sweep, see [`SOLVED_WORDS`].
pub(super) const ROWS: usize = ID + 1 + SOLVED_WORDS;
/// Bits of a field, including its guard.
pub(super) const FIELD: u32 = 10;
/// Nine digits in each of three fields; also the addend that carries into the guard of every non-empty field.
pub(super) const ALL: u32 = 0x1FF | 0x1FF << FIELD | 0x1FF << (2 * FIELD);
/// The guards: the bit above each field.
pub(super) const GUARD: u32 = 0x200 | 0x200 << FIELD | 0x200 << (2 * FIELD);

/// A one at the bottom of each field.
pub(super) const FIELD_ONES: u32 = 1 | 1 << FIELD | 1 << (2 * FIELD);

/// The word of the cells in row `r` of their band, diagonal `j` and column `k` of their stack, each `0..3`.
pub(super) const fn word(r: usize, j: usize, k: usize) -> usize {
    9 * r + 3 * j + k
}

/// The cell (text index) in field `f` of a word.
pub(super) const fn cell(word: usize, f: usize) -> usize {
    let (r, j, k) = (word / 9, word / 3 % 3, word % 3);
    27 * f + 9 * r + 3 * ((f + j) % 3) + k
}

/// The word and the field of a cell.
pub(super) const fn word_and_field(cell: usize) -> (usize, usize) {
    let (f, r, s, k) = (cell / 27, cell / 9 % 3, cell / 3 % 3, cell % 3);
    (word(r, (s + 3 - f) % 3, k), f)
}

/// Moves field `f` to field `f + 1`, and the last to the first.
#[inline(always)]
pub(super) fn rotate_1<S: Simd>(s: S, x: S::V) -> S::V {
    s.or_then_and(s.shl::<10>(x), s.shr::<20>(x), s.splat(ALL))
}

/// Moves field `f` to field `f + 2` modulo 3.
#[inline(always)]
pub(super) fn rotate_2<S: Simd>(s: S, x: S::V) -> S::V {
    s.or_then_and(s.shl::<20>(x), s.shr::<10>(x), s.splat(ALL))
}

/// Each field without its lowest bit.
#[inline(always)]
pub(super) fn drop_lowest<S: Simd>(s: S, x: S::V) -> S::V {
    s.and(x, s.add(x, s.splat(ALL)))
}

/// All nine digits in each field whose guard is clear in `x`, none elsewhere. The guards of the result are
/// unspecified.
#[inline(always)]
pub(super) fn full_where_guard_clear<S: Simd>(s: S, x: S::V) -> S::V {
    s.add(s.and(s.shr::<9>(x), s.splat(FIELD_ONES)), s.splat(ALL))
}

/// Writes the digits of a solved grid, the words of which come first.
pub(super) fn write_solved(words: &[u32], row: &mut [u8; ROW]) {
    for (cell, byte) in row.iter_mut().enumerate().take(CELLS) {
        let (word, field) = word_and_field(cell);
        // Bit 9 - d is digit d.
        *byte = b'9' - (words[word] >> (FIELD * field as u32)).trailing_zeros() as u8;
    }
}
