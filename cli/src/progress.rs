//! Progress on standard error: puzzles done, rate, time left.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::{Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use clap::ValueEnum;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};
use rapidoku::file::Stats;
use rapidoku::file::internal::escape;
use rapidoku_jobs::verify::Cells;

use crate::number::counted;
use crate::weights::Weights;
use crate::{origin, stderr};

/// The work of a job, for the progress and the statistics.
#[derive(Clone, Copy, Default)]
pub enum Work<'a> {
    /// Each record has a status.
    Solving,
    /// The solutions of all records are counted here.
    Enumerating(&'a AtomicU64),
    /// Puzzles are generated.
    Generating(&'a Generating),
    /// Puzzles are rated on the scale of Sudoku Explainer.
    Rating,
    /// Solutions are checked.
    Verifying(&'a Cells),
    /// Records are compared, and duplicates are counted here at the end. Records have statuses if they are solved for
    /// that.
    Comparing { duplicates: &'a AtomicU64, has_statuses: bool },
    /// Copies are written and counted here.
    Permuting(&'a AtomicU64),
    /// Records are written in another form; those that are not puzzles are invalid, the others have no status.
    #[default]
    Copying,
}

/// How far the generation of puzzles is.
#[derive(Default)]
pub struct Generating {
    /// The seed.
    pub seed: u64,
    /// The number of rows to write, unless they are endless.
    pub rows: Option<u64>,
    /// The weights of unbiased puzzles.
    pub weights: Option<Weights>,
    /// The puzzles that have been tried, if some of them are filtered out.
    pub tried: Option<AtomicU64>,
    /// Those of them that have passed.
    pub passed: AtomicU64,
}

impl Generating {
    /// Counts a batch.
    pub fn add(&self, tried: u64, passed: u64) {
        if let Some(sum) = &self.tried {
            sum.fetch_add(tried, Ordering::Relaxed);
        }
        self.passed.fetch_add(passed, Ordering::Relaxed);
    }

    /// How many puzzles have been tried, and how many of them have passed.
    pub fn tries(&self) -> Option<String> {
        let tried = self.tried.as_ref()?.load(Ordering::Relaxed);
        let passed = self.passed.load(Ordering::Relaxed);
        let percent = 100.0 * passed as f64 / tried.max(1) as f64;
        let decimals = if percent >= 1.0 { 1 } else { 4 };
        Some(format!("tried: {tried}, passed: {passed} ({percent:.decimals$} %)"))
    }
}

/// When to show progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ProgressMode {
    /// Show a bar if standard error is a terminal.
    Auto,
    /// Like 'auto', but print a line with the time every two seconds and at the end if standard error is not a
    /// terminal.
    Always,
    /// Show nothing.
    Never,
}

/// A bar on a terminal, lines elsewhere, or nothing.
pub struct Display {
    /// Hidden if there are lines or nothing.
    bar: ProgressBar,
    /// The bar with its length and message.
    template: &'static str,
    /// Minimal time between two updates, if there are any.
    interval: Option<Duration>,
    last_shown: Mutex<Option<Instant>>,
}

impl Display {
    /// `template` is that of the bar.
    pub fn new(mode: ProgressMode, quiet: bool, template: &'static str) -> Display {
        let (bar, interval) = match (mode, io::stderr().is_terminal()) {
            (ProgressMode::Never, _) | (ProgressMode::Auto, false) => (ProgressBar::hidden(), None),
            (ProgressMode::Auto, true) if quiet => (ProgressBar::hidden(), None),
            (_, true) => (ProgressBar::no_length(), Some(Duration::from_millis(100))),
            (ProgressMode::Always, false) => (ProgressBar::hidden(), Some(Duration::from_secs(2))),
        };
        Display { bar, template, interval, last_shown: Mutex::default() }
    }

    /// Whether to show something: after a while, or if it is `urgent`.
    pub fn is_due(&self, urgent: bool) -> bool {
        let Some(interval) = self.interval else { return false };
        let mut last_shown = self.last_shown.lock().expect("no thread panics with the lock");
        let is_due = urgent || last_shown.is_none_or(|last| last.elapsed() >= interval);
        if is_due {
            *last_shown = Some(Instant::now());
        }
        is_due
    }

    /// Shows a message, and how much of the whole is done if that is known.
    pub fn show(&self, part: Option<(u64, u64)>, message: &str) {
        if self.bar.is_hidden() {
            return stderr::message(format_args!("{} {message}", origin::now()));
        }
        let template = if part.is_some() { self.template } else { "{spinner} {msg}" };
        self.bar.set_style(ProgressStyle::with_template(template).expect("valid"));
        let (done, whole) = part.unwrap_or_default();
        self.bar.set_length(whole);
        self.bar.set_position(done);
        self.bar.set_message(escape(message).into_owned());
    }

    /// Prints a message above the bar.
    pub fn message(&self, message: fmt::Arguments) {
        self.bar.suspend(|| stderr::message(message));
    }

    /// Removes the bar.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// Shows how far a run is.
pub struct Progress<'a> {
    pub display: Display,
    work: Work<'a>,
    start: Instant,
    /// The statistics of the last batch, and the size of the inputs, until the last rows are being written.
    last: Mutex<Option<(Stats, Option<u64>)>>,
}

/// The time left is estimated after this time.
const ESTIMATE_AFTER: Duration = Duration::from_secs(1);

impl<'a> Progress<'a> {
    pub fn new(mode: ProgressMode, quiet: bool, work: Work<'a>) -> Progress<'a> {
        let display = Display::new(mode, quiet, "{percent:>3}% [{wide_bar}] {msg}");
        // Nothing is shown at once.
        display.is_due(true);
        Progress { display, work, start: Instant::now(), last: Mutex::new(Some(<_>::default())) }
    }

    /// Runs `work`, and shows progress also while no batch ends.
    pub fn refresh_during<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(interval) = self.display.interval else { return work() };
        let (running, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            // Also dropped by a panic.
            let _running = running;
            let refresh = move || {
                while end.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                    self.update(&self.last());
                }
            };
            // Without the thread, there is less to see.
            _ = thread::Builder::new().spawn_scoped(scope, refresh);
            work()
        })
    }

    fn last(&self) -> MutexGuard<'_, Option<(Stats, Option<u64>)>> {
        self.last.lock().expect("no thread panics with the lock")
    }

    /// Shows the progress of a run over `total_bytes` of input, unless the last update was a moment ago.
    pub fn show(&self, stats: &Stats, total_bytes: Option<u64>) {
        let mut last = self.last();
        *last = Some((stats.clone(), total_bytes));
        self.update(&last);
    }

    fn update(&self, last: &Option<(Stats, Option<u64>)>) {
        if let Some((stats, total_bytes)) = last
            && self.display.is_due(false)
        {
            self.display.show(self.part(stats, *total_bytes), &self.summary(stats, *total_bytes));
        }
    }

    /// Shows how many of the last rows have been written, see [`Event::Writing`](rapidoku::file::Event::Writing).
    pub fn show_writing(&self, stats: &Stats, written_bytes: u64, total_bytes: Option<u64>) {
        let is_first = self.last().take().is_some();
        if !self.display.is_due(is_first) {
            return;
        }
        let mut summary = format!("{} read, writing", counted(stats.records, "puzzle"));
        if let Some(total @ 1..) = total_bytes.filter(|_| self.display.bar.is_hidden()) {
            summary += &format!(" {} %", (100.0 * written_bytes as f64 / total as f64) as u64);
        }
        self.display.show(total_bytes.map(|total| (written_bytes, total)), &summary);
    }

    /// What has been done, and all there is to do, if that is known.
    fn part(&self, stats: &Stats, total_bytes: Option<u64>) -> Option<(u64, u64)> {
        match self.work {
            Work::Generating(Generating { rows, .. }) => rows.map(|rows| (stats.records, rows)),
            _ => total_bytes.map(|total| (stats.stored_bytes.min(total), total)),
        }
    }

    fn summary(&self, stats: &Stats, total_bytes: Option<u64>) -> String {
        let elapsed = self.start.elapsed();
        let seconds = elapsed.as_secs_f64();
        let rate = |count: u64| HumanCount((count as f64 / seconds) as u64);
        let mut summary = counted(stats.records, "puzzle");
        summary += &match self.work {
            Work::Enumerating(found) | Work::Permuting(found) => {
                let found = found.load(Ordering::Relaxed);
                let noun = if matches!(self.work, Work::Permuting(_)) { "row" } else { "solution" };
                format!(", {}, {}/s", counted(found, noun), rate(found))
            }
            Work::Generating(generating) => {
                let of = generating.rows.map_or(String::new(), |rows| format!(" of {}", HumanCount(rows)));
                let tries = generating.tries().map_or(String::new(), |tries| format!(", {tries}"));
                format!("{of}, {}/s{tries}", rate(stats.records))
            }
            _ => format!(", {}/s", rate(stats.records)),
        };
        let part = self.part(stats, total_bytes).filter(|(done, _)| *done > 0 && elapsed >= ESTIMATE_AFTER);
        if let Some((done, whole)) = part {
            let left = whole.saturating_sub(done) as f64 / done as f64 * seconds;
            summary += &format!(", {} left", HumanDuration(Duration::from_secs_f64(left.min(1e9))));
        }
        summary
    }

    /// Removes the bar, or prints a last line for a complete run.
    pub fn finish(&self, stats: Option<&Stats>) {
        self.display.finish();
        if let (Some(stats), true, Some(_)) = (stats, self.display.bar.is_hidden(), self.display.interval) {
            self.display.show(None, &self.summary(stats, None));
        }
    }
}
