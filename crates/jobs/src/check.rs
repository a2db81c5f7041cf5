//! The statuses of records.

use std::ops::RangeInclusive;

use rapidoku::file::{BatchView, Error, InputStart, Needs, Ratings, Table, Value};
use rapidoku::rating::{Difficulty, Verdict};
use rapidoku::{Outcomes, SimdLevel, Status};

use crate::rows::{Columns, Findings, Found, MINIMAL, REDUNDANT, Redundant};

/// The status of each record, or the records with some statuses.
pub struct Check {
    /// The instruction set.
    pub level: SimdLevel,
    /// The statuses of the records to write; `None` for the status of each record.
    pub statuses: Option<Vec<Status>>,
    /// The ratings of the records, up to the highest of those to write, and these.
    pub er: Option<(Ratings, RangeInclusive<Difficulty>)>,
}

/// The records that may have a row, whether the rating of each is one of those to write, and the redundant clues.
struct Checked<'a> {
    statuses: Option<&'a [Status]>,
    is_rated: Option<Vec<bool>>,
    redundant: Redundant,
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
        let mut is_rated = None;
        if let Some((ratings, range)) = &self.er {
            let ratings = ratings.of(batch, outcomes)?;
            let in_range = ratings.iter().map(|rating| rating.verdict == Verdict::Rated && range.contains(&rating.er));
            is_rated = Some(in_range.collect());
        }
        let redundant = Redundant::find(table, self.level, batch, outcomes)?;
        Ok(Box::new(Checked { statuses: self.statuses.as_deref(), is_rated, redundant }))
    }
}

impl Findings for Checked<'_> {
    fn is_kept(&self, outcomes: &Outcomes, k: usize) -> bool {
        let status = &outcomes.statuses()[k];
        self.statuses.is_none_or(|statuses| statuses.contains(status))
            && self.is_rated.as_ref().is_none_or(|is_rated| is_rated[k])
    }

    fn text(&self, outcomes: &Outcomes, k: usize, text: &mut Vec<u8>) {
        text.extend_from_slice(outcomes.statuses()[k].name().as_bytes());
    }

    fn set<'v>(&'v self, _: &Outcomes, k: usize, values: &mut [Value<'v>]) {
        values.clone_from_slice(&self.redundant.values(k));
    }
}
