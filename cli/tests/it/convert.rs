//! The command `convert`: every pair of formats, and what they keep.

use std::fs;

use rapidoku::{Candidates, Puzzle};

use crate::samples::SAMPLE;
use crate::support::{CLASH, PUZZLE, Run, SOLUTION, ask, call, file, grid, inside};

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

fn convert(args: &str, stdin: impl AsRef<[u8]>) -> Run {
    call(&format!("convert {args}"), stdin)
}

/// Converts a file to every format of `wanted`. Returns the paths.
fn to_all(folder: &tempfile::TempDir, from: &str, wanted: impl Fn(bool) -> bool) -> Vec<String> {
    let targets = FORMATS.iter().filter(|(_, _, keeps)| wanted(*keeps));
    targets
        .map(|(format, extension, _)| {
            let path = inside(folder, &format!("{}.{extension}", from.rsplit('/').next().unwrap()));
            let run = convert(&format!("{from} --format {format} -o {path}"), b"");
            assert_eq!((run.code, &*run.stderr), (Some(0), ""), "{from} to {format}");
            path
        })
        .collect()
}

#[test]
fn every_pair_of_formats_keeps_clues() {
    let folder = tempfile::tempdir().unwrap();
    let all_blank = ".".repeat(81);
    let text: String = SAMPLE.lines().take(20).chain([CLASH, &all_blank]).map(|line| format!("{line}\n")).collect();
    let source = file(&folder, "a", &text);
    for first in to_all(&folder, &source, |_| true) {
        for second in to_all(&folder, &first, |_| true) {
            let lines = convert(&format!("{second} --format sdm --blank ."), b"");
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
            let lines = convert(&format!("{second} --format pencilmarks"), b"");
            assert_eq!((lines.stdout(), &*lines.stderr), (&*text, ""), "{second}");
        }
        let statuses = |path: &str| ask("check", [path], b"").stdout;
        assert_eq!(statuses(&first), statuses(&source), "{first}");
    }
    for (format, extension, _) in FORMATS.iter().filter(|(_, _, keeps)| !keeps) {
        let path = inside(&folder, &format!("none.{extension}"));
        let message = format!("the format {format} has clues only, and a record has other pencilmarks");
        convert(&format!("{source} --format {format} --batch-bytes 800 -o {path}"), b"").fails_with(&message);
        assert!(!fs::exists(path).unwrap());
    }
}

#[test]
fn the_former_name_of_the_option_is_accepted() {
    assert_eq!(call("convert --to sdm", PUZZLE).stdout(), call("convert --format sdm", PUZZLE).stdout());
}

/// With what is written before the first and after the last record.
#[test]
fn statistics_count_all_bytes_of_the_output() {
    let folder = tempfile::tempdir().unwrap();
    let source = file(&folder, "in", SAMPLE);
    for (format, extension, _) in FORMATS {
        let path = inside(&folder, extension);
        let run = convert(&format!("{source} --format {format} -o {path} --stats=-"), b"");
        assert_eq!(run.json()["output_bytes"], fs::metadata(path).unwrap().len(), "{format}");
    }
}

#[test]
fn text_formats_are_as_other_programs_write_them() {
    let out = |format: &str| convert(&format!("--format {format}"), PUZZLE).stdout().to_owned();
    assert_eq!(out("sdk"), format!("[Puzzle]\n{}", grid(PUZZLE)));
    assert_eq!(out("sdm"), format!("{}\n", PUZZLE.replace('.', "0")));
    let rows = "*-----------*\n|53.|.7.|...|\n|6..|195|...|\n|.98|...|.6.|\n|---+---+---|\n";
    assert!(out("ss").starts_with(rows));
    assert!(out("grid").starts_with("5 3 . | . 7 . | . . .\n6 . . | 1 9 5 | . . .\n"));
    for (args, expected) in [("--format sdm --blank .", PUZZLE), ("--format lines", PUZZLE), ("", PUZZLE)] {
        assert_eq!(convert(args, PUZZLE).stdout(), format!("{expected}\n"));
    }
    for args in [
        "--format csv --columns status",
        "--format npy",
        "--format lines --passthrough",
        "--format sdk --columns record",
    ] {
        assert_eq!(convert(args, PUZZLE).code, Some(2), "{args}");
    }
}

#[test]
fn solutions_and_columns_are_kept() {
    let csv = format!("id,quiz,answer\n7,{PUZZLE},{SOLUTION}\n8,{CLASH},\n");
    let both = format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{CLASH},\n");
    let lines = format!("{PUZZLE},{SOLUTION}\n{CLASH}\n");
    let jsonl = convert("--format jsonl", &csv);
    let object = |puzzle: &str, solution: &str| format!("{{\"puzzle\":\"{puzzle}\",\"solution\":{solution}}}\n");
    let objects = object(PUZZLE, &format!("\"{SOLUTION}\"")) + &object(CLASH, "null");
    assert_eq!(jsonl.stdout(), objects);
    assert_eq!(convert("--format lines", &csv).stdout(), lines);
    assert_eq!(convert("--format csv", jsonl.stdout()).stdout(), both);
    assert_eq!(convert("--format csv", &lines).stdout(), both);
    let lines = lines.repeat(2);
    let marks = convert("--format pencilmarks", &lines);
    assert!(marks.stdout().lines().next().unwrap().ends_with(&format!(",{SOLUTION}")));
    assert_eq!(convert("--format lines", marks.stdout()).stdout(), marks.stdout());
    let all = convert("--format jsonl --passthrough --columns record", &csv);
    assert!(
        all.stdout()
            .starts_with(&format!("{{\"id\":\"7\",\"quiz\":\"{PUZZLE}\",\"answer\":\"{SOLUTION}\",\"record\":1}}\n"))
    );
    assert_eq!(convert("--format csv --passthrough", &csv).stdout(), csv);
    let blank = convert("--format csv --blank 0 --columns id,puzzle", &csv);
    assert!(blank.stdout().starts_with(&format!("id,puzzle\n7,{}\n", PUZZLE.replace('.', "0"))));
    // Without solutions there is no such column.
    assert_eq!(convert("--format csv", PUZZLE).stdout(), format!("puzzle\n{PUZZLE}\n"));
}

#[test]
fn a_record_that_is_not_a_puzzle_keeps_its_place() {
    let csv = format!("puzzle,note\n{PUZZLE},a\n\"#,\n\",b\n,c\nabc,d\n{PUZZLE},e\n");
    let message = "rapidoku: invalid records: 3\n";
    for (format, extension, _) in FORMATS {
        let folder = tempfile::tempdir().unwrap();
        let path = inside(&folder, &format!("out.{extension}"));
        let run = convert(&format!("--column puzzle -o {path} --format {format}"), &csv);
        assert!(run.code == Some(0) && run.stderr.ends_with(message), "{}", run.stderr);
        let read = call(&format!("check -q {path}"), b"");
        assert_eq!(read.stdout(), "unique\ninvalid\ninvalid\ninvalid\nunique\n", "{format}: {}", read.stderr);
    }
}

#[test]
fn inputs_that_cannot_share_an_output_are_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let clues = file(&folder, "clues", format!("puzzle\n{PUZZLE}\n"));
    let solved = file(&folder, "solved", format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n"));
    let marks = format!("{}\n", "123456789".repeat(81));
    for (args, message) in [
        (format!("{clues} {solved} --format csv"), "it has solutions, but the first input has none"),
        (format!("{clues} {solved} --format csv --passthrough"), "column 'solution' does not occur in"),
    ] {
        convert(&args, b"").fails_with(message);
    }
    let both = convert(&format!("{solved} {clues} --format csv"), b"");
    assert_eq!(both.stdout(), format!("puzzle,solution\n{PUZZLE},{SOLUTION}\n{PUZZLE},\n"));
    let chosen = convert(&format!("{clues} {solved} --format csv --columns puzzle"), b"");
    assert_eq!(chosen.stdout(), format!("puzzle\n{PUZZLE}\n{PUZZLE}\n"));
    let mixed = convert(&format!("{clues} {}", file(&folder, "marks", &marks)), b"");
    assert_eq!(mixed.stdout(), format!("{PUZZLE}\n{marks}"));
}
