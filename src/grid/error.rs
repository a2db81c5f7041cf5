//! The reasons why a text is not a puzzle.

use super::{Cell, House};

/// The reason why a text is not a puzzle, or why a grid of clues is not a valid one.
///
/// Columns are byte positions in a line, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// The record ends before its 81st cell.
    #[error("too short: {} instead of 81", count(*cells, "cell"))]
    TooShort {
        /// Cells found.
        cells: u32,
    },
    /// Something other than a separator follows the 81st cell.
    #[error("too long: more than 81 cells")]
    TooLong,
    /// Digits alone, but a few less than 81: programs that take them for a number drop zeros at the start.
    #[error("{} instead of 81: zeros at the start may be lost", count(*cells, "digit"))]
    LostZeros {
        /// Digits found.
        cells: u32,
    },
    /// A number such as `1.5e+80`.
    #[error("a number such as 1.5e+80: a program took the puzzle for a number, and most digits are lost")]
    LostDigits,
    /// A complete grid where the puzzle should be, beside a field that may be the puzzle, or with a label of solutions.
    #[error("a complete grid: another field may be the puzzle, or a label calls it a solution")]
    CompleteGrid,
    /// A byte that is neither a digit nor a blank.
    #[error("bad character '{}' in column {column}", byte.escape_ascii())]
    BadCharacter {
        /// Position in the line, from 1.
        column: u32,
        /// The byte found there.
        byte: u8,
    },
    /// A row of fields has none where the puzzle should be.
    #[error("no field {field}: the row has {fields}")]
    MissingField {
        /// Which field it should be, from 1.
        field: u32,
        /// Fields of the row.
        fields: u32,
    },
    /// A quoted field has no end.
    #[error("the quote in column {column} is not closed")]
    OpenQuote {
        /// Position in the line, from 1.
        column: u32,
    },
    /// A line of JSON lines is not an object.
    #[error("not a JSON object: syntax error in column {column}")]
    NotJson {
        /// Position in the line, from 1.
        column: u32,
    },
    /// An object of JSON has no text where the puzzle should be.
    #[error("no member of the object is a puzzle")]
    MissingText,
    /// An element of XML has no attribute with the puzzle.
    #[error("no attribute 'data' with the puzzle")]
    MissingData,
    /// A field of a table with a column per cell is not a cell.
    #[error("field {field} is neither a digit nor a blank")]
    BadField {
        /// Which field it is, from 1.
        field: u32,
    },
    /// A line of a 9-line grid has less or more than nine cells.
    #[error("row of {} instead of 9", count(*cells, "cell"))]
    RowLength {
        /// Cells found.
        cells: u32,
    },
    /// A record of pencilmarks has less or more than 729 of them.
    #[error("{} instead of 729", count(*marks, "pencilmark"))]
    PencilmarkCount {
        /// Bytes found where they should be.
        marks: u32,
    },
    /// A byte in pencilmarks that is neither the digit of its place nor a blank.
    #[error("bad pencilmark '{}' in column {column}: {digit}, . or 0 should be there", byte.escape_ascii())]
    BadPencilmark {
        /// Position in the line, from 1.
        column: u32,
        /// The byte found there.
        byte: u8,
        /// The digit whose place it is.
        digit: u8,
    },
    /// A number in an array that is neither a digit nor a blank.
    #[error("number {number} in {cell}: neither a digit nor a blank")]
    BadNumber {
        /// The cell for which it stands.
        cell: Cell,
        /// The number; the largest one for a number beyond the range of `i64`.
        number: i64,
    },
    /// A number in an array that is not an integer.
    #[error("number in {0}: not an integer")]
    NotInteger(
        /// The cell for which it stands.
        Cell,
    ),
    /// A 0 in a record of an array that has -1 or NaN for blanks.
    #[error("number 0 in {0}: a blank like -1 or NaN in other cells, or a digit")]
    ZeroBesideBlanks(
        /// The first cell with a 0.
        Cell,
    ),
    /// A digit stands twice in one house.
    #[error("digit {digit} twice in {house}: {} and {}", cells[0], cells[1])]
    Clash {
        /// The digit, `1..=9`.
        digit: u8,
        /// The first house (rows, then columns, then boxes) that holds it twice.
        house: House,
        /// The first two cells of that house which hold it.
        cells: [Cell; 2],
    },
    /// A blank in what should be a [`Solution`](crate::Solution).
    #[error("no digit in {0}")]
    Blank(
        /// The first blank cell.
        Cell,
    ),
}

/// A number with its noun in singular or plural.
fn count(number: u32, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

impl PuzzleError {
    /// The column of the line that is to blame, from 1, where there is one.
    pub fn column(&self) -> Option<u32> {
        match *self {
            PuzzleError::BadCharacter { column, .. }
            | PuzzleError::BadPencilmark { column, .. }
            | PuzzleError::NotJson { column }
            | PuzzleError::OpenQuote { column } => Some(column),
            _ => None,
        }
    }

    #[cfg(feature = "file")]
    /// The same trouble, found in a text that starts `offset` bytes into the line.
    pub(crate) fn moved(mut self, offset: usize) -> PuzzleError {
        if let PuzzleError::BadCharacter { column, .. } | PuzzleError::BadPencilmark { column, .. } =
            &mut self
        {
            *column += offset as u32;
        }
        self
    }

    #[cfg(feature = "file")]
    /// The same trouble, found in a text that has a line which starts after `offset` bytes.
    pub(crate) fn moved_back(mut self, offset: usize) -> PuzzleError {
        if let PuzzleError::BadCharacter { column, .. }
        | PuzzleError::BadPencilmark { column, .. }
        | PuzzleError::OpenQuote { column } = &mut self
        {
            *column = column.saturating_sub(offset as u32);
        }
        self
    }
}
