//! What a command writes is read back as the same records: puzzles as these puzzles, others as invalid records.

use std::collections::HashSet;
use std::fs;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::support::{PUZZLE, SOLUTION, ask, file, grid, names, rows as rows_of, setting, words};

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
    // Quotes and bars around a puzzle do not matter, and between escaped line feeds no delimiters.
    let visible = |text: &str| match text.contains("\\n") {
        true => text.replace("\\n", "").replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', ""),
        false => text.replace([' ', '\t', '\r', '\n', '"', '\'', '|'], ""),
    };
    text.prop_filter("a puzzle", move |text| visible(text).len() != 81)
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

/// Texts that mean something else at other places.
fn special() -> [Result<String, String>; 5] {
    ["puzzle", "\u{1a}", " \u{1a}\t", &".".repeat(729), &format!("\u{feff}{PUZZLE}")]
        .map(|text| Err(text.to_owned()))
}

/// Grids of nine rows, some of them solutions, and of other numbers of rows with anything between them.
fn grids(records: &[Result<String, String>]) -> String {
    let mut text = String::new();
    for (k, record) in records.iter().enumerate() {
        text += &match record {
            Ok(puzzle) => grid(puzzle),
            Err(other) if other.len() % 7 == 1 => format!("Solution {k}\n{}", grid(SOLUTION)),
            Err(other) => {
                rows_of(&PUZZLE.repeat(2)).take(other.len() % 12).map(|row| format!("{row}\n")).collect()
            }
        };
        text += ["\n", "Title\n", "?23x\n", "", "\n\n"][(k + text.len()) % 5];
    }
    text
}

/// Grids of clues as grids of candidates.
fn candidates(grids: &str) -> String {
    let set = |cell: char| if cell == '.' { "123456789 ".to_owned() } else { format!("{cell} ") };
    let row = |line: &str| match line.len() {
        9 => line.chars().map(set).collect(),
        _ => line.to_owned(),
    };
    grids.lines().map(|line| row(line) + "\n").collect()
}

fn sorted(mut records: Records) -> Records {
    records.sort();
    records
}

/// Runs a command on a file. Returns its output.
fn written(command: &str, args: &str, path: &str) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let run = ask(command, words(&format!("-q --no-sync {args} {path} -o {}", out.display())), b"");
    // The exit code of `check` is 1 if records are not unique.
    assert!(matches!(run.code, Some(0 | 1)), "{command} {args}: {}", run.stderr);
    fs::read(out).unwrap()
}

fn check(input: &[u8], expected: &Records) {
    assert_eq!(&read("the input", input), expected, "{}", String::from_utf8_lossy(input));
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", input);
    for to in [
        "lines",
        "pencilmarks",
        "csv",
        "csv --passthrough",
        "jsonl",
        "npy",
        "sdk",
        "sdm",
        "ss",
        "sdx",
        "grid",
        "frame",
        "candidates",
        "opensudoku",
    ] {
        let text = written("convert", &format!("--to {to}"), &path);
        assert_eq!(&read(to, &text), expected, "{to} of {}", String::from_utf8_lossy(input));
    }
    let valid = |records: &Records| records.iter().map(Option::is_some).collect::<Vec<_>>();
    for format in ["text", "csv", "jsonl", "npy"] {
        let copies = read(format, &written("permute", &format!("--format {format}"), &path));
        assert_eq!(valid(&copies), valid(expected), "permute, {format}: {}", String::from_utf8_lossy(input));
    }
    for format in ["text", "csv"] {
        check_copies(&format!("--format {format}"), "--column puzzle", input, expected);
    }
}

/// The commands that copy records, with arguments. With the options, an input without any puzzle is read too.
fn check_copies(args: &str, options: &str, input: &[u8], expected: &Records) {
    let text = String::from_utf8_lossy(input);
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", input);
    let copies = |command: &str, more: &str| {
        let copies = written(command, &format!("{args} {more}"), &path);
        (
            read_with(options, command, &copies),
            format!("{command} of {text}\n{}", String::from_utf8_lossy(&copies)),
        )
    };
    let (kept, what) = copies("check", "--only unique,multiple,none,invalid,limit");
    assert_eq!(&kept, expected, "{what}");
    let (sample, what) = copies("sample", "1000");
    assert_eq!(&sample, expected, "{what}");
    let (firsts, what) = copies("dedup", "--exact");
    let mut seen = HashSet::new();
    let is_first = |record: &&Option<String>| record.is_none() || seen.insert((*record).clone());
    assert_eq!(firsts, expected.iter().filter(is_first).cloned().collect::<Records>(), "{what}");
    for seed in 1..3 {
        let (shuffled, what) = copies("shuffle", &format!("--seed {seed}"));
        assert_eq!(sorted(shuffled), sorted(expected.clone()), "{what}");
    }
    let parts = tempfile::tempdir().unwrap();
    let template = parts.path().join("{}").display().to_string();
    let args = format!("-q --no-sync --train 50 --test 50 --by-record {args} {path} -o {template}");
    assert_eq!(ask("split", words(&args), b"").code, Some(0));
    let part = |name: String| read_with(options, "split", &fs::read(parts.path().join(name)).unwrap());
    let parts: Records = names(parts.path()).into_iter().flat_map(part).collect();
    assert_eq!(sorted(parts), sorted(expected.clone()), "{text}");
}

#[test]
fn every_output_has_the_records_of_the_input() {
    check_random(3, 0);
}

/// `RAPIDOKU_FILES` has the number of sets of records and the seed.
#[test]
#[ignore = "takes minutes: .ci/long"]
fn random_files() {
    let [sets, seed] = setting("RAPIDOKU_FILES", [100, 0]);
    check_random(sets, seed);
}

/// Checks this number of random sets of records.
fn check_random(sets: u64, seed: u64) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
    let cases = sets.try_into().expect("fewer sets");
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 60, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let result = runner.run(&records(), |records| {
        let expected: Records = records.iter().map(|record| record.clone().ok()).collect();
        let more = [&records[..], &special()].concat();
        check(&jsonl(&more), &[&expected[..], &[const { None }; 5]].concat());
        check(&csv(&records, 1), &expected);
        check(&csv(&records, 2), &expected);
        // Where a record ends is up to the program.
        let rows = rows(&records);
        check(&rows, &read("rows", &rows));
        let grids = grids(&records);
        for (format, text) in [("grid", grids.clone()), ("candidates", candidates(&grids))] {
            let format = format!("--input-format {format}");
            check_copies(&format, &format, text.as_bytes(), &read_with(&format, "grids", text.as_bytes()));
        }
        Ok(())
    });
    result.unwrap();
}

/// Without a header, the first record that is written may be any.
#[test]
fn an_invalid_first_record_is_no_header_no_count_and_no_document() {
    for (options, first, before) in [
        ("--input-format lines", "4711", ""),
        ("--input-format lines", "null", ""),
        ("--input-format lines", "{\"puzzle\":", ""),
        ("--input-format lines", "name", ""),
        ("--input-format csv --no-header", "id,name", "7,"),
        ("--input-format csv --no-header", "\u{feff}x", "7,"),
    ] {
        let records = SAMPLE.lines().take(20).map(|line| format!("{before}{line}\n")).collect::<String>();
        let text = format!("{first}\n{records}");
        let mut expected: Records = SAMPLE.lines().take(20).map(|line| Some(clues(line))).collect();
        expected.insert(0, None);
        check_copies(options, "", text.as_bytes(), &expected);
    }
}

#[test]
fn a_missing_field_of_a_cell_is_no_blank() {
    let row = |count: usize| {
        let cells: Vec<_> = PUZZLE.split("").skip(1).take(count).map(|cell| cell.replace('.', "0")).collect();
        format!("{}\n", cells.join(","))
    };
    let header = (1..=81).map(|number| format!("c{number}")).collect::<Vec<_>>().join(",");
    let text = format!("{header}\n{}{}{}{}", row(80), row(81), row(1), row(81));
    let puzzle = || Some(PUZZLE.to_owned());
    let expected = vec![None, puzzle(), None, puzzle()];
    let folder = tempfile::tempdir().unwrap();
    let path = file(&folder, "in", &text);
    for (command, args) in [
        ("convert", "--to csv --passthrough"),
        ("solve", "--passthrough --columns status --format csv"),
        ("dedup", "--mark --format csv"),
    ] {
        assert_eq!(read(command, &written(command, args, &path)), expected, "{command}");
    }
}
