//! Where to guess.
//!
//! 1. Of the six bands and stacks, the one that is nearest to being settled: the least sum over its digits of
//!    one for two configurations, two for three to five, three for all six.
//! 2. In it, a digit with exactly two configurations if there is one. Of these, one that has exactly two
//!    in at least two units of the other direction, else in one, since what follows from the guess goes
//!    on there; else the highest.
//! 3. Of that digit the first box in which its line is open, and there the first line. The guess is that
//!    the digit stands in this minirow (of a band) or minicolumn (of a stack).
//!
//! Where even that unit is nearly empty, with a sum of [`WIDE`], any guess is as good as another, and two digits are guessed
//! at once; so they are later in a puzzle that began like that, as long as there is a sum of [`LESS`]. The guess is
//! that the one has the first configuration and the other the second, each the highest that has it, rather one that has
//! exactly two configurations in a unit of the other direction. A configuration is two parts, lines of the first and of
//! the second box, and what is put aside is searched as if the four parts had been guessed one by one: the last one
//! wrong and those before it right, then the third one wrong, and so on. It counts as one guess. A search for more than
//! [`FEW`] solutions makes no such guesses: it would have to take most of them apart.

use super::layout::*;
use crate::simd::{Row, Simd};

/// A guess for every lane: that its digit stands in a line of a box, or two digits each in two of them.
pub(super) struct Guess<S: Simd> {
    /// The unit.
    unit: S::V,
    /// The line, as an index of [`LINES`]; it means nothing where two digits are guessed.
    line: S::V,
    /// The digit's bit in the words of the box; none in lanes that do not guess.
    digit: S::V,
    /// By line of the first two boxes: what stands in another line of the box.
    outside: [[S::V; 3]; 2],
    /// All ones where the box is one of a stack.
    is_stack: S::V,
    /// The lanes where two digits can be guessed at once.
    pub(super) wide: u32,
}

/// A unit with so much to spare is nearly empty.
const WIDE: u32 = 14;
/// So much is enough in a puzzle that had [`WIDE`] at its first guess.
const LESS: u32 = 6;
/// So few solutions are found sooner by guesses of two digits than without.
pub(super) const FEW: u64 = 10;

/// Units are told by the shift of their field, and stacks by one bit more.
const STACK: u32 = 32;
const UNITS: u32 = 2 * STACK;

/// The choice for the lanes that are `guessing`, from the configurations of its digits in bands and in stacks. Those that
/// are `roomy` have a puzzle whose first guess was of two digits.
#[inline(always)]
pub(super) fn choose<S: Simd>(s: S, configs: &[S::Row; 12], guessing: u32, roomy: u32) -> Guess<S> {
    let [bands, stacks] = both_ways(s, configs);
    let [two_b, exact_b, three_b, odd_b] = counts(s, &bands);
    let [two_s, exact_s, three_s, odd_s] = counts(s, &stacks);

    // The least key wins: what a unit has to spare, then its place. Settled units have the most.
    let [a, b, c] = keys(s, spare(s, three_b, odd_b), 0);
    let [d, e, f] = keys(s, spare(s, three_s, odd_s), STACK);
    let best = s.min(s.min(s.min(a, b), s.min(c, d)), s.min(e, f));
    let unit = s.and(best, s.splat(63));
    // All ones or nothing; a comparison would take longer.
    let is_stack = s.sub(s.splat(0), s.and(s.shr::<5>(best), s.splat(1)));
    let shift = s.and(best, s.splat(31));

    // The words of that unit, its field at the bottom.
    let two = s.and(s.shr_each(s.select(is_stack, two_s, two_b), shift), s.splat(0x1FF));
    let exact = s.and(two, s.shr_each(s.select(is_stack, exact_s, exact_b), shift));
    let across = s.select(is_stack, exact_b, exact_s);
    let across = [across, s.shr::<10>(across), s.shr::<20>(across)];
    let digits = s.select_nonzero(exact, exact, two);
    // Those that have exactly two in at least two units across, in one, in any number: the lowest bit of all wins.
    let some = s.and(digits, s.or3(across[0], across[1], across[2]));
    let most = s.and(digits, s.majority(across[0], across[1], across[2]));
    let ranks = s.or3(most, s.shl::<9>(some), s.shl::<18>(digits));
    let first = s.and(ranks, s.sub(s.splat(0), ranks));
    let digit = s.and(s.or3(first, s.shr::<9>(first), s.shr::<18>(first)), s.splat(0x1FF));

    let there = s.shl_each(digit, shift);
    let mut has = [digit; 6];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        has[I] = s.select(is_stack, stacks[I], bands[I]);
    });
    // Lines of box 0, settled when only one is left: then those of box 1.
    let (a0, b0, c0) = (s.or(has[0], has[3]), s.or(has[1], has[4]), s.or(has[2], has[5]));
    let (a1, b1) = (s.or(has[2], has[4]), s.or(has[0], has[5]));
    let open = s.and(s.majority(a0, b0, c0), there);
    let (zero, ones) = (s.splat(0), s.splat(u32::MAX));
    let is_second = s.select_nonzero(open, zero, ones);
    let first = s.and(s.select(is_second, a1, a0), there);
    let second = s.and(s.select(is_second, b1, b0), there);
    // The field of a stack is that of its first box; the second is two bands further on.
    let turned = s.select(s.and(is_stack, is_second), rotate_2(s, there), there);
    let digit = s.and(turned, s.mask_to_vector(guessing));
    let later = s.select_nonzero(first, zero, digit);
    let third = s.select_nonzero(second, zero, later);
    let number = s.select_nonzero(first, zero, s.select_nonzero(second, s.splat(1), s.splat(2)));
    let line = s.or3(number, s.shl::<2>(unit), s.and(is_second, s.splat(UNITS << 2)));
    let others = [later, s.or(s.and_not(digit, later), third), s.and_not(digit, third)];
    let mut outside = [others; 2];
    unroll!(LINE in [0, 1, 2] {
        outside[0][LINE] = s.and_not(others[LINE], is_second);
        outside[1][LINE] = s.and(others[LINE], is_second);
    });
    // The last key that is not enough.
    let too_little =
        s.sub(s.splat(((WIDE - 1) << 8) - 1), s.and(s.mask_to_vector(roomy), s.splat((WIDE - LESS) << 8)));
    let is_wide = s.less_than(too_little, best);
    let wide = !s.zero_lanes(is_wide) & guessing;
    Guess { unit, line, digit, outside, is_stack, wide }
}

impl<S: Simd> Guess<S> {
    /// Two digits at once for the lanes that are `wide`: the first configuration for one of them and the second for the
    /// other. Rather those that have exactly two configurations across. Entries of these lanes are to be [folded](fold) with
    /// `parts`.
    ///
    /// All is worked out anew from the configurations, lest the choice for other lanes keep it.
    #[inline(always)]
    pub(super) fn widen(&mut self, s: S, configs: &[S::Row; 12], parts: &mut [S::Row; 4]) {
        let [bands, stacks] = both_ways(s, std::hint::black_box(configs));
        let (zero, is_stack) = (s.splat(0), self.is_stack);
        let ([two_b, exact_b, ..], [two_s, exact_s, ..]) = (counts(s, &bands), counts(s, &stacks));
        let field =
            s.and(s.shl_each(s.splat(0x1FF), s.and(self.unit, s.splat(31))), s.mask_to_vector(self.wide));
        let open = s.and(s.select(is_stack, two_s, two_b), field);
        let across = s.select(is_stack, exact_b, exact_s);
        let tied = s.or3(across, rotate_1(s, across), rotate_2(s, across));
        let (mut pair, mut both) = ([zero; 2], zero);
        unroll!(C in [0, 1] {
            let digits = s.and_not(s.and(open, s.select(is_stack, stacks[C], bands[C])), both);
            let best = s.and(digits, tied);
            let digits = s.select_nonzero(best, best, digits);
            pair[C] = s.and(digits, s.sub(zero, digits));
            both = s.or(both, pair[C]);
        });
        // A unit may have none of these configurations.
        self.wide &= !s.zero_lanes(both);
        self.digit = s.select_nonzero(both, zero, self.digit);
        let four = s.transpose_4x4([s.shl::<2>(self.unit), s.splat(0xF), pair[0], pair[1]]);
        for (words, row) in four.into_iter().zip(parts) {
            s.store(words, row);
        }
        // Lines 0 and 1 of the first box, 1 and 2 of the second.
        let [a, b] = pair;
        let lines = [b, a, both];
        unroll!(LINE in [0, 1, 2] {
            const NEXT: usize = (LINE + 1) % 3;
            let turned = s.select(is_stack, rotate_2(s, lines[LINE]), lines[LINE]);
            self.outside[0][LINE] = s.select_nonzero(both, lines[LINE], self.outside[0][LINE]);
            self.outside[1][NEXT] = s.select_nonzero(both, turned, self.outside[1][NEXT]);
        });
    }

    /// What is put aside has less than there was before the guess: the digit in the line, or nothing where two are guessed.
    #[inline(always)]
    pub(super) fn taken_back(&self, s: S) -> [S::V; WORDS + 1] {
        let mut less = [s.splat(0); WORDS + 1];
        unroll!(J in [0, 1] {
            let [a, b, c] = self.outside[J];
            let here = s.and(s.or3(a, b, c), self.digit);
            let (mut bands, mut stacks) = ([here; 3], [here; 3]);
            unroll!(LINE in [0, 1, 2] {
                bands[LINE] = s.and_nor(here, self.outside[J][LINE], self.is_stack);
                stacks[LINE] = s.and_not(s.and(here, self.is_stack), self.outside[J][LINE]);
            });
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                less[word(I / 3, J, I % 3)] = s.or(bands[I / 3], stacks[I % 3]);
            });
        });
        less
    }

    /// For each lane the line, as an index of [`LINES`], and the bit of the digit in its words.
    #[inline(always)]
    pub(super) fn rows(&self, s: S) -> [S::Row; 2] {
        let mut rows = [S::Row::ZERO; 2];
        s.store(self.line, &mut rows[0]);
        s.store(self.digit, &mut rows[1]);
        rows
    }

    /// Takes the digit from the other lines of the box. Whole rows at once, since to load a row
    /// has to wait where words of single lanes have just been stored.
    #[inline(always)]
    pub(super) fn make(&self, s: S, words: &mut [S::Row; WORDS]) {
        let (mut bands, mut stacks) = (self.outside, self.outside);
        unroll!(LINE in [0, 1, 2] {
            bands[0][LINE] = s.and_not(self.outside[0][LINE], self.is_stack);
            bands[1][LINE] = s.and_not(self.outside[1][LINE], self.is_stack);
            stacks[0][LINE] = s.and(self.outside[0][LINE], self.is_stack);
            stacks[1][LINE] = s.and(self.outside[1][LINE], self.is_stack);
        });
        unroll!(J in [0, 1] {
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                const AT: usize = word(I / 3, J, I % 3);
                s.store(s.and_nor(s.load(&words[AT]), bands[J][I / 3], stacks[J][I % 3]), &mut words[AT]);
            });
        });
    }
}

/// A guess of two digits is put aside as one entry: the words before it, marked with this bit, and behind them its
/// line, which of its four parts have not been taken back, and the digits.
const FOLDED: u32 = 1 << 31;

/// Makes the words of a lane such an entry, with what comes behind them.
#[inline(always)]
pub(super) fn fold(entry: &mut [u32; 32], parts: [u32; 4]) {
    entry[0] |= FOLDED;
    entry[WORDS + 1..].copy_from_slice(&parts);
}

/// Whether an entry is such a one.
#[inline(always)]
pub(super) fn is_folded(entry: &[u32; 32]) -> bool {
    entry[0] & FOLDED != 0
}

/// Takes back the last part of a guess of two digits: the words where that part is wrong and all before it are
/// right. Whether there are no others.
///
/// Hardly a branch, which nobody could predict.
#[cold]
#[inline(never)]
pub(super) fn unfold(entry: &mut [u32; 32]) -> ([u32; 32], bool) {
    let mut words = *entry;
    words[0] &= !FOLDED;
    let [.., line, parts, a, b] = words;
    let is_stack = line >= 4 * STACK;
    let turned = |x: u32| if is_stack { (x << 20 | x >> 10) & ALL } else { x };
    // What stands in the lines of the first and of the second box.
    let digits = [[a, b, 0], [0, turned(a), turned(b)]];
    // The words of a line. (Taken from `LINES` they cost 4 % of the time of sparse grids.)
    let at = |j: usize, line: usize, i: usize| if is_stack { word(i, j, line) } else { word(line, j, i) };
    let mut open = 0;
    unroll!(J in [0, 1] {
        let mut lines = [0; 3];
        unroll!(LINE in [0, 1, 2] {
            lines[LINE] = words[at(J, LINE, 0)] | words[at(J, LINE, 1)] | words[at(J, LINE, 2)];
        });
        unroll!(C in [0, 1] {
            const LINE: usize = J + C;
            let elsewhere = lines[(LINE + 1) % 3] | lines[(LINE + 2) % 3];
            // What was settled was no guess.
            open |= u32::from(digits[J][LINE] & elsewhere != 0) << (2 * J + C);
        });
    });
    open &= parts;
    let Some(wrong) = open.checked_ilog2() else {
        // Boxes have been settled since their configurations were looked at: dead.
        return ([0; 32], true);
    };
    let wrong = 1 << wrong;
    unroll!(J in [0, 1] {
        let mut gone = [0; 3];
        unroll!(C in [0, 1] {
            const LINE: usize = J + C;
            const PART: u32 = 1 << (2 * J + C);
            let right = if PART < wrong { digits[J][LINE] } else { 0 };
            gone[LINE] |= if PART == wrong { digits[J][LINE] } else { 0 };
            gone[(LINE + 1) % 3] |= right;
            gone[(LINE + 2) % 3] |= right;
        });
        unroll!(LINE in [0, 1, 2] {
            unroll!(I in [0, 1, 2] { words[at(J, LINE, I)] &= !gone[LINE]; });
        });
    });
    let left = open & !wrong;
    entry[WORDS + 2] = left;
    (words, left == 0)
}

/// What the units of each field have to spare, with the place of the unit below it.
#[inline(always)]
fn keys<S: Simd>(s: S, spare: S::V, stack: u32) -> [S::V; 3] {
    let mut keys = [s.shl::<8>(spare), s.shr::<2>(spare), s.shr::<12>(spare)];
    unroll!(F in [0, 1, 2] {
        keys[F] = s.or_and(s.splat(stack | (FIELD * F as u32)), keys[F], s.splat(63 << 8));
    });
    keys
}

/// The configurations of bands and those of stacks.
#[inline(always)]
fn both_ways<S: Simd>(s: S, configs: &[S::Row; 12]) -> [[S::V; 6]; 2] {
    let mut ways = [[s.splat(0); 6]; 2];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        ways[0][I] = s.load(&configs[I]);
        ways[1][I] = s.load(&configs[I + 6]);
    });
    ways
}

/// Digits with at least two, exactly two, at least three configurations, and those with two or six: the ones whose
/// weight is odd.
#[inline(always)]
fn counts<S: Simd>(s: S, p: &[S::V; 6]) -> [S::V; 4] {
    // How many of three: ones and twos.
    let (a1, b1) = (s.xor3(p[0], p[1], p[2]), s.xor3(p[3], p[4], p[5]));
    let (a2, b2) = (s.majority(p[0], p[1], p[2]), s.majority(p[3], p[4], p[5]));
    let two = s.or_and(s.or(a2, b2), a1, b1);
    let three = s.majority(a2, b2, s.or(a1, b1));
    let exact = s.and_not(two, three);
    // The first three are there together only when all minirows of all boxes are, and so the others.
    [two, exact, three, s.or_and(exact, a1, a2)]
}

/// Per field, one less than twice the bits of the first word and once those of the second: at most 26, and 63 of
/// nothing.
#[inline(always)]
fn spare<S: Simd>(s: S, twos: S::V, ones: S::V) -> S::V {
    // The digits in pairs of bits, `twos` above `ones`: five pairs and four.
    let low = s.splat(0x155 * FIELDS);
    let even = s.select(low, ones, s.shl::<1>(twos));
    let odd = s.select(low, s.shr::<1>(ones), twos);
    // Pairs to groups of four bits: two and two pairs, and one of `even`.
    let pair = s.splat(0x333 * FIELDS);
    let first = s.add(s.and(even, pair), s.and(odd, pair));
    let pair = s.splat(0x033 * FIELDS);
    let second = s.add(s.and(s.shr::<2>(even), pair), s.and(s.shr::<2>(odd), pair));
    let groups = s.add(first, second);
    let nibble = s.splat(0x00F * FIELDS);
    let sum = s.add(s.and(groups, nibble), s.and(s.shr::<4>(groups), nibble));
    let sum = s.add(sum, s.and(s.shr::<8>(groups), s.splat(0x003 * FIELDS)));
    s.xor(s.add(sum, s.splat(31 * FIELDS)), s.splat(32 * FIELDS))
}

/// The three words of a line; it is number `4 * (unit + UNITS * is_second)` and what it is in its box.
pub(super) static LINES: [[u8; 3]; 512] = {
    let mut table = [[0; 3]; 512];
    let mut i = 0;
    while i < 36 {
        let (stack, field, j, line) = (i / 18 == 1, i / 6 % 3, i / 3 % 2, i % 3);
        let mut words = [0; 3];
        let mut at = 0;
        while at < 3 {
            words[at] = if stack { word(at, j, line) } else { word(line, j, at) } as u8;
            at += 1;
        }
        let unit = FIELD as usize * field + if stack { STACK as usize } else { 0 };
        table[4 * (unit + UNITS as usize * j) + line] = words;
        i += 1;
    }
    table
};
