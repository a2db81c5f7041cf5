//! The results of a measurement as plain data. A later run can read them back from JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use rapidoku::file::Counts;

/// The outcomes and the speed of one entry on one dataset.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The number of records that the entry got, including invalid ones.
    pub records: usize,
    /// The number of records in the text; more than `records` if the entry got a subset.
    pub records_in_text: usize,
    /// The number of records with each status.
    pub counts: Counts,
    /// The sum of guesses over all records.
    pub guesses: u64,
    /// `guesses` over `records`.
    pub guesses_per_puzzle: f64,
    /// The FNV-1a hash of the whole text: 64 bits in hexadecimal.
    pub dataset_hash: String,
    /// The FNV-1a hash of all outcomes, in the order of the records: 64 bits in hexadecimal. A record contributes its
    /// status (one byte, the index in [`Status::ALL`](rapidoku::Status::ALL)), its number of solutions and its
    /// guesses (eight bytes each, little-endian), and its row (81 cells and a line feed). If puzzles
    /// were rated, ER, EP and ED in tenths follow (two bytes each, little-endian). The hash does not depend on the machine,
    /// the number of threads or the batch size.
    pub outcomes_hash: String,
    /// The number of passes over the text in each round.
    pub passes: u32,
    /// The rates of the timed rounds. `None` if the entry gave up on every puzzle.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzles_per_second: Option<Rates>,
    /// The share of parsing in the working time of all threads during the timed rounds, `0.0..=1.0`.
    pub parse_share: f64,
    /// The shares of parsing, solving and writing in a separate pass on one thread that also writes rows to a file.
    pub shares: Shares,
    /// The share of lanes that held a puzzle, over all sweeps, `0.0..=1.0`. `None` for solvers without lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub occupancy: Option<f64>,
    /// The mean number of records in a batch.
    pub records_per_batch: f64,
    /// The time of a batch, from text to rows, in the timed rounds.
    pub batch_latency: Latency,
    /// The time of a puzzle in a separate pass that solves and times each alone. `None` for solvers with lanes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub puzzle_latency: Option<Latency>,
    /// The rates relative to those of the first entry. `None` for the first entry itself, and if one of them has no rate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_first: Option<Ratio>,
}

/// The shares of the stages in the time of a thread. They add up to 1.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the stages")]
pub struct Shares {
    pub parse: f64,
    pub solve: f64,
    pub write: f64,
}

/// Puzzles per second over the timed rounds. A puzzle at the cap on guesses takes time but is not counted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates {
    /// The median.
    pub median: f64,
    /// The slowest round.
    pub min: f64,
    /// The fastest round.
    pub max: f64,
    /// `(max - min) / median`, or 0 if all rates are equal.
    pub spread: f64,
    /// All rounds in chronological order.
    pub rounds: Vec<f64>,
}

impl Rates {
    /// Summarises at least one round.
    pub(crate) fn of(rounds: Vec<f64>) -> Rates {
        let sorted = sorted(&rounds);
        let (min, max) = (sorted[0], sorted[sorted.len() - 1]);
        let median = median(&sorted);
        let spread = if max > min { (max - min) / median } else { 0.0 };
        Rates { median, min, max, spread, rounds }
    }

    /// The confidence interval of the median, and its level, as for [`Ratio`].
    pub fn interval(&self) -> Ratio {
        Ratio::of(&self.rounds, &vec![1.0; self.rounds.len()])
    }

    /// The number of outliers.
    pub fn outliers(&self) -> usize {
        self.rounds.len() - self.usual().count()
    }

    /// The fastest round that is no outlier.
    pub fn usual_max(&self) -> f64 {
        self.usual().fold(0.0, f64::max)
    }

    /// The rounds within the fences of Tukey: no further from the quartiles than 1.5 times their distance. Rounds within 5 %
    /// of the median are no outliers, however close to each other the others are. Fewer than five rounds have no useful
    /// quartiles.
    fn usual(&self) -> impl Iterator<Item = f64> + '_ {
        let sorted = sorted(&self.rounds);
        let n = sorted.len();
        // The medians of the two halves, each without the middle.
        let (low, high) = match n {
            ..5 => (f64::NEG_INFINITY, f64::INFINITY),
            _ => (median(&sorted[..n / 2]), median(&sorted[n.div_ceil(2)..])),
        };
        let fence = 1.5 * (high - low);
        let is_usual = move |rate: &f64| {
            let inside = *rate >= low - fence && *rate <= high + fence;
            inside || (*rate / self.median - 1.0).abs() <= 0.05
        };
        self.rounds.iter().copied().filter(is_usual)
    }
}

/// The speed relative to another entry. Rounds are compared in pairs that ran one after the other, so that a machine
/// that slows down affects both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ratio {
    /// The median of the ratios of all pairs.
    pub median: f64,
    /// The lower end of the confidence interval of the median.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The confidence level of the interval, if the pairs are independent: the smallest above 0.95 that the number of
    /// pairs allows. Fewer than six pairs do not reach 0.95.
    pub confidence: f64,
}

impl Ratio {
    /// Whether the interval excludes 1.
    pub fn is_difference(&self) -> bool {
        self.low > 1.0 || self.high < 1.0
    }

    /// Compares rates round by round; there must be at least one. The interval is that of the sign test: from the
    /// k-th lowest to the k-th highest of n ratios. It misses the median if fewer than k ratios fall on one side of
    /// it, and each ratio falls on either side with probability 1/2.
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

/// Percentiles of a time, in microseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the names of the percentiles")]
pub struct Latency {
    pub p50_us: f64,
    pub p90_us: f64,
    pub p99_us: f64,
    pub max_us: f64,
    /// The number of times.
    pub count: u64,
}

/// Times from one nanosecond to one day, with three significant digits.
pub(crate) struct Histogram(hdrhistogram::Histogram<u64>);

const DAY_NS: u64 = 24 * 3600 * 1_000_000_000;

impl Default for Histogram {
    fn default() -> Histogram {
        Histogram(hdrhistogram::Histogram::new_with_bounds(1, DAY_NS, 3).expect("the bounds are valid"))
    }
}

impl Histogram {
    pub fn add(&mut self, time: Duration) {
        self.0.saturating_record(time.as_nanos() as u64);
    }

    pub fn merge(&mut self, other: Histogram) {
        self.0.add(other.0).expect("the bounds are equal");
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
    fn outliers_are_far_from_the_quartiles_and_the_median() {
        let outliers = |rounds: &[f64]| Rates::of(rounds.to_vec()).outliers();
        assert_eq!(outliers(&[100.0, 101.0, 99.0, 100.0, 102.0, 98.0, 60.0]), 1);
        assert_eq!(outliers(&[100.0, 101.0, 99.0, 100.0, 60.0, 140.0, 100.0, 101.0, 99.0]), 2);
        assert_eq!(Rates::of(vec![100.0, 101.0, 99.0, 100.0, 60.0, 140.0, 102.0]).usual_max(), 102.0);
        // Evenly spread rounds have none, however large the spread.
        assert_eq!(outliers(&[70.0, 80.0, 90.0, 100.0, 110.0, 120.0, 130.0]), 0);
        // Too close to the median.
        assert_eq!(outliers(&[100.0, 100.1, 99.9, 100.0, 100.1, 99.9, 97.0]), 0);
        assert_eq!(outliers(&[100.0, 100.0, 100.0, 10.0]), 0);
    }

    #[test]
    fn the_interval_is_that_of_the_sign_test() {
        // From tables of the sign test. n = 7: the lowest and the highest (98.4 %), n = 9: the second ones (96.1 %),
        // n = 20: the sixth ones (95.9 %).
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
    fn ratios_are_taken_of_pairs_and_not_of_medians() {
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
