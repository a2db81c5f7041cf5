//! Stage 2, records: what the user knows about the format of an input.

/// The number of bytes examined at the start of an input.
pub(in super::super) const SAMPLE: usize = 32 << 10;
/// The maximal number of lines examined.
pub(super) const SAMPLED_LINES: usize = 200;

/// What the user knows about the format of an input. The default recognises everything from the content.
///
/// ```
/// use rapidoku::file::{InputFormat, InputOptions, Run};
///
/// let options = InputOptions::default().format(InputFormat::Csv).delimiter(b';').column("question").solution_column("answer");
/// let run = Run::default().input("puzzles.csv").input_options(options);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputOptions {
    /// The format.
    pub format: InputFormat,
    /// The byte between fields; any but `"` and line ends.
    pub delimiter: Option<u8>,
    /// The column of the puzzles.
    pub column: Option<ColumnRef>,
    /// The column of the solutions.
    pub solution_column: Option<ColumnRef>,
    /// Whether the first line is a record instead of a header.
    pub no_header: bool,
    /// Whether zeros are put before fields with 70 to 80 digits and nothing else.
    pub pads: bool,
    /// The number of a blank in arrays of NumPy; the digits 1 to 9 are the nine numbers after it. By default 0, and -1 or NaN
    /// in records without 0.
    pub blank_number: Option<i8>,
}

impl InputOptions {
    /// Sets the format.
    pub fn format(mut self, format: InputFormat) -> InputOptions {
        self.format = format;
        self
    }

    /// Sets the byte between fields; any but `"` and line ends.
    pub fn delimiter(mut self, delimiter: u8) -> InputOptions {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets the column of the puzzles: a name, or an index from 0.
    pub fn column(mut self, column: impl Into<ColumnRef>) -> InputOptions {
        self.column = Some(column.into());
        self
    }

    /// Sets the column of the solutions: a name, or an index from 0.
    pub fn solution_column(mut self, column: impl Into<ColumnRef>) -> InputOptions {
        self.solution_column = Some(column.into());
        self
    }

    /// Sets whether zeros are put before fields with 70 to 80 digits and nothing else. A program that takes the digits of a puzzle
    /// for a number drops zeros at its start.
    pub fn pads(mut self, pads: bool) -> InputOptions {
        self.pads = pads;
        self
    }

    /// Sets whether the first line is a record instead of a header.
    pub fn no_header(mut self, no_header: bool) -> InputOptions {
        self.no_header = no_header;
        self
    }

    /// Sets the number of a blank in arrays of NumPy.
    pub fn blank_number(mut self, number: i8) -> InputOptions {
        self.blank_number = Some(number);
        self
    }
}

/// The list of [`InputFormat`]: each with its description, its name in options, and other names.
macro_rules! formats {
    ($(#[doc = $help:literal] $(#[$default:meta])? $format:ident: $name:literal $(| $alias:literal)*,)*) => {
        /// A format of inputs.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum InputFormat {
            $(#[doc = $help] $(#[$default])? $format,)*
        }

        impl InputFormat {
            /// All formats.
            pub const ALL: &[InputFormat] = &[$(InputFormat::$format,)*];

            /// The name in options of the program.
            pub fn name(self) -> &'static str {
                match self {
                    $(InputFormat::$format => $name,)*
                }
            }

            /// Other names.
            pub fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(InputFormat::$format => &[$($alias),*],)*
                }
            }

            /// A description without a full stop.
            pub fn description(self) -> &'static str {
                match self {
                    $(InputFormat::$format => $help.trim_ascii().trim_end_matches('.'),)*
                }
            }
        }
    };
}

formats! {
    /// Recognised from the content.
    #[default]
    Auto: "auto",
    /// A puzzle at the start of each line.
    Lines: "lines",
    /// A table with the puzzle in a column; separated by commas unless another delimiter is given or found.
    Csv: "csv",
    /// A table with tabs between the columns.
    Tsv: "tsv",
    /// Nine lines of nine cells for each puzzle.
    Grids: "grid",
    /// An object of JSON in each line, with the puzzle in a member; also 'json' and 'ndjson'.
    Jsonl: "jsonl" | "json" | "ndjson",
    /// Pencilmarks as nine lines of nine lists of candidates (.sdx, Simple Sudoku, HoDoKu).
    Candidates: "candidates",
    /// OpenSudoku XML, with a puzzle in each element 'game'; also 'xml'.
    OpenSudoku: "opensudoku" | "xml",
    /// A NumPy array with 81 numbers, or a string, for each puzzle: shape (N, 81), (N, 9, 9) or (N,).
    Npy: "npy",
    /// 729 characters for each puzzle, nine per cell: character d is the digit d if it is a candidate, else '.' or 0.
    Pencilmarks: "pencilmarks",
}

/// A reference to a column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnRef {
    /// An index from 0.
    Index(usize),
    /// A name in the header. If no name is equal, one that differs only in case is used.
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

/// An index from 0.
impl From<usize> for ColumnRef {
    fn from(index: usize) -> ColumnRef {
        ColumnRef::Index(index)
    }
}

/// A name.
impl From<&str> for ColumnRef {
    fn from(name: &str) -> ColumnRef {
        ColumnRef::Name(name.to_owned())
    }
}
