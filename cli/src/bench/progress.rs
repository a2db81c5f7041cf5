//! The progress of `rapidoku bench` on standard error.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use rapidoku::file::internal::escape;

use super::Step;
use crate::progress::ProgressMode;
use crate::stderr;

/// Shows what is measured: as a bar on a terminal, as lines elsewhere. It is updated between rounds only, and no thread
/// of its own draws it, so that it does not disturb the measurement.
pub struct BenchProgress {
    display: Display,
    datasets: usize,
    last_line: Cell<Option<Instant>>,
}

enum Display {
    Bar(ProgressBar),
    Lines,
    Hidden,
}

/// The length of the bar for one dataset.
const DATASET: u64 = 1000;
/// Minimal time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

impl BenchProgress {
    /// Shows nothing yet.
    pub fn new(mode: ProgressMode, datasets: usize) -> BenchProgress {
        let bar = || {
            let style = ProgressStyle::with_template("{percent:>3}% [{bar:20}] {wide_msg} {eta:>5} left");
            ProgressBar::new(datasets as u64 * DATASET).with_style(style.expect("valid"))
        };
        let display = match (mode, io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Display::Hidden,
            (_, true) => Display::Bar(bar()),
            (ProgressMode::Always, false) => Display::Lines,
        };
        BenchProgress { display, datasets, last_line: Cell::new(None) }
    }

    /// A step on the dataset with this index and name begins.
    pub fn step(&self, index: usize, name: &str, Step { done, total, round, name: entry }: Step) {
        let round = if round == 0 { "warm-up".to_owned() } else { format!("round {round}") };
        let what = format!("{name}: {round}, {entry}");
        let what = escape(&what);
        match &self.display {
            Display::Bar(bar) => {
                bar.set_position((index as u64 * DATASET) + done as u64 * DATASET / total.max(1) as u64);
                bar.set_message(what.into_owned());
            }
            Display::Lines => {
                if self.last_line.get().is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
                    self.last_line.set(Some(Instant::now()));
                    stderr::message(format_args!("[{}/{}] {what}", index + 1, self.datasets));
                }
            }
            Display::Hidden => {}
        }
    }

    /// Prints a message above the bar.
    pub fn message(&self, message: std::fmt::Arguments) {
        match &self.display {
            Display::Bar(bar) => bar.suspend(|| stderr::message(message)),
            _ => stderr::message(message),
        }
    }

    /// Removes the bar.
    pub fn finish(&self) {
        if let Display::Bar(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}
