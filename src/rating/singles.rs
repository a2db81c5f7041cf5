//! Techniques 1 and 4: singles.
//!
//! - Hidden single: a digit has one place left in a house. Full houses, which have one empty cell, come first (1.0); then
//!   blocks (1.2), then columns and rows (1.5). In a house the lowest digit is taken.
//! - Naked single: a cell has one candidate left (2.3). The first such cell is taken.

use super::Technique;
use super::hint::Hint;
use super::state::State;
use super::tables::{BLOCKS_COLUMNS_ROWS, CELLS_OF, NINE, cells, is_single};

/// Technique 1.
pub fn hidden_single(state: &State, hint: &mut Hint) -> bool {
    let houses = || BLOCKS_COLUMNS_ROWS.into_iter().map(usize::from);
    let full = houses().filter(|&house| is_single(state.empties[house]));
    let others = houses().filter(|&house| !is_single(state.empties[house]));
    let tenths = |house: usize| if house < NINE { 12 } else { 15 };
    for (house, difficulty) in full.map(|house| (house, 10)).chain(others.map(|house| (house, tenths(house))))
    {
        let single = state.places[house].iter().position(|&places| is_single(places));
        if let Some(digit) = single {
            let position = state.places[house][digit].trailing_zeros() as usize;
            hint.placing(Technique::HiddenSingle, difficulty, CELLS_OF[house][position] as usize, digit);
            hint.houses = 1 << house;
            return true;
        }
    }
    false
}

/// The digits with one place in a house.
#[inline]
fn digits_with_one_place(state: &State, house: usize) -> u16 {
    let places = &state.places[house];
    (0..NINE).fold(0, |set, digit| set | (is_single(places[digit]) as u16) << digit)
}

/// Places all hidden singles of blocks, and of rows and columns too unless `blocks_only`, until there are none. Returns their number.
pub fn place_hidden_singles(state: &mut State, blocks_only: bool) -> u16 {
    let houses = if blocks_only { 0..NINE } else { 0..3 * NINE };
    let mut count = 0;
    loop {
        let before = count;
        for house in houses.clone() {
            let mut digits = digits_with_one_place(state, house);
            while digits != 0 {
                let digit = digits.trailing_zeros() as usize;
                let position = state.places[house][digit].trailing_zeros() as usize;
                state.place(CELLS_OF[house][position] as usize, digit);
                count += 1;
                digits &= digits - 1;
                // A digit of the same cell has no place now; the puzzle has no solution then.
                digits &= digits_with_one_place(state, house);
            }
        }
        if count == before {
            return count;
        }
    }
}

/// Technique 4.
pub fn naked_single(state: &State, hint: &mut Hint) -> bool {
    let Some(cell) = cells(state.counted()[0]).next() else { return false };
    hint.placing(Technique::NakedSingle, 23, cell, state.candidates[cell].trailing_zeros() as usize);
    true
}
