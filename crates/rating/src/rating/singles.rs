//! Techniques 1 and 4: singles.
//!
//! - Hidden single: a digit has one place left in a house. Full houses, which have one empty cell, come first (1.0);
//!   then blocks (1.2), then columns and rows (1.5). In a house the lowest digit is taken.
//! - Naked single: a cell has one candidate left (2.3). The first such cell is taken.

use super::hint::Hint;
use super::state::State;
use super::tables::{BLOCKS_COLUMNS_ROWS, CELLS_OF, NINE, cells, is_single};
use super::{Difficulty, Technique};

/// The difficulty of a hidden single in a block, and in a row or column, that is not full.
pub const IN_BLOCK_AND_LINE: [Difficulty; 2] = [Difficulty(12), Difficulty(15)];

/// Technique 1.
pub fn hidden_single(state: &State, hint: &mut Hint) -> bool {
    if !has_hidden_single(state) {
        return false;
    }
    let houses = || BLOCKS_COLUMNS_ROWS.into_iter().map(usize::from);
    let full = houses().filter(|&house| is_single(state.empties[house]));
    let others = houses().filter(|&house| !is_single(state.empties[house]));
    let least = Technique::HiddenSingle.least().0;
    let above = |house: usize| IN_BLOCK_AND_LINE[(house >= NINE) as usize].0 - least;
    for (house, above) in full.map(|house| (house, 0)).chain(others.map(|house| (house, above(house)))) {
        let single = state.places[house].iter().position(|&places| is_single(places));
        if let Some(digit) = single {
            let position = state.places[house][digit].trailing_zeros() as usize;
            hint.placing(Technique::HiddenSingle, above, CELLS_OF[house][position] as usize, digit);
            hint.houses = 1 << house;
            return true;
        }
    }
    false
}

/// Whether a digit has one place left in a house.
pub fn has_hidden_single(state: &State) -> bool {
    state.places.as_flattened().iter().fold(false, |any, &places| any | is_single(places))
}

/// Technique 4.
pub fn naked_single(state: &State, hint: &mut Hint) -> bool {
    let Some(cell) = cells(state.counted()[0]).next() else { return false };
    hint.placing(Technique::NakedSingle, 0, cell, state.candidates[cell].trailing_zeros() as usize);
    true
}
