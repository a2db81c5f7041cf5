//! Candidates: a set of digits for each cell, as in pencilmark puzzles (Sukaku).

use std::fmt;
use std::str::FromStr;

use super::{CELLS, PEERS, Puzzle, PuzzleError};

/// The candidates of 81 cells in reading order. Bit `d - 1` of a cell stands for digit `d`.
///
/// A cell with one candidate is a clue. A cell may have none; the puzzle then has no solution.
///
/// Prints as and parses from 729 characters, nine for each cell: the digit itself if it is a candidate, and `.` (or
/// `0`, when parsing) if it is not.
///
/// ```
/// use rapidoku::{Candidates, Puzzle};
///
/// let mut cells = *Candidates::from(&Puzzle::EMPTY).cells();
/// cells[0] = 0b11; // 1 or 2
/// let candidates = Candidates::from_cells(cells).unwrap();
/// assert!(candidates.to_string().starts_with("12......."));
/// assert_eq!(candidates.to_string().parse(), Ok(candidates));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(transparent)]
pub struct Candidates(pub(crate) [u16; CELLS]);

impl Candidates {
    /// The set of all nine digits.
    pub const NINE: u16 = 0x1ff;

    /// Makes candidates from 81 sets in reading order. Returns `None` if a set has a bit outside
    /// [`Candidates::NINE`].
    pub fn from_cells(cells: [u16; CELLS]) -> Option<Candidates> {
        cells.iter().all(|&set| set <= Candidates::NINE).then_some(Candidates(cells))
    }

    /// The same for sets that are known to be sets of digits.
    #[doc(hidden)]
    pub const fn of_sets(cells: [u16; CELLS]) -> Candidates {
        Candidates(cells)
    }

    /// The 81 sets in reading order.
    pub const fn cells(&self) -> &[u16; CELLS] {
        &self.0
    }

    /// The puzzle that these candidates stand for, if every cell has one candidate or all nine.
    pub fn puzzle(&self) -> Option<Puzzle> {
        let is_plain = |&set: &u16| set == Candidates::NINE || set.count_ones() == 1;
        self.0.iter().all(is_plain).then(|| self.clues())
    }

    /// The cells with exactly one candidate, as a puzzle.
    pub fn clues(&self) -> Puzzle {
        // Cheaper than `count_ones` on machines without a popcount instruction.
        let digit = |set: u16| if set.is_power_of_two() { set.trailing_zeros() as u8 + 1 } else { 0 };
        Puzzle(self.0.map(digit))
    }

    /// Whether these are searched like a puzzle of clues: clues imply them, or a third of the cells have at least eight
    /// candidates.
    #[doc(hidden)]
    pub fn are_like_clues(&self) -> bool {
        let open = self.0.iter().filter(|set| set.count_ones() >= 8).count();
        open >= CELLS / 3 || self.are_of_clues()
    }

    /// Whether clues imply these candidates. Candidates that clash with a clue may be missing or not.
    fn are_of_clues(&self) -> bool {
        let clues = self.clues();
        (0..CELLS).filter(|&cell| clues.0[cell] == 0).all(|cell| {
            let digits = PEERS[cell].iter().map(|&peer| clues.0[peer as usize]).filter(|&digit| digit != 0);
            let excluded = digits.fold(0, |set, digit| set | 1 << (digit - 1));
            self.0[cell] | excluded == Candidates::NINE
        })
    }
}

/// One candidate in the cell of a clue, all nine in every other cell.
impl From<&Puzzle> for Candidates {
    fn from(puzzle: &Puzzle) -> Candidates {
        Candidates(puzzle.0.map(|digit| if digit == 0 { Candidates::NINE } else { 1 << (digit - 1) }))
    }
}

impl FromStr for Candidates {
    type Err = PuzzleError;

    fn from_str(text: &str) -> Result<Candidates, PuzzleError> {
        text.trim_ascii().as_bytes().try_into()
    }
}

impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |set: u16, digit: usize| if set >> digit & 1 == 1 { b'1' + digit as u8 } else { b'.' };
        let marks: [[u8; 9]; CELLS] = self.0.map(|set| std::array::from_fn(|digit| mark(set, digit)));
        f.write_str(str::from_utf8(marks.as_flattened()).expect("marks are ASCII"))
    }
}
