//! Rivals: external programs, timed as whole commands, including start-up and reading of the input.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use rapidoku::file::internal::TempFile;
use rapidoku::file::{Error, Unfinished};
use serde::{Deserialize, Serialize};

use super::BenchError;
use super::report::{Rates, Ratio};

/// A command that solves a file. It must succeed, but its answers are not checked.
#[derive(Clone, Debug)]
pub struct Rival {
    /// The name in the report.
    pub name: String,
    /// A command for the shell (`sh -c`, or `cmd /C` on Windows), with `{input}` in place of the input file.
    pub command: String,
}

/// The times of a rival. They include the start of the program and everything it does besides solving, so they are
/// not directly comparable with those of an [`Entry`](super::Entry).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RivalReport {
    /// The name.
    pub name: String,
    /// The command, with `{input}`.
    pub command: String,
    /// The number of records of the text over the wall time of the command.
    pub puzzles_per_second: Rates,
    /// The median wall time of the command on an empty file, in milliseconds.
    pub startup_ms: f64,
    /// The rates relative to those of the first entry, if that has rates.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ratio_to_first: Option<Ratio>,
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

    /// Runs the command on a file, and returns its wall time.
    fn time(&self, input: &Path) -> Result<Duration, BenchError> {
        let failed = |reason: String| BenchError::Rival { name: self.name.clone(), reason };
        let command = self.command.replace("{input}", &quote(input));
        let start = Instant::now();
        let output =
            shell(&command).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
        let time = start.elapsed();
        let output = output.map_err(|error| failed(format!("cannot start the shell: {error}")))?;
        if output.status.success() {
            return Ok(time);
        }
        let message = String::from_utf8_lossy(&output.stderr);
        Err(failed(format!("{}: {}", output.status, message.lines().next().unwrap_or("no message"))))
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

    /// The wall times of the command on the text and on the empty file.
    pub fn time(&self, rival: &Rival) -> Result<[Duration; 2], BenchError> {
        let (text, empty) = self.0.as_ref().expect("the files exist if there are rivals");
        Ok([rival.time(text.path())?, rival.time(empty.path())?])
    }
}

/// The times of a rival in all timed rounds.
#[derive(Default)]
pub(super) struct RivalTimings {
    rates: Vec<f64>,
    startup_ms: Vec<f64>,
}

impl RivalTimings {
    /// Adds the times of a round, as [`RivalInputs::time`] returns them.
    pub fn push(&mut self, [whole, startup]: [Duration; 2], records: usize) {
        self.rates.push(records as f64 / whole.as_secs_f64());
        self.startup_ms.push(startup.as_secs_f64() * 1e3);
    }

    /// Forgets the rounds after the first `rounds`.
    pub fn truncate(&mut self, rounds: usize) {
        self.rates.truncate(rounds);
        self.startup_ms.truncate(rounds);
    }

    /// `first` holds the rates of the first entry; none if it gave up on every puzzle.
    pub fn report(self, rival: &Rival, first: &[f64]) -> RivalReport {
        RivalReport {
            name: rival.name.clone(),
            command: rival.command.clone(),
            startup_ms: Rates::of(self.startup_ms).median,
            ratio_to_first: (!first.is_empty()).then(|| Ratio::of(&self.rates, first)),
            puzzles_per_second: Rates::of(self.rates),
        }
    }
}
