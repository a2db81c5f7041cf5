//! Symmetries: changes of a grid that keep all rules of Sudoku.

use super::{CELLS, Candidates, Puzzle};

/// A symmetry: it moves cells such that houses stay houses, and renames digits.
///
/// The cells can be moved in 2 × 6⁸ ways: a transposition, an order of the bands, of the rows in each band, of the stacks
/// and of the columns in each stack.
#[derive(Clone, Debug)]
pub(crate) struct Symmetry {
    /// The place to which each cell moves.
    cells: [u8; CELLS],
    /// The new name of each digit; a blank, 0, stays 0.
    digits: [u8; 10],
}

impl Symmetry {
    /// A symmetry for each seed, drawn almost uniformly.
    pub fn of_seed(seed: u64) -> Symmetry {
        let mut random = SplitMix64(seed);
        let is_transposed = random.below(2) == 1;
        let [rows, columns] = [(); 2].map(|()| {
            let order = random.shuffled([0, 1, 2]);
            let lines = order.map(|band| random.shuffled([0, 1, 2]).map(|line| 3 * band + line));
            <[u8; 9]>::try_from(lines.as_flattened()).expect("nine lines")
        });
        let names = random.shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        let mut digits = [0; 10];
        digits[1..].copy_from_slice(&names);
        let cells = std::array::from_fn(|cell| {
            let (row, column) = (rows[cell / 9], columns[cell % 9]);
            if is_transposed { 9 * column + row } else { 9 * row + column }
        });
        Symmetry { cells, digits }
    }

    /// Applies the symmetry to a puzzle whose cells are 0 to 9.
    pub fn puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        let mut moved = Puzzle::EMPTY;
        for (&digit, &to) in puzzle.0.iter().zip(&self.cells) {
            moved.0[to as usize] = self.digits[digit as usize];
        }
        moved
    }

    /// Applies the symmetry to candidates.
    pub fn candidates(&self, candidates: &Candidates) -> Candidates {
        let mut moved = Candidates([0; CELLS]);
        for (&set, &to) in candidates.0.iter().zip(&self.cells) {
            moved.0[to as usize] =
                (1..=9).filter(|d| set >> (d - 1) & 1 == 1).map(|d| 1 << (self.digits[d] - 1)).sum();
        }
        moved
    }

    /// Undoes the symmetry for a row of digits, each of them plus `zero`.
    pub fn undo(&self, row: &mut [u8; CELLS], zero: u8) {
        let mut names = [0; 10];
        for (digit, &name) in self.digits.iter().enumerate() {
            names[name as usize] = digit as u8;
        }
        *row = std::array::from_fn(|cell| names[(row[self.cells[cell] as usize] - zero) as usize] + zero);
    }
}

/// A generator of random numbers: SplitMix64 by Guy Steele, Doug Lea and Christine Flood (2014).
pub(crate) struct SplitMix64(pub u64);

impl SplitMix64 {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// A number below `n`. The bias for a small `n` is below 2⁻⁶⁰.
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn shuffled<const N: usize>(&mut self, mut items: [u8; N]) -> [u8; N] {
        for i in (1..N).rev() {
            items.swap(i, self.below(i as u64 + 1) as usize);
        }
        items
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::grid::{HOUSE_CELLS, HOUSES};

    #[test]
    fn houses_stay_houses_and_digits_stay_different() {
        let houses: HashSet<Vec<u8>> = HOUSE_CELLS.iter().map(|house| house.to_vec()).collect();
        let mut seen = HashSet::new();
        for seed in 0..200 {
            let symmetry = Symmetry::of_seed(seed);
            for house in HOUSE_CELLS {
                let mut moved = house.map(|cell| symmetry.cells[cell as usize]).to_vec();
                moved.sort();
                assert!(houses.contains(&moved), "{symmetry:?}");
            }
            let digits: HashSet<u8> = symmetry.digits[1..].iter().copied().collect();
            assert_eq!((digits, symmetry.digits[0]), ((1..=9).collect(), 0));
            seen.insert((symmetry.cells, symmetry.digits));
        }
        assert_eq!((houses.len(), seen.len()), (HOUSES, 200));
    }

    #[test]
    fn candidates_move_with_their_clues_and_back() {
        let puzzle: Puzzle =
            "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
                .parse()
                .unwrap();
        for seed in 0..50 {
            let symmetry = Symmetry::of_seed(seed);
            let moved = symmetry.puzzle(&puzzle);
            assert_ne!(moved, puzzle);
            assert_eq!(symmetry.candidates(&Candidates::from(&puzzle)), Candidates::from(&moved));
            for zero in [0, b'0'] {
                let mut row = moved.cells().map(|digit| digit + zero);
                symmetry.undo(&mut row, zero);
                assert_eq!(row, puzzle.cells().map(|digit| digit + zero));
            }
        }
    }
}
