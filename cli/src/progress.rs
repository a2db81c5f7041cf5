//! Progress on standard error: puzzles done, rate, time left.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use rapidoku::file::Stats;

use crate::stderr;
use crate::weights::Weights;

/// The work of a job, for the progress and the statistics.
#[derive(Clone, Copy)]
pub enum Work<'a> {
    /// Each record has a status.
    Solving,
    /// All solutions of each record are counted here.
    Enumerating(&'a AtomicU64),
    /// Generated puzzles have weights, which are summed here.
    Weighing(&'a Weights),
    /// Puzzles are rated on the scale of Sudoku Explainer.
    Rating,
    /// Solutions are checked.
    Verifying,
    /// Records are compared, and duplicates are counted here at the end. Records have statuses if they are solved for that.
    Comparing { duplicates: &'a AtomicU64, has_statuses: bool },
    /// Records are written in another form; those that are not puzzles are invalid, the others have no status.
    Copying,
}

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// Show a bar if standard error is a terminal.
    Auto,
    /// Like 'auto', but print a line every two seconds and at the end if standard error is not a terminal.
    Always,
    /// Show nothing.
    Never,
}

/// Shows how far a run is: as a bar on a terminal, as lines elsewhere.
pub struct Progress<'a> {
    display: Display,
    work: Work<'a>,
    start: Instant,
    last_shown: Instant,
    /// Whether all inputs have been read, and the last rows are being written.
    is_writing: bool,
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

/// The time left is estimated after this time.
const ESTIMATE_AFTER: Duration = Duration::from_secs(1);

impl<'a> Progress<'a> {
    pub fn new(mode: ProgressMode, quiet: bool, work: Work<'a>) -> Progress<'a> {
        let display = match (mode, io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Display::Hidden,
            (ProgressMode::Auto, true) if quiet => Display::Hidden,
            (_, true) => Display::Bar(ProgressBar::no_length()),
            (ProgressMode::Always, false) => Display::Lines,
        };
        let now = Instant::now();
        Progress { display, work, start: now, last_shown: now, is_writing: false }
    }

    /// Shows the progress of a run over `total_bytes` of input, unless the last update was a moment ago.
    pub fn show(&mut self, stats: &Stats, total_bytes: Option<u64>) {
        if !self.is_due(false) {
            return;
        }
        let summary = self.summary(stats, total_bytes);
        match &self.display {
            Display::Bar(bar) => {
                if let Some(total) = total_bytes.filter(|_| bar.length().is_none()) {
                    set_bar(bar, total);
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

    /// Shows how many of the last rows have been written, see [`Event::Writing`](rapidoku::file::Event::Writing).
    pub fn show_writing(&mut self, stats: &Stats, written_bytes: u64, total_bytes: Option<u64>) {
        if !self.is_due(!self.is_writing) {
            return;
        }
        self.is_writing = true;
        let summary = format!("{} read, writing", counted(stats.records, "puzzle"));
        match (&self.display, total_bytes) {
            (Display::Bar(bar), Some(total)) => {
                set_bar(bar, total);
                bar.set_position(written_bytes);
                bar.set_message(summary);
            }
            (Display::Bar(bar), None) => bar.set_message(summary),
            (Display::Lines, Some(total)) if total > 0 => {
                let percent = (100.0 * written_bytes as f64 / total as f64) as u64;
                stderr::message(format_args!("{summary} {percent} %"));
            }
            (Display::Lines, _) => stderr::message(format_args!("{summary}")),
            (Display::Hidden, _) => {}
        }
    }

    /// Whether to show something: after a while, or if it is `urgent`.
    fn is_due(&mut self, urgent: bool) -> bool {
        let interval = match self.display {
            Display::Bar(_) => BAR_INTERVAL,
            Display::Lines => LINE_INTERVAL,
            Display::Hidden => return false,
        };
        let is_due = urgent || self.last_shown.elapsed() >= interval;
        if is_due {
            self.last_shown = Instant::now();
        }
        is_due
    }

    fn summary(&self, stats: &Stats, total_bytes: Option<u64>) -> String {
        let elapsed = self.start.elapsed();
        let seconds = elapsed.as_secs_f64();
        let rate = |count: u64| HumanCount((count as f64 / seconds) as u64);
        let mut summary = match self.work {
            Work::Enumerating(found) => {
                let found = found.load(Ordering::Relaxed);
                let (puzzles, solutions) = (counted(stats.records, "puzzle"), counted(found, "solution"));
                format!("{puzzles}, {solutions}, {}/s", rate(found))
            }
            _ => format!("{}, {}/s", counted(stats.records, "puzzle"), rate(stats.records)),
        };
        if let Some(total) = total_bytes.filter(|_| stats.input_bytes > 0 && elapsed >= ESTIMATE_AFTER) {
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

    /// Removes the bar, or prints a last line for a complete run.
    pub fn finish(&self, stats: Option<&Stats>) {
        match (&self.display, stats) {
            (Display::Bar(bar), _) => bar.finish_and_clear(),
            (Display::Lines, Some(stats)) => stderr::message(format_args!("{}", self.summary(stats, None))),
            _ => {}
        }
    }
}

/// Shows a bar of this length.
fn set_bar(bar: &ProgressBar, length: u64) {
    bar.set_length(length);
    bar.set_style(ProgressStyle::with_template("{percent:>3}% [{wide_bar}] {msg}").expect("valid"));
}

/// A number with its noun in singular or plural.
fn counted(number: u64, noun: &str) -> String {
    format!("{} {noun}{}", HumanCount(number), if number == 1 { "" } else { "s" })
}
