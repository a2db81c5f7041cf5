//! The number of solutions of each record.

use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchView, Table, Value};
use rapidoku::{Outcomes, Status};

use crate::rows::{Columns, Findings, Found};

/// The number of solutions of each record, up to a limit.
pub struct Count<'a> {
    /// The limit.
    pub limit: u64,
    /// The number of solutions found so far.
    pub found: &'a AtomicU64,
}

impl Columns for Count<'_> {
    fn names(&self) -> &'static [&'static str] {
        &["exact"]
    }

    fn add_solutions(&self, more: u64) {
        self.found.fetch_add(more, Ordering::Relaxed);
    }

    fn find<'a>(&'a self, _: &'a Table, _: &BatchView<'a>, _: &mut Outcomes) -> Found<'a> {
        Ok(Box::new(UpTo(self.limit)))
    }
}

/// The limit: outcomes have the numbers.
struct UpTo(u64);

impl UpTo {
    /// Whether there are no more solutions than were found. `None` if the record is not a puzzle.
    fn is_exact(&self, outcomes: &Outcomes, k: usize) -> Option<bool> {
        match outcomes.statuses()[k] {
            Status::Invalid => None,
            Status::GaveUp => Some(false),
            _ => Some(outcomes.solution_counts()[k] < self.0),
        }
    }
}

impl Findings for UpTo {
    fn text(&self, outcomes: &Outcomes, k: usize, text: &mut Vec<u8>) {
        if self.is_exact(outcomes, k) == Some(false) {
            text.extend_from_slice(b">=");
        }
        push_number(text, outcomes.solution_counts()[k]);
    }

    fn set<'v>(&'v self, outcomes: &Outcomes, k: usize, values: &mut [Value<'v>]) {
        if let Some(is_exact) = self.is_exact(outcomes, k) {
            values[0] = Value::Flag(is_exact);
        }
    }
}
