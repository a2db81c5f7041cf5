//! Naked and hidden singles on a grid with candidates, for proofs that there is no solution.

use std::fmt;

use crate::grid::{CELLS, Candidates, Cell, HOUSE_CELLS, HOUSES, House, PEERS};

/// A digit that a cell must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Single {
    /// The cell.
    pub cell: Cell,
    /// The digit, `1..=9`.
    pub digit: u8,
    /// The house in which the digit has no other place. `None` if the cell has no other candidate.
    pub house: Option<House>,
}

impl fmt::Display for Single {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Single { cell, digit, house } = self;
        match house {
            Some(house) => write!(f, "hidden single: {cell} = {digit}, the only place in {house}"),
            None => write!(f, "naked single: {cell} = {digit}"),
        }
    }
}

/// The reason why a grid cannot be completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "serde", serde(untagged))]
pub enum Contradiction {
    /// A cell has no candidate.
    Cell {
        /// The cell.
        cell: Cell,
    },
    /// A digit has no place in a house.
    Digit {
        /// The digit.
        digit: u8,
        /// The house.
        house: House,
    },
}

impl fmt::Display for Contradiction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contradiction::Cell { cell } => write!(f, "no candidate is left for {cell}"),
            Contradiction::Digit { digit, house } => write!(f, "no place is left for {digit} in {house}"),
        }
    }
}

/// A grid with its candidates. Sets of digits are bits `0..9`.
#[derive(Clone)]
pub(super) struct Board {
    digits: [u8; CELLS],
    /// The candidates of cells without a digit; 0 for others.
    candidates: [u16; CELLS],
}

impl Board {
    /// The board of a puzzle without clashing clues.
    pub fn new(start: &Candidates) -> Board {
        let mut board = Board { digits: [0; CELLS], candidates: *start.cells() };
        for (cell, &digit) in (0..).zip(start.clues().cells()) {
            if digit != 0 {
                board.place(Cell(cell), digit);
            }
        }
        board
    }

    /// The candidates of a cell as bits; 0 if it has a digit.
    pub fn candidates(&self, cell: Cell) -> u16 {
        self.candidates[cell.0 as usize]
    }

    /// The cells of a house without a digit that may hold this one.
    pub fn places(&self, house: House, digit: u8) -> impl Iterator<Item = Cell> {
        let cells = HOUSE_CELLS[house.0 as usize].iter().map(|&cell| Cell(cell));
        cells.filter(move |&cell| self.candidates(cell) >> (digit - 1) & 1 == 1)
    }

    /// Puts a digit into a cell and takes it from the candidates of the peers.
    pub fn place(&mut self, Cell(cell): Cell, digit: u8) {
        let cell = cell as usize;
        self.digits[cell] = digit;
        self.candidates[cell] = 0;
        for peer in PEERS[cell] {
            self.candidates[peer as usize] &= !(1 << (digit - 1));
        }
    }

    /// The next single, a naked one if there is one.
    ///
    /// # Errors
    /// A cell without candidate, or else a digit without place in a house.
    pub fn next_single(&self) -> Result<Option<Single>, Contradiction> {
        let mut open = (0..CELLS as u8).map(Cell).filter(|cell| self.digits[cell.0 as usize] == 0);
        if let Some(cell) = open.clone().find(|&cell| self.candidates(cell) == 0) {
            return Err(Contradiction::Cell { cell });
        }
        if let Some((house, digit)) = self.lacking().find(|&(house, digit)| self.places(house, digit).count() == 0) {
            return Err(Contradiction::Digit { digit, house });
        }
        if let Some(cell) = open.find(|&cell| self.candidates(cell).is_power_of_two()) {
            let digit = self.candidates(cell).trailing_zeros() as u8 + 1;
            return Ok(Some(Single { cell, digit, house: None }));
        }
        Ok(self.lacking().find_map(|(house, digit)| {
            let mut places = self.places(house, digit);
            let cell = places.next()?;
            places.next().is_none().then_some(Single { cell, digit, house: Some(house) })
        }))
    }

    /// The digits that each house lacks.
    fn lacking(&self) -> impl Iterator<Item = (House, u8)> {
        (0..HOUSES as u8).map(House).flat_map(move |house| {
            let cells = &HOUSE_CELLS[house.0 as usize];
            let is_there = move |digit| cells.iter().any(|&cell| self.digits[cell as usize] == digit);
            (1..=9).filter(move |&digit| !is_there(digit)).map(move |digit| (house, digit))
        })
    }
}
