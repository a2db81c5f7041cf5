//! Weights of generated puzzles, for the statistics of a run.

use std::sync::Mutex;

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

    /// The number of rows, and how many different puzzles of equal weight they are worth: the square of the sum of
    /// weights divided by the sum of their squares.
    pub fn sample(&self) -> (u64, f64) {
        let Sums { rows, first, second } = *self.0.lock().expect("no thread panics with the lock");
        (rows, if second == 0 { 0.0 } else { (first as f64).powi(2) / second as f64 })
    }
}
