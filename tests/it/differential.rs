//! Random files of the formats of text, with damage, against the slow reader in `page.rs`.
//!
//! `RAPIDOKU_FILES="FILES SEED"` sets the number of files and the seed.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;

use rand::prelude::*;
use rand_chacha::ChaCha8Rng;
use rapidoku::Outcomes;
use rapidoku::dedup::Equivalence;
use rapidoku::file::{BatchView, Dedup, Format, Job, Mapping, Needs, Output, RowSink, Run, Sample, Shuffle, Table};

use crate::page::{self, Content, Options, Record};
use crate::samples::pairs;
use crate::support::{npy, pencilled, rows, setting};

type Rng = ChaCha8Rng;

fn pick<'t>(rng: &mut Rng, choices: &[&'t str]) -> &'t str {
    choices.choose(rng).unwrap()
}

fn note(rng: &mut Rng) -> &'static str {
    pick(rng, &["", "x-wing", "ED=7.1/1.2/1.2", "17", "#5 hard", "say \"hi\"", "a b c", "2024-01-01"])
}

fn quoted(field: &str) -> String {
    format!("\"{}\"", field.replace('"', "\"\""))
}

/// The lines of a file with `count` puzzles, its format, and the options that it needs.
fn lines(rng: &mut Rng, count: usize) -> (Vec<String>, &'static str, Options) {
    let chosen: Vec<_> = (0..count).map(|_| pairs()[..1000].choose(rng).unwrap()).collect();
    let blank = pick(rng, &[".", "0", "_", "*", "?", "x", "X", "-"]);
    let kind = rng.random_range(0..4);
    match rng.random_range(0..4) {
        0 => {
            let separator = pick(rng, &[" ", "\t", ",", ";", ":", "|", " # "]);
            let line = |(puzzle, solution): &(String, String)| match kind {
                0 => puzzle.replace('.', blank),
                1 => format!("{puzzle}{separator}{solution}"),
                2 => format!("{puzzle}{separator}{}", note(rng)),
                _ if rng.random_ratio(1, 9) => pencilled(puzzle),
                _ => format!("  {puzzle}{separator}{solution}{separator}{}", note(rng)),
            };
            (chosen.into_iter().map(line).collect(), "lines", Options::default())
        }
        1 => {
            let delimiter = pick(rng, &[",", ",", ";", "\t", "|"]);
            let columns: &[&str] = [
                &["puzzle"][..],
                &["quizzes", "solutions"],
                &["id", "Puzzle ", "solution"],
                &["source", "question", "answer", "rating"],
                &["solution", "puzzle", "solutions", "note"],
            ]
            .choose(rng)
            .unwrap();
            let quotes = rng.random_ratio(2, 5);
            let mut field = |column: &str, (puzzle, solution): &(String, String)| {
                let value = match column {
                    "puzzle" | "Puzzle " | "quizzes" | "question" => puzzle.replace('.', blank),
                    "solution" | "solutions" | "answer" => solution.clone(),
                    "note" if rng.random_ratio(1, 9) => format!("{}\n{}", note(rng), note(rng)),
                    "note" => note(rng).to_owned(),
                    _ => rng.random_range(0..1000).to_string(),
                };
                let needs = value.contains(['"', '\n']) || value.contains(delimiter);
                if needs || (quotes && rng.random_ratio(9, 10)) { quoted(&value) } else { value }
            };
            let mut row = |pair| columns.iter().map(|column| field(column, pair)).collect::<Vec<_>>().join(delimiter);
            let rows: Vec<String> = chosen.into_iter().map(&mut row).collect();
            let place = columns.iter().position(|name| page::is_puzzle_name(name)).unwrap();
            if columns.len() > 1 && kind == 0 {
                let options = Options {
                    no_header: true,
                    column: Some((place + 1).to_string()),
                    delimiter: Some(delimiter.as_bytes()[0]),
                    ..Options::default()
                };
                return (rows, "csv", options);
            }
            ([vec![columns.join(delimiter)], rows].concat(), "csv", Options::default())
        }
        2 => {
            let digits = |text: &str| text.chars().map(String::from).collect::<Vec<_>>();
            let value = |(puzzle, solution): &(String, String)| {
                let zeros = puzzle.replace('.', "0");
                let list = |text: &str| digits(text).join(",");
                let nested = digits(&zeros).chunks(9).map(|row| format!("[{}]", row.join(", "))).collect::<Vec<_>>();
                match kind {
                    0 => format!("{{\"id\": 7, \"puzzle\": \"{puzzle}\", \"solution\": \"{solution}\"}}"),
                    1 => format!("{{\"puzzle\":[{}],\"solution\":[{}]}}", list(&zeros), list(solution)),
                    2 => format!("[{}]", nested.join(",").replace('0', "null")),
                    _ => format!("\"{puzzle}\""),
                }
            };
            let values: Vec<String> = chosen.into_iter().map(value).collect();
            if rng.random_ratio(1, 3) && kind != 2 {
                let array = format!("[\n{}\n]", values.join(",\n"));
                return (array.split('\n').map(String::from).collect(), "json", Options::default());
            }
            let format = (kind == 3).then_some("json");
            (values, "json", Options { format, ..Options::default() })
        }
        _ => {
            let title = pick(rng, &["", "Grid 01", "[Puzzle]", "# 1", "1. easy"]);
            let blank = if blank == "-" { "." } else { blank };
            let mut all = Vec::new();
            for (puzzle, _) in chosen {
                all.push(title.to_owned());
                for (row, cells) in rows(&puzzle.replace('.', blank)).enumerate() {
                    let cells: Vec<String> = cells.chars().map(String::from).collect();
                    if kind == 1 && row % 3 == 0 {
                        all.push("+-------+-------+-------+".to_owned());
                    }
                    all.push(match kind {
                        0 => cells.concat(),
                        1 => {
                            let boxes: Vec<_> = cells.chunks(3).map(|three| three.join(" ")).collect();
                            format!("| {} |", boxes.join(" | "))
                        }
                        2 => cells.join(" "),
                        _ => cells.join(","),
                    });
                }
                if title.is_empty() || rng.random() {
                    all.push(String::new());
                }
            }
            (all, "grid", Options::default())
        }
    }
}

/// Damages a text in one of many ways.
fn damage(rng: &mut Rng, text: &mut Vec<u8>) {
    const JUNK: &[u8] = b"abQ\"'#;,|:\t ()/[]{}~\r\n\0\x1a\x9b\xef\xff19.";
    let at = rng.random_range(0..=text.len());
    let mut lines: Vec<Vec<u8>> = text.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let line = rng.random_range(0..lines.len());
    let place = rng.random_range(0..=lines[line].len());
    match rng.random_range(0..15) {
        0 => lines[line].truncate(place),
        1 => _ = lines[line].drain(..place),
        2 if line + 1 < lines.len() => {
            let next = lines.remove(line + 1);
            lines[line].extend(next);
        }
        3..6 => {
            let end = text.len().min(at + rng.random_range(1..200));
            let ranges = [0..at, at..text.len(), at..text.len().min(at + 1), at..end];
            return drop(text.drain(ranges.choose(rng).unwrap().clone()));
        }
        6 => lines.insert(line, pick(rng, &["", " ", "\t", "\r"]).into()),
        7 => {
            let rules = ["=======", "---------", "*********", "123456789"];
            let others = ["puzzle", "# x", "3", "[State]", "{", "]", "a,b"];
            lines.insert(line, pick(rng, &[&rules[..], &others].concat()).into());
        }
        8 => return drop(text.splice(0..0, *b"\xEF\xBB\xBF")),
        9 => return text.insert(at, *JUNK.choose(rng).unwrap()),
        10 if at < text.len() => text[at] = *JUNK.choose(rng).unwrap(),
        11 => return text.insert(at, b'"'),
        12 => lines.insert(line, lines[line].clone()),
        13 => {
            let delimiter = *b",;\t| :".choose(rng).unwrap();
            let mut fields: Vec<&[u8]> = lines[line].split(|&byte| byte == delimiter).collect();
            fields.swap_remove(rng.random_range(0..fields.len()));
            lines[line] = fields.join(&delimiter);
        }
        _ => lines.iter_mut().for_each(|line| line.extend(rng.random_ratio(1, 2).then_some(b'\r'))),
    }
    *text = lines.join(&b'\n');
}

/// A file with at most three damages, perhaps after or before another one.
fn file(rng: &mut Rng, count: usize) -> (Vec<u8>, Options) {
    let end = pick(rng, &["\n", "\n", "\r\n"]);
    let (all, format, mut options) = lines(rng, count);
    let mut text = all.join(end).into_bytes();
    if rng.random_ratio(9, 10) {
        text.extend_from_slice(end.as_bytes());
    }
    if rng.random_ratio(1, 4) {
        text.extend(lines(rng, 3).0.join("\n").into_bytes());
    }
    if rng.random_ratio(1, 3) && !options.no_header {
        options.format = Some(format);
    }
    for _ in 0..rng.random_range(0..4) {
        damage(rng, &mut text);
    }
    (text, options)
}

/// Collects the records of a run.
#[derive(Default)]
struct Collect(Mutex<BTreeMap<u64, Record>>);

impl Job for Collect {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, _: &mut Outcomes, _: &mut RowSink) -> ControlFlow<()> {
        let text =
            |cells: &[u8]| String::from_utf8(cells.to_vec()).unwrap().replace(|cell| !('1'..='9').contains(&cell), ".");
        for k in 0..batch.records.len() {
            let solution = batch.layout.given_solution(batch.record(k)).map(|cells| text(&cells));
            let record = batch.cells(k).map(|cells| (text(&cells), solution));
            self.0.lock().unwrap().insert(batch.records_before + k as u64, record);
        }
        ControlFlow::Continue(())
    }
}

/// The content of a file as the library reads it.
fn read(path: &Path, options: &Options, is_mapped: bool, threads: usize, batch_bytes: Option<usize>) -> Content {
    // SAFETY: No other process knows the file.
    let mapping = if is_mapped { unsafe { Mapping::always() } } else { Mapping::NEVER };
    let mut run = Run { mapping, threads, input_options: options.into(), ..Run::default() }.input(path);
    run.batch_bytes = batch_bytes;
    let job = Collect::default();
    let result = run.start(&job, &mut |_| ());
    let records = job.0.into_inner().unwrap();
    assert!(records.keys().copied().eq(0..records.len() as u64), "the records have no gaps");
    let records = records.into_values().collect();
    if result.is_ok() { Content::Records(records) } else { Content::Ended(records) }
}

/// Asserts that both are the same. Shows the first difference, and writes the text into a file.
fn assert_same(found: &Content, expected: &Content, text: &[u8], place: &str) {
    if found == expected {
        return;
    }
    fs::write(std::env::temp_dir().join("rapidoku-differs"), text).unwrap();
    let (Content::Records(a) | Content::Ended(a), Content::Records(b) | Content::Ended(b)) = (found, expected);
    let first = (0..=a.len().max(b.len())).find(|k| a.get(*k) != b.get(*k)).unwrap_or(0);
    let complete = [found, expected].map(|content| matches!(content, Content::Records(_)));
    let [a_first, b_first] = [a, b].map(|records| records.get(first));
    panic!(
        "{place}: {} and {} records, complete: {complete:?}, record {first}: {a_first:?} instead of {b_first:?}",
        a.len(),
        b.len()
    );
}

#[test]
fn records_are_those_of_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in");
    let [files, seed] = setting("RAPIDOKU_FILES", [600, 0]);
    let (mut read_files, mut refused) = (0, 0);
    for case in 0..files {
        let mut rng = Rng::seed_from_u64(seed.wrapping_mul(1_000_003).wrapping_add(case));
        // Some are longer than a batch, and than what chooses the format.
        let count = if case % 50 == 0 { 3000 } else { rng.random_range(1..9) };
        let (text, options) = file(&mut rng, count);
        fs::write(&path, &text).unwrap();
        let expected = page::read(&text, &options);
        match &expected {
            Content::Ended(records) if records.is_empty() => refused += 1,
            _ => read_files += 1,
        }
        for (is_mapped, threads, batch_bytes) in [(true, 1, None), (false, 2, Some(700)), (false, 8, Some(50_000))] {
            let found = read(&path, &options, is_mapped, threads, batch_bytes);
            let place = format!("file {case}, seed {seed}, {options:?}, {threads} threads");
            assert_same(&found, &expected, &text, &place);
        }
    }
    assert!(read_files > files / 2 && refused > files / 50, "{read_files} were read, {refused} refused");
}

/// An array with a row for each of `count` puzzles, some of which have other numbers than digits.
fn array(rng: &mut Rng, count: usize) -> Vec<u8> {
    let mut rows: Vec<u8> = Vec::new();
    for _ in 0..count {
        let (puzzle, _) = pairs()[..1000].choose(rng).unwrap();
        rows.extend(puzzle.bytes().map(|cell| if cell == b'.' { 0 } else { cell - b'0' }));
    }
    for _ in 0..rng.random_range(0..4) {
        let at = rng.random_range(0..rows.len());
        rows[at] = *[0, 1, 9, 10, b'1', b'.', 255].choose(rng).unwrap();
    }
    npy("|u1", &format!("({count}, 81)"), &rows)
}

/// A job that copies records.
struct Copies(Table);

impl Job for Copies {
    fn table(&self) -> Option<&Table> {
        Some(&self.0)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        self.0.write(batch, outcomes, rows, &mut |_, _| ())
    }
}

/// Copies of the records, read with the same declared format, are the same records.
#[test]
fn copies_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let [path, copy] = ["in", "copy"].map(|name| folder.path().join(name));
    let [files, seed] = setting("RAPIDOKU_FILES", [500, 0]);
    for case in 0..files {
        let mut rng = Rng::seed_from_u64(seed.wrapping_mul(1_000_003).wrapping_add(case));
        let count = rng.random_range(1..9);
        let (mut text, mut options) = file(&mut rng, count);
        let format = match options.no_header {
            true => "csv",
            false => pick(&mut rng, &["lines", "csv", "json", "grid", "npy"]),
        };
        if format == "npy" {
            text = array(&mut rng, count);
        }
        options.format = Some(format);
        fs::write(&path, &text).unwrap();
        let expected = read(&path, &options, false, 1, None);
        let Content::Records(records) = &expected else { continue };

        // As text, or in the format of the input.
        let own = [("csv", Format::Csv), ("json", Format::Jsonl), ("npy", Format::Npy)];
        let own = own.iter().find(|(name, _)| format == *name).map(|(_, format)| *format);
        let has_commas = !text.split(|&byte| byte == b'\n').next().unwrap().iter().any(|byte| b";\t|".contains(byte));
        let is_copied = |own: &Format| *own == Format::Npy || (!options.no_header && has_commas && rng.random());
        let own = own.filter(is_copied);
        let table = Table::new(own.unwrap_or(Format::Text)).columns([]).copies_lines(true);
        let table = table.passthrough(own.is_some());
        let output = Output::create(&copy).unwrap();
        let run = Run { input_options: (&options).into(), ..Run::default() }.input(&path).output(output);
        let mut kept = records.clone();
        let has_pencilmarks = records.iter().flatten().any(|(cells, _)| cells.len() > 81);
        // The first record tells the number of fields without a header, and the members of objects: it stays the first
        // one.
        let command = rng.random_range(0..4);
        let command = if command == 1 && (options.no_header || format == "json") { 0 } else { command };
        let result = match command {
            0 => run.start(&Copies(table), &mut |_| ()),
            1 => run.start(&Shuffle::new(case).table(table), &mut |_| ()),
            2 if !has_pencilmarks => {
                let mut seen = Vec::new();
                kept.retain(|record| match record {
                    Some((cells, _)) if seen.contains(cells) => false,
                    Some((cells, _)) => {
                        seen.push(cells.clone());
                        true
                    }
                    None => true,
                });
                Dedup { table, ..Dedup::new(Equivalence::Exact) }.run(run, &mut |_| ()).map(|stats| stats.run)
            }
            _ => run.start(&Sample::new(records.len() as u64, case).table(table), &mut |_| ()),
        };
        result.unwrap_or_else(|error| panic!("file {case}, seed {seed}, {options:?}: {error}"));
        // A first line that is a damaged array makes one array of the text.
        let starts_array = |text: &[u8]| text.trim_ascii_start().starts_with(b"[");
        if format == "json" && starts_array(&fs::read(&copy).unwrap()) {
            continue;
        }
        let mut found = read(&copy, &options, false, 1, None);
        if let (1, Content::Records(found)) = (command, &mut found) {
            found.sort();
            kept.sort();
        }
        let kept = Content::Records(kept);
        assert_same(&found, &kept, &text, &format!("file {case}, seed {seed}, {options:?}, command {command}"));
    }
}
