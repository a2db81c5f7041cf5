//! All solutions of each record.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::internal::{Row, push_number};
use rapidoku::file::{BatchView, Format, Job, Needs, RowSink};
use rapidoku::grid::CELLS;
use rapidoku::{Outcomes, Solver};

/// Writes every solution of each record, with the record number, in the order of [`Solver::enumerate`].
///
/// A text row (81 digits, a space and the number) is itself a record that all commands can read.
#[derive(Clone, Debug)]
pub struct Enumerate<'a> {
    /// The solver, with its limits.
    pub solver: Solver,
    /// The format of the rows.
    pub format: Format,
    /// The number of solutions found so far.
    pub found: &'a AtomicU64,
}

/// Solutions between two updates of their number.
const COUNT_INTERVAL: u64 = 1024;

impl Job for Enumerate<'_> {
    fn needs(&self) -> Needs<'_> {
        // A row is about as long as a record.
        let rows = self.solver.current_limits().solutions;
        Needs {
            header: if self.format == Format::Csv { b"record,solution\n" } else { b"" },
            numbers: true,
            solves_in_write: true,
            // A record may have any number of solutions. A thread that is ahead of the writer waits as soon as it has
            // some megabytes of rows, so batches with more of them leave threads idle.
            max_batch_bytes: usize::try_from((4 << 20) / rows).unwrap_or(usize::MAX).max(8 << 10),
        }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        // The record of the last row, and the texts around its solutions.
        let (mut current, mut around) = (usize::MAX, Around::default());
        let mut uncounted = 0;
        let puzzles = batch.records.puzzle_slice();
        let result = self.solver.enumerate(puzzles, outcomes, batch.cancel, |k, solution| {
            if k != current {
                current = k;
                around = Around::new(batch.records_before + k as u64 + 1, self.format);
            }
            uncounted += 1;
            if uncounted == COUNT_INTERVAL {
                self.found.fetch_add(uncounted, Ordering::Relaxed);
                uncounted = 0;
            }
            let text = rows.text();
            if !around.before.is_empty() {
                text.extend_from_slice(&around.before);
            }
            // Copies of constant lengths are a few moves.
            text.extend_from_slice(&solution[..CELLS]);
            text.extend_from_slice(&around.after);
            text.truncate(text.len() - AFTER + around.after_len);
            rows.flush_if_large()
        });
        self.found.fetch_add(uncounted, Ordering::Relaxed);
        // The run knows whether it was cancelled.
        result.unwrap_or(ControlFlow::Break(()))
    }
}

/// The most bytes after a solution: a space, a number and a line feed.
const AFTER: usize = 22;

/// The texts before and after the solutions of a record.
#[derive(Default)]
struct Around {
    before: Vec<u8>,
    /// Padded.
    after: [u8; AFTER],
    after_len: usize,
}

impl Around {
    fn new(record: u64, format: Format) -> Around {
        let blank = [b'.'; CELLS];
        let mut row = Vec::new();
        if format == Format::Text {
            row.extend_from_slice(&blank);
            row.push(b' ');
            push_number(&mut row, record);
            row.push(b'\n');
        } else {
            Row::start(&mut row, format).number("record", record).word("solution", &blank).end();
        }
        let at = row.windows(CELLS).position(|cells| cells == blank).expect("the solution is in its row");
        let (mut after, rest) = ([0; AFTER], &row[at + CELLS..]);
        after[..rest.len()].copy_from_slice(rest);
        Around { before: row[..at].to_vec(), after, after_len: rest.len() }
    }
}
