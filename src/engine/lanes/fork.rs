//! Where to guess.
//!
//! 1. Of the six bands and stacks, the one that is nearest to being settled: the least sum over its digits of
//!    two for exactly two configurations and three for more.
//! 2. In it, a digit with exactly two configurations if there is one. Of these, one that has exactly two
//!    in at least two units of the other direction, else in one, since what follows from the guess goes
//!    on there; else the highest.
//! 3. Of that digit the first box in which its line is open, and there the first line. The guess is that
//!    the digit stands in this minirow (of a band) or minicolumn (of a stack).

use super::layout::*;
use crate::simd::Simd;

/// A guess, packed: bits 0..9 the digit's bit, then the unit (the shift of its field, and one bit more
/// for a stack), the box on its diagonal, the line in it and the next line that is open.
#[derive(Clone, Copy)]
pub(super) struct Fork(u32);

const UNIT: u32 = 16;
const STACK: u32 = 32;
const BOX: u32 = 22;
const LINE: u32 = 23;
const OTHER: u32 = 25;
/// The third line is open too.
const ALL_OPEN: u32 = 1 << 27;

/// The choice for every lane, from the configurations of its digits in bands and in stacks.
#[inline(always)]
pub(super) fn choose<S: Simd>(s: S, configs: &[S::Row; 12]) -> S::V {
    let mut bands = [s.splat(0); 6];
    let mut stacks = [s.splat(0); 6];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        bands[I] = s.load(&configs[I]);
        stacks[I] = s.load(&configs[I + 6]);
    });
    let (two_b, three_b) = counts(s, &bands);
    let (two_s, three_s) = counts(s, &stacks);

    // The least key wins: what a unit has to spare, then its place. Settled units have the most.
    let mut best = s.splat(u32::MAX);
    for (spare, stack) in [(spare(s, two_b, three_b), 0), (spare(s, two_s, three_s), STACK)] {
        for (field, spare) in
            [s.shl::<8>(spare), s.shr::<2>(spare), s.shr::<12>(spare)].into_iter().enumerate()
        {
            let place = s.splat(stack | (FIELD * field as u32));
            best = s.min(best, s.or_and(place, spare, s.splat(63 << 8)));
        }
    }
    let unit = s.and(best, s.splat(63));
    let is_stack = s.less(s.splat(STACK - 1), unit);
    let shift = s.and(unit, s.splat(31));

    // The words of that unit, its field at the bottom.
    let two = s.shr_each(s.select(is_stack, two_s, two_b), shift);
    let three = s.shr_each(s.select(is_stack, three_s, three_b), shift);
    let two = s.and(two, s.splat(0x1FF));
    let exact = s.and_not(two, three);
    let across = s.select(is_stack, s.and_not(two_b, three_b), s.and_not(two_s, three_s));
    let across = [across, s.shr::<10>(across), s.shr::<20>(across)];
    let mut digits = s.pick(exact, exact, two);
    let some = s.and(digits, s.or3(across[0], across[1], across[2]));
    digits = s.pick(some, some, digits);
    let most = s.and(digits, s.majority(across[0], across[1], across[2]));
    digits = s.pick(most, most, digits);
    let digit = s.and(digits, s.sub(s.splat(0), digits));

    let there = s.shl_each(digit, shift);
    let (in_band, in_stack) = (s.and_not(there, is_stack), s.and(there, is_stack));
    let mut has = [digit; 6];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        has[I] = s.or_and(s.and(bands[I], in_band), stacks[I], in_stack);
    });
    // Lines of box 0, settled when only one is left: then those of box 1.
    let (a0, b0, c0) = (s.or(has[0], has[3]), s.or(has[1], has[4]), s.or(has[2], has[5]));
    let (a1, b1, c1) = (s.or(has[2], has[4]), s.or(has[0], has[5]), s.or(has[1], has[3]));
    let open = s.majority(a0, b0, c0);
    let [first, second, third] = [s.pick(open, a0, a1), s.pick(open, b0, b1), s.pick(open, c0, c1)];
    let (line_1, line_2) = (s.splat(1 << LINE), s.splat(2 << LINE));
    let line = s.pick(first, s.splat(0), line_1);
    let other = s.pick(s.and(first, second), s.splat(1 << OTHER), s.splat(2 << OTHER));
    let all = s.pick(s.and3(first, second, third), s.splat(ALL_OPEN), s.splat(0));
    let lines = s.or3(s.pick(s.or(first, second), line, line_2), other, all);
    let minirow = s.pick(open, lines, s.or(lines, s.splat(1 << BOX)));
    s.or3(digit, minirow, s.shl::<UNIT>(unit))
}

/// Digits with at least two, at least three configurations.
#[inline(always)]
fn counts<S: Simd>(s: S, p: &[S::V; 6]) -> (S::V, S::V) {
    // How many of three: ones and twos.
    let (a1, b1) = (s.xor3(p[0], p[1], p[2]), s.xor3(p[3], p[4], p[5]));
    let (a2, b2) = (s.majority(p[0], p[1], p[2]), s.majority(p[3], p[4], p[5]));
    (s.or_and(s.or(a2, b2), a1, b1), s.majority(a2, b2, s.or(a1, b1)))
}

/// Per field, one less than twice the bits of the first word and once those of the second, which is a subset
/// of the first: at most 26, and 63 of nothing.
#[inline(always)]
fn spare<S: Simd>(s: S, two: S::V, three: S::V) -> S::V {
    // The digits in pairs of bits, `two` above `three`: five pairs and four.
    let low = s.splat(0x155 * FIELDS);
    let even = s.select(low, three, s.shl::<1>(two));
    let odd = s.select(low, s.shr::<1>(three), two);
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

impl Fork {
    #[inline(always)]
    pub(super) fn new(packed: u32) -> Fork {
        Fork(packed)
    }

    /// The digit's bit in its words.
    #[inline(always)]
    pub(super) fn digit(self) -> u32 {
        (self.0 & 0x1FF) << self.lines()[3]
    }

    /// The words of the line where the digit is guessed to be.
    #[inline(always)]
    pub(super) fn inside(self) -> [usize; 3] {
        self.words(self.0 >> LINE & 3)
    }

    /// The words of another line that it leaves then.
    #[inline(always)]
    pub(super) fn outside(self) -> [usize; 3] {
        self.words(self.0 >> OTHER & 3)
    }

    /// The words of the third line, if that is open: 0 and 1 are taken.
    #[inline(always)]
    pub(super) fn outside_too(self) -> Option<[usize; 3]> {
        (self.0 & ALL_OPEN != 0).then(|| self.words(2))
    }

    #[inline(always)]
    fn words(self, line: u32) -> [usize; 3] {
        let words = &self.table()[line as usize];
        [(words[0] & 31) as usize, (words[1] & 31) as usize, (words[2] & 31) as usize]
    }

    #[inline(always)]
    fn lines(self) -> &'static [u8; 4] {
        &self.table()[0]
    }

    #[inline(always)]
    fn table(self) -> &'static [[u8; 4]; 4] {
        &BOXES[(self.0 >> UNIT & 127) as usize]
    }
}

/// By unit and box as they stand in a [`Fork`], and by line: its three words, and the shift of its field.
static BOXES: [[[u8; 4]; 4]; 128] = {
    let mut table = [[[0; 4]; 4]; 128];
    let mut i = 0;
    while i < 36 {
        let (stack, field, j, line) = (i / 18 == 1, i / 6 % 3, i / 3 % 2, i % 3);
        let mut words = [0; 4];
        let mut at = 0;
        while at < 3 {
            words[at] = if stack { word(at, j, line) } else { word(line, j, at) } as u8;
            at += 1;
        }
        // The field of a stack is that of its box on the first diagonal; box `j` is `j` bands before.
        let band = if stack { (field + 3 - j) % 3 } else { field };
        words[3] = FIELD as u8 * band as u8;
        let unit = FIELD as usize * field + if stack { STACK as usize } else { 0 };
        table[unit + 64 * j][line] = words;
        i += 1;
    }
    table
};
