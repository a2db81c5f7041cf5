//! Symmetries: changes of a grid that keep all rules of Sudoku.

use std::fmt;
use std::str::FromStr;

use super::random_symmetry::{Drawn, FIRST_DIGITS, LINE_ORDERS, MIDDLE_DIGITS, OTHER_DIGITS, Sequence};
use super::rng::SplitMix64;
use super::{CELLS, Candidates, Puzzle, Solution};

/// A symmetry: it maps rows, columns and boxes to rows, columns and boxes, and renames digits.
///
/// The cells can be moved in 2 × 6⁸ = 3,359,232 ways: a transposition, an order of the bands, of the rows in each band,
/// of the stacks and of the columns in each stack. The digits can be renamed in 9! ways.
///
/// Prints as and parses from the source of each row, the source of each column and the new name of each digit, with a
/// `t` in front if the grid is transposed first.
///
/// ```
/// use rapidoku::Puzzle;
/// use rapidoku::grid::Symmetry;
///
/// let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle: Puzzle = line.parse()?;
/// // Exchanges the first two rows and renames 5 to 3 and 3 to 5.
/// let symmetry: Symmetry = "r213456789c123456789d125436789".parse().unwrap();
/// let image = symmetry.puzzle(&puzzle);
/// assert!(image.to_string().starts_with("6..193...35..7...."));
/// assert_eq!(symmetry.inverse().puzzle(&image), puzzle);
/// assert_eq!(symmetry.then(&symmetry.inverse()), Symmetry::IDENTITY);
/// # Ok::<(), rapidoku::PuzzleError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symmetry {
    /// Whether rows and columns are exchanged first.
    is_transposed: bool,
    /// For each row of the image, its row in the grid, transposed or not.
    rows: [u8; 9],
    /// For each column of the image, its column in the grid, transposed or not.
    columns: [u8; 9],
    /// The new name of each digit; a blank, 0, stays 0.
    digits: [u8; 10],
}

/// A text is not a [`Symmetry`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not a symmetry: the form is r123456789c123456789d123456789, with a t in front for a transposition")]
#[non_exhaustive]
pub struct ParseSymmetryError;

impl Symmetry {
    /// The symmetry that changes nothing.
    pub const IDENTITY: Symmetry = Symmetry {
        is_transposed: false,
        rows: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        columns: [0, 1, 2, 3, 4, 5, 6, 7, 8],
        digits: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    };

    /// Makes a symmetry from its parts: whether the grid is transposed first; the source `0..9` of each row and of each
    /// column of the image; the new names of the digits 1 to 9.
    ///
    /// Returns `None` if `rows` or `columns` tears a band or a stack apart, or if one of the three is not a
    /// permutation.
    pub fn new(is_transposed: bool, rows: [u8; 9], columns: [u8; 9], digits: [u8; 9]) -> Option<Symmetry> {
        let keeps_chutes = |lines: &[u8; 9]| lines.chunks(3).all(|three| three.iter().all(|l| l / 3 == three[0] / 3));
        let below_nine = digits.map(|digit| digit.wrapping_sub(1));
        let is_valid = [&rows, &columns, &below_nine].into_iter().all(is_permutation)
            && keeps_chutes(&rows)
            && keeps_chutes(&columns);
        is_valid.then(|| Symmetry::from_parts(is_transposed, rows, columns, digits))
    }

    /// The same without a check, for parts that form a symmetry by construction.
    #[inline(always)]
    #[doc(hidden)]
    pub fn from_parts(is_transposed: bool, rows: [u8; 9], columns: [u8; 9], digits: [u8; 9]) -> Symmetry {
        let mut names = [0; 10];
        names[1..].copy_from_slice(&digits);
        Symmetry { is_transposed, rows, columns, digits: names }
    }

    /// A symmetry for each seed, drawn almost uniformly. The same on every machine and in every version.
    pub fn of_seed(seed: u64) -> Symmetry {
        let mut random = SplitMix64(seed);
        let is_transposed = random.below(2) == 1;
        // The place to which each line moves.
        let [rows, columns] = [(); 2].map(|()| {
            let order = random.shuffled([0, 1, 2]);
            let lines = order.map(|band| random.shuffled([0, 1, 2]).map(|line| 3 * band + line));
            <[u8; 9]>::try_from(lines.as_flattened()).expect("nine lines")
        });
        let digits = random.shuffled([1, 2, 3, 4, 5, 6, 7, 8, 9]);
        // Rows become columns after they have moved, but in `Symmetry` before.
        let [rows, columns] = if is_transposed { [columns, rows] } else { [rows, columns] };
        Symmetry::from_parts(is_transposed, inverse(&rows), inverse(&columns), digits)
    }

    /// Symmetry number `index` of the random sequence with this seed: each of the 2 × 6⁸ × 9! symmetries with the same
    /// probability, up to a factor of 1 ± 2⁻⁴². The same on every machine and in every version.
    ///
    /// ```
    /// use rapidoku::grid::Symmetry;
    ///
    /// assert_eq!(Symmetry::random(42, 7), Symmetry::random(42, 7));
    /// assert_ne!(Symmetry::random(42, 7), Symmetry::random(42, 8));
    /// ```
    pub fn random(seed: u64, index: u64) -> Symmetry {
        let Drawn { rows, columns, is_transposed, digits: [first, middle, other] } =
            Sequence::of_seed(seed).draw(index);
        let [rows, columns] = [rows, columns].map(|order| *LINE_ORDERS[order].first_chunk().expect("nine lines"));
        let digits = std::array::from_fn(|i| {
            let place = MIDDLE_DIGITS[middle][OTHER_DIGITS[other][i + 1] as usize];
            FIRST_DIGITS[first][place as usize]
        });
        Symmetry::from_parts(is_transposed, rows, columns, digits)
    }

    /// Whether rows and columns are exchanged before anything else.
    pub const fn is_transposed(&self) -> bool {
        self.is_transposed
    }

    /// For each row of the image, its row `0..9` in the grid, or in the transposed grid.
    pub const fn rows(&self) -> &[u8; 9] {
        &self.rows
    }

    /// For each column of the image, its column `0..9` in the grid, or in the transposed grid.
    pub const fn columns(&self) -> &[u8; 9] {
        &self.columns
    }

    /// The new name of each digit, by the old name; a blank, 0, stays 0.
    pub const fn digits(&self) -> &[u8; 10] {
        &self.digits
    }

    /// The image of a puzzle.
    pub fn puzzle(&self, puzzle: &Puzzle) -> Puzzle {
        Puzzle(self.image(&puzzle.0, |digit| self.digits[digit as usize]))
    }

    /// The image of a solution.
    pub fn solution(&self, solution: &Solution) -> Solution {
        let cells = self.image(solution.cells(), |digit| self.digits[digit as usize]);
        Solution::from_cells(cells).expect("a symmetry renames digits to digits")
    }

    /// The image of candidates.
    pub fn candidates(&self, candidates: &Candidates) -> Candidates {
        let rename = |set: u16| (1..=9).filter(|d| set >> (d - 1) & 1 == 1).map(|d| 1 << (self.digits[d] - 1)).sum();
        Candidates(self.image(&candidates.0, rename))
    }

    /// The image of 81 cells as text: digits are renamed, other characters are kept.
    pub fn text(&self, cells: &[u8; CELLS]) -> [u8; CELLS] {
        let mut names: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        for digit in 1..10 {
            names[b'0' as usize + digit] = b'0' + self.digits[digit];
        }
        self.image(cells, |byte| names[byte as usize])
    }

    /// The symmetry that undoes this one.
    pub fn inverse(&self) -> Symmetry {
        let [rows, columns] = [inverse(&self.rows), inverse(&self.columns)];
        let mut digits = [0; 10];
        for (digit, &name) in self.digits.iter().enumerate() {
            digits[name as usize] = digit as u8;
        }
        let [rows, columns] = if self.is_transposed { [columns, rows] } else { [rows, columns] };
        Symmetry { is_transposed: self.is_transposed, rows, columns, digits }
    }

    /// This symmetry and then the next one, as one symmetry.
    pub fn then(&self, next: &Symmetry) -> Symmetry {
        let [rows, columns] =
            if next.is_transposed { [&self.columns, &self.rows] } else { [&self.rows, &self.columns] };
        Symmetry {
            is_transposed: self.is_transposed != next.is_transposed,
            rows: next.rows.map(|row| rows[row as usize]),
            columns: next.columns.map(|column| columns[column as usize]),
            digits: self.digits.map(|digit| next.digits[digit as usize]),
        }
    }

    #[inline(always)]
    fn image<T: Copy + Default>(&self, cells: &[T; CELLS], rename: impl Fn(T) -> T) -> [T; CELLS] {
        // The distance in the grid between rows, and between columns, of the image.
        let (down, right) = if self.is_transposed { (1, 9) } else { (9, 1) };
        let mut image = [T::default(); CELLS];
        for (line, &row) in image.as_chunks_mut::<9>().0.iter_mut().zip(&self.rows) {
            for (cell, &column) in line.iter_mut().zip(&self.columns) {
                *cell = rename(cells[down * row as usize + right * column as usize]);
            }
        }
        image
    }
}

fn is_permutation(places: &[u8; 9]) -> bool {
    places.iter().all(|&place| place < 9) && places.iter().fold(0, |set, place| set | 1 << place) == 0x1ffu16
}

fn inverse(places: &[u8; 9]) -> [u8; 9] {
    let mut inverse = [0; 9];
    for (from, &to) in (0..).zip(places) {
        inverse[to as usize] = from;
    }
    inverse
}

/// [`Symmetry::IDENTITY`].
impl Default for Symmetry {
    fn default() -> Symmetry {
        Symmetry::IDENTITY
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = *b"tr123456789c123456789d123456789";
        for i in 0..9 {
            text[2 + i] = b'1' + self.rows[i];
            text[12 + i] = b'1' + self.columns[i];
            text[22 + i] = b'0' + self.digits[1 + i];
        }
        let text = if self.is_transposed { &text[..] } else { &text[1..] };
        f.pad(str::from_utf8(text).expect("digits are ASCII"))
    }
}

impl FromStr for Symmetry {
    type Err = ParseSymmetryError;

    fn from_str(text: &str) -> Result<Symmetry, ParseSymmetryError> {
        let text = text.as_bytes();
        let (is_transposed, text) = match text.strip_prefix(b"t") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let text: &[u8; 30] = text.try_into().map_err(|_| ParseSymmetryError)?;
        let (parts, _) = text.as_chunks::<10>();
        let mut places = [[0; 9]; 3];
        for ((part, name), places) in parts.iter().zip(b"rcd").zip(&mut places) {
            if part[0] != *name {
                return Err(ParseSymmetryError);
            }
            for (place, digit) in places.iter_mut().zip(&part[1..]) {
                *place = digit.wrapping_sub(b'1');
            }
        }
        let [rows, columns, digits] = places;
        let digits = digits.map(|digit| digit.wrapping_add(1));
        Symmetry::new(is_transposed, rows, columns, digits).ok_or(ParseSymmetryError)
    }
}
