//! `check` and `count`: what each record came to.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::row::{Format, Row};
use super::solve::puzzle_text;
use super::{Job, Lot, Sheet, push_number};
use crate::engine::Outcomes;
use crate::grid::Status;
use crate::record::{Layout, Rows};

/// Writes the status of each record: as a word per line, or with the puzzle under `puzzle,status`.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Form of the output.
    pub format: Format,
}

impl Job for Check {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(self.format.header(b"puzzle,status\n")))
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        let text = sheet.text();
        for (&status, &start) in outcomes.status.iter().zip(&lot.records.starts) {
            let name = status.name().as_bytes();
            if self.format == Format::Text {
                text.extend_from_slice(name);
                text.push(b'\n');
            } else {
                let puzzle = puzzle_text(lot, start, status);
                Row::start(text, self.format).word("puzzle", &puzzle).word("status", name).end();
            }
        }
        ControlFlow::Continue(())
    }
}

/// Keeps the lines of the records that came to one status, byte for byte, line ends included. Only a last line
/// without an end is given one, lest it run into the next input.
#[derive(Clone, Copy, Debug)]
pub struct Keep(
    /// That status.
    pub Status,
);

impl Job for Keep {
    /// The header of a table is kept too.
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(match first {
            Some(Layout::Rows(Rows { header: Some(header), .. })) => [header, &b"\n"[..]].concat().into(),
            _ => Cow::Borrowed(b""),
        })
    }

    fn whole_lines(&self) -> bool {
        true
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        let text = sheet.text();
        for (&status, &start) in outcomes.status.iter().zip(&lot.records.starts) {
            if status == self.0 {
                text.extend_from_slice(lot.layout.lines(lot.text, start as usize));
                if text.last() != Some(&b'\n') {
                    text.push(b'\n');
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Writes the number of solutions of each record, up to the limit of the search: as a number per line, or
/// with the puzzle under `puzzle,solutions,status`.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    /// Form of the output.
    pub format: Format,
}

impl Job for Count {
    fn header(&self, _: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(self.format.header(b"puzzle,solutions,status\n")))
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        let text = sheet.text();
        let Outcomes { status, solutions, .. } = outcomes;
        for ((&status, &solutions), &start) in status.iter().zip(&*solutions).zip(&lot.records.starts) {
            if self.format == Format::Text {
                push_number(text, solutions);
                text.push(b'\n');
            } else {
                Row::start(text, self.format)
                    .word("puzzle", &puzzle_text(lot, start, status))
                    .number("solutions", solutions)
                    .word("status", status.name().as_bytes())
                    .end();
            }
        }
        ControlFlow::Continue(())
    }
}
