//! The statuses of records.

use std::ops::RangeInclusive;

use rapidoku::file::{BatchView, Error, InputStart, Needs, Ratings, Table};
use rapidoku::rating::{Difficulty, Verdict};
use rapidoku::{Outcomes, SimdLevel, Status};

use crate::rows::{Columns, Found, MINIMAL, REDUNDANT, Redundant, Row, each_row};

/// The status of each record, or the records with some statuses.
pub struct Check {
    /// The instruction set.
    pub level: SimdLevel,
    /// The statuses of the records to write; `None` for the status of each record.
    pub statuses: Option<Vec<Status>>,
    /// The ratings of the records, up to the highest of those to write, and these.
    pub er: Option<(Ratings, RangeInclusive<Difficulty>)>,
}

impl Columns for Check {
    fn names(&self) -> &'static [&'static str] {
        &[MINIMAL, REDUNDANT]
    }

    fn needs(&self, table: &Table) -> Needs<'static> {
        // The hardest puzzles take a tenth of a second each.
        let max_batch_bytes = if self.er.is_some() { 16 << 10 } else { usize::MAX };
        let solves_in_write = self.er.is_some() || Redundant::is_wanted(table);
        Needs { solves_in_write, max_batch_bytes, ..Needs::default() }
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        self.er.as_ref().map_or(Ok(()), |(ratings, _)| ratings.accept(input))
    }

    fn find<'a>(&'a self, table: &'a Table, batch: &BatchView<'a>, outcomes: &mut Outcomes) -> Found<'a> {
        let er = self.er.as_ref().map(|(ratings, range)| Ok((ratings.of(batch, outcomes)?, range))).transpose()?;
        let redundant = Redundant::find(table, self.level, batch, outcomes)?;
        each_row(move |outcomes, k, row| {
            let status = outcomes.statuses()[k];
            let is_rated = er
                .as_ref()
                .is_none_or(|(ratings, range)| ratings[k].verdict == Verdict::Rated && range.contains(&ratings[k].er));
            if !is_rated || self.statuses.as_ref().is_some_and(|statuses| !statuses.contains(&status)) {
                return false;
            }
            match row {
                Row::Text(text) => text.extend_from_slice(status.name().as_bytes()),
                Row::Values(values) => values.clone_from_slice(&redundant.values(k)),
            }
            true
        })
    }
}
