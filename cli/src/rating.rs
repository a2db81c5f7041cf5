//! Ranges of ratings.

use std::ops::RangeInclusive;

use rapidoku::rating::{Difficulty, Rating, Verdict};

/// Whether a rating, which may be [above](Verdict::Above) the end of the range, is in the range.
pub fn is_in_range(rating: &Rating, range: &RangeInclusive<Difficulty>) -> bool {
    rating.verdict == Verdict::Rated && range.contains(&rating.er)
}
