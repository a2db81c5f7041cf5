//! Techniques 3, 5, 7, 9, 10, 12, 16 and 18: naked and hidden sets.
//!
//! - Naked set: `k` cells of a house, with at least two candidates each, have `k` candidates together. The other cells
//!   of that house lose these digits. The house has at least `2k` empty cells. Pair 3.0, triplet 3.6, quad 5.0.
//! - Hidden set: `k` digits, with at least two places each, have `k` places together in a house. These cells lose all
//!   other digits. The house has more than `2k` empty cells. Pair 3.4, triplet 4.0, quad 5.4.
//! - Direct hidden pair and triplet: the other digits removed leave one place for a digit that has at least two places
//!   in this house. It is placed there. The house has more than `k` empty cells. 2.0 and 2.5.
//!
//! Sets are visited in colexicographic order, houses in the order blocks, columns, rows.

use std::ops::ControlFlow::{Break, Continue};

use super::Technique;
use super::hint::{Flow, Hint};
use super::state::{Scope, State};
use super::tables::{BLOCKS_COLUMNS_ROWS, CELLS_OF, NINE, bits, has_two, is_single, size};

/// `k` cells of a house with `k` digits.
#[derive(Clone, Copy)]
pub struct Set {
    pub house: usize,
    pub positions: u16,
    pub digits: u16,
}

/// Visits the combinations of `count` items whose union with `base` has `k` members, colexicographically: items are
/// sets, of which those in `usable` may be taken.
#[inline]
pub fn combinations(
    items: &[u16; NINE],
    usable: u16,
    count: usize,
    base: u16,
    k: usize,
    mut visit: impl FnMut(u16, u16) -> Flow,
) -> Flow {
    if size(usable) < count {
        return Continue(());
    }
    if count == 2 {
        for high in bits(usable) {
            for low in bits(usable & ((1 << high) - 1)) {
                let union = base | items[high] | items[low];
                if size(union) == k {
                    visit(1 << high | 1 << low, union)?;
                }
            }
        }
        return Continue(());
    }
    // From the highest item down, so that smaller masks come first: the highest is the outermost loop.
    fn descend(
        items: &[u16; NINE],
        below: u16,
        left: usize,
        k: usize,
        chosen: (u16, u16),
        visit: &mut impl FnMut(u16, u16) -> Flow,
    ) -> Flow {
        if left == 0 {
            return if size(chosen.1) == k { visit(chosen.0, chosen.1) } else { Continue(()) };
        }
        for item in bits(below) {
            let union = chosen.1 | items[item];
            let lower = below & ((1 << item) - 1);
            if size(union) <= k && size(lower) >= left - 1 {
                descend(items, lower, left - 1, k, (chosen.0 | 1 << item, union), visit)?;
            }
        }
        Continue(())
    }
    descend(items, usable, count, k, (0, base), &mut visit)
}

/// The members of a house, cells or digits, whose sets may be part of a set.
#[inline]
pub fn usable(items: &[u16; NINE], may_be: impl Fn(u16) -> bool) -> u16 {
    (0..NINE).fold(0, |usable, i| usable | (may_be(items[i]) as u16) << i)
}

/// Visits all naked sets of `k` cells in a part of the grid, whether or not they remove anything.
pub fn naked(state: &State, within: Scope, k: usize, mut visit: impl FnMut(Set) -> Flow) -> Flow {
    for house in BLOCKS_COLUMNS_ROWS.into_iter().map(usize::from) {
        if !within.has_house(house) || size(state.empties[house]) < 2 * k {
            continue;
        }
        let items = CELLS_OF[house].map(|cell| state.candidates[cell as usize]);
        combinations(&items, usable(&items, |set| (2..=k).contains(&size(set))), k, 0, k, |positions, digits| {
            visit(Set { house, positions, digits })
        })?;
    }
    Continue(())
}

/// Visits all hidden sets of `k` digits in a part of the grid, in houses with more than `least` empty cells, whether or
/// not they remove anything.
pub fn hidden(state: &State, within: Scope, k: usize, least: usize, mut visit: impl FnMut(Set) -> Flow) -> Flow {
    for house in BLOCKS_COLUMNS_ROWS.into_iter().map(usize::from) {
        if !within.has_house(house) || size(state.empties[house]) <= least {
            continue;
        }
        let items = &state.places[house];
        combinations(items, usable(items, |set| (2..=k).contains(&size(set))), k, 0, k, |digits, positions| {
            visit(Set { house, positions, digits })
        })?;
    }
    Continue(())
}

impl Set {
    fn finish(&self, hint: &mut Hint) -> Flow {
        if hint.removals.is_empty() {
            return Continue(());
        }
        hint.pattern(State::at(self.house, self.positions), self.digits, [self.house]);
        Break(())
    }

    /// Makes a naked set the hint if it removes anything.
    pub fn naked_hint(&self, state: &State, hint: &mut Hint) -> Flow {
        let k = size(self.digits);
        let technique = [Technique::NakedPair, Technique::NakedTriplet, Technique::NakedQuad][k - 2];
        hint.begin(technique, 0);
        for position in bits(0x1ff & !self.positions) {
            hint.remove(state, CELLS_OF[self.house][position] as usize, self.digits);
        }
        self.finish(hint)
    }

    /// Makes a hidden set the hint if it removes anything.
    pub fn hidden_hint(&self, state: &State, hint: &mut Hint) -> Flow {
        let k = size(self.digits);
        let technique = [Technique::HiddenPair, Technique::HiddenTriplet, Technique::HiddenQuad][k - 2];
        hint.begin(technique, 0);
        for position in bits(self.positions) {
            hint.remove(state, CELLS_OF[self.house][position] as usize, !self.digits);
        }
        self.finish(hint)
    }
}

/// Techniques 7, 10 and 16.
pub fn naked_set(state: &State, changed: Scope, k: usize, hint: &mut Hint) -> bool {
    naked(state, changed, k, |set| set.naked_hint(state, hint)).is_break()
}

/// Techniques 9, 12 and 18.
pub fn hidden_set(state: &State, changed: Scope, k: usize, hint: &mut Hint) -> bool {
    hidden(state, changed, k, 2 * k, |set| set.hidden_hint(state, hint)).is_break()
}

/// Techniques 3 and 5.
pub fn direct_hidden_set(state: &State, changed: Scope, k: usize, hint: &mut Hint) -> bool {
    let found = hidden(state, changed, k, k, |Set { house, positions, digits }| {
        for digit in bits(0x1ff & !digits) {
            let places = state.places[house][digit];
            if has_two(places) && is_single(places & !positions) {
                let position = (places & !positions).trailing_zeros() as usize;
                let technique = [Technique::DirectHiddenPair, Technique::DirectHiddenTriplet][k - 2];
                hint.placing(technique, 0, CELLS_OF[house][position] as usize, digit);
                hint.pattern(State::at(house, positions), digits, [house]);
                return Break(());
            }
        }
        Continue(())
    });
    found.is_break()
}
