//! Arguments of commands that write a text or a row for each record, or copy records.

use rapidoku::file::{Stats, Table};
use rapidoku_jobs::rows::{Columns, Rows};
use rapidoku_jobs::solver::LimitedSolver;

use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};

/// The arguments of these commands.
#[derive(clap::Args)]
pub struct RowArgs {
    #[command(flatten)]
    pub table: TableArgs,

    #[command(flatten)]
    pub search: SearchArgs,

    #[command(flatten)]
    pub run: RunArgs,
}

impl RowArgs {
    /// The format of the rows, one of those that the command writes. See [`TableArgs::choose_format`].
    pub fn choose_format(&self, written: &[OutputFormat]) -> anyhow::Result<OutputFormat> {
        self.table.choose_format(self.run.output.path(), written)
    }

    /// The table of a command that writes its findings, in these columns by default, or copies some records.
    pub fn table_or_copies(
        &self,
        is_filter: bool,
        computed: &'static [&'static str],
        defaults: &[&str],
    ) -> anyhow::Result<Table> {
        if !is_filter {
            return self.table.table(self.choose_format(OutputFormat::ROWS)?.format(), computed, defaults);
        }
        let table = self.table.table(self.choose_format(OutputFormat::GRIDS)?.format(), computed, &[])?;
        Ok(self.table.copies(table))
    }

    /// Writes the rows of `columns`, with the columns `defaults` unless others are chosen.
    pub fn write(
        &self,
        written: &[OutputFormat],
        defaults: &[&str],
        solver: LimitedSolver,
        columns: &dyn Columns,
        work: Work,
    ) -> anyhow::Result<Stats> {
        let table = self.table.table(self.choose_format(written)?.format(), columns.names(), defaults)?;
        self.run.run(&Task { work, ..Task::solving(solver) }, &Rows::new(Some(solver), table, columns))
    }
}

/// The arguments of commands that select, reorder or divide records, and copy them without solving.
#[derive(clap::Args)]
#[command(
    mut_arg("format", |format| format.help(FORMAT).value_parser(output::parser(OutputFormat::GRIDS))),
    mut_arg("columns", |columns| columns.help(COLUMNS))
)]
pub struct CopyArgs {
    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    pub run: RunArgs,
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
    pub fn format(&self) -> anyhow::Result<OutputFormat> {
        self.table.choose_format(self.run.output.path(), OutputFormat::GRIDS)
    }

    /// The table of the rows.
    pub fn table(&self) -> anyhow::Result<Table> {
        Ok(self.table.copies(self.table.unsolved(self.table.table(self.format()?.format(), &[], &[])?)?))
    }
}
