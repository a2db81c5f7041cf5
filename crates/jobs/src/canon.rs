//! The canonical form of each puzzle.

use rapidoku::canon::{Canonical, Canonicalizer};
use rapidoku::file::{BatchView, Table, Value};
use rapidoku::{Outcomes, Status};

use crate::rows::{Columns, Findings, Found};

/// The form of each puzzle.
pub struct Canon {
    /// What finds it.
    pub forms: Canonicalizer,
    /// Whether it is the lexicographically smallest equivalent puzzle.
    pub is_minlex: bool,
}

/// The forms of a batch.
struct Forms<'a> {
    forms: Vec<Option<Canonical>>,
    is_minlex: bool,
    table: &'a Table,
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
        Ok(Box::new(Forms { forms, is_minlex: self.is_minlex, table }))
    }
}

impl Findings for Forms<'_> {
    fn text(&self, _: &Outcomes, k: usize, text: &mut Vec<u8>) {
        if let Some(form) = &self.forms[k] {
            text.extend_from_slice(&form.form.to_ascii());
        }
    }

    fn set<'v>(&'v self, _: &Outcomes, k: usize, values: &mut [Value<'v>]) {
        let Some(form) = &self.forms[k] else { return };
        values[0] = Value::Cells(form.form.to_ascii());
        values[1] = Value::Word(if self.is_minlex { "minlex" } else { "solution" });
        values[2] = Value::Number(form.automorphisms.into());
        if self.table.has("symmetry") {
            values[3] = Value::Text(form.symmetry.to_string().into());
        }
    }
}
