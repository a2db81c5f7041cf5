//! The command `shuffle`.

use std::fs;
use std::io::Write;

use std::path::Path;

use crate::samples::SAMPLE;
use crate::support::{
    PUZZLE, ask, ask_with_folder, call, file, inside, names, program, start, wait_until_blocked, words,
};

#[test]
fn the_order_depends_on_the_seed_only() {
    let text = SAMPLE.repeat(6);
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in.txt", &text);
    let numbered: String = (0..60_000).map(|k| format!("{PUZZLE} {k}\n")).collect();
    let shuffled = call("shuffle -j 1", &numbered);
    let order: Vec<usize> = shuffled.stdout().lines().map(|line| line[82..].parse().unwrap()).collect();
    let mut sorted = order.clone();
    sorted.sort_unstable();
    assert!(sorted.iter().enumerate().all(|(k, number)| k == *number) && order.len() == 60_000);
    let lines: Vec<&str> = text.lines().collect();
    let expected: String = order.iter().map(|&k| format!("{}\n", lines[k])).collect();
    for args in ["", "--memory 1M", "--memory 3M -j 3 --batch-bytes 3000 --no-mmap"] {
        let run = ask_with_folder(folder.path(), "shuffle", words(args).chain([&*path]), b"");
        assert!(run.stdout() == expected, "{args}");
    }
    assert!(ask("shuffle", ["--seed", "1", &path], b"").stdout() != expected);
    assert_eq!(names(folder.path()), ["in.txt"]);
}

#[test]
fn long_rows_and_headers() {
    let mut text = "id,puzzle,note\r\n".to_owned();
    for k in 0..30 {
        text += &format!("{k},{PUZZLE},\"{}\"\n", "x\n".repeat(k * 15_000));
    }
    let reference = call("shuffle", &text);
    let header = "id,puzzle,note\r\n";
    assert!(reference.stdout().starts_with(header));
    assert_eq!(reference.stdout().len(), text.len());
    let mut rows: Vec<&str> = reference.stdout()[header.len()..].split_inclusive("\"\n").collect();
    assert_ne!(rows.iter().map(|row| row.len()).max().unwrap(), rows[29].len());
    rows.sort_by_key(|row| row.len());
    assert_eq!(rows.concat(), text[header.len()..]);
    for args in ["--memory 1M", "--memory 1M -j 4 --batch-bytes 1"] {
        assert!(ask("shuffle", words(args), text.as_bytes()).stdout == reference.stdout, "{args}");
    }
    let run = call("shuffle --format jsonl --columns record,id", &text);
    assert!(run.stdout().contains("{\"record\":8,\"id\":\"7\"}\n"), "{}", run.stdout());
    assert_eq!(call("shuffle", b"").stdout(), "");
}

#[test]
fn progress_shows_that_rows_are_written() {
    let run = call("shuffle --progress always", SAMPLE);
    // The first report comes with the first part of the rows.
    let lines: Vec<&str> = run.stderr.lines().collect();
    let (last, before) = lines.split_last().unwrap();
    let writing = before.last().unwrap().split_once("Z 10,000 puzzles read, writing ");
    let percent: u64 = writing.unwrap().1.strip_suffix(" %").unwrap().parse().unwrap();
    assert_eq!(percent, 100 * (256 << 10) / SAMPLE.len() as u64);
    assert!(last.contains("Z 10,000 puzzles, "), "{}", run.stderr);
}

#[test]
fn the_temporary_file_has_no_name() {
    let folder = tempfile::tempdir().unwrap();
    let temporary = folder.path().join("temporary");
    fs::create_dir(&temporary).unwrap();
    let args = ["shuffle", "--memory", "1M", "-o", &inside(&folder, "out.txt")];
    let mut child = start(program().args(args).env("TMPDIR", &temporary));
    let mut pipe = child.stdin.take().unwrap();
    pipe.write_all(SAMPLE.repeat(5).as_bytes()).unwrap();
    if wait_until_blocked(&child) {
        assert!(names(&temporary).is_empty());
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(names(&temporary).is_empty());
    drop(pipe);
    let run = ask_with_folder(Path::new("/no/such"), "shuffle", [""; 0], PUZZLE.as_bytes());
    run.fails_with("no folder '/no/such' for temporary files");
    assert_eq!(call("shuffle --memory 1K", PUZZLE).code, Some(2));
}
