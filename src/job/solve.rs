//! `solve`: a row for each record, in the same order.

use std::ops::ControlFlow;

use super::row::{Format, Row};
use super::{Job, Lot, Sheet};
use crate::engine::Outcomes;
use crate::grid::{CELLS, Status};
use crate::record;

/// Writes a row for each record: row `k` belongs to record `k`, always.
///
/// As text that is the 81 digits of the solution, or an empty line where there is none to give; else the
/// fields `puzzle,solution,status,solutions`. The puzzle is as it stands in the input, and empty where
/// that is not 81 cells; the solution is empty where there is none to give.
#[derive(Clone, Copy, Debug)]
pub struct Solve {
    /// Form of the output.
    pub format: Format,
}

impl Job for Solve {
    fn header(&self) -> &'static [u8] {
        self.format.header(b"puzzle,solution,status,solutions\n")
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        match self.format {
            Format::Text if outcomes.solutions.iter().all(|&n| n > 0) => sheet.trade_rows(&mut outcomes.rows),
            Format::Text => write_text(outcomes, sheet.text()),
            format => write_rows(lot, outcomes, format, sheet.text()),
        }
        ControlFlow::Continue(())
    }
}

fn write_text(outcomes: &Outcomes, text: &mut Vec<u8>) {
    for (row, &found) in outcomes.rows.iter().zip(&outcomes.solutions) {
        text.extend_from_slice(if found > 0 { row } else { b"\n" });
    }
}

fn write_rows(lot: &Lot, outcomes: &Outcomes, format: Format, text: &mut Vec<u8>) {
    let Outcomes { status, solutions, rows, .. } = outcomes;
    for (((&start, &status), &found), row) in lot.records.starts.iter().zip(status).zip(solutions).zip(rows) {
        Row::start(text, format)
            .word("puzzle", puzzle_text(lot.text, start, status))
            .word("solution", if found > 0 { &row[..CELLS] } else { b"" })
            .word("status", status.name().as_bytes())
            .number("solutions", found)
            .end();
    }
}

/// The cells of a record as they stand in the input; nothing if it is not 81 cells.
pub(super) fn puzzle_text(text: &[u8], start: u32, status: Status) -> &[u8] {
    let start = start as usize;
    // Only here does a record that is not 81 cells differ from one whose clues clash.
    if status != Status::Invalid || record::parse(record::line_at(text, start)).is_ok() {
        &text[start..start + CELLS]
    } else {
        b""
    }
}
