//! The progress of `rapidoku bench` on standard error.

use std::cell::Cell;
use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rapidoku::file::internal::escape;

use super::Step;
use crate::progress::ProgressMode;
use crate::stderr;

/// Shows what is measured: as a bar on a terminal, as lines elsewhere. It is updated between rounds only, and no thread
/// of its own draws it, so that it does not disturb the measurement.
pub struct BenchProgress {
    display: Display,
    files: usize,
    start: Instant,
    last_line: Cell<Option<Instant>>,
}

enum Display {
    Bar(ProgressBar),
    Lines,
    Hidden,
}

/// The length of the bar for one file.
const FILE: u64 = 1000;
/// Minimal time between two lines.
const LINE_INTERVAL: Duration = Duration::from_secs(2);

impl BenchProgress {
    /// Shows nothing yet.
    pub fn new(mode: ProgressMode, files: usize) -> BenchProgress {
        let display = match (mode, io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => Display::Hidden,
            (_, true) => Display::Bar(bar(files)),
            (ProgressMode::Always, false) => Display::Lines,
        };
        BenchProgress { display, files, start: Instant::now(), last_line: Cell::new(None) }
    }

    /// A round of an entry on the file with this index starts.
    pub fn step(&self, file: usize, name: &str, step: Step) {
        let Step { done, total, round, rounds, name: entry } = step;
        self.show(file, done, total, &format!("{name}: round {round} of {rounds}, {entry}"));
    }

    /// The measurement of a class of difficulty starts.
    pub fn difficulty(&self, file: usize, name: &str, done: usize, total: usize) {
        // The rounds are over, so most of the file is done.
        self.show(
            file,
            9 * total + done,
            10 * total,
            &format!("{name}: difficulty, class {} of {total}", done + 1),
        );
    }

    fn show(&self, file: usize, done: usize, total: usize, what: &str) {
        let what = escape(what);
        match &self.display {
            Display::Bar(bar) => {
                let position = file as u64 * FILE + done as u64 * FILE / total.max(1) as u64;
                let left = time_left(self.start.elapsed(), position, self.files as u64 * FILE);
                bar.set_position(position);
                bar.set_message(format!("{what}{left}"));
            }
            Display::Lines => {
                if self.last_line.get().is_none_or(|last| last.elapsed() >= LINE_INTERVAL) {
                    self.last_line.set(Some(Instant::now()));
                    stderr::message(format_args!("[{}/{}] {what}", file + 1, self.files));
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

fn bar(files: usize) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(files as u64 * FILE), target);
    bar.set_style(ProgressStyle::with_template("{percent:>3}% [{bar:20}] {wide_msg}").expect("valid"));
    bar
}

/// The time left, once a few seconds have passed and so much is done that an estimate is useful.
fn time_left(elapsed: Duration, position: u64, length: u64) -> String {
    if elapsed < Duration::from_secs(3) || position * 50 < length {
        return String::new();
    }
    let left = elapsed.as_secs_f64() * (length - position) as f64 / position as f64;
    let left = Duration::from_secs(left.ceil() as u64);
    format!(", {} left", humantime::format_duration(left))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_shown_when_it_can_be_estimated() {
        let after = |seconds, position| time_left(Duration::from_secs(seconds), position, 8000);
        assert_eq!(after(1, 4000), "");
        assert_eq!(after(60, 100), "");
        assert_eq!(after(60, 4000), ", 1m left");
        assert_eq!(after(60, 6000), ", 20s left");
    }
}
