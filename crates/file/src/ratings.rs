//! Stage 3 for ratings: those of a rater, or those that the input has already.

use crate::cancel::{CancelToken, Cancelled};
use crate::error::Error;
use crate::outcome::{Outcomes, PuzzleSlice, Status};
use crate::rating::{Difficulty, Rater, Rating, Verdict};
use crate::record::BatchView;
use crate::run::job::InputStart;

/// The ratings of records: computed, or read from a column of the input.
pub struct Ratings {
    rater: Rater,
    max_er: Option<Difficulty>,
    column: Option<String>,
}

/// The ratings of solved puzzles, of which `known` gives some: a verdict and an ER. Those of puzzles with one solution
/// count.
///
/// # Errors
/// When `cancel` has been set.
pub fn with_known<'a>(
    rater: &Rater,
    puzzles: impl Into<PuzzleSlice<'a>>,
    mut outcomes: Outcomes,
    mut known: impl FnMut(usize) -> Option<(Verdict, Difficulty)>,
    cancel: &CancelToken,
) -> Result<Vec<Rating>, Cancelled> {
    let is_unique = |k: &usize| outcomes.statuses()[*k] == Status::Unique;
    let known: Vec<_> = (0..outcomes.len()).filter(is_unique).filter_map(|k| Some((k, known(k)?))).collect();
    // The rater passes over these.
    known.iter().for_each(|(k, _)| outcomes.set_status(*k, Status::Multiple));
    let mut ratings = rater.rate_solved(puzzles, &outcomes, cancel)?;
    known.into_iter().for_each(|(k, known)| (ratings[k].verdict, ratings[k].er) = known);
    Ok(ratings)
}

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
        let mut fields = Vec::new();
        let known = |k| {
            batch.layout.values(batch.record(k), false, &mut fields);
            fields.get(column).and_then(|field| self.parse(field))
        };
        with_known(&self.rater, puzzles, outcomes.clone(), known, batch.cancel)
    }

    /// Reads a rating as `rapidoku rate` writes it: `7.1`, or `>9.4` if that is as much as the bound tells.
    fn parse(&self, field: &[u8]) -> Option<(Verdict, Difficulty)> {
        let text = str::from_utf8(field).ok()?.trim();
        let number = text.strip_prefix('>');
        let er: Difficulty = number.unwrap_or(text).parse().ok()?;
        let verdict = match self.max_er {
            Some(bound) if er > bound || (er == bound && number.is_some()) => Verdict::Above,
            _ if number.is_some() => return None,
            _ if er == Difficulty::STUCK => Verdict::Stuck,
            _ => Verdict::Rated,
        };
        Some((verdict, er))
    }
}
