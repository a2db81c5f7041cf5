//! The number of solutions of each record.

use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchView, Table, Value};
use rapidoku::{Outcomes, Status};

use crate::rows::{Columns, Found, Row, each_row};

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
        each_row(move |outcomes, k, row| {
            let found = outcomes.solution_counts()[k];
            // Whether there are no more solutions than were found.
            let is_exact = match outcomes.statuses()[k] {
                Status::Invalid => None,
                status => Some(status != Status::GaveUp && found < self.limit),
            };
            match (row, is_exact) {
                (Row::Text(text), _) => {
                    text.extend_from_slice(if is_exact == Some(false) { b">=" } else { b"" });
                    push_number(text, found);
                }
                (Row::Values(values), Some(is_exact)) => values[0] = Value::Flag(is_exact),
                (Row::Values(_), None) => {}
            }
            true
        })
    }
}
