//! The command `convert`: every pair of formats, and what they keep.

use std::fs;

use rapidoku::{Candidates, Puzzle};

use crate::support::{CLASH, PUZZLE, Run, SOLUTION, ask, file, grid, names, words};

const SAMPLE: &str = include_str!("../../../datasets/sample_10k.txt");

/// Formats, extensions of their outputs, and whether they keep any pencilmarks.
const FORMATS: [(&str, &str, bool); 9] = [
    ("lines", "txt", true),
    ("pencilmarks", "marks", true),
    ("csv", "csv", true),
    ("jsonl", "jsonl", true),
    ("npy", "npy", false),
    ("sdk", "sdk", false),
    ("sdm", "sdm", false),
    ("ss", "ss", false),
    ("grid", "grid", false),
];

fn convert(args: &str, stdin: &[u8]) -> Run {
    ask("convert", words(args), stdin)
}

/// Converts a file to every format of `wanted`. Returns the paths.
fn to_all(folder: &tempfile::TempDir, from: &str, wanted: impl Fn(bool) -> bool) -> Vec<String> {
    let targets = FORMATS.iter().filter(|(_, _, keeps)| wanted(*keeps));
    targets
        .map(|(format, extension, _)| {
            let name = from.rsplit('/').next().unwrap();
            let path = folder.path().join(format!("{name}.{extension}")).to_str().unwrap().to_owned();
            let run = convert(&format!("{from} --to {format} -o {path}"), b"");
            assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{from} to {format}");
            path
        })
        .collect()
}

#[test]
fn every_pair_of_formats_keeps_clues() {
    let folder = tempfile::tempdir().unwrap();
    let all_blank = ".".repeat(81);
    let text: String =
        SAMPLE.lines().take(20).chain([CLASH, &all_blank]).map(|line| format!("{line}\n")).collect();
    let source = file(&folder, "a", &text);
    for first in to_all(&folder, &source, |_| true) {
        for second in to_all(&folder, &first, |_| true) {
            let lines = convert(&format!("{second} --to sdm --blank ."), b"");
            assert_eq!((lines.stdout(), &*lines.stderr), (&*text, ""), "{second}");
        }
    }
}

#[test]
fn formats_with_candidates_keep_pencilmarks() {
    let folder = tempfile::tempdir().unwrap();
    let mut text = String::new();
    for (number, line) in SAMPLE.lines().take(9).enumerate() {
        let mut cells = *Candidates::from(&line.parse::<Puzzle>().unwrap()).cells();
        for (at, set) in cells.iter_mut().enumerate().filter(|(at, _)| at % (number + 2) == 0) {
            *set &= 0x1F << (at % 5);
        }
        // A cell without candidates, and rows of them.
        cells[40] = if number == 3 { 0 } else { cells[40] };
        cells[9..18].fill(if number == 4 { 0 } else { 3 });
        text += &format!("{}\n", Candidates::from_cells(cells).unwrap());
    }
    let source = file(&folder, "a", &text);
    for first in to_all(&folder, &source, |keeps| keeps) {
        for second in to_all(&folder, &first, |keeps| keeps) {
            let lines = convert(&format!("{second} --to pencilmarks"), b"");
            assert_eq!((lines.stdout(), &*lines.stderr), (&*text, ""), "{second}");
        }
        let statuses = |path: &str| ask("check", [path], b"").stdout;
        assert_eq!(statuses(&first), statuses(&source), "{first}");
    }
    for (format, extension, _) in FORMATS.iter().filter(|(_, _, keeps)| !keeps) {
        let path = folder.path().join(format!("none.{extension}"));
        for threads in [1, 3] {
            let args = format!(
                "{source} --to {format} -j {threads} --batch-bytes 800 -o {}",
                path.to_str().unwrap()
            );
            let run = convert(&args, b"");
            assert_eq!(run.code, Some(2), "{format}");
            let message = format!("the format {format} has clues only, and a record has other pencilmarks");
            assert!(run.stderr.contains(&message), "{}", run.stderr);
            assert!(!path.exists());
        }
    }
}

#[test]
fn output_does_not_depend_on_threads_and_batches() {
    let folder = tempfile::tempdir().unwrap();
    let text: String = SAMPLE.split_inclusive('\n').take(300).chain(["no puzzle\n"]).collect();
    let source = file(&folder, "a", &text);
    for (format, extension, _) in FORMATS {
        let path = folder.path().join(format!("out.{extension}"));
        let mut first = None;
        for args in ["-j 1", "-j 3 --batch-bytes 300", "--no-mmap -j 2 --batch-bytes 1000"] {
            let run =
                convert(&format!("-q {source} --to {format} {args} -o {}", path.to_str().unwrap()), b"");
            assert_eq!(run.code, Some(0), "{}", run.stderr);
            let bytes = fs::read(&path).unwrap();
            assert!(*first.get_or_insert(bytes.clone()) == bytes, "{format} {args}");
        }
        // The output is read in small batches, too.
        let lines = |args: &str| convert(&format!("-q {} --to lines {args}", path.to_str().unwrap()), b"");
        assert_eq!(lines("").stdout().lines().count(), 301, "{format}");
        for args in ["-j 2 --batch-bytes 1", "--no-mmap --batch-bytes 1"] {
            assert!(lines(args).stdout == lines("").stdout, "{format} {args}");
        }
    }
}

/// With what is written before the first and after the last record.
#[test]
fn statistics_count_all_bytes_of_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let (source, stats) = (file(&folder, "in", SAMPLE), folder.path().join("stats.json"));
    for (format, extension, _) in FORMATS {
        let path = folder.path().join(extension);
        let (path, stats) = (path.display(), stats.display());
        let run = convert(&format!("{source} --to {format} -o {path} --stats={stats}"), b"");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let written = fs::metadata(path.to_string()).unwrap().len();
        let stats: serde_json::Value = serde_json::from_slice(&fs::read(stats.to_string()).unwrap()).unwrap();
        assert_eq!(stats["output_bytes"], written, "{format}");
    }
}

#[test]
fn text_formats_are_as_other_programs_write_them() {
    let out = |format: &str| {
        convert(&format!("--to {format}"), format!("{PUZZLE}\n").as_bytes()).stdout().to_owned()
    };
    assert_eq!(out("sdk"), format!("[Puzzle]\n{}", grid(PUZZLE)));
    assert_eq!(out("sdm"), format!("{}\n", PUZZLE.replace('.', "0")));
    assert!(
        out("ss").starts_with("*-----------*\n|53.|.7.|...|\n|6..|195|...|\n|.98|...|.6.|\n|---+---+---|\n")
    );
    assert!(out("grid").starts_with("5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n"));
    for (args, expected) in [("--to sdm --blank .", PUZZLE), ("--to lines", PUZZLE), ("", PUZZLE)] {
        assert_eq!(convert(args, PUZZLE.as_bytes()).stdout(), format!("{expected}\n"));
    }
    for args in
        ["--to csv --columns status", "--to npy", "--to lines --passthrough", "--to sdk --columns record"]
    {
        assert_eq!(convert(args, PUZZLE.as_bytes()).code, Some(2), "{args}");
    }
}

#[test]
fn solutions_and_columns_are_kept() {
    let csv = format!("id,quiz,answer\n7,{PUZZLE},{SOLUTION}\n8,{CLASH},\n");
    let both = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{CLASH},\n");
    let lines = format!("{PUZZLE},{SOLUTION}\n{CLASH}\n");
    let jsonl = convert("--to jsonl", csv.as_bytes());
    assert_eq!(
        jsonl.stdout(),
        format!(
            "{{\"puzzle\":\"{PUZZLE}\",\"solution\":\"{SOLUTION}\"}}\n{{\"puzzle\":\"{CLASH}\",\"solution\":null}}\n"
        )
    );
    assert_eq!(convert("--to lines", csv.as_bytes()).stdout(), lines);
    assert_eq!(convert("--to csv", jsonl.stdout().as_bytes()).stdout(), both);
    assert_eq!(convert("--to csv", lines.as_bytes()).stdout(), both);
    let lines = lines.repeat(2);
    let marks = convert("--to pencilmarks", lines.as_bytes());
    assert!(marks.stdout().lines().next().unwrap().ends_with(&format!(",{SOLUTION}")));
    assert_eq!(convert("--to lines", marks.stdout().as_bytes()).stdout(), marks.stdout());
    let all = convert("--to jsonl --passthrough --columns record", csv.as_bytes());
    assert!(all.stdout().starts_with(&format!(
        "{{\"id\":\"7\",\"quiz\":\"{PUZZLE}\",\"answer\":\"{SOLUTION}\",\"record\":1}}\n"
    )));
    assert_eq!(convert("--to csv --passthrough", csv.as_bytes()).stdout(), csv);
    let blank = convert("--to csv --blank 0 --columns id,puzzle", csv.as_bytes());
    assert!(blank.stdout().starts_with(&format!("id,puzzle\n7,{}\n", PUZZLE.replace('.', "0"))));
    // Without solutions there is no such column.
    assert_eq!(convert("--to csv", PUZZLE.as_bytes()).stdout(), format!("puzzle\n{PUZZLE}\n"));
}

#[test]
fn a_record_that_is_not_a_puzzle_keeps_its_place() {
    let csv = format!("puzzle,note\n{PUZZLE},a\n\"#,\n\",b\n,c\nabc,d\n{PUZZLE},e\n");
    let message = "rapidoku: invalid records: 3\n";
    for (format, extension, _) in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(format!("out.{extension}"));
        let run =
            convert(&format!("--column puzzle -o {} --to {format}", path.to_str().unwrap()), csv.as_bytes());
        assert!(run.code == Some(0) && run.stderr.ends_with(message), "{}", run.stderr);
        let read = ask("check", ["-q", path.to_str().unwrap()], b"");
        assert_eq!(read.stdout(), "unique\ninvalid\ninvalid\ninvalid\nunique\n", "{format}: {}", read.stderr);
    }
}

#[test]
fn extensions_select_formats() {
    let folder = tempfile::tempdir().unwrap();
    let source = file(&folder, "a", format!("{PUZZLE}\n"));
    for (name, format) in [
        ("x.csv", "csv"),
        ("x.ndjson", "jsonl"),
        ("x.sdk", "sdk"),
        ("x.SDM", "sdm"),
        ("x.ss", "ss"),
        ("x.grid", "grid"),
        ("x.other", "lines"),
    ] {
        let path = folder.path().join(name);
        let run = convert(&format!("{source} -o {}", path.to_str().unwrap()), b"");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert_eq!(
            fs::read_to_string(&path).unwrap(),
            convert(&format!("{source} --to {format}"), b"").stdout()
        );
    }
    // Other commands do not write these formats.
    for (name, code) in [("y.sdk", Some(2)), ("y.parquet", Some(2))] {
        let path = folder.path().join(name);
        assert_eq!(ask("solve", ["-o", path.to_str().unwrap(), &source], b"").code, code, "{name}");
        assert_eq!(
            ask("solve", ["--format", "csv", "-o", path.to_str().unwrap(), &source], b"").code,
            code,
            "{name}"
        );
    }
    assert!(!names(folder.path()).contains(&"y.sdk".to_owned()));
}

#[test]
fn inputs_that_cannot_share_an_output_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let clues = file(&folder, "clues", format!("puzzle\n{PUZZLE}\n"));
    let solved = file(&folder, "solved", format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"));
    let marks = file(&folder, "marks", "123456789".repeat(81));
    for (args, message) in [
        (format!("{clues} {solved} --to csv"), "it has solutions, but the first input has none"),
        (format!("{clues} {solved} --to csv --passthrough"), "column 'solution' does not occur in"),
    ] {
        let run = convert(&args, b"");
        assert_eq!((run.code, run.stderr.contains(message)), (Some(2), true), "{args}: {}", run.stderr);
    }
    let both = convert(&format!("{solved} {clues} --to csv"), b"");
    assert_eq!(both.stdout(), format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n"));
    let chosen = convert(&format!("{clues} {solved} --to csv --columns puzzle"), b"");
    assert_eq!(chosen.stdout(), format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
    assert_eq!(
        convert(&format!("{clues} {marks}"), b"").stdout(),
        format!("{PUZZLE}\n{}\n", "123456789".repeat(81))
    );
}
