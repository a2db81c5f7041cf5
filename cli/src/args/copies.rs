//! Arguments of the commands that select, reorder or divide records.

use rapidoku::file::Table;

use super::output::{self, OutputFormat};
use super::table::TableArgs;

/// The rows of a command that copies records.
#[derive(clap::Args)]
#[command(mut_arg("columns", |columns| columns.help(COLUMNS)))]
pub struct CopyArgs {
    /// Output format. The extension of the output does not select it.
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = output::parser(OutputFormat::ROWS))]
    format: OutputFormat,

    #[command(flatten)]
    table: TableArgs,
}

/// The help of `--columns`.
const COLUMNS: &str = "Columns of CSV and JSON lines, in this order: record, puzzle, clues, and the columns of an input table by name \
    (input.NAME if the name is one of the former)";

/// The help of `--output`.
pub const OUTPUT: &str = "Write to FILE instead of standard output. The file appears under its name only when it is complete. \
    It is compressed if the name ends in .gz or .zst";

impl CopyArgs {
    /// The table of the rows.
    pub fn table(&self) -> anyhow::Result<Table> {
        Ok(self.table.unsolved_table(self.format.format(), &[], &["puzzle"])?.copies_lines(true))
    }
}
