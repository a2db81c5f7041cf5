//! The first pass over the inputs: the keys of all records.

use std::ops::ControlFlow;
use std::sync::Mutex;

use super::Keys;
use super::rows::RowFormat;
use crate::cancel::Cancelled;
use crate::error::Error;
use crate::outcome::{Outcomes, PuzzleSlice};
use crate::record::BatchView;
use crate::run::job::{Job, Needs};
use crate::table::Table;
use crate::write::RowSink;
use rapidoku_generate::dedup::{CHUNK, Equivalence, Key, Scratch, SymmetryKeys, exact, exact_candidates};

/// Adds the key of each record to a collector. Writes no rows.
pub(super) struct Collect<'a> {
    pub by: Equivalence,
    pub by_symmetry: &'a SymmetryKeys,
    pub scratch: Mutex<Vec<Scratch>>,
    /// The bits that are set in the number of each record.
    pub side: u64,
    pub keys: &'a Keys,
    /// The rows of the second pass, if these inputs have any. Layouts that it would reject are rejected here already.
    pub rows: Option<&'a RowFormat<'a>>,
}

impl Job for Collect<'_> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, solves_in_write: true, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        self.rows.and_then(RowFormat::table)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        match self.by {
            Equivalence::Exact => Ok(()),
            Equivalence::Symmetry => {
                Err("symmetry is defined for clues only; exact duplicates can be found".to_owned())
            }
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        match self.add(batch, outcomes) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => rows.fail(0, error),
        }
    }
}

impl Collect<'_> {
    /// Adds the keys of a batch, and sets the statuses of its records.
    fn add(&self, batch: &BatchView, outcomes: &mut Outcomes) -> Result<(), Error> {
        let records = batch.records;
        match (self.by, records.puzzle_slice()) {
            (Equivalence::Exact, PuzzleSlice::Clues(puzzles)) => {
                self.add_keys(batch, 0, puzzles.iter().map(exact))
            }
            (Equivalence::Exact, PuzzleSlice::Candidates(all)) => {
                self.add_keys(batch, 0, all.iter().map(exact_candidates))
            }
            (Equivalence::Symmetry, _) => {
                let lock = || self.scratch.lock().expect("no thread panics with the lock");
                let mut scratch = lock().pop().unwrap_or_default();
                let mut keys = [None; CHUNK];
                for (start, puzzles) in (0..).step_by(CHUNK).zip(records.puzzles().chunks(CHUNK)) {
                    let keys = &mut keys[..puzzles.len()];
                    let filled = self.by_symmetry.fill(puzzles, keys, &mut scratch, batch.cancel);
                    let solved = filled.map_err(|Cancelled| Error::Cancelled)?;
                    let end = start + puzzles.len();
                    let entries = outcomes.as_mut();
                    entries.status[start..end].copy_from_slice(solved.statuses());
                    entries.guesses[start..end].copy_from_slice(solved.guesses());
                    self.add_keys(batch, start, keys.iter().map(|key| key.expect("every puzzle has a key")))?;
                }
                lock().push(scratch);
                Ok(())
            }
        }
    }

    /// Adds the keys of the puzzles among the records from `start` on.
    fn add_keys(
        &self,
        batch: &BatchView,
        start: usize,
        keys: impl Iterator<Item = Key>,
    ) -> Result<(), Error> {
        let numbers = (batch.records_before + start as u64) | self.side..;
        let entries = (start..).zip(numbers.zip(keys)).filter_map(|(k, (number, key))| {
            let [low, high] = key.halves();
            batch.records.is_puzzle(k).then_some([low, high, number])
        });
        self.keys.add(&entries.collect::<Vec<_>>())
    }
}
