//! Speed over difficulty: the puzzles of a text, put together by the guesses that the scalar solver needs.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::crew::cut;
use super::{Contestant, Text};
use crate::solver::SolverKind;
use rapidoku::Status;
use rapidoku::{Level, Limits, Outcomes};

use rapidoku::file::Records;

/// How fast each contestant is on puzzles of each difficulty, on one thread.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Difficulty {
    /// From easy to hard.
    pub buckets: Vec<Bucket>,
}

/// Puzzles of like difficulty.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bucket {
    /// Guesses of the scalar solver up to its verdict, at least.
    pub from: u64,
    /// At most.
    pub to: u64,
    /// How many of the text there are.
    pub records: usize,
    /// Puzzles answered per second, a name and a rate for each contestant.
    pub rates: Vec<(String, f64)>,
}

/// So many of a bucket are timed, spread evenly.
const PUZZLES: usize = 2000;
/// And so many for a contestant that is not given all records.
const FEW_PUZZLES: usize = 25;
/// Rarer difficulties say nothing.
const LEAST: usize = 10;
/// Passes over a bucket go on until this has passed.
const TIME: Duration = Duration::from_millis(20);

impl Difficulty {
    /// Sorts the puzzles of `text` and times the contestants, whatever their number of threads, on one.
    ///
    /// Nothing is checked: that is done by [`Contest::on`](super::Contest::on).
    pub fn measure(text: &Text, contestants: &[Contestant]) -> Difficulty {
        let buckets =
            sort(text, contestants.first().map_or(Limits::UNIQUE.solutions, |who| who.limits.solutions));
        let buckets = buckets.into_iter().filter(|bucket| bucket.records.len() >= LEAST);
        let time = |bucket: Sorted| Bucket {
            from: bucket.from,
            to: bucket.to,
            records: bucket.records.len(),
            rates: contestants.iter().map(|who| (who.name.clone(), rate(who, &bucket.records))).collect(),
        };
        Difficulty { buckets: buckets.map(time).collect() }
    }
}

struct Sorted {
    from: u64,
    to: u64,
    records: Records,
}

/// 0, 1, 2 to 3, 4 to 7, 8 to 15 guesses, and so on.
fn sort(text: &Text, limit: NonZeroU64) -> Vec<Sorted> {
    let mut buckets: Vec<Sorted> = Vec::new();
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let limits = Limits::up_to(limit).max_guesses(1_000_000);
    for batch in cut(text, rapidoku::file::internal::MAX_BATCH) {
        batch.read(&mut records, Level::default());
        SolverKind::Scalar.solve(records.puzzle_slice(), limits, &mut outcomes);
        for (k, status) in outcomes.statuses().iter().enumerate() {
            if *status == Status::Invalid {
                continue;
            }
            let bits = (u64::BITS - outcomes.guesses()[k].leading_zeros()) as usize;
            while buckets.len() <= bits {
                let n = buckets.len() as u32;
                let (from, to) = if n == 0 { (0, 0) } else { (1 << (n - 1), (1 << n) - 1) };
                buckets.push(Sorted { from, to, records: Records::default() });
            }
            buckets[bits].records.push_from(&records, k);
        }
    }
    buckets
}

fn rate(who: &Contestant, records: &Records) -> f64 {
    let at_most = if who.max_records.is_some() { FEW_PUZZLES } else { PUZZLES };
    let (n, mut some) = (records.len(), Records::default());
    (0..n).step_by(n.div_ceil(at_most)).for_each(|k| some.push_from(records, k));
    let mut outcomes = Outcomes::default();
    let (start, mut passes) = (Instant::now(), 0);
    while passes == 0 || start.elapsed() < TIME {
        (who.solve)(some.puzzle_slice(), who.limits, &mut outcomes);
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
        let buckets = sort(&sample.into(), Limits::UNIQUE.solutions);
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
