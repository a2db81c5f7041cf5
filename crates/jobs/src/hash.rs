//! Hashes of texts and outcomes: FNV-1a with 64 bits. Not fast, but simple enough that anyone can reproduce a hash.
//! Source: Fowler, Noll and Vo; the 1a variant multiplies after the exclusive or.

use rapidoku::Outcomes;
use rapidoku::rating::Rating;

/// The hash of nothing.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Adds bytes to a hash.
pub fn add(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Adds outcomes to a hash, with the ratings if there are any.
pub fn add_outcomes(mut hash: u64, outcomes: &Outcomes, ratings: &[Rating]) -> u64 {
    for (k, row) in outcomes.rows().iter().enumerate() {
        hash = add(hash, &[outcomes.statuses()[k] as u8]);
        hash = add(hash, &outcomes.solution_counts()[k].to_le_bytes());
        hash = add(hash, &outcomes.guesses()[k].to_le_bytes());
        hash = add(hash, row);
        if let Some(rating) = ratings.get(k) {
            let all = [rating.er, rating.ep, rating.ed];
            hash = all.iter().fold(hash, |hash, tenths| add(hash, &tenths.0.to_le_bytes()));
        }
    }
    hash
}
