//! A grid with its candidates, indexed in the three ways that the techniques ask for.

use super::Technique;
use super::tables::{
    BIT_OF, CELLS_OF, HOUSES_OF, NINE, PEERS_OF, POSITION_IN, bits, cells, is_pair, is_pair_or_triple,
};
use crate::grid::{CELLS, Candidates, HOUSES};
use crate::simd::{Kernel, Simd};

/// A grid with its candidates. Digits are `0..9` here.
#[derive(Clone)]
pub struct State {
    /// The digit of each cell plus one; 0 for an empty cell.
    pub values: [u8; CELLS],
    /// The candidates of each empty cell; none of a filled one.
    pub candidates: [u16; CELLS],
    /// The cells of each candidate.
    pub cells: [u128; NINE],
    /// The positions of each digit in each house.
    pub places: [[u16; NINE]; HOUSES],
    /// The cells without value.
    pub empty: u128,
    /// The positions without value in each house.
    pub empties: [u16; HOUSES],
    /// The number of values of each digit.
    pub filled: [u8; NINE],
}

/// A part of a grid: houses and digits.
#[derive(Clone, Copy)]
pub struct Scope {
    pub houses: u32,
    pub digits: u16,
}

impl Scope {
    pub const ALL: Scope = Scope { houses: u32::MAX, digits: u16::MAX };
    pub const NONE: Scope = Scope { houses: 0, digits: 0 };

    /// Adds the houses and the digit of a candidate.
    #[inline]
    pub fn add(&mut self, cell: usize, digit: usize) {
        let [block, row, column] = HOUSES_OF[cell];
        self.houses |= 1 << block | 1 << row | 1 << column;
        self.digits |= 1 << digit;
    }

    /// Adds the houses in which locked candidates, pairs or X-wings may appear because a candidate is gone: those with
    /// two or three places left for its digit, and those of its cell if that has two candidates left.
    #[inline]
    pub fn add_small(&mut self, state: &State, cell: usize, digit: usize) {
        let is_pair = is_pair(state.candidates[cell]);
        for house in HOUSES_OF[cell].map(usize::from) {
            let is_small = is_pair_or_triple(state.places[house][digit]);
            self.houses |= ((is_small | is_pair) as u32) << house;
            self.digits |= (is_small as u16) << digit;
        }
    }

    #[inline]
    pub fn has_house(&self, house: usize) -> bool {
        self.houses >> house & 1 == 1
    }
}

/// The part of a grid in which candidates were removed since a technique found nothing. It may find something only
/// there.
#[derive(Clone, Copy)]
pub struct Changed {
    pub cells: u128,
    pub scope: Scope,
}

impl Changed {
    pub const ALL: Changed = Changed { cells: u128::MAX, scope: Scope::ALL };
    pub const NONE: Changed = Changed { cells: 0, scope: Scope::NONE };
}

/// What changed, for each technique.
#[derive(Default)]
pub struct Changes {
    /// The candidates after the last step.
    before: Vec<u16>,
    of: Vec<Changed>,
}

impl Changes {
    /// Starts with a grid in which nothing was looked for.
    pub fn start(&mut self, state: &State) {
        state.candidates.as_slice().clone_into(&mut self.before);
        [Changed::ALL; Technique::ALL.len()].as_slice().clone_into(&mut self.of);
    }

    /// Adds what a step changed.
    pub fn update(&mut self, state: &State) {
        let mut new = Changed::NONE;
        for (row, (now, before)) in state.candidates.chunks_exact(9).zip(self.before.chunks_exact(9)).enumerate() {
            if now == before {
                continue;
            }
            for (cell, (now, before)) in (9 * row..).zip(now.iter().zip(before)) {
                if now != before {
                    new.cells |= BIT_OF[cell];
                    bits(now ^ before).for_each(|digit| new.scope.add(cell, digit));
                }
            }
        }
        self.before.copy_from_slice(&state.candidates);
        for of in &mut self.of {
            of.cells |= new.cells;
            of.scope.houses |= new.scope.houses;
            of.scope.digits |= new.scope.digits;
        }
    }

    /// What changed for a technique.
    pub fn of(&self, technique: Technique) -> Changed {
        self.of[technique as usize]
    }

    /// Notes that a technique found nothing.
    pub fn clear(&mut self, technique: Technique) {
        self.of[technique as usize] = Changed::NONE;
    }
}

/// The candidates at the start of a puzzle. A cell that is given one candidate has it as value, and no candidates; its
/// peers lose it.
pub fn candidates_of(given: &Candidates) -> [u16; CELLS] {
    // The digits of the values of each house.
    let mut taken = [0u16; HOUSES];
    for (cell, set) in given.cells().iter().enumerate().filter(|(_, set)| set.is_power_of_two()) {
        HOUSES_OF[cell].iter().for_each(|&house| taken[house as usize] |= set);
    }
    let mut candidates = *given.cells();
    for (cell, set) in candidates.iter_mut().enumerate() {
        let seen = HOUSES_OF[cell].iter().fold(0, |all, &house| all | taken[house as usize]);
        *set = if set.is_power_of_two() { 0 } else { *set & !seen };
    }
    candidates
}

/// A grid with these candidates. A cell without any has its digit of the solution as value.
pub struct Start<'a> {
    pub candidates: [u16; CELLS],
    pub solution: &'a [u8; CELLS],
}

impl Kernel for Start<'_> {
    type Output = State;

    #[inline(always)]
    fn run<S: Simd>(self, _: S) -> State {
        let mut state = State {
            values: [0; CELLS],
            candidates: self.candidates,
            cells: [0; NINE],
            places: [[0; NINE]; HOUSES],
            empty: 0,
            empties: [0; HOUSES],
            filled: [0; NINE],
        };
        for (value, (&set, &digit)) in state.values.iter_mut().zip(self.candidates.iter().zip(self.solution)) {
            *value = if set == 0 { digit } else { 0 };
        }
        state.index();
        state
    }
}

impl State {
    /// Fills the other fields from the candidates. A vector has a lane for each digit, and one for any of them.
    #[inline(always)]
    fn index(&mut self) {
        const BITS: [u16; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 256, Candidates::NINE, 0, 0, 0, 0, 0, 0];
        let mut places = [[0u16; 16]; HOUSES];
        for (row, candidates) in self.candidates.chunks_exact(9).enumerate() {
            for (column, &set) in candidates.iter().enumerate() {
                let (block, in_block) = (row / 3 * 3 + column / 3, row % 3 * 3 + column % 3);
                for (lane, bit) in BITS.into_iter().enumerate() {
                    let has = if set & bit == 0 { 0 } else { u16::MAX };
                    places[block][lane] |= has & 1 << in_block;
                    places[9 + row][lane] |= has & 1 << column;
                    places[18 + column][lane] |= has & 1 << row;
                }
            }
        }
        for (row, places) in places[9..18].iter().enumerate() {
            for (digit, &columns) in places[..NINE].iter().enumerate() {
                self.cells[digit] |= u128::from(columns) << (9 * row);
                self.filled[digit] += (columns == 0) as u8;
            }
            self.empty |= u128::from(places[NINE]) << (9 * row);
        }
        for ((places, empties), lanes) in self.places.iter_mut().zip(&mut self.empties).zip(&places) {
            places.copy_from_slice(&lanes[..NINE]);
            *empties = lanes[NINE];
        }
    }

    /// Whether a cell has a candidate.
    #[inline]
    pub fn has(&self, cell: usize, digit: usize) -> bool {
        self.candidates[cell] >> digit & 1 == 1
    }

    /// Removes a candidate, which must be there.
    #[inline]
    pub fn remove(&mut self, cell: usize, digit: usize) {
        self.candidates[cell] ^= 1 << digit;
        self.cells[digit] ^= 1 << cell;
        for (house, position) in HOUSES_OF[cell].into_iter().zip(POSITION_IN[cell]) {
            self.places[house as usize][digit] ^= 1 << position;
        }
    }

    /// Removes those of the digits that are candidates.
    #[inline]
    pub fn remove_set(&mut self, cell: usize, set: u16) {
        for digit in bits(self.candidates[cell] & set) {
            self.remove(cell, digit);
        }
    }

    /// Sets the value of a cell; its candidates go, and so does the digit from its peers.
    pub fn place(&mut self, cell: usize, digit: usize) {
        self.remove_set(cell, Candidates::NINE);
        for peer in cells(self.cells[digit] & PEERS_OF[cell]) {
            self.remove(peer, digit);
        }
        self.values[cell] = digit as u8 + 1;
        self.empty &= !(1 << cell);
        for (house, position) in HOUSES_OF[cell].into_iter().zip(POSITION_IN[cell]) {
            self.empties[house as usize] &= !(1 << position);
        }
        self.filled[digit] += 1;
    }

    /// The cells of positions of a house, as a set.
    #[inline]
    pub fn at(house: usize, positions: u16) -> u128 {
        bits(positions).fold(0, |set, position| set | 1 << CELLS_OF[house][position])
    }

    /// The only other place of a digit in a house of this cell, if there are two places. `kind` is 0 for the block, 1
    /// for the row and 2 for the column.
    #[inline]
    pub fn partner(&self, cell: usize, digit: usize, kind: usize) -> Option<usize> {
        let house = HOUSES_OF[cell][kind] as usize;
        let others = self.places[house][digit] & !(1 << POSITION_IN[cell][kind]);
        others.is_power_of_two().then(|| CELLS_OF[house][others.trailing_zeros() as usize] as usize)
    }

    /// The cells with exactly two candidates.
    pub fn bivalue(&self) -> u128 {
        self.counted()[1]
    }

    /// The cells with exactly one, exactly two, and exactly three candidates.
    pub fn counted(&self) -> [u128; 3] {
        let mut at_least = [0u128; 4];
        for set in self.cells {
            at_least[3] |= at_least[2] & set;
            at_least[2] |= at_least[1] & set;
            at_least[1] |= at_least[0] & set;
            at_least[0] |= set;
        }
        [at_least[0] & !at_least[1], at_least[1] & !at_least[2], at_least[2] & !at_least[3]]
    }
}
