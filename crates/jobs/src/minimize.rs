//! Minimal puzzles contained in each record.

use std::ops::ControlFlow;

use rapidoku::file::internal::push_number;
use rapidoku::file::{BatchSolver, BatchView, Format, Job, Needs, RowSink, Table, Value};
use rapidoku::generate::Minimizer;
use rapidoku::{Outcome, Outcomes, Puzzle};

use crate::rows::{Columns, Found, Row, each_row};
use crate::solver::LimitedSolver;

/// The names of the columns.
pub const COMPUTED: [&str; 4] = ["minimized", "removed", "number", "complete"];

/// Why pencilmarks are not accepted.
const CLUES_ONLY: &str = "a minimal puzzle consists of clues";

/// One minimal puzzle in each record.
pub struct Minimize(pub Minimizer);

/// The first two columns of a minimal puzzle.
fn values_of<'a>(puzzle: &Puzzle, minimal: &Puzzle, table: &Table) -> [Value<'a>; 2] {
    let mut cells = minimal.to_ascii();
    if table.blank == Some(b'0') {
        cells.iter_mut().filter(|cell| **cell == b'.').for_each(|cell| *cell = b'0');
    }
    [Value::Cells(cells), Value::Number((puzzle.clue_count() - minimal.clue_count()) as u64)]
}

impl Columns for Minimize {
    fn names(&self) -> &'static [&'static str] {
        &COMPUTED
    }

    fn clues_only(&self) -> Option<&'static str> {
        Some(CLUES_ONLY)
    }

    fn needs(&self, _: &Table) -> Needs<'static> {
        Needs { solves_in_write: true, ..Needs::default() }
    }

    fn find<'a>(&'a self, table: &'a Table, batch: &BatchView<'a>, outcomes: &mut Outcomes) -> Found<'a> {
        let puzzles = batch.records.puzzles();
        let found = self.0.minimize(puzzles, outcomes, batch.cancel)?;
        each_row(move |_, k, row| {
            match (found[k], row) {
                (None, _) => {}
                (Some(minimal), Row::Text(text)) => text.extend_from_slice(&minimal.to_ascii()),
                (Some(minimal), Row::Values(values)) => {
                    let [minimized, removed] = values_of(&puzzles[k], &minimal, table);
                    values[..3].clone_from_slice(&[minimized, removed, Value::Number(1)]);
                }
            }
            true
        })
    }
}

/// Writes all minimal puzzles in each record: as text with the number of the record, or in a table.
pub struct Contained {
    /// The solver of the records.
    pub solver: LimitedSolver,
    /// What finds the puzzles.
    pub minimizer: Minimizer,
    /// The maximal number for each record.
    pub max: usize,
    /// The rows.
    pub table: Table,
}

/// Minimal puzzles of several records that are in memory at a time: 21 MB for each thread.
const PUZZLES_AT_ONCE: usize = 1 << 18;

impl Job for Contained {
    fn table(&self) -> Option<&Table> {
        Some(&self.table)
    }

    fn accept_candidates(&self) -> Result<(), String> {
        Err(CLUES_ONLY.to_owned())
    }

    fn needs(&self) -> Needs<'_> {
        // All minimal puzzles of a record take much longer than reading it.
        Needs { numbers: true, solves_in_write: true, max_batch_bytes: 8 << 10, ..Needs::default() }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let is_text = self.table.format == Format::Text;
        let mut writer = self.table.writer(batch);
        let at_once = (PUZZLES_AT_ONCE / self.max).clamp(1, 64);
        for (start, puzzles) in (0..).step_by(at_once).zip(batch.records.puzzles().chunks(at_once)) {
            let mut part = Outcomes::new();
            part.reset(puzzles.len());
            for k in 0..puzzles.len() {
                part.set(k, outcomes.get(start + k).unwrap_or(Outcome::INVALID));
            }
            let Ok(all) = self.minimizer.all(puzzles, &part, self.max, batch.cancel) else {
                return ControlFlow::Break(());
            };
            for ((k, puzzle), contained) in (start..).zip(puzzles).zip(&all) {
                let Some(contained) = contained else {
                    if !is_text {
                        writer.write_row(outcomes, k, &[const { Value::Missing }; COMPUTED.len()], rows);
                    }
                    continue;
                };
                for (number, minimal) in (1..).zip(&contained.puzzles) {
                    if is_text {
                        push_text(minimal, batch.records_before + k as u64 + 1, rows.text());
                    } else {
                        let [minimized, removed] = values_of(puzzle, minimal, &self.table);
                        let values = [minimized, removed, Value::Number(number), Value::Flag(contained.is_complete)];
                        writer.write_row(outcomes, k, &values, rows);
                    }
                    rows.flush_if_large()?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Appends a minimal puzzle and the number of the record that contains it.
fn push_text(minimal: &Puzzle, record: u64, text: &mut Vec<u8>) {
    text.extend_from_slice(&minimal.to_ascii());
    text.push(b' ');
    push_number(text, record);
    text.push(b'\n');
}
