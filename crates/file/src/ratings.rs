//! Stage 3 for ratings: those of a rater, or those that the input has already.

use crate::cancel::Cancelled;
use crate::error::Error;
use crate::outcome::{Outcomes, Status};
use crate::rating::{Difficulty, Rater, Rating, Verdict};
use crate::record::BatchView;
use crate::run::job::InputStart;

/// The ratings of records: computed, or read from a column of the input.
pub struct Ratings {
    rater: Rater,
    max_er: Option<Difficulty>,
    column: Option<String>,
}

/// The ER of a puzzle that no technique solves.
const STUCK: Difficulty = Difficulty(200);

impl Ratings {
    /// The ratings of a rater, up to a bound if there is one.
    pub fn new(rater: Rater, max_er: Option<Difficulty>) -> Ratings {
        let rater = if let Some(bound) = max_er { rater.up_to(bound) } else { rater };
        Ratings { rater, max_er, column: None }
    }

    /// Sets the column of the input that has ratings (ER). A puzzle with one solution whose field is not a rating is
    /// rated.
    pub fn column(mut self, column: Option<String>) -> Ratings {
        self.column = column;
        self
    }

    /// For [`Job::accept`](crate::Job::accept).
    ///
    /// # Errors
    /// When the input lacks the column.
    pub fn accept(&self, input: &InputStart) -> Result<(), Error> {
        let Some(name) = &self.column else { return Ok(()) };
        let found = input.layout.find_column(name);
        found.map(drop).map_err(|columns| input.reject(format!("no column '{name}': {columns}")))
    }

    /// The rating of each record of a batch. Those of a column have an ER only.
    ///
    /// # Errors
    /// When the run was cancelled.
    pub fn of(&self, batch: &BatchView, outcomes: &Outcomes) -> Result<Vec<Rating>, Cancelled> {
        let puzzles = batch.records.puzzle_slice();
        let Some(Ok(column)) = self.column.as_ref().map(|name| batch.layout.find_column(name)) else {
            return self.rater.rate_solved(puzzles, outcomes, batch.cancel);
        };
        let (mut others, mut fields, mut given) = (outcomes.clone(), Vec::new(), Vec::new());
        let is_unique = |k: &usize| outcomes.statuses()[*k] == Status::Unique;
        for k in (0..outcomes.len()).filter(is_unique) {
            batch.layout.values(batch.record(k), false, &mut fields);
            if let Some(rating) = fields.get(column).and_then(|field| self.parse(field)) {
                given.push((k, rating));
                // The rater passes over it.
                others.set_status(k, Status::Multiple);
            }
        }
        let mut ratings = self.rater.rate_solved(puzzles, &others, batch.cancel)?;
        given.into_iter().for_each(|(k, rating)| (ratings[k].verdict, ratings[k].er) = rating);
        Ok(ratings)
    }

    /// Reads a rating as `rapidoku rate` writes it: `7.1`, or `>9.4` if that is as much as the bound tells.
    fn parse(&self, field: &[u8]) -> Option<(Verdict, Difficulty)> {
        let text = str::from_utf8(field).ok()?.trim();
        let number = text.strip_prefix('>');
        let er: Difficulty = number.unwrap_or(text).parse().ok()?;
        let verdict = match self.max_er {
            Some(bound) if er > bound || (er == bound && number.is_some()) => Verdict::Above,
            _ if number.is_some() => return None,
            _ if er == STUCK => Verdict::Stuck,
            _ => Verdict::Rated,
        };
        Some((verdict, er))
    }
}
