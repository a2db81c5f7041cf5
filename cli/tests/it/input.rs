//! The same records from files, streams and pipes, however they are cut.

use std::fs::{self, File};
use std::io::{Seek, SeekFrom};

use crate::support::{self, NO_SOLUTION, PUZZLE, SOLUTION, ask_in_all_ways, call, file, messy_text, program, solve};

#[test]
fn stdin_file_and_stream_give_the_same_bytes() {
    let text = messy_text();
    for format in ["text", "csv"] {
        let run = ask_in_all_ways("solve", &format!("--limit 2 --format {format}"), &text);
        let rows = support::records(&text).len() + (format == "csv") as usize;
        assert_eq!((run.code, run.stdout().lines().count()), (Some(0), rows));
        assert!(run.stderr.contains("too long"), "{}", run.stderr);
        let dash = call(&format!("solve --limit 2 --format {format} --batch-bytes 1000 -"), &text);
        assert!(dash.stdout == run.stdout && dash.stderr == run.stderr, "{}", dash.stderr);
    }
}

#[test]
fn stdin_may_be_a_file_which_is_read_from_its_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", format!("{PUZZLE}\n{NO_SOLUTION}\n{PUZZLE}\n"));
    for (start, expected) in [(0, format!("{SOLUTION}\n\n{SOLUTION}\n")), (82, format!("\n{SOLUTION}\n"))] {
        let mut stdin = File::open(&path).unwrap();
        stdin.seek(SeekFrom::Start(start)).unwrap();
        let run = program().arg("solve").stdin(stdin).output().unwrap();
        assert_eq!(String::from_utf8(run.stdout).unwrap(), expected);
    }
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
