//! The progress of `rapidoku bench` on standard error.

use super::Step;
use crate::progress::{Display, ProgressMode};

/// Shows what is measured. It is updated between rounds only, and no thread of its own draws it, so that it does not
/// disturb the measurement.
pub struct BenchProgress {
    /// The bar or the lines.
    pub display: Display,
    datasets: usize,
}

/// The length of the bar for one dataset.
const DATASET: u64 = 1000;

impl BenchProgress {
    /// Shows nothing yet.
    pub fn new(mode: ProgressMode, datasets: usize) -> BenchProgress {
        let template = "{percent:>3}% [{bar:20}] {wide_msg} {eta:>5} left";
        BenchProgress { display: Display::new(mode, false, template), datasets }
    }

    /// A step on the dataset with this index and name begins.
    pub fn step(&self, index: usize, name: &str, Step { done, total, round, name: entry }: Step) {
        if !self.display.is_due(false) {
            return;
        }
        let round = if round == 0 { "warm-up".to_owned() } else { format!("round {round}") };
        let done = index as u64 * DATASET + done as u64 * DATASET / total.max(1) as u64;
        let message = format!("[{}/{}] {name}: {round}, {entry}", index + 1, self.datasets);
        self.display.show(Some((done, self.datasets as u64 * DATASET)), &message);
    }
}
