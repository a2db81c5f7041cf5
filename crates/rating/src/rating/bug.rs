//! Technique 19: BUG (bivalue universal grave).
//!
//! If every empty cell had two candidates and every digit two places in each house, the puzzle would have two solutions
//! or none. So one of the candidates that stand in the way, the extra candidates of the *bug cells*, holds:
//!
//! | type | bug cells | conclusion | rating |
//! |---|---|---|---|
//! | 1 | one | it has none but the extra candidates | 5.6 |
//! | 2 | several, with the same extra digit | cells that see them all do not have it | 5.7 |
//! | 3 | several in a house | their extra digits form a naked set with other cells of the house | 5.8 to 6.2 |
//! | 4 | two in a house | they share one more digit, which one of them is | 5.7 |
//!
//! Bug cells are found as the only cell with at least three candidates among the places of a digit in a house. Cells
//! that are never alone are not found, as in the reference.

use super::Technique;
use super::hint::Hint;
use super::state::State;
use super::tables::{
    HOUSES_OF, MASK_OF, PEERS_OF, bits, cells, has_three_cells, has_two, in_peer_order, is_pair, size,
};
use crate::grid::CELLS;

/// The bug cells of a position.
struct Bug {
    cells: u128,
    first: usize,
    /// The extra digits of each bug cell, and of all of them.
    extra: [u16; CELLS],
    all: u16,
    /// The cells that see all bug cells and are none.
    common: u128,
}

/// Technique 19.
pub fn bug(state: &State, hint: &mut Hint) -> bool {
    let Some(bug) = find(state) else { return false };
    hint.begin(Technique::Bug, 0);
    hint.pattern(bug.cells, bug.all, []);
    let pair = (bug.cells & (bug.cells - 1)).is_power_of_two();
    if bug.cells.is_power_of_two() {
        hint.remove(state, bug.first, !bug.all);
        !hint.removals.is_empty()
    } else if bug.all.is_power_of_two() {
        hint.difficulty += 1;
        hint.remove_digit(state, bug.all.trailing_zeros() as usize, bug.common);
        !hint.removals.is_empty() || pair && fourth(state, &bug, hint)
    } else {
        bug.common != 0 && (pair && fourth(state, &bug, hint) || third(state, &bug, hint))
    }
}

fn find(state: &State) -> Option<Bug> {
    let [single, pairs, _] = state.counted();
    let any = state.cells.iter().fold(0, |any, set| any | set);
    let many = any & !single & !pairs;
    // They must all be bug cells. Three or more have a conclusion only for a cell that sees all.
    if has_three_cells(many) && cells(many).fold(any, |common, cell| common & PEERS_OF[cell]) == 0 {
        return None;
    }
    let mut bug = Bug { cells: 0, first: 0, extra: [0; CELLS], all: 0, common: u128::MAX };
    for (mask, places) in MASK_OF.iter().zip(&state.places) {
        for (digit, &places) in places.iter().enumerate() {
            if places == 0 || is_pair(places) {
                continue;
            }
            let found = state.cells[digit] & mask & many;
            if found == 0 {
                return None;
            }
            if !found.is_power_of_two() {
                continue;
            }
            let cell = found.trailing_zeros() as usize;
            if bug.cells == 0 {
                bug.first = cell;
            }
            bug.cells |= found;
            bug.extra[cell] |= 1 << digit;
            bug.all |= 1 << digit;
            bug.common &= PEERS_OF[cell] & !bug.cells;
            if !bug.cells.is_power_of_two() && has_two(bug.all) && bug.common == 0 {
                return None;
            }
        }
    }
    // What is left without the extra candidates must be a grave.
    let mut rest = state.clone();
    cells(bug.cells).for_each(|cell| rest.remove_set(cell, bug.extra[cell]));
    let two_each = cells(rest.empty).all(|cell| is_pair(rest.candidates[cell]));
    let two_places = rest.places.iter().flatten().all(|&places| places == 0 || is_pair(places));
    (bug.cells != 0 && two_each && two_places).then_some(bug)
}

/// Type 4.
fn fourth(state: &State, bug: &Bug, hint: &mut Hint) -> bool {
    let [p, q] = [bug.first, (bug.cells & !(1 << bug.first)).trailing_zeros() as usize];
    let shared = state.candidates[p] & state.candidates[q] & !bug.all;
    if !shared.is_power_of_two() || PEERS_OF[p] >> q & 1 == 0 {
        return false;
    }
    hint.difficulty = Technique::Bug.least().0 + 1;
    hint.removals.clear();
    for cell in [p, q] {
        hint.remove(state, cell, !(shared | bug.extra[cell]));
    }
    hint.digits |= shared;
    !hint.removals.is_empty()
}

/// Type 3.
fn third(state: &State, bug: &Bug, hint: &mut Hint) -> bool {
    for house in HOUSES_OF[bug.first].map(usize::from) {
        if bug.cells & !MASK_OF[house] != 0 {
            continue;
        }
        let list: Vec<usize> = in_peer_order(bug.first, bug.common & MASK_OF[house]).collect();
        let count = list.len();
        for k in (2..=6usize).filter(|&k| count >= k) {
            for set in (0u16..1 << count).filter(|set| set.count_ones() as usize == k - 1) {
                let members = bits(set).map(|i| state.candidates[list[i]]);
                let few = members.clone().any(|candidates| !has_two(candidates));
                let union = members.fold(0, |union, candidates| union | candidates);
                if few || size(union) != k || size(union | bug.all) != k || !has_two(bug.all) {
                    continue;
                }
                hint.difficulty = Technique::Bug.least().0 + k as u16;
                hint.removals.clear();
                for i in (0..count).filter(|i| set >> i & 1 == 0) {
                    hint.remove(state, list[i], union);
                }
                if !hint.removals.is_empty() {
                    hint.set = (bits(set).fold(0, |cells, i| cells | 1 << list[i]), union);
                    hint.houses = 1 << house;
                    return true;
                }
            }
        }
    }
    false
}
