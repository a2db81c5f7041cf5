//! Rivals: external programs. They are timed as whole commands, including start-up and reading of the input, or time themselves.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rapidoku::file::internal::TempFile;
use rapidoku::file::{Error, Unfinished};
use serde::{Deserialize, Serialize};

use super::BenchError;
use super::report::{Rates, Ratio};

/// A command that solves or rates a file. It must succeed. If it prints a line for each record, with a solution, a number of
/// solutions or a rating, its answers are checked.
#[derive(Clone, Debug)]
pub struct Rival {
    /// The name in the report.
    pub name: String,
    /// A command for the shell (`sh -c`, or `cmd /C` on Windows), with `{input}` in place of the input file, and `{limit}` in place
    /// of the limit of solutions. With `{rounds}`, it solves the file this number of times and prints the puzzles per second of
    /// each round, as the last lines of its output.
    pub command: String,
}

/// The times of a rival. Those of a whole command include the start of the program and everything it does besides solving, so
/// they are not directly comparable with those of an [`Entry`](super::Entry).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RivalReport {
    /// The name.
    pub name: String,
    /// The command, with `{input}`.
    pub command: String,
    /// The number of records of the text over the wall time of the command.
    pub puzzles_per_second: Rates,
    /// The median wall time of the command on an empty file, in milliseconds. `None` if the rival times itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup_ms: Option<f64>,
    /// What has been checked of its output, if anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Answers>,
    /// The rates relative to those of the first entry, if that has rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_first: Option<Ratio>,
}

/// What the lines of a rival are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Answers {
    /// Solutions.
    Solutions,
    /// Numbers of solutions.
    Counts,
    /// Ratings.
    Ratings {
        /// The number of records that have another ER than that of the entries.
        different: usize,
    },
}

impl RivalReport {
    /// What has been checked, and how many ratings differ.
    pub fn checked(&self) -> String {
        match self.answers {
            Some(Answers::Solutions) => "solutions".to_owned(),
            Some(Answers::Counts) => "counts".to_owned(),
            Some(Answers::Ratings { different }) => format!("ratings, {different} different"),
            None => "no".to_owned(),
        }
    }
}

/// What a command needed, or measured.
pub(super) enum Timing {
    /// The wall times on the text and on an empty file.
    Whole([Duration; 2]),
    /// Puzzles per second.
    Own(f64),
}

impl Rival {
    /// Parses `NAME=COMMAND {input}`.
    ///
    /// # Errors
    /// When the name is empty or the command does not contain `{input}`.
    pub fn parse(text: &str) -> Result<Rival, String> {
        match text.split_once('=') {
            Some((name, command)) if !name.is_empty() && command.contains("{input}") => {
                Ok(Rival { name: name.to_owned(), command: command.to_owned() })
            }
            _ => Err("expected NAME=COMMAND, with {input} in place of the input file".to_owned()),
        }
    }

    /// Whether it times itself.
    fn times_itself(&self) -> bool {
        self.command.contains("{rounds}")
    }

    /// Runs the command on a file, for one round, and returns its wall time and its output if that is wanted.
    fn run(&self, input: &Path, limit: u64, reads: bool) -> Result<(Duration, Vec<u8>), BenchError> {
        let command = self.command.replace("{input}", &quote(input));
        let command = command.replace("{limit}", &limit.to_string()).replace("{rounds}", "1");
        let stdout = if reads { Stdio::piped() } else { Stdio::null() };
        let start = Instant::now();
        let output = shell(&command).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped()).output();
        let time = start.elapsed();
        let output = output.map_err(|error| self.failed(format!("cannot start the shell: {error}")))?;
        if output.status.success() {
            return Ok((time, output.stdout));
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(self.failed(format!("{}: {}", output.status, message.lines().next().unwrap_or("no message"))))
    }

    fn failed(&self, reason: String) -> BenchError {
        BenchError::Rival { name: self.name.clone(), reason }
    }
}

fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut shell = Command::new(program);
    shell.args([option, command]);
    shell
}

fn quote(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) { format!("\"{path}\"") } else { shell_words::quote(&path).into_owned() }
}

/// The input files of rivals: the text and an empty file.
pub(super) struct RivalInputs(Option<(TempFile, TempFile)>);

impl RivalInputs {
    /// Writes the files, if there are rivals.
    pub fn new(rivals: &[Rival], text: &[u8], unfinished: &Unfinished) -> Result<RivalInputs, Error> {
        if rivals.is_empty() {
            return Ok(RivalInputs(None));
        }
        let file = |text: &[u8]| unfinished.temp_file(text).map_err(BenchError::temporary_file);
        Ok(RivalInputs(Some((file(text)?, file(b"")?))))
    }

    /// Runs the command for a round.
    pub fn time(&self, rival: &Rival, limit: u64) -> Result<Timing, BenchError> {
        let (text, empty) = self.files();
        if !rival.times_itself() {
            let [whole, startup] = [rival.run(text, limit, false)?, rival.run(empty, limit, false)?];
            return Ok(Timing::Whole([whole.0, startup.0]));
        }
        let (_, output) = rival.run(text, limit, true)?;
        let output = String::from_utf8_lossy(&output);
        let rate =
            output.lines().last().and_then(|line| line.trim().parse().ok()).filter(|rate: &f64| *rate > 0.0);
        let rate = rate.filter(|rate| rate.is_finite());
        rate.map(Timing::Own)
            .ok_or_else(|| rival.failed("it does not print its puzzles per second".to_owned()))
    }

    /// The output of the command, unless that is its time.
    pub fn output(&self, rival: &Rival, limit: u64) -> Result<Option<Vec<u8>>, BenchError> {
        let output = || rival.run(self.files().0, limit, true).map(|(_, output)| output);
        (!rival.times_itself()).then(output).transpose()
    }

    fn files(&self) -> (&Path, &Path) {
        let (text, empty) = self.0.as_ref().expect("the files exist if there are rivals");
        (text.path(), empty.path())
    }
}

/// The times of a rival in all timed rounds.
#[derive(Default)]
pub(super) struct RivalTimings {
    rates: Vec<f64>,
    startup_ms: Vec<f64>,
}

impl RivalTimings {
    /// Adds a round.
    pub fn push(&mut self, timing: Timing, records: usize) {
        match timing {
            Timing::Own(rate) => self.rates.push(rate),
            Timing::Whole([whole, startup]) => {
                self.rates.push(records as f64 / whole.as_secs_f64());
                self.startup_ms.push(startup.as_secs_f64() * 1e3);
            }
        }
    }

    /// Forgets the rounds after the first `rounds`.
    pub fn truncate(&mut self, rounds: usize) {
        self.rates.truncate(rounds);
        self.startup_ms.truncate(rounds);
    }

    /// `first` holds the rates of the first entry; none if it gave up on every puzzle.
    pub fn report(self, rival: &Rival, first: &[f64], answers: Option<Answers>) -> RivalReport {
        RivalReport {
            name: rival.name.clone(),
            command: rival.command.clone(),
            startup_ms: (!self.startup_ms.is_empty()).then(|| Rates::of(self.startup_ms).median),
            answers,
            ratio_to_first: (!first.is_empty()).then(|| Ratio::of(&self.rates, first)),
            puzzles_per_second: Rates::of(self.rates),
        }
    }
}
