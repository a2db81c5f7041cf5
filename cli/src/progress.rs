//! The progress bar: puzzles done, rate, time left.

use std::fmt;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use rapidoku::file::Stats;

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum When {
    /// On a terminal.
    Auto,
    /// Also into a file or pipe, as a line now and then.
    Always,
    /// Not at all.
    Never,
}

/// Shows how far a run has come. On a terminal a bar, elsewhere lines.
pub struct Progress {
    how: How,
    start: Instant,
    shown: Instant,
}

enum How {
    Bar(ProgressBar),
    Lines,
    Hidden,
}

/// Between two updates of the bar, and of the lines.
const BAR_INTERVAL: Duration = Duration::from_millis(100);
const LINE_INTERVAL: Duration = Duration::from_secs(2);

impl Progress {
    pub fn new(when: When, quiet: bool) -> Progress {
        let how = match (when, io::stderr().is_terminal()) {
            (When::Never, _) | (When::Auto, false) => How::Hidden,
            (When::Auto, true) if quiet => How::Hidden,
            (_, true) => How::Bar(ProgressBar::no_length()),
            (When::Always, false) => How::Lines,
        };
        let now = Instant::now();
        Progress { how, start: now, shown: now }
    }

    /// Shows what has been done of `total_bytes` of input, unless that was shown a moment ago.
    pub fn show(&mut self, stats: &Stats, total_bytes: Option<u64>) {
        let interval = match self.how {
            How::Bar(_) => BAR_INTERVAL,
            How::Lines => LINE_INTERVAL,
            How::Hidden => return,
        };
        if self.shown.elapsed() < interval {
            return;
        }
        self.shown = Instant::now();
        let message = self.message(stats, total_bytes);
        match &self.how {
            How::Bar(bar) => {
                if let Some(total) = total_bytes.filter(|_| bar.length().is_none()) {
                    bar.set_length(total);
                    bar.set_style(
                        ProgressStyle::with_template("{percent:>3}% [{wide_bar}] {msg}").expect("valid"),
                    );
                } else if total_bytes.is_none() {
                    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("valid"));
                }
                bar.set_position(stats.input_bytes);
                bar.set_message(message);
            }
            How::Lines => super::say(format_args!("rapidoku: {message}")),
            How::Hidden => {}
        }
    }

    fn message(&self, stats: &Stats, total_bytes: Option<u64>) -> String {
        let seconds = self.start.elapsed().as_secs_f64();
        let rate = HumanCount((stats.records as f64 / seconds) as u64);
        let mut message = format!("{} puzzles, {rate}/s", HumanCount(stats.records));
        if let Some(total) = total_bytes {
            let left = total.saturating_sub(stats.input_bytes) as f64 / stats.input_bytes as f64 * seconds;
            message += &format!(", {} left", HumanDuration(Duration::from_secs_f64(left.min(1e9))));
        }
        message
    }

    /// Prints a line beside the bar.
    pub fn say(&self, message: fmt::Arguments) {
        match &self.how {
            How::Bar(bar) => bar.suspend(|| super::say(message)),
            _ => super::say(message),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let How::Bar(bar) = &self.how {
            bar.finish_and_clear();
        }
    }
}
