//! An independent checker of solutions.
//!
//! It shares no tables with any engine, nor those of [`grid`](crate::grid): nine digits, each once, in
//! what the rules call a row, a column and a box, and every clue where it was. Some 50 ns per grid, so
//! that a benchmark can afford to check all of its answers.

use crate::grid::{Candidates, Cell, House, Puzzle, Solution};

/// What is wrong with a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Flaw {
    /// A cell does not hold its clue.
    #[error("{cell} holds {digit}, but its clue is {clue}")]
    Clue {
        /// The first such cell.
        cell: Cell,
        /// What the puzzle has there.
        clue: u8,
        /// What the solution has there.
        digit: u8,
    },
    /// A cell holds what is no candidate of it.
    #[error("{cell} holds {digit}, which is no candidate")]
    Candidate {
        /// The first such cell.
        cell: Cell,
        /// What the solution has there.
        digit: u8,
    },
    /// A house lacks a digit, and so has another one twice.
    #[error("{house} lacks {digit}")]
    House {
        /// The first such house: rows, then columns, then boxes.
        house: House,
        /// The lowest digit that it lacks.
        digit: u8,
    },
}

/// Whether `solution` is a solution of a puzzle of which the candidates are given: cells with one are clues.
///
/// # Errors
/// The first [`Flaw`]; clues are looked at first, candidates last.
pub fn check_candidates(candidates: &Candidates, solution: &Solution) -> Result<(), Flaw> {
    check(&candidates.clues(), solution)?;
    let mut cells = (0..).zip(candidates.cells().iter().zip(solution.cells()));
    match cells.find(|(_, (set, digit))| **set & 1 << (**digit - 1) == 0) {
        Some((cell, (_, &digit))) => Err(Flaw::Candidate { cell: Cell(cell), digit }),
        None => Ok(()),
    }
}

/// A bit for each digit. To shift one takes longer.
const BITS: [u16; 16] = [0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 0, 0, 0, 0, 0, 0];

/// Whether `solution` is a solution of `puzzle`: it keeps the clues, and each house has all nine digits.
///
/// # Errors
/// The first [`Flaw`]; clues are looked at before houses.
pub fn check(puzzle: &Puzzle, solution: &Solution) -> Result<(), Flaw> {
    let (clues, digits) = (puzzle.cells(), solution.cells());
    let changed = |(&clue, &digit): (&u8, &u8)| clue != 0 && clue != digit;
    if clues.iter().zip(digits).fold(false, |any, pair| any | changed(pair)) {
        let cell = clues.iter().zip(digits).position(changed).expect("one was seen");
        return Err(Flaw::Clue { cell: Cell(cell as u8), clue: clues[cell], digit: digits[cell] });
    }

    // The digits of each row, column and box, as bits 1 to 9. Columns of a band at a time, which vectorise.
    let mut seen = [[0_u16; 9]; 3];
    let [rows, columns, boxes] = &mut seen;
    for (band, cells) in digits.as_chunks::<27>().0.iter().enumerate() {
        let mut three = [0_u16; 9];
        for (row, cells) in cells.as_chunks::<9>().0.iter().enumerate() {
            let bits = cells.map(|digit| BITS[usize::from(digit % 16)]);
            rows[3 * band + row] = bits.iter().fold(0, |all, bit| all | bit);
            three.iter_mut().zip(bits).for_each(|(all, bit)| *all |= bit);
        }
        columns.iter_mut().zip(three).for_each(|(all, bits)| *all |= bits);
        for (stack, bits) in three.as_chunks::<3>().0.iter().enumerate() {
            boxes[3 * band + stack] = bits[0] | bits[1] | bits[2];
        }
    }
    // Nine cells show nine digits only if each digit is there once.
    const ALL_NINE: u16 = 0b11_1111_1110;
    match seen.as_flattened().iter().position(|&digits| digits != ALL_NINE) {
        None => Ok(()),
        Some(house) => {
            let lacking = ALL_NINE & !seen.as_flattened()[house];
            Err(Flaw::House { house: House(house as u8), digit: lacking.trailing_zeros() as u8 })
        }
    }
}
