//! Arguments of the commands that select, reorder or divide records.

use clap::ValueEnum;
use rapidoku::file::{Format, Table};

use super::table::TableArgs;

/// The rows of a command that copies records.
#[derive(clap::Args)]
#[command(mut_arg("columns", |columns| columns.help(COLUMNS)))]
pub struct CopyArgs {
    /// Output format. The extension of the output does not select it.
    #[arg(long, value_enum, default_value_t = CopyForm::Text)]
    format: CopyForm,

    #[command(flatten)]
    table: TableArgs,
}

/// The help of `--columns`.
const COLUMNS: &str = "Columns of CSV and JSON lines, in this order: record, puzzle, clues, and the columns of an input table by name \
    (input.NAME if the name is one of the former)";

/// The help of `--output`.
pub const OUTPUT: &str = "Write to FILE instead of standard output. The file appears under its name only when it is complete. \
    It is compressed if the name ends in .gz or .zst";

#[derive(Clone, Copy, ValueEnum)]
enum CopyForm {
    /// The lines of the records, byte for byte, with the header of a table.
    Text,
    /// CSV with a header.
    Csv,
    /// One JSON object per line; also 'json' and 'ndjson'.
    #[value(aliases = ["json", "ndjson"])]
    Jsonl,
}

impl CopyArgs {
    /// The table of the rows.
    pub fn table(&self) -> anyhow::Result<Table> {
        let format = match self.format {
            CopyForm::Text => Format::Text,
            CopyForm::Csv => Format::Csv,
            CopyForm::Jsonl => Format::Jsonl,
        };
        Ok(self.table.unsolved_table(format, &[], &["puzzle"])?.copies_lines(true))
    }
}
