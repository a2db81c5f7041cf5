//! Arguments that choose the columns of CSV and JSON lines.

use std::path::Path;

use anyhow::{bail, ensure};
use rapidoku::file::{Format, Table};

use super::output::{self, OutputFormat};

/// The columns of the output.
#[derive(clap::Args)]
pub struct TableArgs {
    /// Output format. By default, the extension of the output selects it, or else it is text.
    #[arg(long, value_name = "FORMAT", value_parser = output::parser(OutputFormat::ROWS))]
    pub format: Option<OutputFormat>,

    /// Columns of CSV and JSON lines, in this order, also those of an input table.
    ///
    /// They are record, puzzle, solution, status, solutions, guesses, clues, those of the command, and the columns of
    /// an input table by name (input.NAME if the name is one of the former). Of a NumPy array: puzzle, solution or
    /// both. Without a format, selects CSV.
    #[arg(long, value_name = "COLUMN,...", value_delimiter = ',')]
    columns: Option<Vec<String>>,

    /// Start each row with all columns of the input table.
    ///
    /// Several tables must have the same columns, in any order. An input that is not a table has the column 'puzzle',
    /// and the column 'note' if text follows its puzzles. Without a format, selects CSV.
    #[arg(long)]
    passthrough: bool,

    /// Character for blanks in the column 'puzzle', instead of the character in the input.
    #[arg(long, value_name = "CHARACTER", value_parser = [".", "0"], hide_short_help = true)]
    blank: Option<String>,
}

impl TableArgs {
    /// Whether the user chose the columns.
    pub fn has_columns(&self) -> bool {
        self.columns.is_some()
    }

    /// The given format, or else that of the extension of the output, or else CSV if columns are chosen, or else the
    /// first of those that the command writes.
    ///
    /// # Errors
    /// If the extension means another format than the given one, or one that is not written.
    pub fn choose_format(&self, output: Option<&Path>, written: &[OutputFormat]) -> anyhow::Result<OutputFormat> {
        let default = if self.is_table() { OutputFormat::Csv } else { written[0] };
        output::choose_format(self.format, output, written, default)
    }

    /// The character for blanks, for a format that has no columns.
    pub fn blank_alone(&self) -> anyhow::Result<Option<u8>> {
        ensure!(!self.is_table(), "--columns and --passthrough require --format csv or jsonl");
        Ok(self.blank.as_ref().map(|blank| blank.as_bytes()[0]))
    }

    /// Makes the rows of a table copies of the records: their lines, or all columns of the input unless others are
    /// chosen.
    pub fn copies(&self, table: Table) -> Table {
        let passthrough = table.passthrough || (self.columns.is_none() && table.format != Format::Text);
        table.passthrough(passthrough).copies_lines(true)
    }

    /// Whether columns are chosen or passed through.
    pub fn is_table(&self) -> bool {
        self.columns.is_some() || self.passthrough
    }

    /// The table of a command that computes some columns and writes the columns `defaults` unless others are chosen.
    pub fn table(&self, format: Format, computed: &'static [&'static str], defaults: &[&str]) -> anyhow::Result<Table> {
        let is_wrong = match format {
            Format::Text => self.is_table() || self.blank.is_some(),
            Format::Npy => self.passthrough || self.blank.is_some(),
            _ => false,
        };
        ensure!(!is_wrong, "--columns, --passthrough and --blank require --format csv or jsonl");
        let table = Table::with_computed(format, computed).passthrough(self.passthrough);
        let mut table = match &self.columns {
            Some(names) => table.column_names(names),
            // The puzzle is already among the columns of the input.
            None if self.passthrough => table.column_names(defaults.iter().filter(|name| **name != "puzzle")),
            None => table.column_names(defaults),
        };
        table.blank = self.blank.as_ref().map(|blank| blank.as_bytes()[0]);
        Ok(table)
    }

    /// The table of a command that does not solve: columns that need a solver are errors.
    pub fn unsolved(&self, table: Table) -> anyhow::Result<Table> {
        if self.is_table()
            && let Some(column) = table.columns.iter().find(|column| column.needs_solver())
        {
            let name = column.name();
            bail!(
                "column '{name}': this command does not solve puzzles; pass its output to 'rapidoku solve', or use \
                 'input.{name}' for the column of the input"
            );
        }
        Ok(table.without_solver())
    }
}
