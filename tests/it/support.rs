//! What several modules need: running the program, and an independent idea of what a record is.

use std::ffi::OsStr;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread};

/// A puzzle with one solution.
pub const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// Its solution.
pub const SOLUTION: &str =
    "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
/// A puzzle without solution whose clues do not clash: nothing is left for the last cell of row 1.
pub const NO_SOLUTION: &str =
    "12345678.........9...............................................................";
/// Digit 1 twice in row 1.
pub const CLASH: &str = "1.......1........................................................................";

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

/// The lines of a text that are records: line number and bytes. Slow, and shares nothing with the reader.
pub fn records(text: &[u8]) -> Vec<(usize, Vec<u8>)> {
    let text = if text.starts_with(&[0xEF, 0xBB, 0xBF]) { &text[3..] } else { text };
    let mut lines: Vec<Vec<u8>> = vec![Vec::new()];
    for &byte in text {
        match byte {
            b'\n' => lines.push(Vec::new()),
            _ => lines.last_mut().unwrap().push(byte),
        }
    }
    for line in &mut lines {
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    }
    let numbered = (1..).zip(lines);
    let is_record = |line: &Vec<u8>| {
        let white = String::from_utf8_lossy(line).chars().all(|c| [' ', '\t', '\r'].contains(&c));
        !white && line[0] != b'#'
    };
    numbered.filter(|(_, line)| is_record(line)).collect()
}

/// The 81 cells of a record, if it has them and ends or is separated after them.
pub fn cells(record: &[u8]) -> Option<Vec<u8>> {
    let digit = |&byte: &u8| match byte as char {
        '1'..='9' => Some(byte - b'0'),
        '.' | '0' | '-' | '_' | '*' | '?' | 'x' | 'X' => Some(0),
        _ => None,
    };
    let cells: Option<Vec<u8>> = record.iter().take(81).map(digit).collect();
    let separated = record.get(81).is_none_or(|byte| b" \t,;".contains(byte));
    cells.filter(|cells| cells.len() == 81 && separated)
}

/// A text with lines of every kind, many enough for several batches of the smallest size.
pub fn messy_text() -> Vec<u8> {
    let mut text = b"\xEF\xBB\xBF".to_vec();
    for i in 0..400 {
        let digits = PUZZLE.replace('.', ["0", "-", "_", "*", "?", "x", "X", "."][i % 8]);
        let line = match i % 16 {
            1 => format!("{digits}\r\n"),
            2 => format!("{digits} {}\n", "w".repeat(i)),
            3 => format!("{digits},{SOLUTION}\r\n"),
            4 => "# a comment\n\n \t\n\r\n".to_owned(),
            5 => format!("{NO_SOLUTION}\n"),
            6 => format!("{CLASH}\n"),
            7 => format!("{}\n", &digits[..i % 81]),
            8 => format!("{digits}{digits}\n"),
            9 => format!("{}\u{1F600}{}\n", &digits[..i % 80], &digits[i % 80..]),
            10 => format!("{}\n", " ".repeat(i)),
            11 => format!("{}\n", ".".repeat(81)),
            _ => format!("{digits}\n"),
        };
        text.extend_from_slice(line.as_bytes());
    }
    // A line longer than several batches, and a last one without an end.
    text.extend_from_slice(format!("{PUZZLE};{}\n{PUZZLE}", "x".repeat(5000)).as_bytes());
    text
}
