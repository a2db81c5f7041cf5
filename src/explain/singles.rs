//! Naked and hidden singles on a grid with candidates, for proofs that there is no solution.

use std::fmt;

use crate::grid::{CELLS, Candidates, Cell, HOUSE_CELLS, HOUSES, House, PEERS, box_of, column_of, row_of};

/// All nine digits.
const ALL: u16 = 0x1FF;

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
    /// The digits placed in each house.
    placed: [u16; HOUSES],
}

/// Result of one pass over the candidates of all cells.
struct Scan {
    naked: Option<usize>,
    empty: Option<usize>,
    /// Digits with at least one place and with at least two places in each house.
    once: [u16; HOUSES],
    twice: [u16; HOUSES],
}

impl Board {
    /// The board of a puzzle without clashing clues.
    pub fn new(start: &Candidates) -> Board {
        let mut board = Board { digits: [0; CELLS], candidates: *start.cells(), placed: [0; HOUSES] };
        for (cell, &digit) in start.clues().cells().iter().enumerate() {
            if digit != 0 {
                board.place(Cell(cell as u8), digit);
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
        let (cell, bit) = (cell as usize, 1 << (digit - 1));
        self.digits[cell] = digit;
        self.candidates[cell] = 0;
        for peer in PEERS[cell] {
            self.candidates[peer as usize] &= !bit;
        }
        for house in houses_of(cell) {
            self.placed[house] |= bit;
        }
    }

    /// The next single, a naked one if there is one.
    ///
    /// # Errors
    /// A cell without candidate, or else a digit without place in a house.
    pub fn next_single(&self) -> Result<Option<Single>, Contradiction> {
        let scan = self.scan();
        if let Some(cell) = scan.empty {
            return Err(Contradiction::Cell { cell: Cell(cell as u8) });
        }
        for house in 0..HOUSES {
            let missing = ALL & !(scan.once[house] | self.placed[house]);
            if missing != 0 {
                let digit = missing.trailing_zeros() as u8 + 1;
                return Err(Contradiction::Digit { digit, house: House(house as u8) });
            }
        }
        if let Some(cell) = scan.naked {
            let digit = self.candidates[cell].trailing_zeros() as u8 + 1;
            return Ok(Some(Single { cell: Cell(cell as u8), digit, house: None }));
        }
        Ok((0..HOUSES).find_map(|house| {
            let bits = scan.once[house] & !scan.twice[house];
            let digit = bits.trailing_zeros() as u8 + 1;
            let house = House(house as u8);
            let cell = if bits == 0 { None } else { self.places(house, digit).next() }?;
            Some(Single { cell, digit, house: Some(house) })
        }))
    }

    fn scan(&self) -> Scan {
        let mut scan = Scan { naked: None, empty: None, once: [0; HOUSES], twice: [0; HOUSES] };
        for (cell, &candidates) in self.candidates.iter().enumerate() {
            if self.digits[cell] != 0 {
                continue;
            }
            if candidates & candidates.wrapping_sub(1) == 0 {
                let place = if candidates == 0 { &mut scan.empty } else { &mut scan.naked };
                place.get_or_insert(cell);
            }
            for house in houses_of(cell) {
                scan.twice[house] |= scan.once[house] & candidates;
                scan.once[house] |= candidates;
            }
        }
        scan
    }
}

/// The row, column and box of a cell.
fn houses_of(cell: usize) -> [usize; 3] {
    [row_of(cell), 9 + column_of(cell), 18 + box_of(cell)]
}
