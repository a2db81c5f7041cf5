//! The same records from files, streams and pipes, however they are cut.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom};

use crate::support::{self, NO_SOLUTION, PUZZLE, SOLUTION, file, messy_text, program, solve, words};

#[test]
fn stdin_file_and_stream_give_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let text = messy_text();
    let path = file(&folder, "in", &text);
    for format in ["text", "csv"] {
        let common = format!("--limit 2 --format {format}");
        let reference = solve(words(&format!("{common} {path}")), b"");
        assert_eq!(reference.code, Some(0));
        let rows = support::records(&text).len() + (format == "csv") as usize;
        assert_eq!(reference.stdout().lines().count(), rows);
        assert!(reference.stderr.contains("too long"), "{}", reference.stderr);
        for threads in [1, 2, 4] {
            for batch in ["", "--batch-bytes 1", "--batch-bytes 1000", "--batch-bytes 100000"] {
                let common = format!("{common} -j {threads} {batch}");
                let mapped = solve(words(&format!("{common} {path}")), b"");
                let stream = solve(words(&format!("{common} --no-mmap {path}")), b"");
                let stdin = solve(words(&common), &text);
                let dash = solve(words(&format!("{common} -")), &text);
                for run in [mapped, stream, stdin, dash] {
                    assert_eq!(run.stdout(), reference.stdout(), "{common}");
                    assert_eq!(run.stderr.replace("<stdin>", &path), reference.stderr, "{common}");
                    assert_eq!(run.code, Some(0));
                }
            }
        }
    }
}

#[test]
fn stdin_may_be_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", messy_text());
    let redirected = program().arg("solve").stdin(File::open(&path).unwrap()).output().unwrap();
    assert_eq!(redirected.stdout, solve([&path], b"").stdout);
}

#[test]
fn a_file_on_stdin_is_read_from_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", format!("{PUZZLE}\n{NO_SOLUTION}\n{PUZZLE}\n"));
    let mut stdin = File::open(&path).unwrap();
    stdin.seek(SeekFrom::Start(82)).unwrap();
    let rest = program().arg("solve").stdin(stdin).output().unwrap();
    assert_eq!(String::from_utf8(rest.stdout).unwrap(), format!("\n{SOLUTION}\n"));
}

#[test]
fn inputs_follow_each_other() {
    let folder = tempfile::tempdir().unwrap();
    // The first has no last line feed, and each has its own byte order mark and line numbers.
    let one = file(&folder, "one", format!("\u{FEFF}{PUZZLE}"));
    let two = file(&folder, "two", "");
    let three = file(&folder, "three", format!("\u{FEFF}{NO_SOLUTION}\nbad\n"));
    let run = solve(["--no-mmap", "--input-format=lines", &one, &two, "-", &three], b"oops\n");
    assert_eq!(run.stdout(), format!("{SOLUTION}\n\n\n\n"));
    let expected = format!(
        "rapidoku: <stdin>:1: bad character 'o' in column 1\n\
         rapidoku: {three}:2: bad character 'b' in column 1\n\
         rapidoku: invalid records: 2\n\
         rapidoku: records: 4, solved 1, none 1, invalid 2\n"
    );
    assert_eq!(run.stderr, expected);
    assert_eq!(solve(["--input-format=lines", &one, &two, "-", &three], b"oops\n").stderr, expected);
}

#[test]
fn files_without_a_length_are_read() {
    // A file of this folder says that it is regular and empty.
    let path = "/proc/self/status";
    if fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() == 0) {
        let run = solve(["--input-format=lines", path], b"");
        assert!(run.stdout.len() > 20, "{}", run.stderr);
        assert!(run.stderr.contains("/proc/self/status:1: bad character 'N' in column 1"));
    }
}
