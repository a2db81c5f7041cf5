//! Speed by difficulty: the puzzles of a text are grouped by the guesses of the scalar solver.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use rapidoku::file::Records;
use rapidoku::file::internal::MAX_BATCH;
use rapidoku::{Limits, Outcomes, SimdLevel, Status};
use serde::{Deserialize, Serialize};

use super::pool::split_into_batches;
use super::{Entry, Text};
use crate::solver::SolverKind;

/// The speed of each entry on puzzles of each difficulty, on one thread.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Difficulty {
    /// From easy to hard.
    pub buckets: Vec<Bucket>,
}

/// Puzzles of similar difficulty.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bucket {
    /// The minimal number of guesses of the scalar solver.
    pub from: u64,
    /// The maximal number of guesses of the scalar solver.
    pub to: u64,
    /// The number of records in the text with this difficulty.
    pub records: usize,
    /// The name of each entry, and its rate in answered puzzles per second.
    pub rates: Vec<(String, f64)>,
}

/// The maximal number of puzzles of a bucket that are timed, spread evenly.
const MAX_PUZZLES: usize = 2000;
/// The same for an entry with [`Entry::max_records`].
const MAX_PUZZLES_IF_SLOW: usize = 25;
/// Buckets with fewer puzzles are left out: their rates would be meaningless.
const MIN_PUZZLES: usize = 10;
/// The minimal time of the passes over a bucket.
const BUCKET_TIME: Duration = Duration::from_millis(20);

impl Difficulty {
    /// Groups the puzzles of `text` by difficulty and times every entry on one thread, whatever its number of
    /// threads.
    ///
    /// Outcomes are not checked: [`Benchmark::run`](super::Benchmark::run) does that.
    pub fn measure(text: &Text, entries: &[Entry]) -> Difficulty {
        let limit = entries.first().map_or(Limits::UNIQUE.solutions, |entry| entry.limits.solutions);
        let buckets = group_by_difficulty(text, limit).into_iter();
        let buckets = buckets.filter(|bucket| bucket.records.len() >= MIN_PUZZLES);
        let measure = |bucket: PuzzleBucket| Bucket {
            from: bucket.from,
            to: bucket.to,
            records: bucket.records.len(),
            rates: entries.iter().map(|entry| (entry.name.clone(), rate(entry, &bucket.records))).collect(),
        };
        Difficulty { buckets: buckets.map(measure).collect() }
    }
}

struct PuzzleBucket {
    from: u64,
    to: u64,
    records: Records,
}

/// Buckets of 0, 1, 2 to 3, 4 to 7, 8 to 15 guesses, and so on. Invalid records are left out.
fn group_by_difficulty(text: &Text, limit: NonZeroU64) -> Vec<PuzzleBucket> {
    let mut buckets: Vec<PuzzleBucket> = Vec::new();
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let limits = Limits::up_to(limit).max_guesses(1_000_000);
    for batch in split_into_batches(text, MAX_BATCH) {
        batch.parse(&mut records, SimdLevel::default());
        SolverKind::Scalar.solve(records.puzzle_slice(), limits, &mut outcomes);
        for (k, status) in outcomes.statuses().iter().enumerate() {
            if *status == Status::Invalid {
                continue;
            }
            let bits = (u64::BITS - outcomes.guesses()[k].leading_zeros()) as usize;
            while buckets.len() <= bits {
                let n = buckets.len() as u32;
                let (from, to) = if n == 0 { (0, 0) } else { (1 << (n - 1), (1 << n) - 1) };
                buckets.push(PuzzleBucket { from, to, records: Records::default() });
            }
            buckets[bits].records.push_from(&records, k);
        }
    }
    buckets
}

/// Answered puzzles per second.
fn rate(entry: &Entry, records: &Records) -> f64 {
    let max = if entry.max_records.is_some() { MAX_PUZZLES_IF_SLOW } else { MAX_PUZZLES };
    let (n, mut selected) = (records.len(), Records::default());
    (0..n).step_by(n.div_ceil(max)).for_each(|k| selected.push_from(records, k));
    let mut outcomes = Outcomes::default();
    let (start, mut passes) = (Instant::now(), 0);
    while passes == 0 || start.elapsed() < BUCKET_TIME {
        (entry.solve)(selected.puzzle_slice(), entry.limits, &mut outcomes);
        passes += 1;
    }
    let time = start.elapsed().as_secs_f64();
    let answered = outcomes.statuses().iter().filter(|&&status| status != Status::Limit).count();
    (passes * answered) as f64 / time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_puzzle_is_in_its_bucket() {
        let sample = include_bytes!("../../../datasets/sample_10k.txt");
        let buckets = group_by_difficulty(&sample.into(), Limits::UNIQUE.solutions);
        assert_eq!(buckets.iter().map(|bucket| bucket.records.len()).sum::<usize>(), 10_000);
        for bucket in &buckets {
            for puzzle in bucket.records.puzzles().iter().step_by(50) {
                let guesses =
                    rapidoku::Solver::new().engine(rapidoku::Engine::Scalar).solve_one(puzzle).guesses;
                assert!((bucket.from..=bucket.to).contains(&guesses));
            }
        }
        assert!(buckets.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
    }
}
