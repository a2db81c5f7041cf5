//! Where the candidates of a cell are: 27 words of three 9-bit fields per puzzle.

use crate::simd::Simd;

/// Words of a puzzle.
pub(super) const WORDS: usize = 27;
/// Words that say all of a solved grid. Of the boxes of diagonal `j`, word `4j + r` has the digits of minirow `r` and word
/// `4j + 2 + k` those of minicolumn `k`; `j`, `r` and `k` are 0 and 1, and what is in the third follows.
pub(super) const SOLVED: usize = 8;
/// The row behind the words of puzzles: their numbers in the batch.
pub(super) const NUMBER: usize = WORDS;
/// Rows of a vector of puzzles. Those behind [`NUMBER`] are what the last sweep says of solved grids.
pub(super) const ROWS: usize = NUMBER + 1 + SOLVED;
/// Bits of a field, its guard included.
pub(super) const FIELD: u32 = 10;
/// Nine digits in each of three fields; also the addend that carries into the guard of every non-empty field.
pub(super) const ALL: u32 = 0x1FF | 0x1FF << FIELD | 0x1FF << (2 * FIELD);
/// The guards: the bit above each field.
pub(super) const GUARD: u32 = 0x200 | 0x200 << FIELD | 0x200 << (2 * FIELD);

/// A one at the bottom of each field.
pub(super) const FIELDS: u32 = 1 | 1 << FIELD | 1 << (2 * FIELD);

/// The body once for each value of the index.
///
/// The compiler would keep a loop of this size, and with it the arrays that are to live in registers.
macro_rules! unroll {
    ($i:ident in [$($at:literal),*] $body:block) => {
        $({
            #[allow(non_upper_case_globals)]
            const $i: usize = $at;
            $body
        })*
    };
}
pub(super) use unroll;

/// The word of the cells in row `r` of the band, diagonal `j`, column `k` of the stack (each `0..3`).
pub(super) const fn word(r: usize, j: usize, k: usize) -> usize {
    9 * r + 3 * j + k
}

/// The cell (text index) in field `f` of a word.
pub(super) const fn cell(word: usize, f: usize) -> usize {
    let (r, j, k) = (word / 9, word / 3 % 3, word % 3);
    27 * f + 9 * r + 3 * ((f + j) % 3) + k
}

/// The word and the field of a cell.
pub(super) const fn place(cell: usize) -> (usize, usize) {
    let (f, r, s, k) = (cell / 27, cell / 9 % 3, cell / 3 % 3, cell % 3);
    (word(r, (s + 3 - f) % 3, k), f)
}

/// Field `f` to field `f + 1`, the last to the first.
#[inline(always)]
pub(super) fn rotate_1<S: Simd>(s: S, x: S::V) -> S::V {
    s.or_then_and(s.shl::<10>(x), s.shr::<20>(x), s.splat(ALL))
}

/// Field `f` to field `f + 2`.
#[inline(always)]
pub(super) fn rotate_2<S: Simd>(s: S, x: S::V) -> S::V {
    s.or_then_and(s.shl::<20>(x), s.shr::<10>(x), s.splat(ALL))
}

/// Each field without its lowest bit.
#[inline(always)]
pub(super) fn drop_lowest<S: Simd>(s: S, x: S::V) -> S::V {
    s.and(x, s.add(x, s.splat(ALL)))
}

/// All nine digits in each field whose guard is clear in `x`, none elsewhere; the guards mean nothing.
#[inline(always)]
pub(super) fn spread_clear_guards<S: Simd>(s: S, x: S::V) -> S::V {
    s.add(s.and(s.shr::<9>(x), s.splat(FIELDS)), s.splat(ALL))
}
