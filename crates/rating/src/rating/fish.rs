//! Techniques 8, 11 and 17: X-wing, swordfish, jellyfish.
//!
//! In `k` base lines a digit has at least two places each, together in `k` cover lines that cross them. The digit is
//! removed from the rest of the cover lines. At most `9 - 2k` cells of the grid have it as value. Columns are base
//! lines first, then rows; base lines colexicographically, then digits. 3.2, 3.8, 5.2.

use std::ops::ControlFlow::{Break, Continue};

use super::Technique;
use super::hint::{Flow, Hint};
use super::sets::{combinations, usable};
use super::state::{Scope, State};
use super::tables::{MASK_OF, NINE, bits, has_two, size};

/// A digit in `k` base lines and `k` cover lines.
#[derive(Clone, Copy)]
pub struct Fish {
    /// The kind of the base lines: 1 for rows, 2 for columns.
    pub kind: usize,
    pub base: u16,
    pub cover: u16,
    pub digit: usize,
}

/// Visits all fish of size `k` in a part of the grid, whether or not they remove anything. `found` is emptied first.
pub fn fish(
    state: &State,
    within: Scope,
    k: usize,
    found: &mut Vec<Fish>,
    mut visit: impl FnMut(Fish) -> Flow,
) -> Flow {
    for kind in [2, 1] {
        found.clear();
        for digit in bits(within.digits & 0x1ff).filter(|&digit| state.filled[digit] as usize <= NINE - 2 * k) {
            let items: [u16; NINE] = std::array::from_fn(|line| state.places[NINE * kind + line][digit]);
            let usable = usable(&items, |places| has_two(places) && size(places) <= k);
            let _ = combinations(&items, usable, k, 0, k, |base, cover| {
                found.push(Fish { kind, base, cover, digit });
                Continue(())
            });
        }
        found.sort_unstable_by_key(|fish| (fish.base, fish.digit));
        found.iter().try_for_each(|&fish| visit(fish))?;
    }
    Continue(())
}

impl Fish {
    /// The cells of the base lines.
    pub fn base_cells(&self) -> u128 {
        bits(self.base).fold(0, |set, line| set | MASK_OF[NINE * self.kind + line])
    }

    /// The cells of the cover lines.
    pub fn cover_cells(&self) -> u128 {
        bits(self.cover).fold(0, |set, line| set | MASK_OF[NINE * (3 - self.kind) + line])
    }

    /// The cells that lose the digit.
    pub fn removed(&self, state: &State) -> u128 {
        state.cells[self.digit] & self.cover_cells() & !self.base_cells()
    }

    /// Makes it the hint if it removes anything.
    pub fn hint(&self, state: &State, hint: &mut Hint) -> Flow {
        let removed = self.removed(state);
        if removed == 0 {
            return Continue(());
        }
        let k = size(self.base);
        hint.begin([Technique::XWing, Technique::Swordfish, Technique::Jellyfish][k - 2], 0);
        hint.remove_digit(state, self.digit, removed);
        let bases = bits(self.base).map(|line| NINE * self.kind + line);
        let covers = bits(self.cover).map(|line| NINE * (3 - self.kind) + line);
        let places = state.cells[self.digit] & self.base_cells();
        hint.pattern(places, 1 << self.digit, bases.chain(covers));
        Break(())
    }
}

/// Techniques 8, 11 and 17.
pub fn fish_of_size(state: &State, changed: Scope, k: usize, found: &mut Vec<Fish>, hint: &mut Hint) -> bool {
    fish(state, changed, k, found, |fish| fish.hint(state, hint)).is_break()
}
