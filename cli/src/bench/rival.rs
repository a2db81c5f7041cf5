//! Programs of others, timed from outside: the whole command, start-up and reading included.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::BenchError;
use super::report::{Rates, Ratio};
use rapidoku::file::Error;
use rapidoku::file::Unfinished;
use rapidoku::file::internal::TempFile;

/// A command that solves a file. Its answers are not looked at, only that it succeeds.
#[derive(Clone, Debug)]
pub struct Rival {
    /// As it is called in the report.
    pub name: String,
    /// For the shell (`sh -c`, `cmd /C` on Windows), with `{input}` for the file.
    pub command: String,
}

/// How a rival fared. Its times are not to be compared with others as if they were of the same thing: they include
/// starting the program and whatever it does besides solving.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RivalReport {
    /// As it was called.
    pub name: String,
    /// The command, with `{input}`.
    pub command: String,
    /// Records of the text over the wall time of the whole command.
    pub puzzles_per_second: Rates,
    /// The wall time of the command on an empty file in milliseconds, median of the rounds.
    pub startup_ms: f64,
    /// Against the first contestant.
    pub ratio_to_first: Ratio,
}

impl Rival {
    /// Reads `NAME=COMMAND {input}`.
    pub fn parse(text: &str) -> Result<Rival, String> {
        match text.split_once('=') {
            Some((name, command)) if !name.is_empty() && command.contains("{input}") => {
                Ok(Rival { name: name.to_owned(), command: command.to_owned() })
            }
            _ => Err("expected NAME=COMMAND, with {input} in the place of the file".to_owned()),
        }
    }

    /// The wall time of the command on a file.
    fn time(&self, input: &Path) -> Result<Duration, BenchError> {
        let failed = |reason: String| BenchError::Rival { name: self.name.clone(), reason };
        let command = self.command.replace("{input}", &quoted(input));
        let start = Instant::now();
        let output =
            shell(&command).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).output();
        let time = start.elapsed();
        let output = output.map_err(|cause| failed(cause.to_string()))?;
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

fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    if cfg!(windows) { format!("\"{path}\"") } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// The files that rivals get.
pub(super) struct Arena(Option<(TempFile, TempFile)>);

impl Arena {
    pub fn new(rivals: &[Rival], text: &[u8], unfinished: &Unfinished) -> Result<Arena, Error> {
        if rivals.is_empty() {
            return Ok(Arena(None));
        }
        let file = |text: &[u8]| {
            let error = |source| Error::Write { name: "a temporary file".to_owned(), source };
            unfinished.temp_file(text).map_err(error)
        };
        Ok(Arena(Some((file(text)?, file(b"")?))))
    }

    /// The times of the command on the text and on nothing.
    pub fn time(&self, rival: &Rival) -> Result<[Duration; 2], BenchError> {
        let (text, empty) = self.0.as_ref().expect("made where there are rivals");
        let time = |path: &Path| rival.time(path);
        Ok([time(text.path())?, time(empty.path())?])
    }
}

/// What the clock showed.
#[derive(Default)]
pub(super) struct RivalTimes {
    rates: Vec<f64>,
    startup_ms: Vec<f64>,
}

impl RivalTimes {
    pub fn push(&mut self, [whole, startup]: [Duration; 2], records: usize) {
        self.rates.push(records as f64 / whole.as_secs_f64());
        self.startup_ms.push(startup.as_secs_f64() * 1e3);
    }

    pub fn report(self, rival: &Rival, first: &[f64]) -> RivalReport {
        RivalReport {
            name: rival.name.clone(),
            command: rival.command.clone(),
            startup_ms: Rates::of(self.startup_ms).median,
            ratio_to_first: Ratio::of(&self.rates, first),
            puzzles_per_second: Rates::of(self.rates),
        }
    }
}
