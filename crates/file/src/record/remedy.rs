//! Stage 2, records: a command that reads an input that was refused.
//!
//! Options of this program, and filters before it, are tried on the start of the input. The one with which the most
//! puzzles are read is in the message, so that a command in a message works.

use memchr::{memchr, memrchr};
use serde_json::value::RawValue;

use super::cells::{is_complete, long_runs, puzzle_text};
use super::csv::values_of;
use super::detect::{DELIMITERS, detect};
use super::json::{self, Value};
use super::lines::Lines;
use super::options::{ColumnRef, InputOptions};
use super::refuse::delimiter_name;
use super::{HEAD, grid, is_blank, line_at};
use crate::grid::CELLS;
use crate::refusal::{INPUT, Refusal, quote};

/// Completes the refusal of an input that starts with `bytes`.
pub fn complete(refusal: Refusal, bytes: &[u8]) -> Refusal {
    if !refusal.is_fallback {
        return refusal;
    }
    let lines = memrchr(b'\n', &bytes[..bytes.len().min(HEAD)]).filter(|_| bytes.len() > HEAD);
    let text = lines.map_or(bytes, |end| &bytes[..end + 1]);
    let found = filters(text).into_iter().filter_map(|(filter, text)| {
        let (count, options) = best_options(&text)?;
        // Without a header, each row may have several puzzles.
        let is_best = filter.is_empty() && !options.no_header;
        Some((if is_best { usize::MAX } else { count }, filter, shown(&options)))
    });
    // The first of those with the most puzzles.
    match found.reduce(|best, next| if next.0 > best.0 { next } else { best }) {
        Some((_, filter, options)) => refusal.with_options(&filter, &options),
        None => refusal.or_advice("docs/inputs.md describes the formats, and how to convert others"),
    }
}

/// The options with which the most puzzles of a text are read, and the number of these puzzles.
fn best_options(text: &[u8]) -> Option<(usize, InputOptions)> {
    let count = |options: &InputOptions| detect(text, true, options).map_or(0, |detected| detected.sound_puzzles());
    let counted = options(text).into_iter().map(|options| (count(&options), options));
    counted.rev().max_by_key(|(count, _)| *count).filter(|(count, _)| *count > 0)
}

/// The options that may help: those for each column with a puzzle in the first or the second line, and those without a
/// column.
fn options(text: &[u8]) -> Vec<InputOptions> {
    let mut lines = text.split(|&byte| byte == b'\n').map(line_at).filter(|line| !is_blank(line));
    let [first, second] = [(); 2].map(|()| lines.next().unwrap_or_default());
    let base = InputOptions::default();
    let padded = InputOptions { pads: true, ..base.clone() };
    let mut found = vec![base.clone(), padded, InputOptions { blank_number: Some(-1), ..base.clone() }];
    let named = |name: &[u8]| Some(ColumnRef::Name(String::from_utf8_lossy(name).into_owned()));
    if let Ok(Value::Object(members)) = json::parse(first) {
        let puzzles = members.iter().filter(|(_, value)| json::puzzle_of(value).is_ok());
        found.extend(puzzles.map(|(name, _)| InputOptions { column: named(name), ..base.clone() }));
        return found;
    }
    for delimiter in DELIMITERS.into_iter().chain([b' ']) {
        let names = values_of(first, delimiter).unwrap_or_default();
        for (line, no_header) in [(first, true), (second, false)] {
            for (index, field) in values_of(line, delimiter).unwrap_or_default().iter().enumerate() {
                let pads = puzzle_text(field.clone(), false).is_err();
                if puzzle_text(field.clone(), pads).is_err() {
                    continue;
                }
                let name = names.get(index).filter(|_| !no_header).and_then(|name| named(name));
                for column in [name, Some(ColumnRef::Index(index))].into_iter().flatten() {
                    for delimiter in [None, Some(delimiter)] {
                        let column = Some(column.clone());
                        found.push(InputOptions { delimiter, column, no_header, pads, ..base.clone() });
                    }
                }
            }
        }
    }
    found
}

/// Options of [`options`] as on a command line, each after a space.
fn shown(options: &InputOptions) -> String {
    let delimiter = options.delimiter.map(|byte| format!("--delimiter {}", delimiter_name(byte)));
    let header = options.no_header.then(|| "--no-header".to_owned());
    let column = options.column.as_ref().map(|column| match column {
        ColumnRef::Index(index) => format!("--column {}", index + 1),
        ColumnRef::Name(name) => format!("--column {}", quote(name)),
    });
    let pad = options.pads.then(|| "--pad".to_owned());
    let blank = options.blank_number.map(|number| format!("--blank-number {number}"));
    [delimiter, header, column, pad, blank].iter().flatten().map(|option| format!(" {option}")).collect()
}

/// A command, with [`INPUT`] for the name of the input, and what it makes of the start of the input. The first one is
/// none.
type Filter = (String, Vec<u8>);

fn filters(text: &[u8]) -> Vec<Filter> {
    let mut found = vec![(String::new(), text.to_vec())];
    if memchr(0, text).is_some() {
        return found;
    }
    let tr = |command: &str, changed: fn(&u8) -> bool, to: Option<u8>| {
        let bytes = text.iter().filter_map(|byte| if changed(byte) { to } else { Some(*byte) });
        (format!("tr {command} < {INPUT}"), bytes.collect::<Vec<_>>())
    };
    found.extend(of_json(text));
    found.push(tr("-d ', '", |byte| b", ".contains(byte), None));
    found.push(tr("-d ';\\t'", |byte| b";\t".contains(byte), None));
    found.extend(cells_of_columns(text));
    found.extend(long_texts(text));
    // A minus may be part of a number.
    if memchr(b'-', text).is_none() {
        found.push(tr("-cd '0-9\\n'", |byte| !b"0123456789\n".contains(byte), None));
        found.push(tr("-cd '1-9.\\n'", |byte| !b"123456789.\n".contains(byte), None));
    }
    found.push(tr("- .", |byte| *byte == b'-', Some(b'.')));
    found.push(tr("' ' .", |byte| *byte == b' ', Some(b'.')));
    found.push(tr("oO ..", |byte| b"oO".contains(byte), Some(b'.')));
    found.extend(without_title(text));
    found.extend(joined_rows(text));
    found
}

/// The lines from the first puzzle or row of a grid on.
fn without_title(text: &[u8]) -> Option<Filter> {
    let lines = text.split_inclusive(|&byte| byte == b'\n');
    let is_start = |line: &[u8]| Lines::default().puzzle(line_at(line)).is_ok() || grid::is_row(line_at(line));
    let before = lines.clone().take_while(|line| !is_start(line)).count();
    let rest = lines.skip(before).collect::<Vec<_>>().concat();
    (before > 0).then(|| (format!("tail -n +{} {INPUT}", before + 1), rest))
}

/// The cells of a table with a column for each of them, whose names differ in increasing numbers only.
fn cells_of_columns(text: &[u8]) -> Option<Filter> {
    let mut lines = text.split(|&byte| byte == b'\n').map(line_at).filter(|line| !is_blank(line));
    let first = lines.next()?;
    let count = |delimiter: &u8| first.iter().filter(|byte| *byte == delimiter).count();
    let delimiter = DELIMITERS.into_iter().max_by_key(count)?;
    let names = values_of(first, delimiter)?;
    let words = |name: &[u8]| name.iter().copied().filter(|byte| !byte.is_ascii_digit()).collect::<Vec<_>>();
    let numbers = |name: &[u8]| {
        let digits = name.split(|byte| !byte.is_ascii_digit()).filter(|digits| !digits.is_empty());
        digits.map(|digits| String::from_utf8_lossy(digits).parse().unwrap_or(u32::MAX)).collect::<Vec<_>>()
    };
    let mut runs = names.chunk_by(|a, b| words(a) == words(b) && numbers(a) < numbers(b));
    let before: usize = runs.by_ref().take_while(|run| run.len() != CELLS).map(<[_]>::len).sum();
    let range = before..before + CELLS;
    let cells = lines
        .filter_map(|row| Some([values_of(row, delimiter)?.get(range.clone())?.concat(), b"\n".to_vec()].concat()));
    let tab = char::from(delimiter).to_string().replace('\t', "\\t");
    let cut =
        if names.len() == CELLS { String::new() } else { format!(" | cut -d '{tab}' -f {}-{}", before + 1, range.end) };
    Some((format!("tail -n +2 {INPUT}{cut} | tr -d '{tab}'"), cells.collect::<Vec<_>>().concat()))
}

/// Grids without anything between them, as lines.
fn joined_rows(text: &[u8]) -> Option<Filter> {
    let rows: Vec<&[u8]> = text.trim_ascii_end().split(|&byte| byte == b'\n').map(line_at).collect();
    let lines = rows.chunks_exact(9).map(|rows| rows.concat()).collect::<Vec<_>>().join(&b'\n');
    let are_rows = rows.iter().all(|row| row.len() == 9 && grid::is_row(row));
    are_rows.then(|| (format!("paste -d '\\0' - - - - - - - - - < {INPUT}"), lines))
}

/// The puzzles of 81 characters within other text.
fn long_texts(text: &[u8]) -> Option<Filter> {
    let runs: Vec<&[u8]> = long_runs(text).collect();
    let puzzles: Vec<&[u8]> = runs.iter().copied().filter(|run| !is_complete(run)).collect();
    let blank = *puzzles.first()?.iter().find(|byte| !(b'1'..=b'9').contains(byte))?;
    let class = if b".0".contains(&blank) { "0-9.".to_owned() } else { format!("1-9{}", char::from(blank)) };
    let after = if puzzles.len() < runs.len() { " | grep '[^1-9]'" } else { "" };
    let are_exact = runs.iter().all(|run| run.len() == CELLS);
    are_exact.then(|| (format!("grep -oE '[{class}]{{81}}' {INPUT}{after}"), puzzles.join(&b'\n')))
}

/// Values of JSON within others, or on several lines.
fn of_json(text: &[u8]) -> Vec<Filter> {
    let json = json::as_utf8(text);
    let values = serde_json::Deserializer::from_str(&json).into_iter::<&RawValue>();
    let values: Vec<String> = values.map_while(|value| value.ok().map(|value| value.get().to_owned())).collect();
    let inner = |values: &[String]| values.iter().flat_map(|value| parts(value)).collect::<Vec<_>>();
    let all = |values: &[String]| inner(values).into_iter().map(|(_, value)| value).collect::<Vec<_>>();
    let mut found = vec![("'.[]'".to_owned(), all(&values))];
    for (name, _) in inner(values.get(..1).unwrap_or_default()) {
        if name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.bytes().all(|c| c.is_ascii_alphanumeric() || c == b'_')
        {
            let named = inner(&values).into_iter().filter(|(other, _)| *other == name);
            let values: Vec<String> = named.map(|(_, value)| value).collect();
            found.extend([(format!("'.{name}[]'"), all(&values)), (format!(".{name}"), values)]);
        }
    }
    found.push((".".to_owned(), values));
    let raw = |value: &String| serde_json::from_str(value).unwrap_or_else(|_| value.replace('\n', " "));
    let text = |values: &[String]| values.iter().map(raw).collect::<Vec<String>>().join("\n").into_bytes();
    found.iter().rev().map(|(path, values)| (format!("jq -rc {path} {INPUT}"), text(values))).collect()
}

/// The members of an object with their names, or the elements of an array.
fn parts(value: &str) -> Vec<(String, String)> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    match json::parse(value.as_bytes()) {
        Ok(Value::Object(members)) => members.iter().map(|(name, value)| (text(name), text(value))).collect(),
        _ => serde_json::from_str(value).map_or(Vec::new(), |elements: Vec<&RawValue>| {
            elements.iter().map(|element| (String::new(), element.get().to_owned())).collect()
        }),
    }
}
