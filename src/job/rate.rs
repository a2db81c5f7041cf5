//! `rate`: how hard each record is for people.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::row::{Format, Row};
use super::solve::puzzle_text;
use super::{Job, Lot, Sheet};
use crate::engine::{Outcomes, Search};
use crate::grid::Status;
use crate::record::Layout;
use crate::technique;

/// Writes `puzzle,status,clues,singles_only,hardest,guesses,backtracks` for each record.
///
/// The rating is that of [`technique::solve`], which finds the first solution. It is left out (empty in CSV,
/// `null` in JSON) for records that have none, and the clues too for those that are no puzzle.
/// The hardest technique of a complete grid is left out too.
#[derive(Clone, Copy, Debug)]
pub struct Rate {
    /// Form of the output.
    pub format: Format,
}

impl Job for Rate {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        let header = self.format.header(b"puzzle,status,clues,singles_only,hardest,guesses,backtracks\n");
        Ok(Cow::Borrowed(header))
    }

    fn search(&self, asked: Search) -> Option<Search> {
        Some(Search { limit: 2, ..asked })
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        for (k, (puzzle, &start)) in lot.records.puzzles.iter().zip(&lot.records.starts).enumerate() {
            let status = outcomes.status[k];
            let cells = puzzle_text(lot, start, status);
            let clues = (!cells.is_empty()).then(|| puzzle.clues() as u64);
            let solvable = matches!(status, Status::Unique | Status::Multiple | Status::Solved);
            let rating = solvable.then(|| technique::solve(lot.records.candidates(k), &mut |_| ()));
            let hardest = rating.and_then(|rating| rating.hardest);
            Row::start(sheet.text(), self.format)
                .word("puzzle", &cells)
                .word("status", status.name().as_bytes())
                .maybe_number("clues", clues)
                .maybe_flag("singles_only", rating.map(|rating| rating.singles_only()))
                .maybe_word("hardest", hardest.map(|technique| technique.name().as_bytes()))
                .maybe_number("guesses", rating.map(|rating| rating.guesses))
                .maybe_number("backtracks", rating.map(|rating| rating.backtracks))
                .end();
        }
        sheet.turn()
    }
}
