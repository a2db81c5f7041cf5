//! Progress on standard error: puzzles done, rate, time left.

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use rapidoku::file::Stats;

use crate::stderr;

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// Show a bar if standard error is a terminal.
    Auto,
    /// Like 'auto', but print a line every two seconds if standard error is not a terminal.
    Always,
    /// Show nothing.
    Never,
}

/// Shows how far a run is: as a bar on a terminal, as lines elsewhere.
pub struct Progress {
    display: Display,
    start: Instant,
    last_shown: Instant,
}

enum Display {
    Bar(ProgressBar),
    Lines,
    Hidden,
}

/// Minimal time between two updates of the bar.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
/// Minimal time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

impl Progress {
    pub fn new(mode: ProgressMode, quiet: bool) -> Progress {
        let display = match (mode, io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Display::Hidden,
            (ProgressMode::Auto, true) if quiet => Display::Hidden,
            (_, true) => Display::Bar(ProgressBar::no_length()),
            (ProgressMode::Always, false) => Display::Lines,
        };
        let now = Instant::now();
        Progress { display, start: now, last_shown: now }
    }

    /// Shows the progress of a run over `total_bytes` of input, unless the last update was a moment ago.
    pub fn show(&mut self, stats: &Stats, total_bytes: Option<u64>) {
        let interval = match self.display {
            Display::Bar(_) => BAR_INTERVAL,
            Display::Lines => LINE_INTERVAL,
            Display::Hidden => return,
        };
        if self.last_shown.elapsed() < interval {
            return;
        }
        self.last_shown = Instant::now();
        let summary = self.summary(stats, total_bytes);
        match &self.display {
            Display::Bar(bar) => {
                if let Some(total) = total_bytes.filter(|_| bar.length().is_none()) {
                    bar.set_length(total);
                    bar.set_style(
                        ProgressStyle::with_template("{percent:>3}% [{wide_bar}] {msg}").expect("valid"),
                    );
                } else if total_bytes.is_none() {
                    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("valid"));
                }
                bar.set_position(stats.input_bytes);
                bar.set_message(summary);
            }
            Display::Lines => stderr::message(format_args!("{summary}")),
            Display::Hidden => {}
        }
    }

    fn summary(&self, stats: &Stats, total_bytes: Option<u64>) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = HumanCount((stats.records as f64 / seconds) as u64);
        let mut summary = format!("{} puzzles, {rate}/s", HumanCount(stats.records));
        if let Some(total) = total_bytes {
            let left = total.saturating_sub(stats.input_bytes) as f64 / stats.input_bytes as f64 * seconds;
            summary += &format!(", {} left", HumanDuration(Duration::from_secs_f64(left.min(1e9))));
        }
        summary
    }

    /// Prints a message above the bar.
    pub fn message(&self, message: fmt::Arguments) {
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
