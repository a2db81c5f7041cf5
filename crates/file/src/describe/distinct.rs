//! The number of different puzzles among many, in bounded memory.
//!
//! Hashes are counted in a table. When it has too many, those outside of half of their range are dropped, and later
//! ones are ignored. The rest is a random sample of the classes with all their records, from which the numbers are
//! estimated (adaptive sampling: Wegman 1984, Flajolet 1990). The state at the end does not depend on the order of the
//! hashes.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use rapidoku_generate::dedup::Spread;

/// Counts equal hashes.
#[derive(Debug)]
pub(super) struct DistinctCounter {
    /// The maximal number of different hashes in the table.
    limit: usize,
    /// The number of leading bits that are zero in the hashes of the table.
    level: u32,
    /// The number of records with each hash.
    counts: HashMap<u64, u32, BuildHasherDefault<Spread>>,
    records: u64,
}

/// The result of a count of equal or equivalent puzzles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Duplicates {
    /// The number of records compared.
    pub records: u64,
    /// The number of different puzzles among them.
    pub distinct: u64,
    /// The number of records that repeat an earlier one: the difference of the two.
    pub duplicates: u64,
    /// The number of puzzles that occur more than once.
    pub repeated: u64,
    /// The number of occurrences of the most frequent puzzle; of those in the sample, if the numbers are estimates.
    pub most: u64,
    /// Whether the numbers are estimates.
    pub is_estimate: bool,
}

impl DistinctCounter {
    pub fn new(limit: usize) -> DistinctCounter {
        DistinctCounter { limit: limit.max(1), level: 0, counts: HashMap::default(), records: 0 }
    }

    /// Adds records with these hashes.
    pub fn extend(&mut self, hashes: impl IntoIterator<Item = u128>) {
        for hash in hashes {
            self.records += 1;
            // The leading half: two of ten million hashes are equal with a probability of one in a million.
            let hash = (hash >> 64) as u64;
            if hash.leading_zeros() < self.level {
                continue;
            }
            let count = self.counts.entry(hash).or_default();
            *count = count.saturating_add(1);
            while self.counts.len() > self.limit {
                self.level += 1;
                let level = self.level;
                self.counts.retain(|hash, _| hash.leading_zeros() >= level);
            }
        }
    }

    pub fn duplicates(&self) -> Duplicates {
        let counts = || self.counts.values().map(|&count| u64::from(count));
        let scaled = |sampled: u64| sampled << self.level;
        // Not from the number of classes: that has a random error even if no puzzle occurs twice.
        let duplicates = scaled(counts().map(|count| count - 1).sum()).min(self.records.saturating_sub(1));
        Duplicates {
            records: self.records,
            distinct: self.records - duplicates,
            duplicates,
            repeated: scaled(counts().filter(|count| *count > 1).count() as u64),
            most: counts().max().unwrap_or(0),
            is_estimate: self.level > 0,
        }
    }
}
