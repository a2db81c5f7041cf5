//! The commands `dedup` and `overlap`. The oracles compare lines in a map, and know the classes of planted copies.

use std::collections::HashMap;

use rapidoku::Puzzle;

use std::path::Path;

use crate::samples::SAMPLE;
use crate::support::{
    CLASH, NO_SOLUTION, PUZZLE, ask, ask_with_folder, call, file, firsts, gzip, inside, names, program, words,
};

/// Two random copies of each line of the sample, in another order: the number of the line, and the copy.
fn planted() -> Vec<(usize, String)> {
    let copies = call("permute --copies 2 --seed 5", SAMPLE);
    let copies: Vec<(usize, &str)> = copies.stdout().lines().enumerate().map(|(k, line)| (k / 2, line)).collect();
    (0..copies.len()).map(|k| copies[k * 7919 % copies.len()]).map(|(n, line)| (n, line.to_owned())).collect()
}

fn lines<'a>(lines: impl IntoIterator<Item = &'a String>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n"]).collect()
}

/// Runs a command without messages.
fn silent(line: &str, stdin: &str) -> String {
    let run = call(&format!("{line} -q"), stdin);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{line}");
    run.stdout().to_owned()
}

#[test]
fn every_planted_copy_is_found() {
    let planted = planted();
    let text = lines(planted.iter().map(|(_, line)| line));
    // The sample has no two equivalent puzzles. A third of it would be enough for several batches and threads.
    let firsts = firsts(planted.iter().map(|(number, _)| Some(number)));
    let kept = (0..planted.len()).filter(|&k| firsts[k] == k).map(|k| &planted[k].1);
    let expected = lines(kept);
    assert_eq!(expected.lines().count(), 10_000);
    for args in ["-j 1", "-j 3 --batch-bytes 3000 --memory 1M"] {
        assert!(silent(&format!("dedup {args}"), &text) == expected, "{args}");
    }
    let marks: String = firsts.iter().map(|first| format!("{}\n", first + 1)).collect();
    assert!(silent("dedup --mark", &text) == marks);
    assert!(silent("dedup --exact", &text) == text);

    let folder = tempfile::tempdir().unwrap();
    let sample = file(&folder, "sample.txt", SAMPLE);
    let run = ask("overlap", [&sample, "--in", "-", "-j", "3"], text.as_bytes());
    let rows: String = (1..).zip(&planted).map(|(k, (n, line))| format!("{k} {} {line}\n", n + 1)).collect();
    assert!(run.code == Some(1) && run.stdout() == rows);
    assert_eq!(run.stderr, "rapidoku: records in A: 10000, in B: 20000, of these in A: 20000\n");
}

#[test]
fn exact_duplicates_are_found_among_more_records_than_memory_holds() {
    // 120,000 records take 2.8 MB.
    let random = (0_u64..120_000).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 17);
    let numbers: Vec<u64> = random.map(|n| n % 100_000).collect();
    let blank = |k: usize| [".", "0", "x"][k % 3];
    let line = |(k, n): (usize, &u64)| format!("{n:0>81}").replace('0', blank(k));
    let all: Vec<String> = numbers.iter().enumerate().map(line).collect();
    let firsts = firsts(numbers.iter().map(Some));
    let kept = lines((0..all.len()).filter(|&k| firsts[k] == k).map(|k| &all[k]));
    let marks: String = firsts.iter().map(|first| format!("{}\n", first + 1)).collect();
    let text = lines(&all);
    let temporary = tempfile::tempdir().unwrap();
    for args in ["-j 1", "-j 1 --memory 1M", "-j 3 --memory 1M --batch-bytes 5000"] {
        for (more, expected) in [("", &kept), (" --mark", &marks)] {
            let line = format!("-q --exact {args}{more}");
            let run = ask_with_folder(temporary.path(), "dedup", words(&line), text.as_bytes());
            assert!(run.stdout() == expected, "{line}");
        }
    }
    assert_eq!(names(temporary.path()), [""; 0]);

    // Each record of B that is in A, with the first one there.
    let a = file(&temporary, "a", lines(&all[..50_000]));
    let b = file(&temporary, "b", lines(&all[50_000..]));
    let mut first_in_a = HashMap::new();
    numbers[..50_000].iter().zip(1..).for_each(|(n, k)| _ = first_in_a.entry(n).or_insert(k));
    let rows = (1..).zip(50_000..all.len()).filter_map(|(k, index)| {
        let first = first_in_a.get(&numbers[index])?;
        Some(format!("{k} {first} {}\n", all[index]))
    });
    let rows: String = rows.collect();
    for args in ["-j 1", "-j 3 --memory 1M"] {
        let run = ask("overlap", ["--exact", &a, "--in", &b].into_iter().chain(words(args)), b"");
        assert!(run.code == Some(1) && run.stdout() == rows, "{args}");
    }
}

#[test]
fn rows_of_tables_are_copied_with_one_header() {
    let folder = tempfile::tempdir().unwrap();
    let zeros = PUZZLE.replace('.', "0");
    let one = file(&folder, "1.csv", format!("Id,puzzle\r\n1,\"{PUZZLE}\"\r\n2,{zeros}\r\n3,bad\r\n"));
    let two = file(&folder, "2.csv", format!("Id,puzzle\r\n4,{zeros}\r\n5,bad\r\n6,{NO_SOLUTION}"));
    let run = ask("dedup", ["--exact", "-q", &one, &two], b"");
    // As in all commands, the header ends with a line feed.
    let expected = format!("Id,puzzle\r\n1,\"{PUZZLE}\"\r\n3,bad\r\n5,bad\r\n6,{NO_SOLUTION}\n");
    assert_eq!((run.code, run.stdout()), (Some(0), expected.as_str()));
    let marked = ask("dedup", ["--exact", "-q", "--mark", "--format", "csv", &one, &two], b"");
    let expected =
        format!("Id,puzzle,first\n1,{PUZZLE},1\n2,{zeros},1\n3,bad,\n4,{zeros},1\n5,bad,\n6,{NO_SOLUTION},6\n");
    assert_eq!(marked.stdout(), expected);
    assert_eq!(ask("dedup", ["--exact", "-q", "--mark", &one, &two], b"").stdout(), "1\n1\n\n1\n\n6\n");

    let other = file(&folder, "3.csv", format!("puzzle\n{PUZZLE}\n"));
    let message = format!("'{other}': its header is not that of '{one}', and records are copied as they are");
    ask("dedup", [&one, &other], b"").fails_with(&message);
}

#[test]
fn the_format_follows_the_extension_and_keeps_all_columns() {
    let folder = tempfile::tempdir().unwrap();
    let table = file(&folder, "in.tsv", format!("id\tpuzzle\nä\t{PUZZLE}\n7\t{PUZZLE}\n"));
    for (name, expected) in [
        ("out.csv", format!("id,puzzle\nä,{PUZZLE}\n")),
        ("out.jsonl", format!("{{\"id\":\"ä\",\"puzzle\":\"{PUZZLE}\"}}\n")),
        ("out.txt", format!("id\tpuzzle\nä\t{PUZZLE}\n")),
    ] {
        let output = inside(&folder, name);
        let run = call(&format!("dedup {table} -o {output}"), b"");
        let message = "rapidoku: records: 2, duplicates removed: 1\n";
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), message));
        assert_eq!(std::fs::read_to_string(output).unwrap(), expected);
    }
    // Inputs without columns have the puzzle and its note.
    let text = format!("{PUZZLE} a comment\n{PUZZLE}\n");
    assert_eq!(silent("dedup --format csv", &text), format!("puzzle,note\n{PUZZLE},a comment\n"));
    // Those of the output's format are copied.
    let quoted = format!("puzzle,note\n{PUZZLE},\"a b\"\n");
    assert_eq!(silent("dedup --format csv", &(quoted.clone() + PUZZLE + ",\n")), quoted);
    assert_eq!(silent("dedup --format csv --mark", &quoted), format!("puzzle,note,first\n{PUZZLE},a b,1\n"));
    let columns = "dedup --mark --format csv --columns record,first,status,clues --blank 0";
    assert_eq!(silent(columns, &text), "record,first,status,clues\n1,1,unique,30\n2,1,unique,30\n");
    let grid: Puzzle = PUZZLE.parse().unwrap();
    assert_eq!(silent("dedup", &format!("{grid:#}\n\n{grid:#}\n")), format!("{grid:#}\n\n"));
    let object = format!("{{\"puzzle\": \"{PUZZLE}\", \"n\": 1}}\n");
    assert_eq!(silent("dedup", &object.repeat(3)), object);
}

#[test]
fn records_without_a_form_are_compared_exactly_or_kept() {
    let reversed: String = CLASH.chars().rev().collect();
    let several = format!("{}53{}", ".".repeat(30), ".".repeat(49));
    let equivalent = format!("12{}", ".".repeat(79));
    let all = [CLASH, "bad", &several, &reversed, "bad", CLASH, &equivalent, PUZZLE];
    let run = call("dedup -q --mark", all.join("\n"));
    assert_eq!((run.code, run.stdout()), (Some(0), "1\n\n3\n4\n\n1\n3\n8\n"));
    let run = call("dedup --exact --stats", all.join("\n"));
    assert_eq!(run.stdout().lines().count(), 7);
    assert!(run.stderr.contains("rapidoku: invalid records: 2\n"), "{}", run.stderr);
    assert!(run.stderr.contains("records  8, duplicates 1\nstatus   invalid 2\n"), "{}", run.stderr);
    let run = call("dedup -q --stats=- -o /dev/null", all.join("\n"));
    let numbers = ["/duplicates", "/records", "/counts/invalid"].map(|name| run.json().pointer(name).cloned());
    assert_eq!(numbers, [2, 8, 5].map(|number| Some(number.into())));
}

#[test]
fn the_exit_code_of_overlap() {
    let folder = tempfile::tempdir().unwrap();
    let a = file(&folder, "a.txt", format!("{}\n{NO_SOLUTION}\n{PUZZLE}\n{PUZZLE}\n", &PUZZLE[..80]));
    let b = file(&folder, "b.csv", format!("n,puzzle\n7,{PUZZLE}\n8,bad\n"));
    let c = file(&folder, "c.csv", format!("n,puzzle\n9,{CLASH}\n"));
    let run = ask("overlap", ["-q", "--exact", &a, "--in", &c, &b], b"");
    assert_eq!((run.code, run.stdout(), &*run.stderr), (Some(1), &*format!("2 3 {PUZZLE}\n"), ""));
    let run = ask("overlap", [&a, "--format", "csv", "--in", &b], b"");
    assert_eq!(run.stdout(), format!("n,puzzle,record,first\n7,{PUZZLE},1,3\n"));
    assert!(run.stderr.ends_with("rapidoku: records in A: 4, in B: 2, of these in A: 1\n"), "{}", run.stderr);
    let run = ask("overlap", [&a, "--in", &c], b"");
    assert_eq!((run.code, run.stdout()), (Some(0), ""));
    assert!(run.stderr.ends_with("rapidoku: records in A: 4, in B: 1, of these in A: 0\n"), "{}", run.stderr);
    let run = ask("overlap", [&a, "--in", "missing.txt"], b"");
    assert_eq!(run.code, Some(2));
    // All files after --in belong to it, so the other operand may be missing.
    let run = ask("overlap", ["--in", &b, &a], b"");
    assert_eq!(run.code, Some(2), "{}", run.stderr);
}

#[test]
fn streams_are_read_once() {
    let text = format!("{PUZZLE}\n{PUZZLE}\n");
    let folder = tempfile::tempdir().unwrap();
    let puzzles = file(&folder, "puzzles.txt", &text);
    let expected = format!("{PUZZLE}\n");
    assert_eq!(silent("dedup --no-mmap", &text), expected);
    assert_eq!(silent("dedup --no-mmap -", &text), expected);
    let run = |input: std::process::Stdio, args: &[&str]| {
        let output = program().arg("dedup").args(args).stdin(input).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    for args in [&[][..], &["--no-mmap"]] {
        let mut file = std::fs::File::open(&puzzles).unwrap();
        assert_eq!(run(file.try_clone().unwrap().into(), args), (Some(0), expected.clone()));
        // A file of which another program has read a part.
        std::io::Seek::seek(&mut file, std::io::SeekFrom::Start(82)).unwrap();
        assert_eq!(run(file.into(), args), (Some(0), expected.clone()));
    }
    if cfg!(target_os = "linux") {
        let twice = ask("dedup", ["/dev/stdin", &puzzles], &gzip(PUZZLE.as_bytes()));
        assert_eq!((twice.code, twice.stdout().lines().count()), (Some(0), 1), "{}", twice.stderr);
    }
    let run = ask_with_folder(Path::new("does/not/exist"), "dedup", [""; 0], text.as_bytes());
    assert_eq!((run.code, run.stdout()), (Some(2), ""));
    assert_eq!(run.stderr, "rapidoku: TMPDIR: no folder 'does/not/exist' for temporary files\n");
}

#[test]
fn what_may_be_a_mistake_is_counted_once() {
    let same = PUZZLE.replace('.', "0");
    let text = format!("# {PUZZLE}\n{PUZZLE}\n{same}\n{NO_SOLUTION}\n");
    let run = call("dedup", &text);
    assert!(run.stderr.contains("comments that contain a puzzle, which are skipped: 1\n"), "{}", run.stderr);
    assert!(run.stderr.ends_with("records: 3, duplicates removed: 1\n"), "{}", run.stderr);
}
