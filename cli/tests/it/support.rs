//! Running the program, and the texts of the library's tests.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

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
    let mut child = program()
        .arg(command)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
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

/// The arguments of a command line without quotes.
pub fn words(line: &str) -> impl Iterator<Item = &str> {
    line.split_whitespace()
}

/// Writes a file into a folder and returns its path.
pub fn file(folder: &tempfile::TempDir, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.path().join(name);
    fs::write(&path, bytes).expect("the folder can be written");
    path.into_os_string().into_string().expect("it is UTF-8")
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
