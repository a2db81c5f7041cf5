//! What is reported: plain data, with a form in JSON that a later run can read again.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use rapidoku::file::Counts;

/// What a set of puzzles came to, and how fast.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Records that were solved, invalid ones included.
    pub records: usize,
    /// Records in the text; more than `records` where a slow contestant was given a sample of them.
    pub records_in_text: usize,
    /// The solved ones by status.
    pub counts: Counts,
    /// Guesses over all records solved.
    pub guesses: u64,
    /// Guesses over records.
    pub guesses_per_puzzle: f64,
    /// FNV-1a of the whole text, 64 bits in hexadecimal.
    pub dataset_hash: String,
    /// FNV-1a over all records in their order, 64 bits in hexadecimal. A record adds its status (one
    /// byte, its place in [`Status::ALL`](crate::grid::Status::ALL)), its number of solutions and its guesses
    /// (eight bytes each, least significant first), and its row (81 cells and a line feed). The same on every
    /// machine, for every number of threads and every batch size.
    pub outcomes_hash: String,
    /// Passes over the text in each round.
    pub passes: u32,
    /// Rates of the timed rounds.
    pub puzzles_per_second: Rates,
    /// Part of the threads' working time in the timed rounds that went into parsing, `0.0..=1.0`.
    pub parse_share: f64,
    /// Where the time of one thread goes when the rows are written to a file, too; from a pass of its own.
    pub shares: Shares,
    /// Lanes that held a puzzle over all lanes of all sweeps, `0.0..=1.0`; of an engine with lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<f64>,
    /// Records in a batch, on average.
    pub records_per_batch: f64,
    /// How long a batch took, from text to rows, in the timed rounds.
    pub batch_latency: Latency,
    /// How long a puzzle took, each solved and timed alone in a pass of its own; not of an engine with lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle_latency: Option<Latency>,
    /// This contestant's rates over those of the first one; not of the first one itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_first: Option<Ratio>,
}

/// Parts of a thread's time, which sum up to 1.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the stages of the path")]
pub struct Shares {
    pub parse: f64,
    pub solve: f64,
    pub write: f64,
}

/// Puzzles per second over the timed rounds. A puzzle that is given up at the cap on guesses takes its time, but is not
/// counted: there is no rate for not solving.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// The middle one, or the mean of the two in the middle.
    pub median: f64,
    /// The slowest round.
    pub min: f64,
    /// The fastest round.
    pub max: f64,
    /// `(max - min) / median`, and 0 where all is 0.
    pub spread: f64,
    /// Each round, in the order they were run.
    pub rounds: Vec<f64>,
}

impl Rates {
    /// Of at least one round.
    pub(crate) fn of(rounds: Vec<f64>) -> Rates {
        let sorted = sorted(&rounds);
        let (min, max) = (sorted[0], sorted[sorted.len() - 1]);
        let median = median(&sorted);
        let spread = if max > min { (max - min) / median } else { 0.0 };
        Rates { median, min, max, spread, rounds }
    }
}

/// How many times as fast as another contestant: rounds are compared in pairs that were run one after the
/// other, so that a machine which slows down slows both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The middle one of the ratios of all pairs.
    pub median: f64,
    /// Lower end of the interval for the median.
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// How likely such an interval is to hold the true median, if pairs are independent. It is as near
    /// above 0.95 as the number of pairs allows; fewer than six cannot reach it.
    pub confidence: f64,
}

impl Ratio {
    /// Of rates round by round, at least one. The interval is that of the sign test: the k-th lowest to the k-th highest
    /// of n ratios misses the median when fewer than k of them fall on one side of it, with the chance of a fair coin.
    pub(crate) fn of(rates: &[f64], of_first: &[f64]) -> Ratio {
        let ratios = sorted(&rates.iter().zip(of_first).map(|(a, b)| a / b).collect::<Vec<_>>());
        let n = ratios.len();
        let (mut k, mut confidence) = (0, 1.0 - 2.0 * 0.5_f64.powi(n as i32));
        let (mut term, mut tail) = (0.5_f64.powi(n as i32), 0.5_f64.powi(n as i32));
        for next in 1..n.div_ceil(2) {
            term *= (n - next + 1) as f64 / next as f64;
            tail += term;
            if 1.0 - 2.0 * tail < 0.95 {
                break;
            }
            (k, confidence) = (next, 1.0 - 2.0 * tail);
        }
        Ratio { median: median(&ratios), low: ratios[k], high: ratios[n - 1 - k], confidence }
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn median(sorted: &[f64]) -> f64 {
    let n = sorted.len();
    (sorted[(n - 1) / 2] + sorted[n / 2]) / 2.0
}

/// How long something took, in microseconds: the time within which that part of all cases was done.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the percentiles")]
pub struct Latency {
    pub p50_us: f64,
    pub p90_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    /// How many were timed.
    pub count: u64,
}

/// Times from a nanosecond to a day, with three significant digits.
pub(crate) struct Histogram(hdrhistogram::Histogram<u64>);

const DAY_NS: u64 = 24 * 3600 * 1_000_000_000;

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram(hdrhistogram::Histogram::new_with_bounds(1, DAY_NS, 3).expect("the bounds make sense"))
    }
}

impl Histogram {
    pub fn add(&mut self, time: Duration) {
        self.0.saturating_record(time.as_nanos() as u64);
    }

    pub fn merge(&mut self, other: Histogram) {
        self.0.add(other.0).expect("the bounds are the same");
    }

    pub fn latency(&self) -> Latency {
        let at = |part: f64| self.0.value_at_quantile(part) as f64 / 1e3;
        let max_us = self.0.max() as f64 / 1e3;
        Latency { p50_us: at(0.5), p90_us: at(0.9), p99_us: at(0.99), max_us, count: self.0.len() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn median_of_even_and_odd_counts() {
        assert_eq!(Rates::of(vec![3.0, 1.0, 2.0]).median, 2.0);
        let rates = Rates::of(vec![4.0, 1.0, 2.0, 3.0]);
        assert_eq!((rates.median, rates.min, rates.max, rates.spread), (2.5, 1.0, 4.0, 1.2));
    }

    #[test]
    fn the_interval_is_that_of_the_sign_test() {
        // Tables of the sign test: of 7 the lowest and the highest (98.4 %), of 9 the second ones (96.1 %), of 20 the
        // sixth ones (95.9 %).
        for (n, place, confidence) in
            [(1, 1, 0.0), (5, 1, 0.9375), (7, 1, 0.984), (9, 2, 0.961), (20, 6, 0.959)]
        {
            let rates: Vec<f64> = (1..=n).rev().map(f64::from).collect();
            let ratio = Ratio::of(&rates, &vec![1.0; n as usize]);
            assert_eq!((ratio.low, ratio.high), (f64::from(place), f64::from(n + 1 - place)), "{n}");
            assert!((ratio.confidence - confidence).abs() < 5e-4, "{n}: {}", ratio.confidence);
            assert_eq!(ratio.median, f64::from(n + 1) / 2.0);
        }
    }

    #[test]
    fn pairs_are_compared_and_not_medians() {
        let ratio = Ratio::of(&[2.0, 20.0, 200.0], &[1.0, 10.0, 100.0]);
        assert_eq!((ratio.median, ratio.low, ratio.high), (2.0, 2.0, 2.0));
    }

    #[test]
    fn percentiles_in_microseconds() {
        let mut histogram = Histogram::default();
        (1..=100).for_each(|us| histogram.add(Duration::from_micros(us)));
        let latency = histogram.latency();
        let near = |value: f64, expected: f64| (value / expected - 1.0).abs() < 2e-3;
        assert!(near(latency.p50_us, 50.0) && near(latency.p90_us, 90.0) && near(latency.p99_us, 99.0));
        assert!(near(latency.max_us, 100.0) && latency.count == 100, "{latency:?}");
    }
}
