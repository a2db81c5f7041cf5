//! The canonical form of each puzzle.

use rapidoku::canon::Canonicalizer;
use rapidoku::file::{BatchView, Table, Value};
use rapidoku::{Outcomes, Status};

use crate::rows::{Columns, Found, Row, each_row};

/// The form of each puzzle.
pub struct Canon {
    /// What finds it.
    pub forms: Canonicalizer,
    /// Whether it is the lexicographically smallest equivalent puzzle.
    pub is_minlex: bool,
}

impl Columns for Canon {
    fn names(&self) -> &'static [&'static str] {
        &["canonical", "method", "automorphisms", "symmetry"]
    }

    fn clues_only(&self) -> Option<&'static str> {
        Some("a form consists of clues")
    }

    fn find<'a>(&'a self, table: &'a Table, batch: &BatchView<'a>, outcomes: &mut Outcomes) -> Found<'a> {
        let mut forms = Vec::new();
        let puzzles = batch.records.puzzles();
        if self.is_minlex {
            self.forms.minlex_into(puzzles, &mut forms);
            // A record that is not a puzzle has the status of a clash.
            for (form, status) in forms.iter_mut().zip(outcomes.statuses()) {
                *form = form.filter(|_| *status != Status::Invalid);
            }
        } else {
            self.forms.solved_into(puzzles, outcomes, &mut forms);
        }
        each_row(move |_, k, row| {
            match (&forms[k], row) {
                (None, _) => {}
                (Some(form), Row::Text(text)) => text.extend_from_slice(&form.form.to_ascii()),
                (Some(form), Row::Values(values)) => {
                    values[0] = Value::Cells(form.form.to_ascii());
                    values[1] = Value::Word(if self.is_minlex { "minlex" } else { "solution" });
                    values[2] = Value::Number(form.automorphisms.into());
                    if table.has("symmetry") {
                        values[3] = Value::Text(form.symmetry.to_string().into());
                    }
                }
            }
            true
        })
    }
}
