//! Where to guess.
//!
//! 1. Of the six bands and stacks, the one whose digits have the fewest configurations to spare: the
//!    second ones and the third ones of all digits counted together, and with the same sum the unit with
//!    more third ones. (The unit that is nearest to being settled; fewest digits rather than fewest
//!    configurations breaks the tie the wrong way.)
//! 2. In it, a digit with exactly two configurations if there is one. Of these, one that has exactly two
//!    in at least two units of the other direction, else in one, since what follows from the guess goes
//!    on there; else the lowest.
//! 3. Of that digit the first box in which its line is open, and there the first line. The guess is that
//!    the digit stands in this minirow (of a band) or minicolumn (of a stack).

use super::layout::*;
use crate::simd::Simd;

/// A digit with its minirow, or minicolumn, packed: bits 0..9 the digit's bit,
/// then the unit (0..3 bands, 3..6 stacks), the box on its diagonal and the line in it.
#[derive(Clone, Copy)]
pub(super) struct Fork(u32);

const UNIT: u32 = 16;
const BOX: u32 = 20;
const LINE: u32 = 24;

/// The choice for every lane, from the configurations of its digits in bands and in stacks.
#[inline(always)]
pub(super) fn choose<S: Simd>(s: S, forks: &[S::Row; 12], chosen: &mut S::Row) {
    let p = |i: usize| &forks[i];
    let mut bands = [s.splat(0); 6];
    let mut stacks = [s.splat(0); 6];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        bands[I] = s.load(p(I));
        stacks[I] = s.load(p(I + 6));
    });
    let (two_b, three_b) = counts(s, &bands);
    let (two_s, three_s) = counts(s, &stacks);
    let (spare_b, spare_s) = (spare(s, two_b, three_b), spare(s, two_s, three_s));

    // The least key wins: spare configurations, then unit; a settled unit counts as worst.
    let mut best = s.splat(u32::MAX);
    unroll!(UNIT_INDEX in [0, 1, 2, 3, 4, 5] {
        let spare = if UNIT_INDEX < 3 { spare_b } else { spare_s };
        let n = match UNIT_INDEX % 3 {
            0 => s.shl::<8>(spare),
            1 => s.shr::<2>(spare),
            _ => s.shr::<12>(spare),
        };
        // 0 wraps to the top, so that it loses.
        let n = s.sub(s.and(n, s.splat(127 << 8)), s.splat(1 << 8));
        best = s.min(best, s.or(n, s.splat(UNIT_INDEX as u32)));
    });
    let unit = s.and(best, s.splat(7));

    // That unit's words, brought down to the lowest field.
    let is_stack = s.less(s.splat(2), unit);
    let field = s.sub(unit, s.and(is_stack, s.splat(3)));
    let shift = s.add(s.shl::<3>(field), s.shl::<1>(field));
    let two = s.shr_each(s.select(is_stack, two_s, two_b), shift);
    let three = s.shr_each(s.select(is_stack, three_s, three_b), shift);
    let two = s.and(two, s.splat(0x1FF));
    let exact = s.and_not(two, three);
    let across = s.select(is_stack, s.and_not(two_b, three_b), s.and_not(two_s, three_s));
    let across = [across, s.shr::<10>(across), s.shr::<20>(across)];
    let mut candidates = prefer(s, exact, two);
    candidates = prefer(s, s.and(candidates, s.or3(across[0], across[1], across[2])), candidates);
    candidates = prefer(s, s.and(candidates, s.majority(across[0], across[1], across[2])), candidates);
    let bit = s.and(candidates, s.sub(s.splat(0), candidates));

    let mut has = [bit; 6];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        let p = s.shr_each(s.select(is_stack, stacks[I], bands[I]), shift);
        has[I] = s.and(p, bit);
    });
    // Lines of box 0, settled when only one is left: then those of box 1.
    let (a0, b0, c0) = (s.or(has[0], has[3]), s.or(has[1], has[4]), s.or(has[2], has[5]));
    let (a1, b1) = (s.or(has[2], has[4]), s.or(has[0], has[5]));
    let open = s.less(s.splat(0), s.majority(a0, b0, c0));
    let first = s.less(s.splat(0), s.select(open, a0, a1));
    let second = s.less(s.splat(0), s.select(open, b0, b1));
    let line = s.and_not(s.select(second, s.splat(1 << LINE), s.splat(2 << LINE)), first);
    let minirow = s.or(s.and_not(s.splat(1 << BOX), open), line);
    s.store(s.or3(bit, minirow, s.shl::<UNIT>(unit)), chosen);
}

/// Digits with at least two, at least three configurations.
#[inline(always)]
fn counts<S: Simd>(s: S, p: &[S::V; 6]) -> (S::V, S::V) {
    let (a1, b1) = (s.or3(p[0], p[1], p[2]), s.or3(p[3], p[4], p[5]));
    let (a2, b2) = (s.majority(p[0], p[1], p[2]), s.majority(p[3], p[4], p[5]));
    let (a3, b3) = (s.and3(p[0], p[1], p[2]), s.and3(p[3], p[4], p[5]));
    (s.or_and(s.or(a2, b2), a1, b1), s.or_and(s.or_and(s.or(a3, b3), a2, b1), a1, b2))
}

/// `a` where it is not empty, else `b`.
#[inline(always)]
fn prefer<S: Simd>(s: S, a: S::V, b: S::V) -> S::V {
    s.select(s.less(s.splat(0), a), a, b)
}

/// Per field, four times the bits of both words less those of the second; at most 63.
#[inline(always)]
fn spare<S: Simd>(s: S, two: S::V, three: S::V) -> S::V {
    let (two, three) = (count_by_four(s, two), count_by_four(s, three));
    s.sub(s.shl::<2>(count_all(s, s.add(two, three))), count_all(s, three))
}

/// The sum of a field's groups of [`count_by_four`], each at most 8.
#[inline(always)]
fn count_all<S: Simd>(s: S, x: S::V) -> S::V {
    let nibble = s.splat(0x00F * FIELDS);
    let (low, high) = (s.and(x, nibble), s.and(s.shr::<4>(x), nibble));
    s.add(s.add(low, high), s.and(s.shr::<8>(x), s.splat(0x003 * FIELDS)))
}

/// The bits of each field counted in groups of four, four and one.
#[inline(always)]
fn count_by_four<S: Simd>(s: S, x: S::V) -> S::V {
    let pairs = s.sub(x, s.and(s.shr::<1>(x), s.splat(0x155 * FIELDS)));
    s.add(s.and(pairs, s.splat(0x133 * FIELDS)), s.and(s.shr::<2>(pairs), s.splat(0x033 * FIELDS)))
}

impl Fork {
    #[inline(always)]
    pub(super) fn new(packed: u32) -> Fork {
        Fork(packed)
    }

    /// The words of the minirow, the words of the rest of its box, and the digit's bit in all of them.
    #[inline(always)]
    pub(super) fn words(self) -> ([usize; 3], [usize; 6], u32) {
        let field = |shift: u32| (self.0 >> shift & 15) as usize;
        let e = &EDITS[field(UNIT) * 6 + field(BOX) * 3 + field(LINE)];
        let w = |i: usize| (e.words[i] & 31) as usize;
        ([w(0), w(1), w(2)], [w(3), w(4), w(5), w(6), w(7), w(8)], (self.0 & 0x1FF) << e.shift)
    }
}

#[derive(Clone, Copy)]
struct Edit {
    words: [u8; 9],
    shift: u8,
}

const EDITS: [Edit; 48] = {
    let mut table = [Edit { words: [0; 9], shift: 0 }; 48];
    let mut i = 0;
    while i < 36 {
        let (unit, j, line) = (i / 6, i / 3 % 2, i % 3);
        let mut k = 0;
        while k < 9 {
            let (l, at) = ((line + k / 3) % 3, k % 3);
            table[i].words[k] = if unit < 3 { word(l, j, at) } else { word(at, j, l) } as u8;
            k += 1;
        }
        table[i].shift = (FIELD as usize * if unit < 3 { unit } else { (unit - j) % 3 }) as u8;
        i += 1;
    }
    table
};
