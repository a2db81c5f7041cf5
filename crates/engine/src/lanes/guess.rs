//! The choice of guesses, for all lanes at once.
//!
//! A guess is that a digit of a unit (band or stack) has a certain line (minirow of a band, minicolumn of a stack) in
//! a box. Branching on box configurations comes from tdoku, which also takes the unit with the fewest.
//!
//! 1. The unit is the one of six with the least slack: the sum over its digits of one for two configurations, two for
//!    three to five, three for all six. (Weights 2, 3 and 3 cost 15 % more guesses on 17-clue puzzles.)
//! 2. The digit is one with exactly two configurations in the unit, if there is one. Of these, one with exactly two
//!    configurations in at least two units of the other direction, else in one, because consequences of the guess
//!    continue there (2 to 4 % fewer sweeps); else the highest digit.
//! 3. The box is the first in which the line of that digit is open, and the line is the first one possible.
//!
//! Where even the best unit has a slack of [`SPARSE_SLACK`], the grid is almost empty and two digits are guessed at
//! once: the first has the first configuration, the second has the second one. Each is the highest digit with that
//! configuration, preferably one with exactly two configurations in a unit of the other direction. After a first
//! guess of this kind, later guesses of the puzzle need only [`SPARSE_SLACK_LATER`]. A configuration consists of two
//! parts, its lines in the first and second box. The alternatives are searched as if the four parts were guessed one
//! by one: the last part wrong and those before it right, then the third part wrong, and so on. It counts as one
//! guess. Sparse grids take 30 % fewer sweeps. Nine of ten such stack entries are never popped in searches for one or
//! two solutions; a search for more than [`MAX_PAIR_LIMIT`] solutions pops most of them, so it makes no such guesses.

use super::codegen::unroll;
use super::layout::*;
use crate::simd::{Row, Simd};

/// A guess for every lane: a digit in a line of a box, or two digits in two lines each.
pub(super) struct Guess<S: Simd> {
    /// The unit: the shift of its field, and [`STACK_UNIT`] for a stack.
    unit: S::V,
    /// The line, as an index of [`LINES`]; unspecified where two digits are guessed.
    line: S::V,
    /// The digit's bit in the words of the box; none in lanes that do not guess.
    digit: S::V,
    /// By line of the first two boxes: the digits that the guess removes from it.
    removed: [[S::V; 3]; 2],
    /// All ones where the unit is a stack.
    is_stack: S::V,
    /// The lanes that guess two digits at once.
    pub(super) pairs: u32,
}

/// A unit with this slack is almost empty.
const SPARSE_SLACK: u32 = 14;
/// This slack is enough in a puzzle whose first guess was of two digits.
const SPARSE_SLACK_LATER: u32 = 6;
/// Up to this limit, guesses of two digits pay.
pub(super) const MAX_PAIR_LIMIT: u64 = 10;

/// The index of a unit is the shift of its field, plus this for a stack.
const STACK_UNIT: u32 = 32;
const SECOND_BOX: u32 = 2 * STACK_UNIT;

/// The guess of each lane of `guessing`, from the configurations of its digits in bands and in stacks. The first
/// guess of the puzzles in the lanes of `sparse` was of two digits.
#[inline(always)]
pub(super) fn choose<S: Simd>(s: S, configs: &[S::Row; 12], guessing: u32, sparse: u32) -> Guess<S> {
    let [bands, stacks] = load_configs(s, configs);
    let [two_b, exact_b, three_b, odd_b] = count_configs(s, &bands);
    let [two_s, exact_s, three_s, odd_s] = count_configs(s, &stacks);

    // The least key wins: the slack of the unit, then its place. Settled units have the greatest slack.
    let [a, b, c] = unit_keys(s, slack(s, three_b, odd_b), 0);
    let [d, e, f] = unit_keys(s, slack(s, three_s, odd_s), STACK_UNIT);
    let best = s.min(s.min(s.min(a, b), s.min(c, d)), s.min(e, f));
    let unit = s.and(best, s.splat(63));
    // An arithmetic mask, which has a shorter latency than a comparison.
    let is_stack = s.sub(s.splat(0), s.and(s.shr::<5>(best), s.splat(1)));
    let shift = s.and(best, s.splat(31));

    // The words of that unit, shifted so that its field is the lowest.
    let two = s.and(s.shr_each(s.select(is_stack, two_s, two_b), shift), s.splat(0x1FF));
    let exact = s.and(two, s.shr_each(s.select(is_stack, exact_s, exact_b), shift));
    let across = s.select(is_stack, exact_b, exact_s);
    let across = [across, s.shr::<10>(across), s.shr::<20>(across)];
    let digits = s.select_nonzero(exact, exact, two);
    // Digits with exactly two configurations in at least two units across, in one, in any number. The lowest bit of
    // the concatenation wins.
    let some = s.and(digits, s.or3(across[0], across[1], across[2]));
    let most = s.and(digits, s.majority(across[0], across[1], across[2]));
    let ranks = s.or3(most, s.shl::<9>(some), s.shl::<18>(digits));
    let first = s.and(ranks, s.sub(s.splat(0), ranks));
    let digit = s.and(s.or3(first, s.shr::<9>(first), s.shr::<18>(first)), s.splat(0x1FF));

    let digit_in_unit = s.shl_each(digit, shift);
    let mut p = [digit; 6];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        p[I] = s.select(is_stack, stacks[I], bands[I]);
    });
    // The possible lines in box 0. If only one is left, the guess is made in box 1.
    let (a0, b0, c0) = (s.or(p[0], p[3]), s.or(p[1], p[4]), s.or(p[2], p[5]));
    let (a1, b1) = (s.or(p[2], p[4]), s.or(p[0], p[5]));
    let open = s.and(s.majority(a0, b0, c0), digit_in_unit);
    let (zero, ones) = (s.splat(0), s.splat(u32::MAX));
    let is_second = s.select_nonzero(open, zero, ones);
    let first = s.and(s.select(is_second, a1, a0), digit_in_unit);
    let second = s.and(s.select(is_second, b1, b0), digit_in_unit);
    // The field of a stack is that of its first box; its second box is two bands below.
    let rotated = s.select(s.and(is_stack, is_second), rotate_2(s, digit_in_unit), digit_in_unit);
    let digit = s.and(rotated, s.mask_to_vector(guessing));
    let later = s.select_nonzero(first, zero, digit);
    let third = s.select_nonzero(second, zero, later);
    let number = s.select_nonzero(first, zero, s.select_nonzero(second, s.splat(1), s.splat(2)));
    let line = s.or3(number, s.shl::<2>(unit), s.and(is_second, s.splat(SECOND_BOX << 2)));
    let others = [later, s.or(s.and_not(digit, later), third), s.and_not(digit, third)];
    let mut removed = [others; 2];
    unroll!(LINE in [0, 1, 2] {
        removed[0][LINE] = s.and_not(others[LINE], is_second);
        removed[1][LINE] = s.and(others[LINE], is_second);
    });
    // The greatest key that is not sparse.
    let greatest_dense_key = s.sub(
        s.splat(((SPARSE_SLACK - 1) << 8) - 1),
        s.and(s.mask_to_vector(sparse), s.splat((SPARSE_SLACK - SPARSE_SLACK_LATER) << 8)),
    );
    let is_pair = s.less_than(greatest_dense_key, best);
    let pairs = !s.zero_lanes(is_pair) & guessing;
    Guess { unit, line, digit, removed, is_stack, pairs }
}

impl<S: Simd> Guess<S> {
    /// Guesses two digits at once in the lanes of `pairs`: the first configuration for one digit and the second for
    /// another, preferably digits with exactly two configurations across. `parts` receives what [`mark_pair`] needs.
    ///
    /// Everything is recomputed from the configurations, so that LLVM does not keep it in registers for the rare
    /// case.
    #[inline(always)]
    pub(super) fn guess_pairs(&mut self, s: S, configs: &[S::Row; 12], parts: &mut [S::Row; 4]) {
        let [bands, stacks] = load_configs(s, std::hint::black_box(configs));
        let (zero, is_stack) = (s.splat(0), self.is_stack);
        let ([two_b, exact_b, ..], [two_s, exact_s, ..]) = (count_configs(s, &bands), count_configs(s, &stacks));
        let field = s.and(s.shl_each(s.splat(0x1FF), s.and(self.unit, s.splat(31))), s.mask_to_vector(self.pairs));
        let open = s.and(s.select(is_stack, two_s, two_b), field);
        let across = s.select(is_stack, exact_b, exact_s);
        let open_across = s.or3(across, rotate_1(s, across), rotate_2(s, across));
        let (mut pair, mut both) = ([zero; 2], zero);
        unroll!(C in [0, 1] {
            let digits = s.and_not(s.and(open, s.select(is_stack, stacks[C], bands[C])), both);
            let best = s.and(digits, open_across);
            let digits = s.select_nonzero(best, best, digits);
            pair[C] = s.and(digits, s.sub(zero, digits));
            both = s.or(both, pair[C]);
        });
        // A unit may have none of these configurations.
        self.pairs &= !s.zero_lanes(both);
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
            let rotated = s.select(is_stack, rotate_2(s, lines[LINE]), lines[LINE]);
            self.removed[0][LINE] = s.select_nonzero(both, lines[LINE], self.removed[0][LINE]);
            self.removed[1][NEXT] = s.select_nonzero(both, rotated, self.removed[1][NEXT]);
        });
    }

    /// The bits that the second child loses in each word: the digit in its line, or nothing where two digits are
    /// guessed.
    #[inline(always)]
    pub(super) fn removed_from_second(&self, s: S) -> [S::V; WORDS + 1] {
        let mut words = [s.splat(0); WORDS + 1];
        unroll!(J in [0, 1] {
            let [a, b, c] = self.removed[J];
            let digit = s.and(s.or3(a, b, c), self.digit);
            let (mut bands, mut stacks) = ([digit; 3], [digit; 3]);
            unroll!(LINE in [0, 1, 2] {
                bands[LINE] = s.and_nor(digit, self.removed[J][LINE], self.is_stack);
                stacks[LINE] = s.and_not(s.and(digit, self.is_stack), self.removed[J][LINE]);
            });
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                words[word(I / 3, J, I % 3)] = s.or(bands[I / 3], stacks[I % 3]);
            });
        });
        words
    }

    /// For each lane the line, as an index of [`LINES`], and the bit of the digit in its words.
    #[inline(always)]
    pub(super) fn lines_and_digits(&self, s: S) -> [S::Row; 2] {
        let mut rows = [S::Row::ZERO; 2];
        s.store(self.line, &mut rows[0]);
        s.store(self.digit, &mut rows[1]);
        rows
    }

    /// Applies the guess: removes the digit from the other lines of the box. In whole rows, because a load of a row
    /// stalls after a store to a single lane of it.
    #[inline(always)]
    pub(super) fn apply(&self, s: S, words: &mut [S::Row; WORDS]) {
        let (mut bands, mut stacks) = (self.removed, self.removed);
        unroll!(LINE in [0, 1, 2] {
            bands[0][LINE] = s.and_not(self.removed[0][LINE], self.is_stack);
            bands[1][LINE] = s.and_not(self.removed[1][LINE], self.is_stack);
            stacks[0][LINE] = s.and(self.removed[0][LINE], self.is_stack);
            stacks[1][LINE] = s.and(self.removed[1][LINE], self.is_stack);
        });
        unroll!(J in [0, 1] {
            unroll!(I in [0, 1, 2, 3, 4, 5, 6, 7, 8] {
                const AT: usize = word(I / 3, J, I % 3);
                s.store(s.and_nor(s.load(&words[AT]), bands[J][I / 3], stacks[J][I % 3]), &mut words[AT]);
            });
        });
    }
}

/// A guess of two digits is one stack entry: the words before the guess with this bit set in the first, followed by
/// the line, a mask of the parts not yet tried as wrong, and the two digits.
const PAIR_FLAG: u32 = 1 << 31;

/// Turns the words of a lane into such an entry.
#[inline(always)]
pub(super) fn mark_pair(entry: &mut [u32; 32], parts: [u32; 4]) {
    entry[0] |= PAIR_FLAG;
    entry[WORDS + 1..].copy_from_slice(&parts);
}

/// Whether an entry is a guess of two digits.
#[inline(always)]
pub(super) fn is_pair(entry: &[u32; 32]) -> bool {
    entry[0] & PAIR_FLAG != 0
}

/// Removes the last untried part of a guess of two digits. Returns the words in which that part is wrong and all
/// parts before it are right, and whether the entry is used up.
///
/// Almost without branches, because they would be unpredictable.
#[cold]
#[inline(never)]
pub(super) fn pop_pair(entry: &mut [u32; 32]) -> ([u32; 32], bool) {
    let mut words = *entry;
    words[0] &= !PAIR_FLAG;
    let [.., line, parts, a, b] = words;
    let is_stack = line >= 4 * STACK_UNIT;
    let rotated = |x: u32| if is_stack { (x << 20 | x >> 10) & ALL } else { x };
    // The digits by line of the first and of the second box.
    let digits = [[a, b, 0], [0, rotated(a), rotated(b)]];
    // The words of a line. (Reading them from `LINES` takes 4 % of the time of sparse grids.)
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
            // A part that was already settled is no guess.
            open |= u32::from(digits[J][LINE] & elsewhere != 0) << (2 * J + C);
        });
    });
    open &= parts;
    let Some(wrong) = open.checked_ilog2() else {
        // Both boxes have been settled since their configurations were stored: dead.
        return ([0; 32], true);
    };
    let wrong = 1 << wrong;
    unroll!(J in [0, 1] {
        let mut removed = [0; 3];
        unroll!(C in [0, 1] {
            const LINE: usize = J + C;
            const PART: u32 = 1 << (2 * J + C);
            let right = if PART < wrong { digits[J][LINE] } else { 0 };
            removed[LINE] |= if PART == wrong { digits[J][LINE] } else { 0 };
            removed[(LINE + 1) % 3] |= right;
            removed[(LINE + 2) % 3] |= right;
        });
        unroll!(LINE in [0, 1, 2] {
            unroll!(I in [0, 1, 2] { words[at(J, LINE, I)] &= !removed[LINE]; });
        });
    });
    let untried = open & !wrong;
    entry[WORDS + 2] = untried;
    (words, untried == 0)
}

/// The sort keys of the units of each field: the slack, and below it the place of the unit.
#[inline(always)]
fn unit_keys<S: Simd>(s: S, slack: S::V, stack: u32) -> [S::V; 3] {
    let mut keys = [s.shl::<8>(slack), s.shr::<2>(slack), s.shr::<12>(slack)];
    unroll!(F in [0, 1, 2] {
        keys[F] = s.or_and(s.splat(stack | (FIELD * F as u32)), keys[F], s.splat(63 << 8));
    });
    keys
}

/// The configurations of bands and those of stacks.
#[inline(always)]
fn load_configs<S: Simd>(s: S, configs: &[S::Row; 12]) -> [[S::V; 6]; 2] {
    let mut configurations = [[s.splat(0); 6]; 2];
    unroll!(I in [0, 1, 2, 3, 4, 5] {
        configurations[0][I] = s.load(&configs[I]);
        configurations[1][I] = s.load(&configs[I + 6]);
    });
    configurations
}

/// Digits with at least two, exactly two, at least three configurations, and those with two or six, whose weight in
/// the slack is odd.
#[inline(always)]
fn count_configs<S: Simd>(s: S, p: &[S::V; 6]) -> [S::V; 4] {
    // Bit-sliced counts of three and three configurations: ones and twos.
    let (a1, b1) = (s.xor3(p[0], p[1], p[2]), s.xor3(p[3], p[4], p[5]));
    let (a2, b2) = (s.majority(p[0], p[1], p[2]), s.majority(p[3], p[4], p[5]));
    let two = s.or_and(s.or(a2, b2), a1, b1);
    let three = s.majority(a2, b2, s.or(a1, b1));
    let exact = s.and_not(two, three);
    // The first three use all minirows of all boxes, so a digit with all of them also has the other three.
    [two, exact, three, s.or_and(exact, a1, a2)]
}

/// Per field, twice the number of bits of `twos` plus that of `ones`, less one: at most 26, and 63 for an empty
/// field.
#[inline(always)]
fn slack<S: Simd>(s: S, twos: S::V, ones: S::V) -> S::V {
    // Population count: digits in pairs of bits, `twos` above `ones`, five pairs and four.
    let low = s.splat(0x155 * FIELD_ONES);
    let even = s.select(low, ones, s.shl::<1>(twos));
    let odd = s.select(low, s.shr::<1>(ones), twos);
    // Pairs to groups of four bits: two and two pairs, and one of `even`.
    let pair = s.splat(0x333 * FIELD_ONES);
    let first = s.add(s.and(even, pair), s.and(odd, pair));
    let pair = s.splat(0x033 * FIELD_ONES);
    let second = s.add(s.and(s.shr::<2>(even), pair), s.and(s.shr::<2>(odd), pair));
    let groups = s.add(first, second);
    let nibble = s.splat(0x00F * FIELD_ONES);
    let sum = s.add(s.and(groups, nibble), s.and(s.shr::<4>(groups), nibble));
    let sum = s.add(sum, s.and(s.shr::<8>(groups), s.splat(0x003 * FIELD_ONES)));
    s.xor(s.add(sum, s.splat(31 * FIELD_ONES)), s.splat(32 * FIELD_ONES))
}

/// The three words of a line, at index `4 * (unit + SECOND_BOX * is_second) + line`.
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
        let unit = FIELD as usize * field + if stack { STACK_UNIT as usize } else { 0 };
        table[4 * (unit + SECOND_BOX as usize * j) + line] = words;
        i += 1;
    }
    table
};
