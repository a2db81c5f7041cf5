//! What all commands that read puzzles let the user say about them.

use clap::ValueEnum;
use rapidoku::file::{ColumnRef, Form, InputFormat};

/// How the inputs are laid out. All of it is told by content where nothing is said.
#[derive(clap::Args)]
#[command(next_help_heading = "Input layout")]
pub struct FormatArgs {
    /// Layout of the inputs: auto tells by content; lines have a puzzle first, csv and tsv in a column, grid
    /// in nine lines, pencilmarks in 729 characters (nine for each cell, digit d or . in place d).
    #[arg(long, value_enum, value_name = "FORM", default_value_t = InputForm::Auto)]
    input_format: InputForm,

    /// Column of the puzzles: a name of the header, or a number from 1.
    #[arg(long, value_name = "COLUMN")]
    column: Option<String>,

    /// Column of the solutions that go with them.
    #[arg(long, value_name = "COLUMN")]
    solution_column: Option<String>,

    /// The first line is a record, not a header.
    #[arg(long)]
    no_header: bool,

    /// Character between columns; `tab` for a tab.
    #[arg(long, value_name = "CHARACTER", value_parser = delimiter)]
    delimiter: Option<u8>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum InputForm {
    Auto,
    Lines,
    Csv,
    Tsv,
    Grid,
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
        };
        let mut format = InputFormat::default().form(form).no_header(self.no_header);
        format.delimiter = self.delimiter;
        format.column = column(&self.column);
        format.solution_column = column(&self.solution_column);
        format
    }
}

fn delimiter(text: &str) -> Result<u8, &'static str> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        &[byte] if byte.is_ascii_alphanumeric() || byte == b'"' || byte == b'.' => {
            Err("a character that may be part of a field")
        }
        &[byte] if byte.is_ascii() => Ok(byte),
        _ => Err("one ASCII character, or `tab`"),
    }
}
