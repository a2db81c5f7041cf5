//! The second pass over the inputs: the rows of the records that are kept, or of all.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::Failure;
use super::firsts::{Firsts, Pair};
use crate::cancel::{CancelToken, Cancelled};
use crate::file::record::{BatchView, Layout, Records};
use crate::file::run::job::{BatchSolver, Job};
use crate::file::table::{Column, Table, Value, copy};
use crate::file::write::RowSink;
use crate::file::write::row::push_number;
use crate::outcome::Outcomes;
use crate::solver::Solver;

/// The records that have a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Selection {
    /// Those that are not duplicates.
    Kept,
    /// All.
    All,
    /// Duplicates.
    Duplicates,
}

/// The format of the rows.
#[derive(Clone, Debug)]
pub(super) struct RowFormat {
    pub selection: Selection,
    /// CSV or JSON lines, for inputs that are tables and for others. `None` for text.
    pub tables: Option<[Table; 2]>,
}

/// The column with the number of the first record.
pub(super) const COMPUTED: [&str; 1] = ["first"];

impl RowFormat {
    /// The table for inputs of which this is the first.
    fn table(&self, first: &Layout) -> Option<&Table> {
        self.tables.as_ref().map(|tables| &tables[usize::from(!first.is_table())])
    }

    pub fn header(&self, first: Option<&Layout>) -> Result<Cow<'static, [u8]>, String> {
        match self.table(first.unwrap_or(&Layout::LINES)) {
            Some(table) => table.header(first),
            None if self.selection == Selection::Kept => copy::header(first),
            None => Ok(Cow::Borrowed(b"")),
        }
    }

    pub fn accept_after(&self, layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
        match self.table(first) {
            Some(table) => table.accept_after(layout, first, first_name),
            None if self.selection == Selection::Kept => {
                copy::accept_after(layout, first, first_name, "text output copies")
            }
            None => Ok(()),
        }
    }

    pub fn needs_whole_lines(&self) -> bool {
        self.tables.is_some() || self.selection != Selection::All
    }

    /// Whether a column has something that only a solver knows.
    pub fn needs_outcomes(&self) -> bool {
        let is_outcome = |column: &Column| {
            matches!(column, Column::Solution | Column::Status | Column::Solutions | Column::Guesses)
        };
        self.tables.iter().flatten().any(|table| table.columns.iter().any(is_outcome))
    }
}

/// Writes the rows.
pub(super) struct WriteRows<'a> {
    pub format: &'a RowFormat,
    pub firsts: &'a Firsts,
    /// The number of records in the first pass.
    pub records: u64,
    /// For columns with outcomes.
    pub solver: Option<&'a Solver>,
    pub failure: &'a Failure,
}

impl Job for WriteRows<'_> {
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        self.format.header(first)
    }

    fn accept_after(&self, layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
        self.format.accept_after(layout, first, first_name)
    }

    fn needs_numbers(&self) -> bool {
        true
    }

    fn needs_whole_lines(&self) -> bool {
        self.format.needs_whole_lines()
    }

    fn solve(&self, records: &Records, outcomes: &mut Outcomes, _: &CancelToken) -> Result<(), Cancelled> {
        let cancel = &self.failure.cancel_by_caller;
        if cancel.is_cancelled() {
            return Err(Cancelled);
        }
        match self.solver {
            Some(solver) => solver.solve_batch(records.puzzle_slice(), outcomes, cancel),
            None => {
                outcomes.reset(records.len());
                records.mark_invalid(outcomes);
                Ok(())
            }
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let start = batch.records_before;
        let end = start + batch.records.len() as u64;
        let mut pairs = Vec::new();
        let found = match end > self.records {
            true => Err(super::changed(batch.input)),
            false => self.firsts.within(start..end, &mut pairs),
        };
        match self.failure.or_end(found) {
            Some(()) => self.write_records(batch, outcomes, &pairs, rows),
            None => ControlFlow::Break(()),
        }
    }
}

impl WriteRows<'_> {
    /// Writes the rows of a batch with these duplicates.
    fn write_records(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        pairs: &[Pair],
        rows: &mut RowSink,
    ) -> ControlFlow<()> {
        let selection = self.format.selection;
        let mut writer = self.format.table(batch.first_layout).map(|table| table.writer(batch));
        let mut pairs = pairs.iter().copied().peekable();
        for k in 0..batch.records.len() {
            let number = batch.records_before + k as u64;
            let pair = pairs.next_if(|pair| pair[0] == number);
            match selection {
                Selection::Kept if pair.is_some() => continue,
                Selection::Duplicates if pair.is_none() => continue,
                _ => {}
            }
            // A record that is not a puzzle belongs to no class.
            let is_puzzle = batch.records.is_puzzle(k);
            let first = pair.map(|pair| pair[1]).or(is_puzzle.then_some(number)).map(|first| first + 1);
            match &mut writer {
                Some(writer) => {
                    let value = first.map_or(Value::Missing, Value::Number);
                    writer.write_row(outcomes, k, &[value], rows);
                }
                None => write_text(batch, k, (selection, number + 1, first), rows.text()),
            }
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }
}

/// Writes a row of text: the lines of a record that is kept; the number of the first record; the number of a duplicate, that
/// of the first record, and the puzzle.
fn write_text(
    batch: &BatchView,
    k: usize,
    (selection, number, first): (Selection, u64, Option<u64>),
    text: &mut Vec<u8>,
) {
    if selection == Selection::Kept {
        return copy::push_lines(batch, k, text);
    }
    if selection == Selection::Duplicates {
        push_number(text, number);
        text.push(b' ');
    }
    if let Some(first) = first {
        push_number(text, first);
    }
    if selection == Selection::Duplicates {
        text.push(b' ');
        let cells = batch.layout.cells_of_puzzle(batch.text, batch.records.starts()[k] as usize);
        text.extend_from_slice(&cells.unwrap_or_default());
    }
    text.push(b'\n');
}
