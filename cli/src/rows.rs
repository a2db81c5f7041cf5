//! Commands that write a text or a row for each record: their arguments, and their job. Commands that copy records.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::{BatchSolver, BatchView, Error, Format, InputStart, Job, Needs, RowSink, Stats, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{CancelToken, Cancelled, Outcomes, SimdLevel};

use crate::args::output::{self, OutputFormat};
use crate::args::solver::SearchArgs;
use crate::args::table::TableArgs;
use crate::progress::Work;
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

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

    /// Writes the rows of `columns`, with these columns by default.
    pub fn write<C: Columns>(
        &self,
        written: &[OutputFormat],
        defaults: &[&str],
        solver: LimitedSolver,
        columns: C,
        work: Work,
    ) -> anyhow::Result<Stats> {
        let table = self.table.table(self.choose_format(written)?.format(), C::NAMES, defaults)?;
        self.run.run(&Task { work, ..Task::solving(solver) }, &Rows::new(Some(solver), table, columns))
    }
}

/// What a command finds out about records, beside their outcomes.
pub trait Columns: Sync {
    /// The names of the columns that have it.
    const NAMES: &'static [&'static str];

    /// Why pencilmarks are not accepted.
    const CLUES_ONLY: Option<&'static str> = None;

    /// What is known of the records of a batch.
    type Found;

    /// What the job needs, if its rows have the columns of `table`.
    fn needs(&self, _table: &Table) -> Needs<'static> {
        Needs::default()
    }

    /// An error if the input lacks something.
    fn accept(&self, _input: &InputStart) -> Result<(), Error> {
        Ok(())
    }

    /// Called while solutions are found, with the number of new ones.
    fn add_solutions(&self, _more: u64) {}

    /// Finds out what the columns of `table` need. May change statuses.
    fn find(&self, table: &Table, batch: &BatchView, outcomes: &mut Outcomes) -> Result<Self::Found, Cancelled>;

    /// Whether record `k` has a row.
    fn is_kept(&self, _found: &Self::Found, _outcomes: &Outcomes, _k: usize) -> bool {
        true
    }

    /// Appends the text of record `k`, without a line feed.
    fn text(&self, found: &Self::Found, outcomes: &Outcomes, k: usize, text: &mut Vec<u8>);

    /// Replaces the values of record `k`, all missing before, in the order of [`Columns::NAMES`]. They are not searched
    /// by name, because that takes a tenth of the time that `rate` needs for easy puzzles.
    fn set<'v>(&self, table: &Table, found: &'v Self::Found, outcomes: &Outcomes, k: usize, values: &mut [Value<'v>]);
}

/// The job of a command.
pub struct Rows<C> {
    solver: Option<LimitedSolver>,
    table: Table,
    columns: C,
    /// The number of rows.
    pub kept: AtomicU64,
}

impl<C> Rows<C> {
    pub fn new(solver: Option<LimitedSolver>, table: Table, columns: C) -> Rows<C> {
        Rows { solver, table, columns, kept: AtomicU64::new(0) }
    }
}

impl<C: Columns> Job for Rows<C> {
    fn needs(&self) -> Needs<'_> {
        self.columns.needs(&self.table)
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        self.columns.accept(input)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        self.solver.as_ref().map(|_| self as &dyn BatchSolver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        // The run knows whether it was cancelled.
        let Ok(found) = self.columns.find(&self.table, batch, outcomes) else {
            return ControlFlow::Break(());
        };
        let is_text = self.table.format == Format::Text && !self.table.copies_lines;
        let mut writer = self.table.writer(batch);
        let mut values = vec![Value::Missing; C::NAMES.len()];
        let mut kept = 0;
        for k in (0..outcomes.len()).filter(|k| self.columns.is_kept(&found, outcomes, *k)) {
            kept += 1;
            if is_text {
                self.columns.text(&found, outcomes, k, rows.text());
                rows.text().push(b'\n');
            } else {
                values.fill(Value::Missing);
                self.columns.set(&self.table, &found, outcomes, k, &mut values);
                writer.write_row(outcomes, k, &values, rows);
            }
            rows.flush_if_large()?;
        }
        self.kept.fetch_add(kept, Ordering::Relaxed);
        ControlFlow::Continue(())
    }
}

impl<C: Columns> BatchSolver for Rows<C> {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        let solver = self.solver.expect("only a job with a solver is one");
        solver.count(puzzles, outcomes, cancel, |more| self.columns.add_solutions(more))
    }

    fn accept_candidates(&self) -> Result<(), String> {
        let reason = C::CLUES_ONLY.map(str::to_owned);
        reason.map_or_else(|| self.solver.map_or(Ok(()), |solver| solver.accept_candidates()), Err)
    }
}

/// The names of the columns, which need a search for each clue.
pub const MINIMAL: &str = "minimal";
pub const REDUNDANT: &str = "redundant";

/// The number of redundant clues of each record.
pub struct Redundant(Vec<Option<u32>>);

impl Redundant {
    /// Whether a table has one of the columns.
    pub fn is_wanted(table: &Table) -> bool {
        table.has(MINIMAL) || table.has(REDUNDANT)
    }

    /// Finds no numbers if no column needs them, and none for pencilmarks.
    pub fn find(
        table: &Table,
        level: SimdLevel,
        batch: &BatchView,
        outcomes: &Outcomes,
    ) -> Result<Redundant, Cancelled> {
        if !Redundant::is_wanted(table) || !batch.records.pencilmarks().is_empty() {
            return Ok(Redundant(Vec::new()));
        }
        let minimizer = Minimizer::new(0).level(level);
        minimizer.redundant(batch.records.puzzles(), outcomes, batch.cancel).map(Redundant)
    }

    /// The values of the columns of record `k`.
    pub fn values(&self, k: usize) -> [Value<'static>; 2] {
        match self.0.get(k) {
            Some(&Some(number)) => [Value::Flag(number == 0), Value::Number(number.into())],
            _ => [Value::Missing, Value::Missing],
        }
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
