//! The job of commands that write a text or a row for each record.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::{
    BatchSolver, BatchView, Error, Format, InputStart, Job, Needs, RowSink, Table, TableWriter, Value,
};
use rapidoku::generate::Minimizer;
use rapidoku::outcome::PuzzleSlice;
use rapidoku::{CancelToken, Cancelled, Outcomes, SimdLevel};

use crate::solver::LimitedSolver;

/// What a command finds out about records, beside their outcomes.
pub trait Columns: Sync {
    /// The names of the columns that have it.
    fn names(&self) -> &'static [&'static str];

    /// Why pencilmarks are not accepted.
    fn clues_only(&self) -> Option<&'static str> {
        None
    }

    /// What the job needs, if its rows have the columns of `table`.
    fn needs(&self, _table: &Table) -> Needs<'static> {
        Needs::default()
    }

    /// An error if the input lacks something.
    ///
    /// # Errors
    /// The reason why the input is not accepted.
    fn accept(&self, _input: &InputStart) -> Result<(), Error> {
        Ok(())
    }

    /// Called while solutions are found, with the number of new ones.
    fn add_solutions(&self, _more: u64) {}

    /// Finds out what the columns of `table` need. May change statuses.
    ///
    /// # Errors
    /// When the run was cancelled.
    fn find<'a>(&'a self, table: &'a Table, batch: &BatchView<'a>, outcomes: &mut Outcomes) -> Found<'a>;
}

/// Writes the rows of a batch, unless the run was cancelled. [`each_row`] makes it.
pub type Found<'a> = Result<Box<dyn Fn(&mut Sink<'_, 'a, '_>) -> ControlFlow<()> + 'a>, Cancelled>;

/// Writes a row for each record for which `row` writes its text or its values and returns `true`; otherwise it writes
/// nothing. Each command has a loop of its own: a call for each record would take 3 to 6 % of the time of `check`.
pub fn each_row<'a>(row: impl Fn(&Outcomes, usize, Row<'_, 'a>) -> bool + 'a) -> Found<'a> {
    Ok(Box::new(move |sink| {
        let Sink { outcomes, is_text, values, writer, rows, kept } = sink;
        for k in 0..outcomes.len() {
            if !row(outcomes, k, if *is_text { Row::Text(rows.text()) } else { Row::Values(values) }) {
                continue;
            }
            *kept += 1;
            if *is_text {
                rows.text().push(b'\n');
            } else {
                writer.write_row(outcomes, k, values, rows);
                // Without a clone, which `fill` makes of each.
                values.fill_with(|| Value::Missing);
            }
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }))
}

/// Where the rows of a batch go.
pub struct Sink<'s, 'a, 'r> {
    outcomes: &'s Outcomes,
    is_text: bool,
    values: Vec<Value<'a>>,
    writer: TableWriter<'a>,
    rows: &'s mut RowSink<'r>,
    kept: u64,
}

/// What is to be written of a record.
pub enum Row<'r, 'a> {
    /// A text without a line feed, which is appended.
    Text(&'r mut Vec<u8>),
    /// Values in the order of [`Columns::names`], all missing before. They are not searched by name, because that takes
    /// a tenth of the time that `rate` needs for easy puzzles.
    Values(&'r mut [Value<'a>]),
}

/// The job of a command.
pub struct Rows<'c> {
    solver: Option<LimitedSolver>,
    table: Table,
    columns: &'c dyn Columns,
    /// The number of rows.
    pub kept: AtomicU64,
}

impl<'c> Rows<'c> {
    /// Writes the rows of a table. Without a solver, it solves nothing before it calls [`Columns::find`].
    pub fn new(solver: Option<LimitedSolver>, table: Table, columns: &'c dyn Columns) -> Rows<'c> {
        Rows { solver, table, columns, kept: AtomicU64::new(0) }
    }
}

impl Job for Rows<'_> {
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
        let mut sink = Sink {
            outcomes,
            is_text: self.table.format == Format::Text && !self.table.copies_lines,
            values: vec![Value::Missing; self.columns.names().len()],
            writer: self.table.writer(batch),
            rows,
            kept: 0,
        };
        let result = found(&mut sink);
        self.kept.fetch_add(sink.kept, Ordering::Relaxed);
        result
    }
}

impl BatchSolver for Rows<'_> {
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
        let reason = self.columns.clues_only().map(str::to_owned);
        reason.map_or_else(|| self.solver.map_or(Ok(()), |solver| solver.accept_candidates()), Err)
    }
}

/// The column that tells whether no clue can be removed. It needs a search for each clue, as the next one does.
pub const MINIMAL: &str = "minimal";
/// The column with the number of clues that can be removed on their own.
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
