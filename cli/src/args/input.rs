//! Arguments that describe the format of the inputs.

use clap::ValueHint;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use rapidoku::file::{ColumnRef, InputFormat, InputOptions};

/// The format of the inputs. Whatever is not given is detected from the content.
#[derive(clap::Args)]
#[command(next_help_heading = "Input format")]
pub struct FormatArgs {
    /// Format of the inputs, instead of detecting it.
    #[arg(long, value_name = "FORMAT", value_parser = format_parser(), default_value = "auto")]
    input_format: InputFormat,

    /// Column of the puzzles: a name from the header, or a number starting at 1.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other)]
    column: Option<String>,

    /// Column of the solutions that belong to the puzzles.
    #[arg(long, value_name = "COLUMN", value_hint = ValueHint::Other)]
    solution_column: Option<String>,

    /// Treat the first line as a record, not as a header.
    #[arg(long)]
    no_header: bool,

    /// Pad fields of 70 to 80 digits with leading zeros, which programs drop if they take puzzles for numbers.
    #[arg(long)]
    pad: bool,

    /// Character between columns; 'tab' for a tab.
    #[arg(long, value_name = "CHARACTER", value_parser = parse_delimiter)]
    delimiter: Option<u8>,

    /// Number of a blank in NumPy arrays; the digits 1 to 9 are the nine numbers after it [default: 0, or else -1 or NaN].
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    blank_number: Option<i8>,
}

impl FormatArgs {
    pub fn options(&self) -> InputOptions {
        let column = |text: &Option<String>| text.as_deref().map(ColumnRef::from_argument);
        let mut options =
            InputOptions::default().format(self.input_format).no_header(self.no_header).pads(self.pad);
        options.delimiter = self.delimiter;
        options.blank_number = self.blank_number;
        options.column = column(&self.column);
        options.solution_column = column(&self.solution_column);
        options
    }
}

fn format_parser() -> impl TypedValueParser<Value = InputFormat> {
    let value = |format: &InputFormat| {
        PossibleValue::new(format.name()).help(format.description()).aliases(format.aliases())
    };
    let is_named =
        |format: &InputFormat, name: &str| format.name() == name || format.aliases().contains(&name);
    PossibleValuesParser::new(InputFormat::ALL.iter().map(value)).map(move |name| {
        let format = InputFormat::ALL.iter().find(|format| is_named(format, &name));
        *format.expect("the parser accepts these names only")
    })
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
