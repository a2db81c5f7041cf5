//! Running the program, and the texts of the library's tests.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use flate2::Compression;
use flate2::write::{DeflateEncoder, GzEncoder};
use rapidoku::{Outcome, Outcomes};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::Value;
use tempfile::TempDir;

#[allow(dead_code, reason = "the tests of the library need the rest")]
#[path = "../../../tests/it/support.rs"]
mod texts;
#[allow(unused_imports, reason = "not every text is used here")]
pub use texts::*;

/// What a run of the program came to.
pub struct Run {
    pub code: Option<i32>,
    pub stdout: Vec<u8>,
    pub stderr: String,
}

impl Run {
    pub fn stdout(&self) -> &str {
        str::from_utf8(&self.stdout).expect("output is ASCII")
    }

    /// Standard output as one value of JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stderr))
    }

    /// The lines of standard output as values of JSON.
    pub fn json_lines(&self) -> Vec<Value> {
        self.stdout().lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect()
    }

    /// Asserts that the run failed with this in its messages.
    #[track_caller]
    pub fn fails_with(&self, message: &str) {
        assert!(self.code == Some(2) && self.stderr.contains(message), "'{message}' in {}", self.stderr);
    }
}

/// The program, with the environment of tests.
pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rapidoku"));
    command.env_remove("RAPIDOKU_THREADS");
    command
}

/// Runs `rapidoku solve` with such arguments and standard input.
pub fn solve<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>, stdin: &[u8]) -> Run {
    ask("solve", args, stdin)
}

/// Runs a command with such arguments and standard input.
pub fn ask<S: AsRef<OsStr>>(command: &str, args: impl IntoIterator<Item = S>, stdin: &[u8]) -> Run {
    finish(program().arg(command).args(args), stdin)
}

/// The same for a command line without quotes.
pub fn call(line: &str, stdin: impl AsRef<[u8]>) -> Run {
    finish(program().args(words(line)), stdin.as_ref())
}

/// The same with this folder for temporary files.
pub fn ask_with_folder<S: AsRef<OsStr>>(
    folder: &Path,
    command: &str,
    args: impl IntoIterator<Item = S>,
    stdin: &[u8],
) -> Run {
    finish(program().env("TMPDIR", folder).arg(command).args(args), stdin)
}

/// A program that finds this one by its name.
pub fn beside_program(name: &str) -> Command {
    let folder = Path::new(env!("CARGO_BIN_EXE_rapidoku")).parent().expect("it is in a folder").display();
    let mut command = Command::new(name);
    command.env("PATH", format!("{folder}:{}", env::var("PATH").expect("it is set")));
    command
}

/// Sends a signal to a process. Returns whether there is one.
pub fn send(signal: &str, process: impl ToString) -> bool {
    let mut kill = Command::new("kill");
    kill.args([signal, &process.to_string()]).stderr(Stdio::null()).status().expect("it runs").success()
}

/// Runs a line of the shell in a folder, in which `$0` is the program.
pub fn shell(folder: impl AsRef<Path>, line: &str) -> Run {
    let mut shell = Command::new("sh");
    shell.args(["-c", line, env!("CARGO_BIN_EXE_rapidoku")]).current_dir(folder);
    finish(&mut shell, b"")
}

/// Starts a program with pipes for its standard streams.
pub fn start(program: &mut Command) -> Child {
    let piped = program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    piped.spawn().expect("the program starts")
}

/// Waits for a process, and kills it after a time.
pub fn wait(child: &mut Child, limit: Duration) -> Option<ExitStatus> {
    let deadline = Instant::now() + limit;
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().expect("it can be waited for") {
            return Some(status);
        }
        thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("it runs");
    child.wait().expect("it can be waited for");
    None
}

/// Runs a program to its end.
pub fn finish(program: &mut Command, stdin: &[u8]) -> Run {
    let mut child = start(program);
    let mut pipe = child.stdin.take().expect("it is piped");
    let output = thread::scope(|scope| {
        // A program that does not read its input closes the pipe.
        scope.spawn(move || pipe.write_all(stdin));
        child.wait_with_output().expect("the program ends")
    });
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!stderr.contains("panicked"), "{stderr}");
    Run { code: output.status.code(), stdout: output.stdout, stderr }
}

/// The result of a command for an input, which is the same from a file and from a pipe, and in small batches.
pub fn ask_in_all_ways(command: &str, args: &str, input: impl AsRef<[u8]>) -> Run {
    let input = input.as_ref();
    let folder = tempfile::tempdir().expect("a folder can be created");
    let path = file(&folder, "in", input);
    let piped = ask(command, words(args), input);
    for more in ["", "--no-mmap", "--batch-bytes 1 -j 3", "--batch-bytes 1 -j 2 --no-mmap"] {
        let other = ask(command, words(&format!("{args} {more} {path}")), b"");
        let text = String::from_utf8_lossy(input);
        assert_eq!(other.stdout().replace(&path, "<stdin>"), piped.stdout(), "{more} on {text}");
        let said = without_commands(&other.stderr.replace(&path, "<stdin>"));
        assert_eq!(said, without_commands(&piped.stderr), "{more} on {text}");
        assert_eq!(other.code, piped.code, "{more} on {text}");
    }
    piped
}

/// Messages without the commands that help after a refusal, which differ for files and streams.
pub fn without_commands(stderr: &str) -> String {
    stderr.split_inclusive('\n').filter(|line| !line.starts_with("  ")).collect()
}

/// Waits until all threads of a process sleep and none of them has run for a while: it is blocked, and stays so until
/// it gets input or its output is taken. Returns `false` where the system does not tell.
///
/// # Panics
/// If that takes more than a minute.
pub fn wait_until_blocked(child: &Child) -> bool {
    /// The states of all threads, and how often they have gone to sleep.
    fn threads(id: u32) -> Option<Vec<String>> {
        let tasks = fs::read_dir(format!("/proc/{id}/task")).ok()?;
        let is_wanted = |line: &&str| line.starts_with("State:") || line.starts_with("voluntary");
        let status = |task: fs::DirEntry| fs::read_to_string(task.path().join("status")).ok();
        tasks.map(|task| Some(status(task.ok()?)?.lines().filter(is_wanted).collect())).collect()
    }
    let deadline = Instant::now() + Duration::from_secs(60);
    let (mut before, mut unchanged) = (Vec::new(), 0);
    while unchanged < 10 {
        let Some(now) = threads(child.id()) else { return false };
        let all_sleep = now.iter().all(|thread| thread.contains("S (sleeping)"));
        unchanged = if all_sleep && now == before { unchanged + 1 } else { 0 };
        before = now;
        assert!(Instant::now() < deadline, "the program is still at work: {before:?}");
        thread::sleep(Duration::from_millis(10));
    }
    true
}

/// The private memory of a process in KiB, where the system tells.
pub fn private_memory(child: &Child) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find(|line| line.starts_with("RssAnon"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Changes the outcome of puzzle `k`.
pub fn edit_outcome(outcomes: &mut Outcomes, k: usize, edit: impl FnOnce(&mut Outcome)) {
    let mut outcome = outcomes.get(k).expect("there is such a puzzle");
    edit(&mut outcome);
    outcomes.set(k, outcome);
}

/// Removes the outcome of the last puzzle.
pub fn drop_last_outcome(outcomes: &mut Outcomes) {
    let before: Vec<_> = outcomes.iter().collect();
    let (_, kept) = before.split_last().expect("there are puzzles");
    outcomes.reset(kept.len());
    kept.iter().enumerate().for_each(|(k, outcome)| outcomes.set(k, *outcome));
}

/// The definitions of all commands.
pub fn commands() -> Vec<clap::Command> {
    let mut program = rapidoku_cli::command();
    program.build();
    program.get_subcommands().filter(|command| command.get_name() != "help").cloned().collect()
}

/// The folder of the project.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

/// An archive of files, and of folders, whose names end with `/`.
pub fn zip(method: CompressionMethod, files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, bytes) in files {
        if name.ends_with('/') {
            archive.new_dir(name).create().unwrap();
            continue;
        }
        let (mut entry, config) = archive.new_file(name).compression_method(method).start().unwrap();
        let encoder: Box<dyn Write> = match method {
            CompressionMethod::STORE => Box::new(&mut entry),
            _ => Box::new(DeflateEncoder::new(&mut entry, Compression::fast())),
        };
        let mut writer = config.wrap(encoder);
        writer.write_all(bytes).unwrap();
        // This drops the encoder, which finishes.
        let sum = writer.finish().unwrap().1;
        entry.finish(sum).unwrap();
    }
    archive.finish().unwrap()
}

/// Nine lines of nine cells.
pub fn grid(puzzle: &str) -> String {
    rows(puzzle).map(|row| format!("{row}\n")).collect()
}

/// The arguments of a command line without quotes.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// The same for `generate`, which draws a seed if none is given.
pub fn with_seed(line: &str) -> impl Iterator<Item = &str> {
    let seed = if line.contains("--seed") { "" } else { "--seed=0" };
    words(line).chain(words(seed))
}

/// The path of a file in a folder.
pub fn inside(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).into_os_string().into_string().expect("it is UTF-8")
}

/// Writes a file into a folder and returns its path.
pub fn file(folder: &TempDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = inside(folder, name);
    fs::write(&path, bytes).expect("the folder can be written");
    path
}

/// The names in a folder, in order.
pub fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
