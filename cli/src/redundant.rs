//! The columns `minimal` and `redundant` of commands that prove uniqueness.

use rapidoku::file::{BatchView, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::{Outcomes, SimdLevel};

use crate::solver::LimitedSolver;

/// Whether a table has one of the columns.
pub fn is_wanted(table: &Table) -> bool {
    table.has("minimal") || table.has("redundant")
}

/// The number of redundant clues of each record. Empty if no column needs them, and for pencilmarks.
pub fn count(
    table: &Table,
    solver: LimitedSolver,
    batch: &BatchView,
    outcomes: &Outcomes,
) -> Vec<Option<u32>> {
    if !is_wanted(table) || !batch.records.pencilmarks().is_empty() {
        return Vec::new();
    }
    let minimizer = Minimizer::new(0).level(solver.kind.level().unwrap_or_else(SimdLevel::detect));
    // The rows of a run that was cancelled are not written.
    minimizer.redundant(batch.records.puzzles(), outcomes, batch.cancel).unwrap_or_default()
}

/// The values of the columns `minimal` and `redundant` for record `k`.
pub fn values(counts: &[Option<u32>], k: usize) -> [Value<'static>; 2] {
    match counts.get(k) {
        Some(&Some(n)) => [Value::Flag(n == 0), Value::Number(n.into())],
        _ => [Value::Missing, Value::Missing],
    }
}
