//! Every syntax rule, against a slow reading of the same rules.

use std::fs;
use std::ops::ControlFlow;

use proptest::prelude::*;
use rapidoku::file::{BatchView, Format, Input, Job, Layout, Needs, Output, Records, RowSink, Run, Table, Value};
use rapidoku::{Outcomes, Puzzle, SimdLevel};

use crate::page;
use crate::support::{self, CLASH, PUZZLE};

fn read(text: &[u8]) -> Records {
    let mut records = Records::default();
    records.read(Layout::lines(), text, SimdLevel::detect(), usize::MAX);
    records
}

/// The puzzle of each record that is one.
fn puzzles(records: &Records) -> Vec<Option<Puzzle>> {
    (0..records.len()).map(|k| records.is_puzzle(k).then_some(records.puzzles()[k])).collect()
}

/// What `text` holds, by the slow reading.
fn expected(text: &[u8]) -> Vec<Option<Puzzle>> {
    let puzzle = |line: &[u8]| Some(page::read_line(line, false)?.0.parse().unwrap());
    support::records(text).iter().map(|(_, line)| puzzle(line)).collect()
}

/// Small enough for Miri: every level that it supports, and ends of the text at every place of a vector.
#[test]
fn miri() {
    let text = format!("{PUZZLE}\n{CLASH}\r\n\n# comment\nbad\n{PUZZLE};x\n{PUZZLE}");
    for end in (0..=text.len()).rev().step_by(if cfg!(miri) { 41 } else { 1 }) {
        let text = &text.as_bytes()[..end];
        for level in SimdLevel::available() {
            let mut records = Records::default();
            records.read(Layout::lines(), text, level, usize::MAX);
            assert_eq!(puzzles(&records), expected(text), "{level}, {end} bytes");
        }
    }
}

#[test]
fn the_first_trouble_is_the_reason() {
    let cases = [
        ("", "too short: 0 cells instead of 81"),
        (&PUZZLE[..80], "too short: 80 cells instead of 81"),
        (&format!("{PUZZLE}{}", &PUZZLE[..14]), "too long: 95 cells instead of 81"),
        ("12a", "bad character 'a' in column 3"),
        ("1\r2", "bad character '\\r' in column 2"),
        (&format!("{}!1111", &PUZZLE[..80]), "bad character '!' in column 81"),
        ("..é", "bad character '\\xc3' in column 3"),
        (&PUZZLE.replacen('.', "0", 1), "0 beside another blank: the digits may be 0 to 8"),
    ];
    for (line, reason) in cases {
        assert_eq!(line.parse::<Puzzle>().unwrap_err().to_string(), reason, "{line}");
    }
}

#[test]
fn every_byte_in_every_column() {
    for column in 0..84 {
        for byte in 0..=255 {
            let mut text = format!("{PUZZLE}\n{PUZZLE},,\n{PUZZLE}\n").into_bytes();
            text[82 + column] = byte;
            assert_eq!(puzzles(&read(&text)), expected(&text), "byte {byte} in column {column}");
        }
    }
}

#[test]
fn records_know_their_place() {
    let text = format!("# one\n\n{PUZZLE}\r\nbad\n \n{PUZZLE}");
    let records = read(text.as_bytes());
    assert_eq!((records.lines(), records.starts()), (6, &[7, 90, 96][..]));
    assert_eq!([0, 1, 2].map(|k| records.is_puzzle(k)), [true, false, true]);
    assert!(records.puzzles()[1].clash().is_some());
    assert!(Records::default().is_empty() && read(b"# comment\n\n").is_empty() && !read(b"bad\n").is_empty());
}

proptest! {
    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..600)) {
        prop_assert_eq!(puzzles(&read(&text)), expected(&text));
    }

    #[test]
    fn likely_bytes(text in "([.1-9x]{81}|[0-9]{81}|[.1#, :|\t\r]{0,3}|\n|\r\n|\n)*") {
        let records = read(text.as_bytes());
        prop_assert_eq!(puzzles(&records), expected(text.as_bytes()));
        prop_assert_eq!(records.lines(), text.lines().count() as u64);
    }
}

/// Writes two texts for each record.
struct Texts<'a>(Table, &'a [[String; 2]]);

impl Job for Texts<'_> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        Some(&self.0)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        let texts = &self.1[batch.records_before as usize..];
        self.0.write(batch, outcomes, rows, &mut |k, values| {
            values.clone_from_slice(&texts[k].each_ref().map(|text| Value::Text(text.into())));
        })
    }
}

/// Names and texts with all bytes that need quotes or escapes are read back by other crates.
fn check_texts(texts: &[[String; 2]]) {
    const NAMES: [&str; 2] = ["a \"b\",é", "c\r\n\\d"];
    let folder = tempfile::tempdir().unwrap();
    let written = |format, name: &str| {
        let path = folder.path().join(name);
        let output = Output::create(&path).unwrap();
        let input = Input::Text(format!("{PUZZLE}\n").repeat(texts.len()));
        let table = Table::with_computed(format, &NAMES).column_names(NAMES);
        Run::default().input(input).output(output).start(&Texts(table, texts), &mut |_| ()).unwrap();
        fs::read(path).unwrap()
    };
    let csv = written(Format::Csv, "csv");
    let mut reader = csv::Reader::from_reader(&csv[..]);
    assert_eq!(reader.headers().unwrap(), &NAMES[..]);
    let rows: Vec<_> = reader.records().map(Result::unwrap).collect();
    assert!(rows.len() == texts.len() && rows.iter().zip(texts).all(|(row, texts)| row == texts[..]), "{rows:?}");
    let json = written(Format::Jsonl, "jsonl");
    let rows: Vec<serde_json::Value> = json
        .strip_suffix(b"\n")
        .unwrap()
        .split(|&byte| byte == b'\n')
        .map(|row| serde_json::from_slice(row).unwrap())
        .collect();
    let object = |[a, b]: &[String; 2]| serde_json::json!({ NAMES[0]: a, NAMES[1]: b });
    assert_eq!(rows, texts.iter().map(object).collect::<Vec<_>>());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases / 4, ..ProptestConfig::default() })]
    #[test]
    fn texts_of_rows_are_read_back(
        texts in prop::collection::vec(
            prop::array::uniform2(prop_oneof![r#"[ab",;\r\n\t\\ \x00é#-]{0,12}"#, "[a-z0-9.]{81}", any::<String>()]),
            1..9,
        ),
    ) {
        check_texts(&texts);
    }
}
