//! Selection of generated puzzles by their properties.

use std::ops::RangeInclusive;

use crate::cancel::{CancelToken, Cancelled};
use crate::grid::Puzzle;
use crate::rating::{Difficulty, Rater, Rating, Technique, Techniques, Verdict};
use crate::simd::SimdLevel;
use crate::solver::Solver;

/// The properties that puzzles with one solution must have. The default accepts all of them.
///
/// ```
/// use rapidoku::generate::{Filter, Generator};
/// use rapidoku::{CancelToken, SimdLevel};
///
/// let cancel = CancelToken::new();
/// let mut made = Generator::new(7).minimal(0..1000, &cancel)?;
/// let mut filter = Filter::default();
/// filter.clues = Some(22..=23);
/// filter.singles_only = true;
/// filter.retain(SimdLevel::detect(), &mut made, |(puzzle, _)| puzzle, &cancel)?;
/// assert!(!made.is_empty() && made.len() < 500);
/// assert!(made.iter().all(|(puzzle, _)| [22, 23].contains(&puzzle.clue_count())));
/// # Ok::<(), rapidoku::Cancelled>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// The number of clues.
    pub clues: Option<RangeInclusive<u64>>,
    /// The number of guesses of the lane engine until there is known to be one solution.
    pub guesses: Option<RangeInclusive<u64>>,
    /// Naked and hidden singles solve it.
    pub singles_only: bool,
    /// The hardest technique that it needs is one of these, if there are any.
    pub hardest: Vec<Technique>,
    /// The rating on the scale of Sudoku Explainer.
    pub er: Option<RangeInclusive<Difficulty>>,
}

impl Filter {
    /// Removes the items whose puzzles lack a property.
    ///
    /// # Errors
    /// When `cancel` was set. Items may be left that lack a property.
    pub fn retain<T>(
        &self,
        level: SimdLevel,
        items: &mut Vec<T>,
        puzzle: impl Fn(&T) -> &Puzzle,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        // The cheap properties come first.
        if let Some(range) = &self.clues {
            items.retain(|item| range.contains(&(puzzle(item).clue_count() as u64)));
        }
        if let Some(range) = &self.guesses {
            let puzzles: Vec<Puzzle> = items.iter().map(|item| *puzzle(item)).collect();
            let outcomes = Solver::new().level(level).threads(1).solve(&puzzles);
            let mut guesses = outcomes.guesses().iter();
            items.retain(|_| guesses.next().is_some_and(|guesses| range.contains(guesses)));
        }
        let mut rated = |rater: Rater, keep: &dyn Fn(&Rating) -> bool| {
            let puzzles: Vec<Puzzle> = items.iter().map(|item| *puzzle(item)).collect();
            let ratings = rater.level(level).threads(1).rate_all(&puzzles, cancel)?;
            let mut ratings = ratings.iter();
            let is_kept = |rating: &Rating| rating.verdict == Verdict::Rated && keep(rating);
            items.retain(|_| ratings.next().is_some_and(is_kept));
            Ok(())
        };
        if self.singles_only {
            rated(Rater::new().techniques(Techniques::SINGLES), &|_| true)?;
        }
        if let Some(last) = self.hardest.iter().max() {
            let is_listed = |technique: Technique| self.hardest.contains(&technique);
            rated(Rater::new().techniques(Techniques::up_to(*last)), &|rating| {
                rating.hardest().is_some_and(is_listed)
            })?;
        }
        if let Some(range) = &self.er {
            rated(Rater::new().up_to(*range.end()), &|rating| range.contains(&rating.er))?;
        }
        Ok(())
    }
}
