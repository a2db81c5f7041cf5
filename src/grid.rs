//! Vocabulary: puzzles, solutions, outcomes, and the tables of cells, houses and peers.
//!
//! | name | shape | meaning |
//! |---|---|---|
//! | cell | `0..81` | `9 * row + column`, from the top-left |
//! | digit | `1..=9` | `0` stands for a blank |
//! | house | `0..27` | rows `0..9`, columns `9..18`, boxes `18..27` (box `3 * band + stack`) |
//! | peer | 20 per cell | another cell of the same row, column or box |
//!
//! Nothing here depends on the rest of the crate. The lane engine derives its own layout and the
//! checker in [`verify`](crate::verify) its own houses; both are tested against these tables.

use std::fmt;
use std::str::FromStr;

/// Cells of a grid.
pub const CELLS: usize = 81;
/// Houses (units) of a grid: nine rows, nine columns, nine boxes.
pub const HOUSES: usize = 27;

/// The row `0..9` of a cell.
pub const fn row_of(cell: usize) -> usize {
    cell / 9
}

/// The column `0..9` of a cell.
pub const fn column_of(cell: usize) -> usize {
    cell % 9
}

/// The box `0..9` of a cell, numbered `3 * band + stack`.
pub const fn box_of(cell: usize) -> usize {
    cell / 27 * 3 + cell % 9 / 3
}

/// The cells of each house: rows, then columns, then boxes, each in reading order.
pub const HOUSE_CELLS: [[u8; 9]; HOUSES] = {
    let mut table = [[0; 9]; HOUSES];
    let mut house = 0;
    while house < 9 {
        let mut i = 0;
        while i < 9 {
            table[house][i] = (9 * house + i) as u8;
            table[9 + house][i] = (9 * i + house) as u8;
            let (top, left) = (house / 3 * 3, house % 3 * 3);
            table[18 + house][i] = (9 * (top + i / 3) + left + i % 3) as u8;
            i += 1;
        }
        house += 1;
    }
    table
};

/// The twenty peers of each cell, in ascending order.
pub const PEERS: [[u8; 20]; CELLS] = {
    let mut table = [[0; 20]; CELLS];
    let mut cell = 0;
    while cell < CELLS {
        let (mut other, mut n) = (0, 0);
        while other < CELLS {
            let sees = row_of(cell) == row_of(other)
                || column_of(cell) == column_of(other)
                || box_of(cell) == box_of(other);
            if other != cell && sees {
                table[cell][n] = other as u8;
                n += 1;
            }
            other += 1;
        }
        cell += 1;
    }
    table
};

/// A house, as people name it: `row 3`, `column 7`, `box 9`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct House(
    /// Index `0..27` into [`HOUSE_CELLS`].
    pub u8,
);

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = ["row", "column", "box"][self.0 as usize / 9];
        write!(f, "{kind} {}", self.0 % 9 + 1)
    }
}

/// A cell, as people name it: `r3c7`, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell(
    /// Index `0..81`, `9 * row + column`.
    pub u8,
);

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = self.0 as usize;
        write!(f, "r{}c{}", row_of(cell) + 1, column_of(cell) + 1)
    }
}

/// Why a record is not a puzzle. Columns are bytes of the line, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum Invalid {
    /// The record ends before its 81st cell.
    #[error("too short: {cells} cells instead of 81")]
    TooShort {
        /// Cells found.
        cells: u32,
    },
    /// Something other than a separator follows the 81st cell.
    #[error("too long: more than 81 cells")]
    TooLong,
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
    /// A quoted field does not end with its line.
    #[error("the quote in column {column} does not end in its line")]
    OpenQuote {
        /// Position in the line, from 1.
        column: u32,
    },
    /// A line of a 9-line grid has less or more than nine cells.
    #[error("row of {cells} cells instead of 9")]
    RowLength {
        /// Cells found.
        cells: u32,
    },
    /// A record of pencilmarks has less or more than 729 of them.
    #[error("{marks} pencilmarks instead of 729")]
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
    /// A blank in what should be a [`Solution`].
    #[error("no digit in {0}")]
    Blank(
        /// The first blank cell.
        Cell,
    ),
}

impl Invalid {
    /// The column of the line that is to blame, from 1, where there is one.
    pub fn column(&self) -> Option<u32> {
        match *self {
            Invalid::BadCharacter { column, .. }
            | Invalid::BadPencilmark { column, .. }
            | Invalid::OpenQuote { column } => Some(column),
            _ => None,
        }
    }

    /// The same trouble, found in a text that starts `offset` bytes into the line.
    pub(crate) fn moved(mut self, offset: usize) -> Invalid {
        if let Invalid::BadCharacter { column, .. } | Invalid::BadPencilmark { column, .. } = &mut self {
            *column += offset as u32;
        }
        self
    }
}

/// What is known of a puzzle after a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A solution was found and the search was told to stop there (limit 1): it may not be the only one.
    Solved,
    /// There is exactly one solution.
    Unique,
    /// There are at least two solutions.
    Multiple,
    /// There is no solution.
    None,
    /// The record is not a puzzle, or its clues clash.
    Invalid(Invalid),
    /// The cap on guesses ended the search before it had an answer.
    Limit,
}

/// [`Outcome`] without the reason of an invalid record: one byte, for arrays of millions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Status {
    /// See [`Outcome::Solved`].
    Solved,
    /// See [`Outcome::Unique`].
    Unique,
    /// See [`Outcome::Multiple`].
    Multiple,
    /// See [`Outcome::None`].
    None,
    /// See [`Outcome::Invalid`].
    Invalid,
    /// See [`Outcome::Limit`].
    Limit,
}

impl Status {
    /// All statuses, in the order of their discriminants.
    pub const ALL: [Status; 6] =
        [Status::Solved, Status::Unique, Status::Multiple, Status::None, Status::Invalid, Status::Limit];

    /// The word that stands for it in CSV and JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Solved => "solved",
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::Invalid => "invalid",
            Status::Limit => "limit",
        }
    }

    /// The outcome of `puzzle`, whose status this is: adds the reason where the puzzle is invalid.
    ///
    /// # Panics
    /// If the status is [`Status::Invalid`] although no clues of `puzzle` clash.
    pub fn outcome(self, puzzle: &Puzzle) -> Outcome {
        match self {
            Status::Solved => Outcome::Solved,
            Status::Unique => Outcome::Unique,
            Status::Multiple => Outcome::Multiple,
            Status::None => Outcome::None,
            Status::Invalid => Outcome::Invalid(puzzle.clash().expect("an invalid puzzle has a clash")),
            Status::Limit => Outcome::Limit,
        }
    }

    /// The status of a puzzle without clashing clues whose search came to its end: `found` solutions,
    /// `limit` asked for, and `capped` when the cap on guesses cut it short of both its limit and its end.
    pub const fn of_search(found: u64, limit: u64, capped: bool) -> Status {
        match found {
            _ if capped => Status::Limit,
            0 => Status::None,
            1 if limit == 1 => Status::Solved,
            1 => Status::Unique,
            _ => Status::Multiple,
        }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Outcome {
    /// The outcome without the reason.
    pub const fn status(&self) -> Status {
        match self {
            Outcome::Solved => Status::Solved,
            Outcome::Unique => Status::Unique,
            Outcome::Multiple => Status::Multiple,
            Outcome::None => Status::None,
            Outcome::Invalid(_) => Status::Invalid,
            Outcome::Limit => Status::Limit,
        }
    }
}

/// A grid of clues and blanks: 81 cells in reading order, each `0` (blank) or `1..=9`.
///
/// Prints as the 81-character line with `.` for blanks, and with `{:#}` as a framed 9x9 grid:
///
/// ```text
/// 5 3 . | . 7 . | . . .
/// 6 . . | 1 9 5 | . . .
/// . 9 8 | . . . | . 6 .
/// ------+-------+------
/// 8 . . | . 6 . | . . 3
/// ```
///
/// Parses from both, blanks being any of `.` `0` `-` `_` `*` `?` `x` `X`. A text of several lines is read
/// as a grid of nine lines of nine cells: spaces, tabs and `|` between cells do not count, nor do empty
/// lines and rules (lines of nothing but `-` `+` `=` `*` `|` and spaces). A line that may be either a
/// rule or nine blanks, like `---------`, is a rule if there are nine other lines of cells.
///
/// Clues may clash: that makes a puzzle [`Outcome::Invalid`], see [`Puzzle::clash`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Puzzle(pub(crate) [u8; CELLS]);

/// A finished grid: 81 cells in reading order, each `1..=9`. Parses from and prints like a [`Puzzle`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Solution([u8; CELLS]);

impl Puzzle {
    /// The grid without clues.
    pub const EMPTY: Puzzle = Puzzle([0; CELLS]);

    /// Stands for a record that is no puzzle, so that its place in a batch is kept: its clues clash,
    /// and every engine answers [`Status::Invalid`] without a search.
    pub const MALFORMED: Puzzle = {
        let mut cells = [0; CELLS];
        cells[0] = 1;
        cells[1] = 1;
        Puzzle(cells)
    };

    /// A puzzle from cells in reading order; `None` when one is above 9.
    pub fn from_cells(cells: [u8; CELLS]) -> Option<Puzzle> {
        cells.iter().all(|&d| d <= 9).then_some(Puzzle(cells))
    }

    /// The cells in reading order, `0` for a blank.
    pub const fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }

    /// How many cells are given.
    pub fn clues(&self) -> usize {
        self.0.iter().filter(|&&d| d != 0).count()
    }

    /// The first clash of two clues, if any: houses in order (rows, columns, boxes), cells in reading order.
    pub fn clash(&self) -> Option<Invalid> {
        for (house, cells) in HOUSE_CELLS.iter().enumerate() {
            let mut first = [None; 10];
            for &cell in cells {
                let digit = self.0[cell as usize];
                if digit == 0 {
                    continue;
                }
                if let Some(earlier) = first[digit as usize].replace(cell) {
                    let cells = [Cell(earlier), Cell(cell)];
                    return Some(Invalid::Clash { digit, house: House(house as u8), cells });
                }
            }
        }
        None
    }
}

/// What each cell may still hold: a puzzle in pencilmarks. Bit `d - 1` of a cell stands for digit `d`.
///
/// A cell with one candidate is a clue. A cell may have none, which leaves the puzzle without solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Candidates(pub(crate) [u16; CELLS]);

impl Candidates {
    /// All nine digits, a bit each.
    pub const NINE: u16 = 0x1ff;

    /// Candidates of cells in reading order; `None` when there is a bit above those of [`Candidates::NINE`].
    pub fn from_cells(cells: [u16; CELLS]) -> Option<Candidates> {
        cells.iter().all(|&set| set <= Candidates::NINE).then_some(Candidates(cells))
    }

    /// The cells in reading order, each a set of digits.
    pub const fn cells(&self) -> &[u16; CELLS] {
        &self.0
    }

    /// The puzzle whose clues say as much, if all other cells have nine candidates.
    pub fn puzzle(&self) -> Option<Puzzle> {
        let is_plain = |&set: &u16| set == Candidates::NINE || set.count_ones() == 1;
        self.0.iter().all(is_plain).then(|| self.clues())
    }

    /// The cells with one candidate.
    pub fn clues(&self) -> Puzzle {
        // Not every machine counts bits in one step.
        let digit = |set: u16| if set.is_power_of_two() { set.trailing_zeros() as u8 + 1 } else { 0 };
        Puzzle(self.0.map(digit))
    }
}

/// One candidate in the cell of a clue, all nine in the others.
impl From<&Puzzle> for Candidates {
    fn from(puzzle: &Puzzle) -> Candidates {
        Candidates(puzzle.0.map(|digit| if digit == 0 { Candidates::NINE } else { 1 << (digit - 1) }))
    }
}

/// As 729 characters: nine for each cell, the digit itself for a candidate and `.` for what is none.
impl fmt::Display for Candidates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = |set: u16, digit: usize| if set >> digit & 1 == 1 { b'1' + digit as u8 } else { b'.' };
        let marks: [[u8; 9]; CELLS] = self.0.map(|set| std::array::from_fn(|digit| mark(set, digit)));
        f.write_str(str::from_utf8(marks.as_flattened()).expect("marks are ASCII"))
    }
}

impl Solution {
    /// A solution from cells in reading order; `None` when one is not `1..=9`.
    ///
    /// Whether it is a *valid* grid is the business of [`verify`](crate::verify).
    pub fn from_cells(cells: [u8; CELLS]) -> Option<Solution> {
        cells.iter().all(|d| (1..=9).contains(d)).then_some(Solution(cells))
    }

    /// The cells in reading order.
    pub const fn cells(&self) -> &[u8; CELLS] {
        &self.0
    }
}

impl FromStr for Puzzle {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Puzzle, Invalid> {
        let text = text.trim_ascii();
        if text.contains('\n') { parse_grid(text) } else { crate::record::parse(text.as_bytes()) }
    }
}

impl FromStr for Solution {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Solution, Invalid> {
        let Puzzle(cells) = text.parse()?;
        match cells.iter().position(|&digit| digit == 0) {
            Some(blank) => Err(Invalid::Blank(Cell(blank as u8))),
            None => Ok(Solution(cells)),
        }
    }
}

/// Reads nine lines of nine cells. A line with fewer or more of them ends it with [`Invalid::TooShort`]
/// (counting the cells up to there) or [`Invalid::TooLong`].
fn parse_grid(text: &str) -> Result<Puzzle, Invalid> {
    let frame_only = |line: &str| line.bytes().all(|byte| b"-+=*| \t\r".contains(&byte));
    let nine_others = text.lines().filter(|line| !frame_only(line)).count() == 9;

    // The cells as one line, and the column in which each stood.
    let mut line_of_cells = Vec::with_capacity(CELLS);
    let mut columns = Vec::with_capacity(CELLS);
    for line in text.lines() {
        let cells = || line.bytes().enumerate().filter(|(_, byte)| !b" \t\r|".contains(byte));
        let count = cells().count();
        if frame_only(line) && (nine_others || count != 9 || line.contains(['+', '='])) {
            continue;
        }
        line_of_cells.extend(cells().map(|(_, byte)| byte));
        columns.extend(cells().map(|(column, _)| column as u32 + 1));
        if count < 9 {
            return Err(Invalid::TooShort { cells: line_of_cells.len() as u32 });
        }
        if count > 9 {
            return Err(Invalid::TooLong);
        }
    }
    crate::record::parse(&line_of_cells).map_err(|reason| match reason {
        Invalid::BadCharacter { column, byte } => {
            Invalid::BadCharacter { column: columns[column as usize - 1], byte }
        }
        other => other,
    })
}

impl fmt::Display for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cells(&self.0, f)
    }
}

impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_cells(&self.0, f)
    }
}

impl fmt::Debug for Puzzle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Puzzle({self})")
    }
}

impl fmt::Debug for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Solution({self})")
    }
}

fn write_cells(cells: &[u8; CELLS], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let symbols = cells.map(|digit| if digit == 0 { b'.' } else { b'0' + digit });
    if !f.alternate() {
        return f.write_str(str::from_utf8(&symbols).expect("cells are ASCII"));
    }
    for (row, line) in symbols.chunks_exact(9).enumerate() {
        if row == 3 || row == 6 {
            f.write_str("------+-------+------\n")?;
        }
        for (column, &symbol) in line.iter().enumerate() {
            let before = match column {
                0 => "",
                3 | 6 => " | ",
                _ => " ",
            };
            write!(f, "{before}{}", symbol as char)?;
        }
        if row < 8 {
            f.write_str("\n")?;
        }
    }
    Ok(())
}
