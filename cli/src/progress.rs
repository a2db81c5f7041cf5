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

use crate::stderr;
use crate::weights::Weights;

/// The work of a job, for the progress and the statistics.
#[derive(Clone, Copy)]
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
    Verifying,
    /// Records are compared, and duplicates are counted here at the end. Records have statuses if they are solved for that.
    Comparing { duplicates: &'a AtomicU64, has_statuses: bool },
    /// Records are written in another form; those that are not puzzles are invalid, the others have no status.
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
    state: Mutex<State>,
}

struct State {
    last_shown: Instant,
    /// The statistics of the last batch, and the size of the inputs.
    last: (Stats, Option<u64>),
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
        let state = State { last_shown: now, last: <_>::default(), is_writing: false };
        Progress { display, work, start: now, state: Mutex::new(state) }
    }

    /// Runs `work`, and shows progress also while no batch ends.
    pub fn refresh_during<T>(&self, work: impl FnOnce() -> T) -> T {
        let Some(interval) = self.interval() else { return work() };
        let (running, end) = mpsc::channel::<()>();
        thread::scope(|scope| {
            // Also dropped by a panic.
            let _running = running;
            let refresh = move || {
                while end.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                    let (stats, total_bytes) = {
                        let state = self.state();
                        if state.is_writing {
                            continue;
                        }
                        (state.last.0.clone(), state.last.1)
                    };
                    self.show(&stats, total_bytes);
                }
            };
            // Without the thread, there is less to see.
            _ = thread::Builder::new().spawn_scoped(scope, refresh);
            work()
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no thread panics with the lock")
    }

    /// Shows the progress of a run over `total_bytes` of input, unless the last update was a moment ago.
    pub fn show(&self, stats: &Stats, total_bytes: Option<u64>) {
        let mut state = self.state();
        state.last = (stats.clone(), total_bytes);
        if !self.is_due(&mut state, false) {
            return;
        }
        let summary = self.summary(stats, total_bytes);
        match &self.display {
            Display::Bar(bar) => {
                let part = self.part(stats, total_bytes);
                match part.filter(|(_, whole)| bar.length() != Some(*whole)) {
                    Some((_, whole)) => set_bar(bar, whole),
                    None if part.is_none() => {
                        bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("valid"));
                    }
                    None => {}
                }
                bar.set_position(part.map_or(0, |(done, _)| done));
                bar.set_message(summary);
            }
            Display::Lines => stderr::message(format_args!("{summary}")),
            Display::Hidden => {}
        }
    }

    /// Shows how many of the last rows have been written, see [`Event::Writing`](rapidoku::file::Event::Writing).
    pub fn show_writing(&self, stats: &Stats, written_bytes: u64, total_bytes: Option<u64>) {
        let mut state = self.state();
        let is_first = !std::mem::replace(&mut state.is_writing, true);
        if !self.is_due(&mut state, is_first) {
            return;
        }
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

    /// The minimal time between two updates, if there are any.
    fn interval(&self) -> Option<Duration> {
        match self.display {
            Display::Bar(_) => Some(BAR_INTERVAL),
            Display::Lines => Some(LINE_INTERVAL),
            Display::Hidden => None,
        }
    }

    /// Whether to show something: after a while, or if it is `urgent`.
    fn is_due(&self, state: &mut State, urgent: bool) -> bool {
        let Some(interval) = self.interval() else { return false };
        let is_due = urgent || state.last_shown.elapsed() >= interval;
        if is_due {
            state.last_shown = Instant::now();
        }
        is_due
    }

    /// What has been done, and all there is to do, if that is known.
    fn part(&self, stats: &Stats, total_bytes: Option<u64>) -> Option<(u64, u64)> {
        match self.work {
            Work::Generating(Generating { rows, .. }) => rows.map(|rows| (stats.records, rows)),
            _ => total_bytes.map(|total| (stats.input_bytes, total)),
        }
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
            Work::Generating(generating) => {
                let of = generating.rows.map_or(String::new(), |rows| format!(" of {}", HumanCount(rows)));
                let tries = generating.tries().map_or(String::new(), |tries| format!(", {tries}"));
                let rate = rate(stats.records);
                format!("{}{of}, {rate}/s{tries}", counted(stats.records, "puzzle"))
            }
            _ => format!("{}, {}/s", counted(stats.records, "puzzle"), rate(stats.records)),
        };
        let part = self.part(stats, total_bytes).filter(|(done, _)| *done > 0 && elapsed >= ESTIMATE_AFTER);
        if let Some((done, whole)) = part {
            let left = whole.saturating_sub(done) as f64 / done as f64 * seconds;
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
