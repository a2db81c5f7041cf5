//! Speed by difficulty: the puzzles of a text are grouped by the guesses of the scalar solver.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use rapidoku::file::Records;
use rapidoku::file::internal::MAX_BATCH;
use rapidoku::{Limits, Outcomes, SimdLevel, Status};
use serde::{Deserialize, Serialize};

use super::pool::split_into_batches;
use super::report::Rates;
use super::{Entry, Text};
use crate::signals;
use crate::solver::SolverKind;

/// The speed of each entry on puzzles of each difficulty, on one thread.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Difficulty {
    /// From easy to hard. The last one has records; others may have none.
    pub buckets: Vec<Bucket>,
    /// The number of invalid records, which are in no bucket.
    pub invalid: usize,
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
    /// The name of each entry, and its rates in answered puzzles per second, if it answered any. Empty if the bucket
    /// has fewer than [`MIN_PUZZLES`] records.
    pub rates: Vec<(String, Option<Rates>)>,
}

/// The maximal number of puzzles of a bucket that are timed, spread evenly.
const MAX_PUZZLES: usize = 2000;
/// The same for an entry with [`Entry::max_records`].
const MAX_PUZZLES_IF_SLOW: usize = 25;
/// Buckets with fewer puzzles are not timed: their rates would be meaningless.
pub const MIN_PUZZLES: usize = 10;
/// The number of timed rounds.
const ROUNDS: usize = 5;
/// The minimal time of a round.
const ROUND_TIME: Duration = Duration::from_millis(5);

impl Difficulty {
    /// Groups the puzzles of `text` by difficulty and times every entry on one thread, whatever its number of
    /// threads. The entries take turns, round by round. Calls `on_bucket` with the number of buckets before and
    /// in total before it times each.
    ///
    /// Outcomes are not checked: [`Benchmark::run`](super::Benchmark::run) does that.
    pub fn measure(text: &Text, entries: &[Entry], on_bucket: impl Fn(usize, usize)) -> Difficulty {
        let limit = entries.first().map_or(Limits::UNIQUE.solutions, |entry| entry.limits.solutions);
        let (found, invalid) = group_by_difficulty(text, limit);
        let mut buckets = Vec::new();
        for (k, PuzzleBucket { from, to, records }) in found.iter().enumerate() {
            if signals::is_interrupted() {
                break;
            }
            on_bucket(k, found.len());
            let rates = if records.len() < MIN_PUZZLES { Vec::new() } else { measure(entries, records) };
            buckets.push(Bucket { from: *from, to: *to, records: records.len(), rates });
        }
        Difficulty { buckets, invalid }
    }
}

/// The rates of all entries on the puzzles of a bucket.
fn measure(entries: &[Entry], records: &Records) -> Vec<(String, Option<Rates>)> {
    let select = |entry: &Entry| {
        let max = if entry.max_records.is_some() { MAX_PUZZLES_IF_SLOW } else { MAX_PUZZLES };
        let (n, mut selected) = (records.len(), Records::default());
        (0..n).step_by(n.div_ceil(max)).for_each(|k| selected.push_from(records, k));
        selected
    };
    let selected: Vec<_> = entries.iter().map(select).collect();
    let mut rounds = vec![Vec::new(); entries.len()];
    for _ in 0..ROUNDS {
        for ((entry, records), rounds) in entries.iter().zip(&selected).zip(&mut rounds) {
            rounds.extend(rate(entry, records));
        }
    }
    let rates = |rounds: Vec<f64>| (!rounds.is_empty()).then(|| Rates::of(rounds));
    entries.iter().zip(rounds).map(|(entry, rounds)| (entry.name.clone(), rates(rounds))).collect()
}

struct PuzzleBucket {
    from: u64,
    to: u64,
    records: Records,
}

/// Buckets of 0, 1, 2 to 3, 4 to 7, 8 to 15 guesses, and so on, and the number of invalid records.
fn group_by_difficulty(text: &Text, limit: NonZeroU64) -> (Vec<PuzzleBucket>, usize) {
    let (mut buckets, mut invalid): (Vec<PuzzleBucket>, usize) = (Vec::new(), 0);
    let (mut records, mut outcomes) = (Records::default(), Outcomes::default());
    let limits = Limits::up_to(limit).max_guesses(1_000_000);
    for batch in split_into_batches(text, MAX_BATCH) {
        batch.parse(&mut records, SimdLevel::default());
        SolverKind::Scalar.solve(records.puzzle_slice(), limits, &mut outcomes);
        for (k, status) in outcomes.statuses().iter().enumerate() {
            if *status == Status::Invalid {
                invalid += 1;
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
    (buckets, invalid)
}

/// Answered puzzles per second in one round, or `None` if there were none.
fn rate(entry: &Entry, records: &Records) -> Option<f64> {
    let mut outcomes = Outcomes::default();
    let (start, mut passes) = (Instant::now(), 0);
    while passes == 0 || start.elapsed() < ROUND_TIME {
        (entry.solve)(records.puzzle_slice(), entry.limits, &mut outcomes);
        passes += 1;
    }
    let time = start.elapsed().as_secs_f64();
    let answered = outcomes.statuses().iter().filter(|&&status| status != Status::Limit).count();
    (answered > 0).then(|| (passes * answered) as f64 / time)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::historical::Historical;

    #[test]
    fn every_puzzle_is_in_its_bucket() {
        let sample = include_bytes!("../../../datasets/sample_10k.txt");
        let (buckets, invalid) = group_by_difficulty(&sample.into(), Limits::UNIQUE.solutions);
        assert_eq!(buckets.iter().map(|bucket| bucket.records.len()).sum::<usize>(), 10_000);
        assert_eq!(invalid, 0);
        for bucket in &buckets {
            for puzzle in bucket.records.puzzles().iter().step_by(50) {
                let guesses =
                    rapidoku::Solver::new().engine(rapidoku::Engine::Scalar).solve_one(puzzle).guesses;
                assert!((bucket.from..=bucket.to).contains(&guesses));
            }
        }
        assert!(buckets.windows(2).all(|pair| pair[0].to + 1 == pair[1].from));
    }

    #[test]
    fn no_record_is_dropped_silently() {
        let sample = include_str!("../../../datasets/sample_10k.txt");
        let text: String = sample.lines().take(100).chain(["bad"]).map(|line| format!("{line}\n")).collect();
        // A cap of no guesses: gives up on all puzzles that are not solved by singles alone.
        let limits = Limits::UNIQUE.max_guesses(0);
        let entries = [
            Entry::solver(SolverKind::Scalar, Limits::UNIQUE, 1),
            Entry::solver(SolverKind::Historical(Historical::BruteForce), limits, 1),
        ];
        let Difficulty { buckets, invalid } = Difficulty::measure(&(&text).into(), &entries, |_, _| {});
        assert_eq!((buckets.iter().map(|bucket| bucket.records).sum::<usize>(), invalid), (100, 1));
        for bucket in &buckets {
            if bucket.records < MIN_PUZZLES {
                assert!(bucket.rates.is_empty());
                continue;
            }
            let [(_, scalar), (_, brute_force)] = &bucket.rates[..] else { panic!("a rate for each entry") };
            assert_eq!(scalar.as_ref().unwrap().rounds.len(), ROUNDS);
            assert_eq!(*brute_force, None, "a solver that gave up has no rate");
        }
    }
}
