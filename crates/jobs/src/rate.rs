//! The rating of each record.

use rapidoku::file::{BatchView, Needs, Table, Value};
use rapidoku::rating::{Difficulty, Rater, Rating, Technique, Verdict};
use rapidoku::{Outcomes, SimdLevel, Status};

use crate::rows::{Columns, Found, MINIMAL, REDUNDANT, Redundant, Row, each_row};

fn tenths(difficulty: Difficulty) -> Value<'static> {
    Value::Tenths(difficulty.0.into())
}

/// The ER of a rating up to a bound.
pub fn er(rating: &Rating, bound: Option<Difficulty>) -> Value<'static> {
    match (rating.verdict, bound) {
        (Verdict::Above, Some(bound)) => Value::Text(format!(">{bound}").into()),
        (Verdict::Limit, _) => Value::Text(format!(">={}", rating.er).into()),
        (Verdict::Stuck, _) => tenths(Difficulty::STUCK),
        _ => tenths(rating.er),
    }
}

/// The number of steps of each technique that was used.
fn steps(rating: &Rating) -> String {
    let used = Technique::ALL.into_iter().zip(rating.counts).filter(|(_, count)| *count > 0);
    used.map(|(technique, count)| format!("{technique} {count}")).collect::<Vec<_>>().join(", ")
}

/// The columns that need a full rating.
const RATING: [&str; 5] = ["er", "ep", "ed", "hardest", "steps"];
const SINGLES_ONLY: &str = "singles_only";

/// The rating of each record.
pub struct Rate {
    /// The instruction set.
    pub level: SimdLevel,
    /// The rater.
    pub rater: Rater,
    /// The rater for `singles_only` alone.
    pub singles: Rater,
    /// The bound of the rater.
    pub bound: Option<Difficulty>,
}

impl Columns for Rate {
    fn names(&self) -> &'static [&'static str] {
        &["er", "ep", "ed", "hardest", "steps", SINGLES_ONLY, MINIMAL, REDUNDANT]
    }

    fn needs(&self, _: &Table) -> Needs<'static> {
        // The hardest puzzles take a tenth of a second each.
        Needs { solves_in_write: true, max_batch_bytes: 16 << 10, ..Needs::default() }
    }

    fn find<'a>(&'a self, table: &'a Table, batch: &BatchView<'a>, outcomes: &mut Outcomes) -> Found<'a> {
        let puzzles = batch.records.puzzle_slice();
        let has_singles = table.has(SINGLES_ONLY);
        let ratings = if RATING.iter().any(|name| table.has(name)) {
            self.rater.rate_solved(puzzles, outcomes, batch.cancel)?
        } else if has_singles {
            self.singles.rate_solved(puzzles, outcomes, batch.cancel)?
        } else {
            Vec::new()
        };
        let by_singles = if has_singles { Rater::by_singles(puzzles, &ratings) } else { Vec::new() };
        let redundant = Redundant::find(table, self.level, batch, outcomes)?;
        each_row(move |outcomes, k, row| {
            let Row::Values(values) = row else { unreachable!("a rating has columns") };
            let [of_er, of_ep, of_ed, hardest, of_steps, singles_only, minimal, is_redundant] = values else {
                unreachable!("there is a value for each name")
            };
            [*minimal, *is_redundant] = redundant.values(k);
            if outcomes.statuses()[k] != Status::Unique {
                return true;
            }
            if let Some(by_singles) = by_singles.get(k) {
                *singles_only = Value::Flag(*by_singles);
            }
            let Some(rating) = ratings.get(k) else { return true };
            let is_rated = rating.verdict == Verdict::Rated;
            *of_er = er(rating, self.bound);
            // They are known once a step has been found.
            for (value, difficulty) in [(of_ep, rating.ep), (of_ed, rating.ed)] {
                if difficulty.0 > 0 || is_rated {
                    *value = tenths(difficulty);
                }
            }
            // A complete grid has none. What is above a bound or a limit is not known.
            if let Some(technique) = rating.hardest().filter(|_| is_rated) {
                *hardest = Value::Word(technique.name());
            }
            if table.has("steps") {
                *of_steps = Value::Text(steps(rating).into());
            }
            true
        })
    }
}
