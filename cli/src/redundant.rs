//! The columns `minimal` and `redundant` of commands that prove uniqueness.

use rapidoku::file::{BatchView, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::{Cancelled, Outcomes, SimdLevel};

use crate::rows::Values;

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

    /// Sets the columns of record `k`.
    pub fn set(&self, k: usize, values: &mut Values) {
        if let Some(&Some(number)) = self.0.get(k) {
            values.set(MINIMAL, Value::Flag(number == 0));
            values.set(REDUNDANT, Value::Number(number.into()));
        }
    }
}
