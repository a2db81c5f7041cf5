//! `--shard I/N`: the outputs of all shards, joined, are the output of the whole run.

use std::fs;

use crate::support::{PUZZLE, SOLUTION, call, file, gzip, inside, messy_text, names, solve};

/// Runs a command on the inputs as a whole and in shards, and compares. Returns the output of the whole.
fn compare(line: &str, inputs: &[&str]) -> Vec<u8> {
    let run = |more: &str| {
        let run = call(&format!("{line} -q {more} {}", inputs.join(" ")), b"");
        assert!(run.code == Some(0) || line.starts_with("check"), "{line} {more}: {}", run.stderr);
        run.stdout
    };
    let whole = run("");
    for (count, way) in [(1, ""), (2, ""), (7, ""), (2, "--no-mmap --batch-bytes 1 -j2"), (23, "--no-mmap")] {
        let shards = (1..=count).map(|index| run(&format!("{way} --shard {index}/{count}")));
        let joined: Vec<u8> = shards.flatten().collect();
        let [shown, expected] = [&joined, &whole].map(|rows| String::from_utf8_lossy(rows));
        assert!(joined == whole, "{line} {way}, {count} shards:\n{shown}\ninstead of\n{expected}");
    }
    whole
}

/// In all sizes of batches, over two inputs, with records that are not puzzles and comments.
#[test]
fn skipped_records_have_numbers_and_others_keep_theirs() {
    let folder = tempfile::tempdir().unwrap();
    let lines: String = (0..40).map(|k| format!("{PUZZLE} {k}\nbad\n# {k}\n")).collect();
    let inputs = [file(&folder, "a", &lines), file(&folder, "b", &lines)].join(" ");
    let ask = |args: &str| call(&format!("solve --columns record,note --errors=- -o /dev/stderr {args} {inputs}"), b"");
    let whole = ask("-q");
    let [rows, errors] = [&*whole.stderr, whole.stdout()].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    for (skip, take) in [(0, 1), (1, 3), (79, 1), (80, 2), (77, 50), (158, 9), (160, 1)] {
        let end = (skip + take).min(160);
        let expected = [&rows[..1], &rows[skip.min(160) + 1..end.max(skip) + 1]].concat().concat();
        // Every second record is not a puzzle.
        let expected_errors = errors[skip / 2..end / 2].concat();
        for way in ["", "--batch-bytes 1 -j 3", "--batch-bytes 500 -j 2 --no-mmap"] {
            let run = ask(&format!("-q {way} --skip {skip} --take {take}"));
            assert_eq!((&*run.stderr, run.stdout()), (&*expected, &*expected_errors), "{skip} {take} {way}");
        }
    }
    for line in ["dedup --skip 1", "split --by er --parts a=50,b=50 -o {} --take 1", "solve --take 1 --shard 1/2"] {
        assert_eq!(call(&format!("{line} {inputs}"), b"").code, Some(2), "{line}");
    }
}

/// Also in shards that have no record of one of the inputs.
#[test]
fn every_shard_compares_the_columns_of_all_inputs() {
    let folder = tempfile::tempdir().unwrap();
    let lines = file(&folder, "lines.txt", format!("{PUZZLE}\n"));
    let table = file(&folder, "table.csv", format!("id,puzzle\n1,{PUZZLE}\n"));
    let nothing = file(&folder, "nothing", "");
    for shard in ["1/1", "1/2", "2/2", "3/3"] {
        let run = |first: &str| call(&format!("solve --format csv --passthrough --shard {shard} {first} {table}"), b"");
        let different = run(&lines);
        let message = format!("rapidoku: '{table}': column 'id' does not occur in '{lines}'\n");
        assert_eq!((different.code, different.stderr), (Some(2), message), "{shard}");
        let same = run(&nothing);
        assert_eq!((same.code, &*same.stderr), (Some(0), ""), "{shard}");
    }
}

/// A table with quotes, line breaks within quotes, comments, blank lines, CRLF and LF, and no line feed at its end.
fn table() -> String {
    let rows = (0..60).map(|k| {
        let end = ["\n", "\r\n"][k % 2];
        match k % 6 {
            0 => format!("{k},\"two\nlines {k}\",{PUZZLE},{end}"),
            1 => format!("{k},\"\n{PUZZLE}\n# no comment\n\",{PUZZLE},\"a \"\"b\"\"\"{end}"),
            2 => format!("{k},an open \" quote,bad,{end}# a comment \"{end}"),
            3 => format!("{k},,\"{PUZZLE}\",{end}{end}"),
            4 => format!("{k},\"\n\",{PUZZLE},\"\r\n\"{end}"),
            _ => format!("{k},\"{}\",{PUZZLE},{end}", "x\n".repeat(k)),
        }
    });
    format!("id,note,puzzle,end\r\n{}", rows.collect::<String>()).trim_end().to_owned()
}

fn json_lines() -> String {
    let line = |k: usize| match k % 4 {
        0 => format!("{{\"id\": {k}, \"puzzle\": \"{PUZZLE}\"}}\r\n"),
        1 => "no object\n\n".to_owned(),
        _ => format!("{{\"puzzle\":\"{PUZZLE}\",\"note\":\"{}\"}}\n", "\\n".repeat(k)),
    };
    (0..40).map(line).collect::<String>().trim_end().to_owned()
}

#[test]
fn joined_shards_are_the_whole_output() {
    let folder = tempfile::tempdir().unwrap();
    let messy = file(&folder, "messy", messy_text());
    let crlf = file(&folder, "crlf", format!("\u{FEFF}# comment\r\n{}{PUZZLE}", format!("{PUZZLE}\r\n").repeat(50)));
    let table = file(&folder, "table", table());
    let json = file(&folder, "json", json_lines());
    let few = file(&folder, "few", format!("{PUZZLE}\n\n{SOLUTION}"));
    for input in [&messy, &crlf, &table, &json, &few] {
        assert!(!compare("solve", &[input]).is_empty());
    }
    for input in [&crlf, &table, &json] {
        assert!(compare("solve --format csv --limit 2", &[input]).starts_with(b"puzzle,solution,status"));
    }
    for input in [&table, &json] {
        compare("solve --format csv --passthrough --columns status,guesses", &[input]);
        compare("solve --format jsonl --passthrough --columns status", &[input]);
        compare("check --only unique", &[input]);
    }
    compare("check", &[&table]);
    compare("check --format csv --columns puzzle,minimal", &[&table]);
    compare("count --format jsonl", &[&table]);
    compare("rate --format csv", &[&table]);
    compare("canon --format csv --passthrough --columns canonical", &[&table]);
    compare("minimize", &[&table]);
}

#[test]
fn several_inputs_are_divided_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let empty = file(&folder, "empty", "");
    let header = file(&folder, "header", "id,puzzle\n");
    let one = file(&folder, "one", format!("puzzle,id\n{PUZZLE},1\n{PUZZLE},2"));
    let two = file(&folder, "two", format!("id,puzzle\r\n{}", format!("7,{PUZZLE}\r\n").repeat(40)));
    let lines = file(&folder, "lines", format!("{PUZZLE}\n").repeat(5));
    let passthrough = "solve --format csv --passthrough --columns status";
    // The columns are those of the first input, wherever a shard starts.
    for inputs in [&[&*one, &*two][..], &[&two, &one, &one], &[&header, &one, &two], &[&header]] {
        compare(passthrough, inputs);
    }
    compare("solve --format csv", &[&two, &lines, &one, &lines]);
    compare("solve --input-format lines", &[&empty, &lines, &empty, &lines]);
    compare("solve --format csv --input-format lines", &[&empty]);
    compare("solve", &[&lines, PUZZLE, &lines]);
}

#[test]
fn an_empty_shard_writes_an_empty_file() {
    let folder = tempfile::tempdir().unwrap();
    let [path, out] = [file(&folder, "in", format!("{PUZZLE}\n{PUZZLE}\n")), inside(&folder, "out.txt")];
    let empty = call(&format!("solve --shard 3/3 {path} -o {out}"), b"");
    assert!(empty.code == Some(0) && fs::read(&out).unwrap().is_empty());
    assert_eq!(names(folder.path()), ["in", "out.txt"]);
}

#[test]
fn statistics_of_shards_add_up_and_places_are_offsets() {
    let folder = tempfile::tempdir().unwrap();
    let row = |k: usize| if k == 30 { "bad\n".to_owned() } else { format!("{k},{PUZZLE}\n") };
    let text = format!("id,puzzle\n{}", (0..40).map(row).collect::<String>());
    let path = file(&folder, "in.csv", &text);
    let [out, errors] = ["out", "errors"].map(|name| inside(&folder, name));
    let (mut bytes, mut records, mut messages) = (0, 0, String::new());
    for index in 1..=5 {
        let run = call(&format!("solve --shard {index}/5 --stats=- -o {out} --errors {errors} {path}"), b"");
        let stats = run.json();
        bytes += stats["input_bytes"].as_u64().unwrap();
        records += stats["records"].as_u64().unwrap();
        messages += &run.stderr;
        messages += &fs::read_to_string(&errors).unwrap();
    }
    assert_eq!((bytes, records), (text.len() as u64, 40));
    let offset = text.find("bad").unwrap();
    let reason = "1 field instead of 2";
    assert_eq!(
        messages,
        format!(
            "rapidoku: {path}: byte {offset}: {reason}\nrapidoku: invalid records: 1\n\
             {{\"input\":\"{path}\",\"byte_offset\":{offset},\"reason\":\"{reason}\"}}\n"
        )
    );
}

#[test]
fn inputs_and_rows_that_cannot_be_divided_are_errors() {
    let folder = tempfile::tempdir().unwrap();
    let lines = file(&folder, "lines", format!("{PUZZLE}\n"));
    let grids = file(&folder, "grids", ".........\n".repeat(8) + "12345678.\n");
    let packed = file(&folder, "packed.gz", gzip(PUZZLE.as_bytes()));
    let directory = inside(&folder, "");
    let numbers = "a shard does not know the numbers of its records and lines, which these rows have or depend on";
    let named = |path: &str, reason: &str| format!("'{path}': {reason}");
    let compressed = "a compressed file cannot be divided into shards; decompress it first";
    let stdin = "standard input cannot be divided into shards; name a file instead";
    for (line, input, message) in [
        ("solve", &*packed, named(&packed, compressed)),
        ("solve", "", named("<stdin>", stdin)),
        ("solve", "/dev/null", named("/dev/null", "only regular files can be divided into shards")),
        ("solve", &grids, named(&grids, "grids cannot be divided into shards")),
        ("solve", &directory, format!("cannot open {}", named(&directory, "is a directory"))),
        ("solve --format csv --columns record", &lines, numbers.to_owned()),
        ("solve --format grid", &lines, numbers.to_owned()),
        ("enumerate", &lines, numbers.to_owned()),
        ("permute", &lines, numbers.to_owned()),
        ("verify", &lines, numbers.to_owned()),
    ] {
        for way in ["", "--no-mmap"] {
            let run = call(&format!("{line} {way} --shard 1/2 {input}"), b"");
            assert_eq!((run.stderr, run.code), (format!("rapidoku: {message}\n"), Some(2)), "{line}");
        }
    }
    for shard in ["0/2", "3/2", "1", "1/", "a/b", "1/0"] {
        solve(["--shard", shard, &lines], b"").fails_with("expected I/N, with I from 1 to N");
    }
}
