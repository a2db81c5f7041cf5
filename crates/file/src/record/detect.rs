//! Stage 2, records: which format an input has.
//!
//! [`detect`] is a list of tests on the *head*, the first 64 KiB after a byte order mark; the first test that holds
//! decides. A format that was not declared is then checked on the records that start in the head, so that a wrong guess
//! is an error and not a million rows. `docs/inputs.md` has the same page for users.

use std::borrow::Cow;

use super::cells::has_long_run;
use super::csv::{Csv, values_of};
use super::elements::Splitter;
use super::format::Format;
use super::grid::{self, Grid};
use super::json::{self, Json, Value};
use super::lines::Lines;
use super::npy;
use super::options::{ColumnRef, InputFormat, InputOptions};
use super::quotes::{self, Chain};
use super::refuse;
use super::{HEAD, Layout, Records, is_blank, is_complete, is_white, line_at, line_end, line_feeds, stream};
use crate::grid::Puzzle;
use crate::refusal::Refusal;
use crate::simd::SimdLevel;

/// The number of bytes to know of an input, so that the last record of the head is complete.
pub const KNOWN: usize = HEAD + stream::MAX_RECORD + 1;

/// The names of columns of puzzles, and of solutions.
const PUZZLES: [&str; 8] = ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "unsolved", "givens"];
const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

/// The delimiters of CSV that need not be declared.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The layout of an input, and what precedes its records.
#[derive(Debug)]
pub struct Detected {
    pub layout: Layout,
    /// The number of bytes before the first record: a byte order mark, a header and what is before it, or the header of
    /// an array.
    pub skipped_bytes: usize,
    pub skipped_lines: u64,
    /// Whether the input is one array of JSON.
    pub is_document: bool,
    /// The puzzles in the head of an input without a declared format, and the number of records there.
    head: (Vec<Puzzle>, usize),
}

impl Detected {
    /// The number of puzzles with blanks in the head of the input. 0 if clues of one of them clash, or more records are
    /// not puzzles.
    pub fn sound_puzzles(&self) -> usize {
        let (puzzles, records) = &self.head;
        let clash = puzzles.iter().any(|puzzle| puzzle.clash().is_some());
        if clash || 2 * puzzles.len() < *records {
            0
        } else {
            puzzles.iter().filter(|puzzle| !is_complete(puzzle)).count()
        }
    }
}

/// A layout, the number of bytes before the records, and the start of the records.
type Opened<'t> = (Layout, usize, Cow<'t, [u8]>);

/// The format of the input that starts with `bytes`, which are [`KNOWN`] bytes or all. `is_all` says whether the input
/// ends with them.
///
/// # Errors
/// If the input is refused.
pub fn detect(bytes: &[u8], is_all: bool, options: &InputOptions) -> Result<Detected, Refusal> {
    let is_auto = options.format == InputFormat::Auto;
    let is_array = options.format == InputFormat::Npy || (is_auto && bytes.starts_with(npy::MAGIC));
    let text = match refuse::foreign(bytes) {
        _ if is_array => bytes,
        Some(refusal) => return Err(refusal),
        None => bytes.strip_prefix(refuse::BYTE_ORDER_MARK).unwrap_or(bytes),
    };
    let format = match options.format {
        _ if is_array => InputFormat::Npy,
        // A text of white space only has no records.
        _ if is_blank(text) => InputFormat::Lines,
        InputFormat::Auto => choose(text, options)?,
        declared => declared,
    };
    let (layout, skipped, records) = match format {
        InputFormat::Npy => {
            let (array, skipped) = npy::open(text, options)?;
            let has_solution = array.has_solutions;
            let columns = has_solution.then(|| ["puzzle", "solution"].map(str::to_owned).to_vec());
            (Layout { columns, has_solution, ..Layout::of("npy", array) }, skipped, Cow::Borrowed(&text[skipped..]))
        }
        InputFormat::Csv => csv(text, options)?,
        InputFormat::Json => json(text, is_all, options)?,
        InputFormat::Grid => (Layout::of("grid", Grid), 0, Cow::Borrowed(text)),
        _ => (lines(text, options), 0, Cow::Borrowed(text)),
    };
    let skipped_lines = if is_array { 0 } else { line_feeds(&text[..skipped]) };
    let skipped_bytes = bytes.len() - text.len() + skipped;
    let is_document = matches!(records, Cow::Owned(_));
    let mut detected = Detected { layout, skipped_bytes, skipped_lines, is_document, head: Default::default() };
    if is_auto {
        let head = HEAD.saturating_sub(skipped);
        detected.head = check(&detected, &records, is_all || is_document, head, options)?;
    }
    Ok(detected)
}

/// The options for an argument. It is data and not a file of another kind, so each record that is not right has a
/// status, and the other arguments have theirs.
pub fn of_argument(text: &[u8], options: &InputOptions) -> InputOptions {
    let declared = Some(options.format).filter(|format| *format != InputFormat::Auto);
    let format = declared.or_else(|| choose(text, options).ok()).unwrap_or(InputFormat::Lines);
    InputOptions { format, ..options.clone() }
}

/// The first test that holds decides. Those of `docs/inputs.md`, in the same order; the first one is that of an array.
fn choose(text: &[u8], options: &InputOptions) -> Result<InputFormat, Refusal> {
    let mut start = text.iter().filter(|byte| !is_white(**byte));
    match (start.next(), start.next()) {
        (Some(b'{'), _) => return Ok(InputFormat::Json),
        (Some(b'['), Some(b'{' | b'[' | b'"' | b']' | b'-' | b'0'..=b'9')) => return Ok(InputFormat::Json),
        _ => {}
    }
    let names_columns = options.column.is_some() || options.solution_column.is_some();
    let has_name = |(_, line): (usize, &[u8])| !named_delimiters(line, &PUZZLES).is_empty();
    if names_columns
        || options.delimiter.is_some()
        || options.no_header
        || significant_lines(text).next().is_some_and(has_name)
    {
        return Ok(InputFormat::Csv);
    }
    let lines = Lines { pads: options.pads };
    let mut significant = 0;
    for (at, line) in lines_in_head(text) {
        significant += usize::from(is_significant(line));
        if lines.puzzle(line).is_ok() {
            let before = line_feeds(&text[..at]);
            return if significant <= 5 { Ok(InputFormat::Lines) } else { Err(refuse::late_puzzle(before)) };
        }
        if grid::is_row(line) {
            let are_dense = grid::rows_of_first(text) > 9;
            return if are_dense { Err(Refusal::new(refuse::DENSE_GRIDS)) } else { Ok(InputFormat::Grid) };
        }
    }
    Err(refuse::unrecognised(text))
}

/// The offsets and contents of the lines that start in the head.
fn lines_in_head(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        at = line_end(text, start);
        (start < text.len().min(HEAD)).then(|| (start, line_at(&text[start..])))
    })
}

/// The same without blank lines and comments.
fn significant_lines(text: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    lines_in_head(text).filter(|(_, line)| is_significant(line))
}

fn is_significant(line: &[u8]) -> bool {
    !is_blank(line) && !line.starts_with(b"#")
}

fn lines(text: &[u8], options: &InputOptions) -> Layout {
    let lines = Lines { pads: options.pads };
    let is_puzzle = |line: &&[u8]| lines.record(line).cells.is_ok();
    let puzzles: Vec<&[u8]> = significant_lines(text).map(|(_, line)| line).filter(is_puzzle).collect();
    let has_notes = puzzles.iter().any(|line| lines.note(line).is_some());
    let has_solution = puzzles.iter().any(|line| lines.solution(line).is_some());
    Layout { has_notes, has_solution, ..Layout::of("lines", lines) }
}

fn csv<'t>(text: &'t [u8], options: &InputOptions) -> Result<Opened<'t>, Refusal> {
    type Line<'t> = (usize, &'t [u8]);
    let is_first = |(_, line): &Line| is_significant(line) || (options.no_header && !is_blank(line));
    let (start, line) = lines_in_head(text).find(is_first).unwrap_or_default();
    if let Some(delimiter @ (b'"' | b'\r' | b'\n')) = options.delimiter {
        return Err(Refusal::new(format!("unsupported delimiter '{}'", delimiter.escape_ascii())));
    }
    let delimiter = options.delimiter.map_or_else(|| delimiter_of(line, options), Ok)?;
    let is_row = |(at, line): &Line| *at == start || !is_blank(line) || line.contains(&delimiter);
    let mut rows = lines_in_head(text).skip_while(|(at, _)| *at < start).filter(is_row);
    // Rows before the first well-formed one are one line each.
    let well_formed = rows.find_map(|(at, _)| Some((at, values_of(&text[at..], delimiter)?)));
    let (first, fields) = well_formed.unwrap_or((usize::MAX, Vec::new()));
    let mut names: Vec<String> = fields.iter().map(|field| String::from_utf8_lossy(field).into()).collect();
    let (mut header, mut end) = (None, start);
    if options.no_header {
        names = (1..=names.len()).map(|n| n.to_string()).collect();
    } else {
        end = quotes::row(text, start, delimiter, &mut Chain::default()).1;
        let row = &text[start..end];
        if first != start || has_long_run(row) {
            return Err(Refusal::new(refuse::BAD_HEADER));
        }
        header = Some([row, if row.ends_with(b"\n") { b"" } else { b"\n" }].concat());
    }
    let (puzzle, solution) = columns_of(options, header.is_some().then_some(&*names))?;
    let (width, is_named, pads) = (names.len(), options.column.is_some(), options.pads);
    let csv = Csv { delimiter, width, puzzle, solution, is_named, pads, header };
    let layout = Layout { columns: Some(names), has_solution: solution.is_some(), ..Layout::of("csv", csv) };
    Ok((layout, end, Cow::Borrowed(&text[end..])))
}

fn json<'t>(text: &'t [u8], is_all: bool, options: &InputOptions) -> Result<Opened<'t>, Refusal> {
    let start = text.iter().take_while(|byte| is_white(**byte)).count();
    let first = line_at(&text[start..]);
    let is_puzzle = |value| matches!(value, Ok(Value::Other(value)) if json::puzzle_of(value).is_ok());
    let is_document = text[start..].starts_with(b"[") && !is_puzzle(json::parse(first));
    let mut records = Cow::Borrowed(text);
    if is_document {
        let (mut splitter, mut elements) = (Splitter::default(), Vec::new());
        let split = splitter.split(text, is_all, &mut elements);
        if options.format == InputFormat::Auto && splitter.last < HEAD as u64 {
            split.map_err(|damage| Refusal::new(damage.to_string()).with_options("", " --input-format json"))?;
        }
        records = Cow::Owned(elements);
    }
    // The members of the first object of the head are the columns.
    let members = lines_in_head(&records).find_map(|(_, line)| match json::parse(line) {
        Ok(Value::Object(members)) => Some(members),
        _ => None,
    });
    let own = |(name, _): &json::Member| String::from_utf8_lossy(name).into_owned();
    let names = members.map(|members| members.iter().map(own).collect::<Vec<_>>());
    let columns = names.as_ref().map(|names| columns_of(options, Some(names)));
    let (puzzle, solution) = columns.transpose()?.unwrap_or((0, None));
    let names = names.unwrap_or_else(|| vec!["puzzle".to_owned()]);
    let json = Json { names: names.clone(), puzzle, solution, is_named: options.column.is_some(), is_document };
    let layout = Layout { columns: Some(names), has_solution: solution.is_some(), ..Layout::of("json", json) };
    Ok((layout, 0, records))
}

/// Checks the records that start in the first `head` bytes of a text. Returns the puzzles and the
/// number of records.
fn check(
    detected: &Detected,
    text: &[u8],
    is_all: bool,
    head: usize,
    options: &InputOptions,
) -> Result<(Vec<Puzzle>, usize), Refusal> {
    let layout = &detected.layout;
    let known = if is_all { text.len() } else { layout.format().last_boundary(text).unwrap_or(0) };
    let (mut puzzles, mut starts) = (Vec::new(), Vec::new());
    let (mut records, mut at) = (Records::default(), 0);
    while at < known.min(head) {
        // A few at a time: the text may go on far behind the head.
        let length = records.read(layout, &text[at..known], SimdLevel::detect(), 256);
        let before = starts.len();
        starts.extend(records.starts().iter().map(|&start| at + start as usize).take_while(|at| *at < head));
        let found = (0..starts.len() - before).filter(|&k| records.is_puzzle(k));
        puzzles.extend(found.map(|k| records.puzzles()[k]));
        at += length;
    }
    let has_nine = puzzles.iter().any(|puzzle| puzzle.cells().contains(&9));
    let complete = puzzles.iter().filter(|puzzle| is_complete(puzzle)).count();
    const AS_GRIDS: &str = "rapidoku ... --input-format grid {}";
    let is_section = |(_, line): (usize, &[u8])| {
        line.starts_with(b"[") && !line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"[puzzle]"))
    };
    let refused = |what, command| Err(Refusal::new(what).with_command(command));
    match (layout.name(), starts.first()) {
        (_, Some(&start)) if puzzles.is_empty() => {
            let (before, record) = text.split_at(start);
            let lines = detected.skipped_lines + layout.count_lines(before);
            Err(refuse::no_puzzle(layout, record, lines))
        }
        ("npy", _) if !has_nine && options.blank_number.is_none() => {
            refused(refuse::NO_NINE, "rapidoku ... --blank-number -1 {}")
        }
        ("grid", _) if complete > 0 && complete < puzzles.len() => refused(refuse::SOLUTIONS, AS_GRIDS),
        ("grid", _) if lines_in_head(text).any(is_section) => refused(refuse::SECTIONS, AS_GRIDS),
        _ => Ok((puzzles, starts.len())),
    }
}

/// Whether a field is one of some names.
fn is_named(field: &[u8], names: &[&str]) -> bool {
    let field = String::from_utf8_lossy(field);
    names.iter().any(|name| field.trim_matches(' ').eq_ignore_ascii_case(name))
}

/// The delimiters of a line between which a field has one of some names; any if the whole line is such a name.
fn named_delimiters(line: &[u8], names: &[&str]) -> Vec<u8> {
    let has_name =
        |delimiter| values_of(line, delimiter).is_some_and(|fields| fields.iter().any(|field| is_named(field, names)));
    let is_named = |delimiter: &u8| line.contains(delimiter) && has_name(*delimiter);
    let found: Vec<u8> = DELIMITERS.into_iter().filter(is_named).collect();
    if found.is_empty() && has_name(b'\n') { vec![b','] } else { found }
}

/// The only delimiter of the first line.
fn delimiter_of(line: &[u8], options: &InputOptions) -> Result<u8, Refusal> {
    let mut found = match &options.column {
        _ if options.no_header => Vec::new(),
        Some(ColumnRef::Name(name)) => named_delimiters(line, &[name]),
        _ => named_delimiters(line, &PUZZLES),
    };
    if found.is_empty() {
        found = DELIMITERS.into_iter().filter(|delimiter| line.contains(delimiter)).collect();
    }
    match found[..] {
        [] => Ok(b','),
        [delimiter] => Ok(delimiter),
        _ => Err(refuse::several_delimiters(&found)),
    }
}

/// The indices of the columns of puzzles and of solutions.
fn columns_of(options: &InputOptions, header: Option<&[String]>) -> Result<(usize, Option<usize>), Refusal> {
    let puzzle = column_of(options.column.as_ref(), &PUZZLES, header)?;
    let solution = match &options.solution_column {
        // `solve` writes a column `solutions` with numbers beside it.
        None => column_of(None, &SOLUTIONS[..1], header).or_else(|_| column_of(None, &SOLUTIONS, header)).ok(),
        named => Some(column_of(named.as_ref(), &SOLUTIONS, header)?),
    };
    Ok((puzzle, solution.filter(|column| *column != puzzle)))
}

/// The index of the column that an option names, or else of the only one with one of the names.
fn column_of(option: Option<&ColumnRef>, names: &[&str], header: Option<&[String]>) -> Result<usize, Refusal> {
    let columns = header.unwrap_or_default();
    let wanted = match option {
        Some(ColumnRef::Index(index)) if header.is_none() || *index < columns.len() => return Ok(*index),
        Some(ColumnRef::Index(index)) => Some((index + 1).to_string()),
        Some(ColumnRef::Name(name)) => Some(name.clone()),
        None => None,
    };
    let wanted = wanted.as_deref();
    let names = wanted.as_ref().map_or(names, std::slice::from_ref);
    let mut found = (0..columns.len()).filter(|index| is_named(columns[*index].as_bytes(), names));
    match (found.next(), found.next()) {
        (Some(index), None) => Ok(index),
        (first, _) => Err(refuse::column(wanted, first.is_some(), header)),
    }
}
