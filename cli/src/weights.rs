//! Weights of generated puzzles, for the statistics of a run.

use std::sync::Mutex;

/// Sums over the weights of the puzzles written.
#[derive(Default)]
pub struct Weights(Mutex<Sums>);

/// The number of rows, the sum of weights and that of their squares. Integers, so that the sums do not depend on the
/// order in which threads add to them.
type Sums = (u64, u128, u128);

impl Weights {
    /// Adds rows of puzzles with these weights, each divided by `unit`. It is chosen such that weights become less than
    /// 2⁴⁰, and typical ones are not rounded much.
    pub fn add(&self, rows: usize, weights: impl Iterator<Item = f64>, unit: f64) {
        let (sum_of_rows, first, second) = &mut *self.0.lock().expect("no thread panics with the lock");
        *sum_of_rows += rows as u64;
        for weight in weights {
            let weight = (weight / unit).round() as u128;
            *first += weight;
            *second += weight * weight;
        }
    }

    /// The number of rows, and how many different puzzles of equal weight they are worth: the square of the sum of
    /// weights divided by the sum of their squares.
    pub fn sample(&self) -> (u64, f64) {
        let (rows, first, second) = *self.0.lock().expect("no thread panics with the lock");
        (rows, if second == 0 { 0.0 } else { (first as f64).powi(2) / second as f64 })
    }
}
