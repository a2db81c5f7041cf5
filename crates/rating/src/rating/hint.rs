//! What a technique finds.

use std::ops::ControlFlow;

use super::Technique;
use super::chains::ChainHint;
use super::state::State;
use super::tables::bits;

/// A step in the making. One value is reused for all steps.
#[derive(Default)]
pub struct Hint {
    /// Tenths.
    pub difficulty: u16,
    /// Cell and digit.
    pub place: Option<(u8, u8)>,
    /// Cells and sets of digits; only candidates, and no cell twice.
    pub removals: Vec<(u8, u16)>,
    /// The cells and digits of the pattern, and the set of its houses.
    pub cells: u128,
    pub digits: u16,
    pub houses: u32,
    /// The other cells of a set that completes the pattern, and its digits.
    pub set: (u128, u16),
    /// How to find a chain again.
    pub chain: Option<ChainHint>,
}

/// Whether to look for further hints.
pub type Flow = ControlFlow<()>;

impl Hint {
    /// Starts a hint that removes candidates, with a difficulty of so many tenths above the least of its technique.
    pub fn begin(&mut self, technique: Technique, above: u16) {
        let mut removals = std::mem::take(&mut self.removals);
        removals.clear();
        *self = Hint { difficulty: technique.least().0 + above, removals, ..Hint::default() };
    }

    /// Makes a hint of a chain.
    pub fn take_chain(&mut self, technique: Technique, chain: ChainHint) {
        self.begin(technique, 0);
        self.difficulty = (chain.difficulty * 10.0 + 0.5) as u16;
        self.removals.extend_from_slice(&chain.removals);
        self.place = chain.place;
        self.chain = Some(chain);
    }

    /// Starts a hint that places a digit.
    pub fn placing(&mut self, technique: Technique, above: u16, cell: usize, digit: usize) {
        self.begin(technique, above);
        self.place = Some((cell as u8, digit as u8));
        self.cells = 1 << cell;
        self.digits = 1 << digit;
    }

    /// Names the pattern.
    pub fn pattern(&mut self, cells: u128, digits: u16, houses: impl IntoIterator<Item = usize>) {
        self.cells = cells;
        self.digits = digits;
        self.houses = houses.into_iter().fold(0, |set, house| set | 1 << house);
    }

    /// Adds those of the digits that are candidates of the cell.
    pub fn remove(&mut self, state: &State, cell: usize, digits: u16) {
        let digits = state.candidates[cell] & digits;
        if digits != 0 {
            self.removals.push((cell as u8, digits));
        }
    }

    /// Adds a digit of all cells of a set.
    pub fn remove_digit(&mut self, state: &State, digit: usize, from: u128) {
        for cell in super::tables::cells(from & state.cells[digit]) {
            self.removals.push((cell as u8, 1 << digit));
        }
    }

    /// Applies the hint.
    pub fn apply(&self, state: &mut State) {
        for &(cell, digits) in &self.removals {
            for digit in bits(digits) {
                state.remove(cell as usize, digit);
            }
        }
        if let Some((cell, digit)) = self.place {
            state.place(cell as usize, digit as usize);
        }
    }
}
