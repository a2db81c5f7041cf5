//! What a command writes is read back as the same records: puzzles as these puzzles, others as invalid records.

use std::fs;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{PUZZLE, ask, file, names, words};

const SAMPLE: &str = include_str!("../../../datasets/sample_10k.txt");

/// Records in order: `None` is an invalid one. Blanks are dots.
type Records = Vec<Option<String>>;

/// The records that the program reads from an input.
fn read(what: &str, input: &[u8]) -> Records {
    read_with("", what, input)
}

/// The same with options, which an input without any puzzle needs.
fn read_with(options: &str, what: &str, input: &[u8]) -> Records {
    if input.is_empty() {
        return Records::new();
    }
    let args = format!("-q -j 1 --limit 2 --format jsonl --columns puzzle,status {options}");
    let run = ask("solve", words(&args), input);
    assert_eq!(run.code, Some(0), "{what}: {}\n{}", run.stderr, String::from_utf8_lossy(input));
    let record = |line: &str| {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        (row["status"] != "invalid").then(|| clues(row["puzzle"].as_str().unwrap()))
    };
    run.stdout().lines().map(record).collect()
}

/// A puzzle with dots for blanks, also of pencilmarks.
fn clues(puzzle: &str) -> String {
    let clue = |marks: &[u8]| {
        let mut digits = marks.iter().filter(|byte| (b'1'..=b'9').contains(*byte));
        match (digits.next(), digits.next()) {
            (Some(&digit), None) => char::from(digit),
            _ => '.',
        }
    };
    puzzle.as_bytes().chunks(puzzle.len() / 81).map(clue).collect()
}

/// Text that is not a puzzle, but may have one.
fn not_puzzle() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        3 => Just(PUZZLE.to_owned()),
        1 => Just(PUZZLE[1..].to_owned()),
        6 => prop::sample::select(vec!["\n", "\r\n", " ", "\t", ",", ";", "|", "#", "\"", "'", ":", "\\n"])
            .prop_map(str::to_owned),
        3 => "[a-z0-9 ]{0,4}",
    ];
    let text = prop::collection::vec(part, 0..5).prop_map(|parts| parts.concat());
    // Quotes and bars around a puzzle do not matter.
    text.prop_filter("a puzzle", |text| text.replace([' ', '\t', '\r', '\n', '"', '\'', '|'], "").len() != 81)
}

/// The records of an input. The first one is a puzzle, from which the format is recognised.
fn records() -> impl Strategy<Value = Vec<Result<String, String>>> {
    let puzzle = prop::sample::select(SAMPLE.lines().collect::<Vec<_>>()).prop_map(clues);
    let record = prop_oneof![3 => puzzle.clone().prop_map(Ok), 2 => not_puzzle().prop_map(Err)];
    (puzzle, prop::collection::vec(record, 0..30))
        .prop_map(|(first, rest)| [Ok(first)].into_iter().chain(rest).collect())
}

/// The records as CSV with one or two columns, in quotes. Without them, the delimiter may be another one.
fn csv(records: &[Result<String, String>], columns: usize) -> Vec<u8> {
    let style = csv::QuoteStyle::Always;
    let mut writer = csv::WriterBuilder::new().quote_style(style).from_writer(Vec::new());
    writer.write_record(&["puzzle", "note"][..columns]).unwrap();
    for record in records {
        let (Ok(text) | Err(text)) = record;
        writer.write_record(&[&**text, "n"][..columns]).unwrap();
    }
    writer.into_inner().unwrap()
}

/// Rows with quotes wherever they happen to be.
fn rows(records: &[Result<String, String>]) -> Vec<u8> {
    let mut text = String::from("puzzle,note\n");
    for record in records {
        let (Ok(field) | Err(field)) = record;
        let field = field.replace(['\n', '\r'], "\"");
        text += &format!("{},n\n", if field.starts_with('#') { "x" } else { &field });
    }
    text.into_bytes()
}

fn jsonl(records: &[Result<String, String>]) -> Vec<u8> {
    let line = |record: &Result<String, String>| {
        let (Ok(text) | Err(text)) = record;
        format!("{}\n", serde_json::json!({ "puzzle": text }))
    };
    records.iter().map(line).collect::<String>().into_bytes()
}

fn sorted(mut records: Records) -> Records {
    records.sort();
    records
}

fn check(input: &[u8], expected: &Records) {
    assert_eq!(&read("the input", input), expected, "{}", String::from_utf8_lossy(input));
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", input);
    let written = |command: &str, args: &str| {
        let out = folder.path().join("out");
        let run = ask(command, words(&format!("-q --no-sync {args} {path} -o {}", out.display())), b"");
        // The exit code of `check` is 1 if records are not unique.
        assert!(matches!(run.code, Some(0 | 1)), "{command} {args}: {}", run.stderr);
        fs::read(out).unwrap()
    };
    for to in [
        "lines",
        "pencilmarks",
        "csv",
        "jsonl",
        "npy",
        "sdk",
        "sdm",
        "ss",
        "sdx",
        "grid",
        "candidates",
        "opensudoku",
    ] {
        let text = written("convert", &format!("--to {to}"));
        assert_eq!(&read(to, &text), expected, "{to} of {}", String::from_utf8_lossy(input));
    }
    let valid = |records: &Records| records.iter().map(Option::is_some).collect::<Vec<_>>();
    for format in ["text", "csv", "jsonl", "npy"] {
        let copies = read(format, &written("permute", &format!("--format {format}")));
        assert_eq!(valid(&copies), valid(expected), "permute, {format}: {}", String::from_utf8_lossy(input));
    }
    let statuses = "unique,multiple,none,invalid,limit";
    let kept = read("check --only", &written("check", &format!("--only {statuses}")));
    assert_eq!(&kept, expected, "check --only: {}", String::from_utf8_lossy(input));
    assert_eq!(&read("sample", &written("sample", "1000 --format text")), expected);
    let shuffled = read_with("--column puzzle", "shuffle", &written("shuffle", "--format text --seed 1"));
    assert_eq!(sorted(shuffled), sorted(expected.clone()), "{}", String::from_utf8_lossy(input));
    let parts = tempfile::tempdir().unwrap();
    let template = parts.path().join("{}").display().to_string();
    let args = format!("-q --no-sync --train 50 --test 50 --by-record {path} -o {template}");
    assert_eq!(ask("split", words(&args), b"").code, Some(0));
    let part =
        |name: String| read_with("--column puzzle", "split", &fs::read(parts.path().join(name)).unwrap());
    let parts: Records = names(parts.path()).into_iter().flat_map(part).collect();
    assert_eq!(sorted(parts), sorted(expected.clone()), "{}", String::from_utf8_lossy(input));
}

#[test]
fn every_output_has_the_records_of_the_input() {
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let config = Config { cases: 3, failure_persistence: None, max_shrink_iters: 60, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&records(), |records| {
        let expected: Records = records.iter().map(|record| record.clone().ok()).collect();
        check(&jsonl(&records), &expected);
        check(&csv(&records, 1), &expected);
        check(&csv(&records, 2), &expected);
        // Where a record ends is up to the program.
        let rows = rows(&records);
        check(&rows, &read("rows", &rows));
        Ok(())
    });
    result.unwrap();
}
