//! Why each record has no, one or several solutions.

use std::ops::ControlFlow;

use rapidoku::file::internal::escape;
use rapidoku::file::{BatchView, Error, Job, LastRows, Needs, RowSink};
use rapidoku::rating::{Step, Technique};
use rapidoku::{Candidates, Explanation, Outcomes, PuzzleError};
use serde::Serialize;

/// Explains each record, as text, as one JSON object per line, or in a page.
pub struct Explain {
    /// The page, if it is one.
    pub page: Option<Page>,
    /// Whether to write JSON.
    pub is_json: bool,
    /// The number of steps to show instead of all and the solution.
    pub most_steps: Option<usize>,
    /// Whether to colour text with ANSI escape sequences.
    pub colour: bool,
    /// Give up on a puzzle after this many guesses.
    pub max_guesses: u64,
}

/// What writes a page.
pub struct Page {
    /// What comes before and after the puzzles.
    pub frame: [String; 2],
    /// Writes the section of a puzzle with this name, with at most so many steps.
    pub section: fn(&str, &Candidates, &Explanation, Option<usize>) -> String,
}

/// What comes after some steps, without a spoiler.
pub fn next_technique(technique: Option<Technique>) -> String {
    technique.map_or("no step is left".to_owned(), |technique| format!("next: {technique}"))
}

/// A row of JSON output.
#[derive(Serialize)]
struct JsonRow<'a> {
    input: &'a str,
    line: u64,
    record: u64,
    puzzle: &'a str,
    #[serde(flatten)]
    shown: Shown<'a>,
}

/// What is shown of an explanation.
#[derive(Serialize)]
#[serde(untagged)]
enum Shown<'a> {
    All(&'a Explanation),
    /// The next steps of a puzzle with one solution, and the technique of the one after them.
    Next {
        status: &'static str,
        steps: &'a [Step],
        next: Option<Technique>,
    },
}

impl Shown<'_> {
    fn to_text(&self, candidates: &Candidates, colour: bool) -> String {
        match self {
            Shown::All(explanation) => explanation.to_text(candidates, colour),
            Shown::Next { status, steps, next } => {
                let numbered = steps.iter().zip(1..).map(|(step, n)| format!("{n:>4}. {}", step.to_text()));
                let next = next_technique(*next);
                format!("{status}\n{:#}\n{}{next}\n", candidates.clues(), numbered.collect::<String>())
            }
        }
    }
}

impl Job for Explain {
    fn needs(&self) -> Needs<'_> {
        let header = self.page.as_ref().map_or(&b""[..], |page| page.frame[0].as_bytes());
        Needs { header, numbers: true, solves_in_write: true, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let (mut line, mut counted) = (batch.lines_before + 1, 0);
        for (k, &start) in batch.records.starts().iter().enumerate() {
            let candidates = batch.records.candidates(k);
            line += batch.layout.count_lines(&batch.text[counted..start as usize]);
            counted = start as usize;
            let parsed = match batch.layout.diagnose(batch.record(k)) {
                Some((_, reason)) if !matches!(reason, PuzzleError::Clash { .. }) => Err(reason),
                _ => Ok(candidates),
            };
            let explanation = Explanation::new(parsed, self.max_guesses);
            outcomes.set_status(k, explanation.status());
            let shown = match (&explanation, self.most_steps) {
                (Explanation::Unique { steps, .. }, Some(most)) => Shown::Next {
                    status: explanation.status().name(),
                    steps: &steps[..most.min(steps.len())],
                    next: steps.get(most).map(|step| step.technique),
                },
                _ => Shown::All(&explanation),
            };
            let input = escape(batch.input);
            if let Some(page) = &self.page {
                let section = (page.section)(&format!("{input}:{line}"), &candidates, &explanation, self.most_steps);
                rows.text().extend_from_slice(section.as_bytes());
            } else if self.is_json {
                let puzzle = batch.cells(k).unwrap_or_else(|| batch.layout.puzzle_text(batch.record(k)));
                let row = JsonRow {
                    input: batch.input,
                    line,
                    record: batch.records_before + k as u64 + 1,
                    puzzle: &String::from_utf8_lossy(&puzzle),
                    shown,
                };
                serde_json::to_writer(rows.text(), &row).expect("a vector accepts all bytes");
            } else {
                let text = format!("{input}:{line}: {}", shown.to_text(&candidates, self.colour));
                rows.text().extend_from_slice(text.as_bytes());
            }
            rows.text().push(b'\n');
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        self.page.as_ref().map_or(Ok(()), |page| rows.write(page.frame[1].as_bytes()))
    }
}
