//! Techniques 2 and 6: pointing and claiming (locked candidates).
//!
//! All places of a digit in house A, at least two, are in a house B that crosses it. So the digit is nowhere else in B.
//! It is pointing if A is a block, claiming if A is a row or column.
//!
//! - Direct: in another house of A's kind that crosses B, and has the digit at least twice, one place is left outside
//!   B. The digit is placed there: 1.7 for pointing, 1.9 for claiming.
//! - Otherwise the digit is removed from B: 2.6 and 2.8.

use std::ops::ControlFlow::{Break, Continue};

use super::Technique;
use super::hint::{Flow, Hint};
use super::state::{Scope, State};
use super::tables::{MASK_OF, NINE, bits, has_two, has_two_cells, is_single};

/// Places of a digit that are locked into the crossing of two houses.
#[derive(Clone, Copy)]
pub struct Locked {
    /// The house that has no other places.
    pub inside: usize,
    /// The house that crosses it.
    pub other: usize,
    pub digit: usize,
}

/// The kinds of the two houses, in the order of the search: 0 for blocks, 1 for rows, 2 for columns.
const KINDS: [(usize, usize); 4] = [(0, 2), (0, 1), (2, 0), (1, 0)];

/// For the two or more places of a digit in a block: the row and the column of the block that has all of them; 3 if
/// none has. Those of a line have all in one block: the same as the rows.
static CONFINED: [[u8; 512]; 2] = {
    let mut table = [[3; 512]; 2];
    let mut places = 0;
    while places < 512 {
        let mut i = 0;
        while i < 3 && has_two(places as u16) {
            if places & !(0b111 << (3 * i)) == 0 {
                table[0][places] = i;
            }
            if places & !(0b001_001_001 << i) == 0 {
                table[1][places] = i;
            }
            i += 1;
        }
        places += 1;
    }
    table
};

/// Visits all locked candidates in a part of the grid, whether or not they remove anything.
pub fn locked(state: &State, within: Scope, mut visit: impl FnMut(Locked) -> Flow) -> Flow {
    for (a, b) in KINDS {
        let confined = &CONFINED[(a == 0 && b == 2) as usize];
        for inside in (NINE * a..NINE * (a + 1)).filter(|&inside| within.has_house(inside)) {
            // The digits that are locked into each of the three houses that cross this one.
            let mut digits = [0u16; 4];
            for (digit, &places) in state.places[inside].iter().enumerate() {
                digits[confined[places as usize & 511] as usize] |= 1 << digit;
            }
            for (i, &digits) in digits[..3].iter().enumerate() {
                for digit in bits(digits & within.digits) {
                    visit(Locked { inside, other: crossing_of_kind(inside, b, i), digit })?;
                }
            }
        }
    }
    Continue(())
}

/// The first, second or third house of a kind that crosses a house.
fn crossing_of_kind(house: usize, kind: usize, i: usize) -> usize {
    let at = house % NINE;
    let there = match (house / NINE, kind) {
        (0, 2) => at % 3 * 3 + i,
        (2, _) => at / 3 + 3 * i,
        _ => at / 3 * 3 + i,
    };
    NINE * kind + there
}

/// The house that crosses a house and contains all of these places in it, two or more.
pub fn crossing(house: usize, places: u16) -> Option<usize> {
    let [by_three, by_column] = [0, 1].map(|i| CONFINED[i][places as usize & 511] as usize);
    let kind = if house < NINE { 1 } else { 0 };
    let found = |kind, i| (i < 3).then(|| crossing_of_kind(house, kind, i));
    found(kind, by_three).or_else(|| found(2, by_column).filter(|_| house < NINE))
}

/// These houses, and those of the same kind in the same band or stack.
fn neighbours(houses: u32) -> u32 {
    let of = |house: usize| match house {
        0..NINE => 0b111 << (house / 3 * 3) | 0b001_001_001 << (house % 3),
        _ => 0b111 << (house / 3 * 3),
    };
    (0..27).filter(|house| houses >> house & 1 == 1).fold(0, |all, house| all | of(house))
}

/// The three segments of a line that a digit has any places in, and exactly one, as three bits each.
static SEGMENTS: [u8; 512] = {
    let mut table = [0; 512];
    let mut places = 0;
    while places < 512 {
        let mut i = 0;
        while i < 3 {
            let segment = places as u16 >> (3 * i) & 7;
            table[places] |= ((segment != 0) as u8) << i;
            table[places] |= (is_single(segment) as u8) << (3 + i);
            i += 1;
        }
        places += 1;
    }
    table
};

/// Whether a digit may be placed by direct locked candidates. The segments of the three lines of a band or stack form a
/// matrix. One with all places of its row or column takes those of the others that cross it there, of which one may
/// have another single place.
fn may_be_direct(state: &State, digit: usize) -> bool {
    // Nine bits for each band, then for each stack: the line within it, then the segment.
    let [mut any, mut one] = [0u64; 2];
    for (line, digits) in state.places[NINE..].iter().enumerate() {
        let segments = SEGMENTS[digits[digit] as usize & 511] as u64;
        any |= (segments & 7) << (3 * line);
        one |= (segments >> 3) << (3 * line);
    }
    // The next one of the same line, or of the same block.
    const FIRST: u64 = 0o111_111_111_111_111_111;
    let along = |set: u64| (set & !FIRST) >> 1 | (set & FIRST) << 2;
    const TOP: u64 = 0o007_007_007_007_007_007;
    let across = |set: u64| (set & !TOP) >> 3 | (set & TOP) << 6;
    let hits = |others: &dyn Fn(u64) -> u64, crossing: &dyn Fn(u64) -> u64| {
        let [any_next, one_next] = [any, one].map(others);
        let [any_last, one_last] = [any_next, one_next].map(others);
        let locked = any & !one & !any_next & !any_last;
        let leaves_one = any & (one_next & !any_last | one_last & !any_next);
        leaves_one & (crossing(locked) | crossing(crossing(locked)))
    };
    hits(&across, &along) | hits(&along, &across) != 0
}

/// Technique 2.
pub fn direct(state: &State, changed: Scope, hint: &mut Hint) -> bool {
    let digits = bits(changed.digits & 0x1ff).filter(|&digit| may_be_direct(state, digit));
    let digits = digits.fold(0, |set, digit| set | 1 << digit);
    if digits == 0 {
        return false;
    }
    // What changed may be the house inside or the third house, which crosses the same house.
    let within = Scope { houses: neighbours(changed.houses), digits };
    let found = locked(state, within, |found| {
        // The third house loses places.
        if found.removed(state) == 0 {
            return Continue(());
        }
        let Locked { inside, other, digit } = found;
        let kind = inside / NINE;
        let crosses = |third: &usize| *third != inside && MASK_OF[*third] & MASK_OF[other] != 0;
        for third in (NINE * kind..NINE * (kind + 1)).filter(crosses) {
            let places = state.cells[digit] & MASK_OF[third];
            let left = places & !MASK_OF[other];
            if has_two_cells(places) && left.is_power_of_two() {
                let cell = left.trailing_zeros() as usize;
                hint.placing(Technique::DirectLocked, if kind == 0 { 0 } else { 2 }, cell, digit);
                hint.houses = 1 << inside | 1 << other | 1 << third;
                return Break(());
            }
        }
        Continue(())
    });
    found.is_break()
}

impl Locked {
    /// The cells that lose the digit.
    pub fn removed(&self, state: &State) -> u128 {
        state.cells[self.digit] & MASK_OF[self.other] & !MASK_OF[self.inside]
    }

    /// Makes it the hint if it removes anything.
    pub fn hint(&self, state: &State, hint: &mut Hint) -> Flow {
        let removed = self.removed(state);
        if removed == 0 {
            return Continue(());
        }
        hint.begin(Technique::Locked, if self.inside < NINE { 0 } else { 2 });
        hint.remove_digit(state, self.digit, removed);
        let places = state.cells[self.digit] & MASK_OF[self.inside];
        hint.pattern(places, 1 << self.digit, [self.inside, self.other]);
        Break(())
    }
}

/// Technique 6.
pub fn removing(state: &State, changed: Scope, hint: &mut Hint) -> bool {
    locked(state, changed, |locked| locked.hint(state, hint)).is_break()
}
