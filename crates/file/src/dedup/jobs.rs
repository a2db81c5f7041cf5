//! The passes over the inputs: the first ones collect the keys of all records, the last one writes the rows of those
//! that are kept, or of all.

use std::ops::ControlFlow;

use super::firsts::{Duplicates, Keys};
use crate::error::Error;
use crate::outcome::Outcomes;
use crate::record::BatchView;
use crate::run::job::{BatchSolver, Job, LastRows, Needs};
use crate::run::passes::changed;
use crate::solver::Solver;
use crate::table::{Table, Value};
use crate::write::RowSink;
use crate::write::row::push_number;
use rapidoku_generate::dedup::KeyMaker;

/// Collects the key of each record. Writes no rows.
pub(super) struct Collect<'a> {
    pub maker: &'a KeyMaker,
    /// The bits that are set in the number of each record.
    pub side: u64,
    pub keys: &'a Keys,
    /// The table of the second pass, if these inputs have one. Layouts that it would reject are rejected here already.
    pub table: Option<&'a Table>,
}

impl Job for Collect<'_> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, solves_in_write: true, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        self.table
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        self.maker.solver().map(|solver| solver as &dyn BatchSolver)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        match self.maker.solver() {
            None => Ok(()),
            Some(_) => Err("symmetry is defined for clues only; exact duplicates can be found".to_owned()),
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, _: &mut RowSink) -> ControlFlow<()> {
        let keys = self.maker.keys(batch.records.puzzle_slice(), outcomes);
        let numbered = (batch.records_before | self.side..).zip(keys).enumerate();
        self.keys.add(numbered.filter_map(|(k, (number, key))| {
            let [low, high] = key.halves();
            batch.records.is_puzzle(k).then_some([low, high, number])
        }));
        ControlFlow::Continue(())
    }
}

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

/// Writes the rows.
pub(super) struct WriteRows<'a> {
    pub selection: Selection,
    /// The table, unless the rows are numbers as text.
    pub table: Option<&'a Table>,
    pub duplicates: &'a Duplicates,
    /// The number of records in the first pass.
    pub records: u64,
    /// For columns with outcomes.
    pub solver: Option<&'a Solver>,
    /// The input that is named if there are fewer records than in the first pass.
    pub changed: String,
}

impl Job for WriteRows<'_> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        self.table
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        self.solver.map(|solver| solver as &dyn BatchSolver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        if batch.records_before + batch.records.len() as u64 > self.records {
            return rows.fail(0, changed(batch.input));
        }
        let selection = self.selection;
        let mut writer = self.table.map(|table| table.writer(batch));
        let mut pairs = self.duplicates.pairs_from(batch.records_before).iter().peekable();
        for (k, number) in (0..batch.records.len()).zip(batch.records_before..) {
            let is_duplicate = self.duplicates.contains(number);
            if selection != Selection::All && is_duplicate != (selection == Selection::Duplicates) {
                continue;
            }
            let earlier = pairs.next_if(|pair| pair[0] == number).map(|pair| pair[1]);
            // A record that is not a puzzle belongs to no class.
            let first = earlier.or(batch.records.is_puzzle(k).then_some(number)).map(|first| first + 1);
            match &mut writer {
                Some(writer) => {
                    let value = first.map_or(Value::Missing, Value::Number);
                    writer.write_row(outcomes, k, &[value], rows);
                }
                None => {
                    let (text, has_puzzle) = (rows.text(), selection == Selection::Duplicates);
                    if has_puzzle {
                        push_number(text, number + 1);
                        text.push(b' ');
                    }
                    first.into_iter().for_each(|first| push_number(text, first));
                    if has_puzzle {
                        text.push(b' ');
                        text.extend_from_slice(&batch.cells(k).unwrap_or_default());
                    }
                    text.push(b'\n');
                }
            }
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        if rows.stats().records == self.records { Ok(()) } else { Err(changed(&self.changed)) }
    }
}
