//! Stage 2, records: what the user says about the format of an input.

/// What the user says about the format of an input. By default a list of tests on its start decides.
///
/// ```
/// use rapidoku::file::{ColumnRef, InputFormat, InputOptions, Run};
///
/// let options = InputOptions {
///     format: InputFormat::Csv,
///     delimiter: Some(b';'),
///     column: Some(ColumnRef::from_argument("question")),
///     ..InputOptions::default()
/// };
/// let run = Run { input_options: options, ..Run::default() }.input("puzzles.csv");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputOptions {
    /// The format.
    pub format: InputFormat,
    /// The byte between fields; any but `"` and line ends.
    pub delimiter: Option<u8>,
    /// The column of the puzzles.
    pub column: Option<ColumnRef>,
    /// The column of the solutions.
    pub solution_column: Option<ColumnRef>,
    /// Whether the first line of CSV is a record instead of a header.
    pub no_header: bool,
    /// Whether zeros are put before 70 to 80 digits in lines and CSV. A program that takes the digits of a puzzle for a
    /// number drops zeros at its start.
    pub pads: bool,
    /// The number of a blank in arrays of NumPy; the digits 1 to 9 are the nine numbers after it. 0 by default.
    pub blank_number: Option<i8>,
}

/// A format of inputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputFormat {
    /// Chosen by a list of tests on the start of the input.
    #[default]
    Auto,
    /// A puzzle at the start of each line.
    Lines,
    /// A table with the puzzle in a column.
    Csv,
    /// A value of JSON in each line, or one array as the whole document.
    Json,
    /// Nine rows of nine cells for each puzzle.
    Grid,
    /// An array of NumPy with 81 numbers for each puzzle.
    Npy,
}

/// A reference to a column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnRef {
    /// An index from 0.
    Index(usize),
    /// A name in the header, in any case.
    Name(String),
}

impl ColumnRef {
    /// Interprets a command line argument: a number from 1, or a name.
    pub fn from_argument(text: &str) -> ColumnRef {
        match text.parse() {
            Ok(number @ 1usize..) => ColumnRef::Index(number - 1),
            _ => ColumnRef::Name(text.to_owned()),
        }
    }
}
