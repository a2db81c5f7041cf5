//! Arguments of the commands that select, reorder or divide records.

use std::path::Path;

use rapidoku::file::{Format, Table};

use super::output::{self, OutputFormat};
use super::table::TableArgs;

/// The rows of a command that copies records without solving them.
#[derive(clap::Args)]
#[command(
    mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(OutputFormat::GRIDS))),
    mut_arg("columns", |columns| columns.help(COLUMNS))
)]
pub struct CopyArgs {
    #[command(flatten)]
    table: TableArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Output format. By default, the extension of the output selects it, or else it is text: the records as they are. \
    Records of a CSV file are also copied as they are to CSV, and JSON lines to JSON lines";

/// The help of `--columns`.
const COLUMNS: &str = "Columns of CSV and JSON lines, in this order, instead of all columns of the input: record, puzzle, clues, \
    and the columns of an input table by name (input.NAME if the name is one of the former). Of a NumPy array: puzzle. Without a \
    format, selects CSV";

impl CopyArgs {
    /// The format of the rows, see [`TableArgs::choose_format`].
    pub fn format(&self, output: Option<&Path>) -> anyhow::Result<OutputFormat> {
        self.table.choose_format(output, OutputFormat::GRIDS)
    }

    /// The table of the rows.
    pub fn table(&self, output: Option<&Path>) -> anyhow::Result<Table> {
        let format = self.format(output)?.format();
        Ok(copies(&self.table, self.table.unsolved_table(format, &[], &[])?))
    }
}

/// Makes the rows of a table copies of the records: their lines, or all columns of the input unless others are chosen.
pub fn copies(args: &TableArgs, table: Table) -> Table {
    if args.has_columns() || table.format == Format::Text {
        return table.copies_lines(true);
    }
    table.passthrough(true).copies_lines(true)
}
