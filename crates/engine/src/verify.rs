//! An independent checker of solutions.
//!
//! It shares no tables with the engines or with [`grid`](crate::grid): every row, column and box has to hold nine
//! different digits, and every clue has to be kept. It takes about 50 ns per grid, so that a benchmark can check all
//! outcomes.

use crate::grid::{Candidates, Cell, House, Puzzle, Solution};

/// The reason why a grid is not a solution of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Flaw {
    /// A cell does not hold its clue.
    #[error("{cell} holds {digit}, but its clue is {clue}")]
    Clue {
        /// The first such cell.
        cell: Cell,
        /// The clue.
        clue: u8,
        /// The digit in the solution.
        digit: u8,
    },
    /// A cell holds a digit that is not one of its candidates.
    #[error("{cell} holds {digit}, which is not a candidate")]
    Candidate {
        /// The first such cell.
        cell: Cell,
        /// The digit in the solution.
        digit: u8,
    },
    /// A house lacks a digit, so another digit occurs twice.
    #[error("{house} lacks {digit}")]
    House {
        /// The first such house: rows, then columns, then boxes.
        house: House,
        /// The lowest missing digit.
        digit: u8,
    },
}

/// Checks that `solution` is a solution of the puzzle with these candidates. A cell with one candidate is a clue.
///
/// # Errors
/// The first [`Flaw`]: clues are checked first, then houses, then candidates.
pub fn check_candidates(candidates: &Candidates, solution: &Solution) -> Result<(), Flaw> {
    check(&candidates.clues(), solution)?;
    let mut cells = (0..).zip(candidates.cells().iter().zip(solution.cells()));
    match cells.find(|(_, (set, digit))| **set & 1 << (**digit - 1) == 0) {
        Some((cell, (_, &digit))) => Err(Flaw::Candidate { cell: Cell(cell), digit }),
        None => Ok(()),
    }
}

/// A bit for each digit. A lookup is faster than a shift.
const BITS: [u16; 16] = [0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 0, 0, 0, 0, 0, 0];

/// Checks that `solution` is a solution of `puzzle`: it keeps the clues, and each house has all nine digits.
///
/// # Errors
/// The first [`Flaw`]: clues are checked before houses.
///
/// ```
/// use rapidoku::verify::{self, Flaw};
/// use rapidoku::{Puzzle, Solution};
///
/// let puzzle: Puzzle =
///     "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79".parse()?;
/// let solution: Solution =
///     "534678912672195348198342567859761423426853791713924856961537284287419635345286179".parse()?;
/// assert_eq!(verify::check(&puzzle, &solution), Ok(()));
/// let ones = Solution::from_cells([1; 81]).unwrap();
/// assert!(matches!(verify::check(&Puzzle::EMPTY, &ones), Err(Flaw::House { digit: 2, .. })));
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
pub fn check(puzzle: &Puzzle, solution: &Solution) -> Result<(), Flaw> {
    let (clues, digits) = (puzzle.cells(), solution.cells());
    let changed = |(&clue, &digit): (&u8, &u8)| clue != 0 && clue != digit;
    if clues.iter().zip(digits).fold(false, |any, pair| any | changed(pair)) {
        let cell = clues.iter().zip(digits).position(changed).expect("one was seen");
        return Err(Flaw::Clue { cell: Cell(cell as u8), clue: clues[cell], digit: digits[cell] });
    }

    // The digits of each row, column and box, as bits 1 to 9. The columns of a band together, so that LLVM uses
    // vectors.
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
