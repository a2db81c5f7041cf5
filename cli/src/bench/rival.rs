//! Rivals: external programs. They are timed as whole commands, including start-up and reading of the input, or time
//! themselves.

use std::env;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use rapidoku::file::internal::{quote, temporary};

use super::report::Rival;
use crate::signals;

/// How the commands of rivals are run: with the limit of solutions, and for how long at most.
#[derive(Clone, Copy)]
pub struct Conditions {
    pub limit: u64,
    pub timeout: Duration,
}

impl Rival {
    /// The name of this program among rivals.
    pub const OWN: &str = "rapidoku as a command";

    /// Parses `NAME=COMMAND` or `COMMAND`, whose name is that of the program. The input is the last argument unless it
    /// is elsewhere.
    ///
    /// # Errors
    /// When the name or the command is empty.
    pub fn parse(text: &str) -> Result<Rival, String> {
        let is_name = |name: &str| !name.contains([' ', '/', '\\', '{']);
        let (name, command) = match text.split_once('=') {
            Some((name, command)) if is_name(name) => (name, command.trim()),
            _ => {
                let program = text.split_whitespace().next().unwrap_or_default();
                (Path::new(program).file_name().and_then(OsStr::to_str).unwrap_or_default(), text.trim())
            }
        };
        if name.is_empty() || command.is_empty() {
            return Err("expected COMMAND or NAME=COMMAND".to_owned());
        }
        let input = if command.contains("{input}") { "" } else { " {input}" };
        Ok(Rival { name: name.to_owned(), command: format!("{command}{input}") })
    }

    /// This program with a subcommand and its options, which reads the lines of a benchmark.
    pub fn own(arguments: &str) -> Rival {
        let program = env::current_exe().unwrap_or_else(|_| "rapidoku".into());
        let program = quote(&program.to_string_lossy());
        Rival { name: Rival::OWN.to_owned(), command: format!("{program} {arguments} {{input}}") }
    }

    /// Whether it is timed as a whole command.
    pub fn is_command(&self) -> bool {
        !self.command.contains("{rounds}")
    }

    /// The output for a file: the answers to its records, or the rates of some rounds.
    pub fn output(&self, input: &Path, rounds: &str, conditions: Conditions) -> Result<Vec<u8>, String> {
        let mut output = temporary_file()?;
        self.run(input, rounds, Some(&output), conditions)?;
        read_back(&mut output)
    }

    /// The puzzles per second of one round.
    pub fn rate(&self, input: &Path, records: usize, conditions: Conditions) -> Result<f64, String> {
        if self.is_command() {
            return Ok(records as f64 / self.run(input, "", None, conditions)?.as_secs_f64());
        }
        let output = String::from_utf8_lossy(&self.output(input, "1", conditions)?).into_owned();
        let rate = output.lines().last().and_then(|line| line.trim().parse::<f64>().ok());
        rate.filter(|rate| *rate > 0.0 && rate.is_finite())
            .ok_or_else(|| "does not print its puzzles per second".to_owned())
    }

    /// The wall time on an empty file, in milliseconds.
    pub fn startup_ms(&self, empty: &Path, conditions: Conditions) -> Option<f64> {
        let time = self.is_command().then(|| self.run(empty, "", None, conditions).ok())?;
        time.map(|time| 1e3 * time.as_secs_f64())
    }

    /// Runs the command, and returns its wall time.
    fn run(
        &self,
        input: &Path,
        rounds: &str,
        output: Option<&File>,
        Conditions { limit, timeout }: Conditions,
    ) -> Result<Duration, String> {
        let command = self.command.replace("{input}", &quote(&input.display().to_string()));
        let command = command.replace("{limit}", &limit.to_string()).replace("{rounds}", rounds);
        // Files, because pipes stay open as long as any process that the command has left behind.
        let mut errors = temporary_file()?;
        let clone = |file: &File| file.try_clone().map(Stdio::from).map_err(|error| error.to_string());
        let output = output.map_or(Ok(Stdio::null()), clone)?;
        let mut command = signals::shell(&command);
        command.stdin(Stdio::null()).stdout(output).stderr(clone(&errors)?);
        let start = Instant::now();
        let child = command.spawn().map_err(|error| format!("cannot be started: {error}"))?;
        let status = wait(child, timeout).map_err(|error| error.to_string())?;
        let time = start.elapsed();
        let Some(status) = status else {
            return Err(format!("was stopped after {} s (--timeout)", timeout.as_secs()));
        };
        if status.success() {
            return Ok(time);
        }
        let message = String::from_utf8_lossy(&read_back(&mut errors)?).into_owned();
        Err(format!("failed: {status}: {}", message.lines().next().unwrap_or("no message")))
    }
}

fn temporary_file() -> Result<File, String> {
    temporary().map_err(|error| error.message())
}

fn read_back(file: &mut File) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// Waits for the end of a child, or ends it after some time and returns `None`.
fn wait(mut child: Child, timeout: Duration) -> io::Result<Option<ExitStatus>> {
    signals::set_child(child.id());
    let (ended, has_ended) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let is_late = has_ended.recv_timeout(timeout) == Err(RecvTimeoutError::Timeout);
            if is_late {
                signals::end_child();
            }
            is_late
        });
        let status = child.wait();
        signals::set_child(0);
        drop(ended);
        let is_late = watch.join().expect("it does not panic");
        status.map(|status| (!is_late).then_some(status))
    })
}
