//! Arguments that describe the format of the inputs.

use clap::{ValueEnum, ValueHint};
use rapidoku::file::{ColumnRef, Form, InputFormat};

/// The format of the inputs. Whatever is not given is detected from the content.
#[derive(clap::Args)]
#[command(next_help_heading = "Input format")]
pub struct FormatArgs {
    /// Format of the inputs.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = InputForm::Auto)]
    input_format: InputForm,

    /// Column of the puzzles: a name from the header, or a number starting at 1.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other)]
    column: Option<String>,

    /// Column of the solutions that belong to the puzzles.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other)]
    solution_column: Option<String>,

    /// Treat the first line as a record, not as a header.
    #[arg(long)]
    no_header: bool,

    /// Put zeros before fields of 70 to 80 digits: a program that took puzzles for numbers dropped them.
    #[arg(long)]
    pad: bool,

    /// Character between columns; 'tab' for a tab.
    #[arg(long, value_name = "CHARACTER", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Number of a blank in NumPy arrays; the digits 1 to 9 are the nine numbers after it [default: 0, or else -1 or NaN].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    blank_number: Option<i8>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InputForm {
    /// Detect the format from the content.
    Auto,
    /// One puzzle at the start of each line.
    Lines,
    /// A table with the puzzle in a column.
    Csv,
    /// A table with tabs between the columns.
    Tsv,
    /// Nine lines of nine cells for each puzzle.
    Grid,
    /// An object of JSON in each line, with the puzzle in a member; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
    /// Pencilmarks as nine lines of nine lists of candidates (.sdx, Simple Sudoku, HoDoKu).
    Candidates,
    /// OpenSudoku XML; also 'xml'.
    #[value(name = "opensudoku", alias = "xml")]
    OpenSudoku,
    /// A NumPy array with 81 numbers, or a string, for each puzzle: shape (N, 81), (N, 9, 9) or (N,).
    Npy,
    /// 729 characters for each puzzle, nine per cell: character d is the digit d if it is a candidate, else '.' or 0.
    Pencilmarks,
}

impl FormatArgs {
    pub fn format(&self) -> InputFormat {
        let column = |text: &Option<String>| text.as_deref().map(ColumnRef::from_argument);
        let form = match self.input_format {
            InputForm::Auto => Form::Auto,
            InputForm::Lines => Form::Lines,
            InputForm::Csv => Form::Csv,
            InputForm::Tsv => Form::Tsv,
            InputForm::Grid => Form::Grids,
            InputForm::Pencilmarks => Form::Pencilmarks,
            InputForm::Jsonl => Form::Jsonl,
            InputForm::Npy => Form::Npy,
            InputForm::Candidates => Form::Candidates,
            InputForm::OpenSudoku => Form::OpenSudoku,
        };
        let mut format = InputFormat::default().form(form).no_header(self.no_header).pads(self.pad);
        format.delimiter = self.delimiter;
        format.blank_number = self.blank_number;
        format.column = column(&self.column);
        format.solution_column = column(&self.solution_column);
        format
    }
}

fn parse_delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii_alphanumeric() || byte == b'"' || byte == b'.' => {
            Err("this character may occur inside a field")
        }
        &[byte] if byte.is_ascii() => Ok(byte),
        _ => Err("expected one ASCII character, or 'tab'"),
    }
}
