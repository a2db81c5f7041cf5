//! The first passes over the inputs: the keys of all records.

use std::ops::ControlFlow;

use super::firsts::Keys;
use crate::outcome::Outcomes;
use crate::record::BatchView;
use crate::run::job::{BatchSolver, Job, Needs};
use crate::table::Table;
use crate::write::RowSink;
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
