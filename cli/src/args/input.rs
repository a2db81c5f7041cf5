//! Arguments that describe the format of the inputs.

use clap::ValueHint;
use clap::builder::{PossibleValue, TypedValueParser};
use rapidoku::file::{ColumnRef, InputFormat, InputOptions};

use super::named;

/// The format of the inputs.
#[derive(clap::Args)]
#[command(next_help_heading = "Input format")]
pub struct FormatArgs {
    /// Format of the inputs: lines, csv, json, grid or npy. Without it, the start of each input decides.
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = format_parser(), default_value = "auto")]
    input_format: InputFormat,

    /// Column of the puzzles: a name from the header, or a number from 1.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other)]
    column: Option<String>,

    /// Column of the solutions that belong to the puzzles.
    #[arg(long, hide_short_help = true, value_name = "COLUMN", value_hint = ValueHint::Other)]
    solution_column: Option<String>,

    /// Treat the first line of CSV as a record, not as a header; --column is a number then.
    #[arg(long, hide_short_help = true)]
    no_header: bool,

    /// Pad 70 to 80 digits in lines and CSV with leading zeros, which programs drop if they take puzzles for numbers.
    #[arg(long, hide_short_help = true)]
    pad: bool,

    /// Character between columns; 'tab' for a tab.
    #[arg(long, hide_short_help = true, value_name = "CHARACTER", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Number of a blank in NumPy arrays; the digits 1 to 9 are the nine numbers after it [default: 0].
    #[arg(long, hide_short_help = true, value_name = "NUMBER", allow_negative_numbers = true)]
    blank_number: Option<i8>,
}

impl FormatArgs {
    /// What the user declared about the inputs.
    pub fn options(&self) -> InputOptions {
        let column = |text: &Option<String>| text.as_deref().map(ColumnRef::from_argument);
        InputOptions {
            format: self.input_format,
            delimiter: self.delimiter,
            column: column(&self.column),
            solution_column: column(&self.solution_column),
            no_header: self.no_header,
            pads: self.pad,
            blank_number: self.blank_number,
        }
    }
}

/// The formats, with their names and descriptions.
const FORMATS: [(&str, InputFormat, &str); 6] = [
    ("auto", InputFormat::Auto, "Chosen by the start of the input"),
    ("lines", InputFormat::Lines, "A puzzle at the start of each line"),
    ("csv", InputFormat::Csv, "A puzzle in a column of each row"),
    ("json", InputFormat::Json, "A puzzle or an object in each line, or one array as the whole document"),
    ("grid", InputFormat::Grid, "Nine rows of nine cells for each puzzle"),
    ("npy", InputFormat::Npy, "A NumPy array with 81 numbers for each puzzle"),
];

fn format_parser() -> impl TypedValueParser<Value = InputFormat> {
    named(&FORMATS, |(name, _, help)| PossibleValue::new(name).help(help)).map(|(_, format, _)| format)
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
