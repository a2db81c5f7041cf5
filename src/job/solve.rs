//! `solve`: a row for each record, in the same order.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::{Job, Lot, Sheet, push_number};
use crate::engine::Outcomes;
use crate::grid::{CELLS, Status};
use crate::record::Layout;

/// What is written of a record. Row `k` belongs to record `k`, always.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// The 81 digits of the solution, or an empty line where there is none to give.
    Text,
    /// `puzzle,solution,status,solutions` under a header. The puzzle is as it stands in the input, and empty
    /// where that is not 81 cells; the solution is empty where there is none to give.
    Csv,
}

/// Writes the solution of each record.
#[derive(Clone, Copy, Debug)]
pub struct Solve {
    /// Form of the output.
    pub format: Format,
}

impl Job for Solve {
    fn header(&self) -> &'static [u8] {
        match self.format {
            Format::Text => b"",
            Format::Csv => b"puzzle,solution,status,solutions\n",
        }
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        match self.format {
            Format::Text if outcomes.solutions.iter().all(|&n| n > 0) => sheet.trade_rows(&mut outcomes.rows),
            Format::Text => write_text(outcomes, sheet.text()),
            Format::Csv => write_csv(lot, outcomes, sheet.text()),
        }
        ControlFlow::Continue(())
    }
}

fn write_text(outcomes: &Outcomes, text: &mut Vec<u8>) {
    for (row, &found) in outcomes.rows.iter().zip(&outcomes.solutions) {
        text.extend_from_slice(if found > 0 { row } else { b"\n" });
    }
}

fn write_csv(lot: &Lot, outcomes: &Outcomes, text: &mut Vec<u8>) {
    let Outcomes { status, solutions, rows, .. } = outcomes;
    for (((&start, &status), &found), row) in lot.records.starts.iter().zip(status).zip(solutions).zip(rows) {
        text.extend_from_slice(&puzzle_text(lot, start, status));
        text.push(b',');
        if found > 0 {
            text.extend_from_slice(&row[..CELLS]);
        }
        text.push(b',');
        text.extend_from_slice(status.name().as_bytes());
        text.push(b',');
        push_number(text, found);
        text.push(b'\n');
    }
}

/// The cells of a record as they stand in the input; nothing if it is not 81 cells.
pub(super) fn puzzle_text<'a>(lot: &Lot<'a>, start: u32, status: Status) -> Cow<'a, [u8]> {
    let start = start as usize;
    // Only there does a record that is not 81 cells differ from one whose clues clash.
    if status != Status::Invalid && *lot.layout == Layout::Lines {
        return Cow::Borrowed(&lot.text[start..start + CELLS]);
    }
    lot.layout.cells(lot.text, start).unwrap_or_default()
}
