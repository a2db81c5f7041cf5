//! `explain`: why each record is what it is.

use std::ops::ControlFlow;

use serde::Serialize;

use super::solve::puzzle_text;
use super::{Job, Lot, Sheet};
use crate::engine::{Outcomes, Search};
use crate::explain::Explanation;
use crate::grid::{Invalid, Status};

/// Explains each record, for people or as a JSON object per line.
#[derive(Clone, Copy, Debug)]
pub struct Explain {
    /// JSON rather than text.
    pub json: bool,
    /// Whether text is to be coloured (by escape sequences of ECMA-48).
    pub colour: bool,
    /// Give a puzzle up after so many guesses.
    pub max_guesses: u64,
}

/// What JSON tells besides the explanation.
#[derive(Serialize)]
struct Object<'a> {
    input: &'a str,
    line: u64,
    record: u64,
    puzzle: &'a str,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

impl Job for Explain {
    fn numbered(&self) -> bool {
        true
    }

    fn reports(&self) -> bool {
        true
    }

    fn search(&self, _: Search) -> Option<Search> {
        None
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        let (mut line, mut counted) = (lot.lines_before + 1, 0);
        for (k, &start) in lot.records.starts.iter().enumerate() {
            let candidates = lot.records.candidates(k);
            line += memchr::memchr_iter(b'\n', &lot.text[counted..start as usize]).count() as u64;
            counted = start as usize;
            let parsed = match lot.layout.trouble(lot.text, counted) {
                Some((_, reason)) if !matches!(reason, Invalid::Clash { .. }) => Err(reason),
                _ => Ok(candidates),
            };
            let explanation = Explanation::new(parsed, self.max_guesses);
            outcomes.status[k] = explanation.status();
            if self.json {
                let cells = puzzle_text(lot, start, Status::Invalid);
                let object = Object {
                    input: lot.input,
                    line,
                    record: lot.records_before + k as u64 + 1,
                    puzzle: str::from_utf8(&cells).expect("cells are ASCII"),
                    explanation: &explanation,
                };
                serde_json::to_writer(sheet.text(), &object).expect("a vector takes all");
            } else {
                let text = format!("{}:{line}: {}", lot.input, explanation.to_text(&candidates, self.colour));
                sheet.text().extend_from_slice(text.as_bytes());
            }
            sheet.text().push(b'\n');
            sheet.turn()?;
        }
        ControlFlow::Continue(())
    }
}
