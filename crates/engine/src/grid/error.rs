//! The reasons why a text is not a puzzle.

use super::{CELLS, Cell, House};

/// The reason why a text is not a puzzle, or why a grid of clues is not a valid one.
///
/// Columns are byte positions in a line, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum PuzzleError {
    /// There are fewer or more than 81 cells.
    #[error("{}", cell_count(*cells))]
    CellCount {
        /// The number of cells.
        cells: u32,
    },
    /// Digits alone, but a few less than 81: programs that take them for a number drop zeros at the start.
    #[error("{cells} digits instead of 81: zeros at the start may be lost")]
    LostZeros {
        /// The number of digits.
        cells: u32,
    },
    /// A byte that is neither a digit nor a blank.
    #[error("bad character '{}' in column {column}", byte.escape_ascii())]
    BadCharacter {
        /// Position in the line, from 1.
        column: u32,
        /// The byte found there.
        byte: u8,
    },
    /// `0` beside another blank.
    #[error("0 beside another blank: the digits may be 0 to 8")]
    MixedBlanks,
    /// A complete grid beside a puzzle with blanks, of which it may be the solution.
    #[error("a complete grid beside a puzzle with blanks")]
    CompleteGrid,
    /// 81 or more cells in the note of a line that are not its solution: lines that were joined, or a solution before
    /// the puzzle.
    #[error("another puzzle in the line")]
    JoinedLines,
    /// A row of a table has fewer or more fields than the first one, or does not reach the column.
    #[error("{} instead of {expected}", count(*fields, "field"))]
    FieldCount {
        /// The number of fields.
        fields: u32,
        /// The number of fields of the first row.
        expected: u32,
    },
    /// A quote that is not closed or is closed before the end of the field, or quotes around line breaks and a puzzle.
    #[error("wrong quotes")]
    WrongQuotes,
    /// A line is not JSON, or has a member twice.
    #[error("not JSON, or a member twice: column {column}")]
    NotJson {
        /// Position in the line, from 1.
        column: u32,
    },
    /// An object of JSON lacks the member with the puzzle.
    #[error("the object has no member with the puzzle")]
    MissingMember,
    /// A value of JSON that is neither a string nor an array of 81 integers from 0 to 9, or of nine arrays of nine.
    #[error("neither a string nor an array of 81 integers from 0 to 9")]
    NotCells,
    /// A grid has fewer or more than nine rows.
    #[error("{} instead of 9", count(*rows, "row"))]
    RowCount {
        /// The number of rows.
        rows: u32,
    },
    /// A row of a grid has fewer or more than nine cells, or other characters.
    #[error("row {line} of the grid does not have nine cells")]
    BrokenRow {
        /// Which row, from 1.
        line: u32,
    },
    /// In pencilmarks, a digit in the place of another one.
    #[error("bad pencilmark '{}' in column {column}: {digit} or a blank should be there", byte.escape_ascii())]
    BadPencilmark {
        /// Position in the line, from 1.
        column: u32,
        /// The byte found there.
        byte: u8,
        /// The digit whose place it is.
        digit: u8,
    },
    /// A number in an array that is neither a digit nor a blank.
    #[error("the number in {0} is neither a digit nor a blank")]
    BadNumber(
        /// The cell for which it stands.
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
    /// A blank in what should be a [`Solution`](crate::grid::Solution).
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

fn cell_count(cells: u32) -> String {
    let length = if cells < CELLS as u32 { "short" } else { "long" };
    format!("too {length}: {} instead of 81", count(cells, "cell"))
}

impl PuzzleError {
    /// The column of the line that is to blame, from 1, where there is one.
    pub fn column(&self) -> Option<u32> {
        match *self {
            PuzzleError::BadCharacter { column, .. }
            | PuzzleError::BadPencilmark { column, .. }
            | PuzzleError::NotJson { column } => Some(column),
            _ => None,
        }
    }

    /// The same error in a text that starts `offset` bytes into the line.
    #[doc(hidden)]
    pub fn moved(mut self, offset: usize) -> PuzzleError {
        if let PuzzleError::BadCharacter { column, .. } | PuzzleError::BadPencilmark { column, .. } = &mut self {
            *column += offset as u32;
        }
        self
    }
}
