//! Weights of generated puzzles, for the statistics of a run.

use std::fmt;
use std::sync::Mutex;

use serde::Serialize;

use crate::number::counted;

/// Sums over the weights of the puzzles written.
#[derive(Default)]
pub struct Weights(Mutex<Sums>);

/// Integers, so that the sums do not depend on the order in which threads add to them.
#[derive(Clone, Copy, Default)]
struct Sums {
    rows: u64,
    first: u128,
    second: u128,
}

impl Weights {
    /// Adds rows of puzzles with these weights, each divided by `unit`. It is chosen such that weights become less than
    /// 2⁴⁰, and typical ones are not rounded much.
    pub fn add(&self, rows: usize, weights: impl Iterator<Item = f64>, unit: f64) {
        let mut sums = self.0.lock().expect("no thread panics with the lock");
        sums.rows += rows as u64;
        for weight in weights {
            let weight = (weight / unit).round() as u128;
            sums.first += weight;
            sums.second += weight * weight;
        }
    }

    /// The summary for reports.
    pub fn sample(&self) -> Sample {
        let Sums { rows, first, second } = *self.0.lock().expect("no thread panics with the lock");
        let effective_size = if second == 0 { 0.0 } else { (first as f64).powi(2) / second as f64 };
        Sample { rows, effective_size }
    }
}

/// How many different puzzles of equal weight a sample is worth.
#[derive(Clone, Copy, Serialize)]
pub struct Sample {
    rows: u64,
    /// The square of the sum of weights divided by the sum of their squares.
    effective_size: f64,
}

impl fmt::Display for Sample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "effective size {:.1} of {} drawn", self.effective_size, counted(self.rows, "puzzle"))
    }
}
