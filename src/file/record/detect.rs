//! Stage 2, records: which format an input has.
//!
//! [`detect`] is a list of tests on the *head*, the first 64 KiB after a byte order mark; the first test that holds decides. A format
//! that was not declared is then checked on the records that start in the head, so that a wrong guess is an error and not a million
//! rows. `docs/inputs.md` has the same page for users.

use std::borrow::Cow;
use std::io::{self, Read};

use super::cells::{has_long_run, is_complete as is_complete_text};
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
use super::{Layout, Records, ends, is_blank, is_complete, is_white, line_at, line_end, line_feeds};
use crate::grid::Puzzle;
use crate::simd::SimdLevel;

/// The number of bytes that choose the format.
pub const HEAD: usize = 64 << 10;
/// The most bytes that are read for it, so that the last record of the head is complete.
const LIMIT: usize = HEAD + 2 * ends::MAX_RECORD;

/// The names of columns of puzzles, and of solutions.
const PUZZLES: [&str; 8] =
    ["puzzle", "puzzles", "quiz", "quizzes", "question", "sudoku", "unsolved", "givens"];
const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

/// The delimiters of CSV that need not be declared.
pub const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The layout of an input, and what precedes its records.
#[derive(Debug)]
pub struct Detected {
    pub layout: Layout,
    /// The number of bytes before the first record: a byte order mark, a header and what is before it, or the header of an array.
    pub skipped_bytes: usize,
    pub skipped_lines: u64,
    /// Whether the input is one array of JSON.
    pub is_document: bool,
}

/// Why there is no layout.
#[derive(Debug)]
pub enum Undetected {
    /// More of the input must be known.
    More,
    /// The input is refused.
    Refused(String),
}

impl From<String> for Undetected {
    fn from(reason: String) -> Undetected {
        Undetected::Refused(reason)
    }
}

/// Reads as much of an input as its format takes. Returns it with the layout, or with the reason why the input is refused.
///
/// # Errors
/// When the input cannot be read.
pub fn open(
    source: &mut impl Read,
    options: &InputOptions,
) -> io::Result<(Vec<u8>, Result<Detected, String>)> {
    let (mut head, mut size) = (Vec::new(), HEAD + (4 << 10));
    loop {
        let room = size - head.len();
        let is_all = source.take(room as u64).read_to_end(&mut head)? < room;
        match detect(&head, is_all || size >= LIMIT, options) {
            Err(Undetected::More) => size = (size + (size - HEAD)).min(LIMIT),
            Err(Undetected::Refused(reason)) => return Ok((head, Err(reason))),
            Ok(detected) => return Ok((head, Ok(detected))),
        }
    }
}

/// The format of the input that starts with `bytes`. `is_all` says whether it ends with them.
pub fn detect(bytes: &[u8], is_all: bool, options: &InputOptions) -> Result<Detected, Undetected> {
    let is_auto = options.format == InputFormat::Auto;
    if options.format == InputFormat::Npy || (is_auto && bytes.starts_with(npy::MAGIC)) {
        let (array, skipped_bytes) = npy::open(bytes, options)?;
        let layout = Layout::of(array);
        let detected = Detected { layout, skipped_bytes, skipped_lines: 0, is_document: false };
        let head = Head { text: bytes, is_all, options, skipped: 0 };
        return if is_auto { head.check(detected) } else { Ok(detected) };
    }
    if let Some(reason) = refuse::foreign(bytes) {
        return Err(reason.into());
    }
    let text = bytes.strip_prefix(refuse::BYTE_ORDER_MARK).unwrap_or(bytes);
    let head = Head { text, is_all, options, skipped: bytes.len() - text.len() };
    match options.format {
        // A text of white space only has no records.
        _ if is_blank(text) && is_all => head.detected(Layout::lines().clone(), 0),
        _ if is_blank(text) => Err(Undetected::More),
        InputFormat::Lines => head.lines(),
        InputFormat::Csv => head.csv(),
        InputFormat::Json => head.json(),
        InputFormat::Grid => head.detected(Layout::of(Grid), 0),
        InputFormat::Auto | InputFormat::Npy => head.check(head.choose()?),
    }
}

/// The start of a text after a byte order mark.
struct Head<'a> {
    text: &'a [u8],
    /// Whether the input ends with it.
    is_all: bool,
    options: &'a InputOptions,
    /// The number of bytes before it.
    skipped: usize,
}

impl<'a> Head<'a> {
    /// The offsets and contents of the lines that start in the head and are known completely.
    fn known_lines(&self) -> impl Iterator<Item = (usize, &'a [u8])> {
        let mut at = 0;
        std::iter::from_fn(move || {
            let start = at;
            at = line_end(self.text, start);
            let is_complete = self.is_all || self.text.get(at.wrapping_sub(1)) == Some(&b'\n');
            (start < self.text.len().min(HEAD) && is_complete).then(|| (start, line_at(&self.text[start..])))
        })
    }

    /// The same without blank lines and comments.
    fn significant_lines(&self) -> impl Iterator<Item = (usize, &'a [u8])> {
        self.known_lines().filter(|(_, line)| !is_blank(line) && !line.starts_with(b"#"))
    }

    /// Whether the last line that starts in the head may go on.
    fn is_cut(&self) -> bool {
        !self.is_all && !self.text.get(HEAD - 1..).is_some_and(|rest| rest.contains(&b'\n'))
    }

    /// The first test that holds decides. Those of `docs/inputs.md`, in the same order; the first one is that of an array.
    fn choose(&self) -> Result<Detected, Undetected> {
        let options = self.options;
        let mut start = self.text.iter().filter(|byte| !is_white(**byte));
        let is_json = match (start.next(), start.next()) {
            (Some(b'{'), _) => true,
            (Some(b'['), Some(next)) => matches!(next, b'{' | b'[' | b'"' | b']' | b'-' | b'0'..=b'9'),
            _ => false,
        };
        if is_json {
            return self.json();
        }
        let names_columns = options.column.is_some() || options.solution_column.is_some();
        if names_columns || options.delimiter.is_some() || options.no_header {
            return self.csv();
        }
        let first = self.significant_lines().next();
        if first.is_none() && self.is_cut() {
            return Err(Undetected::More);
        }
        if first.is_some_and(|(_, line)| !named_delimiters(line, &PUZZLES).is_empty()) {
            return self.csv();
        }
        let lines = Lines { pads: options.pads, ..Lines::default() };
        let mut significant = 0;
        for (_, line) in self.known_lines() {
            significant += usize::from(!is_blank(line) && !line.starts_with(b"#"));
            if lines.puzzle(line).is_ok() {
                return if significant <= 5 {
                    self.lines()
                } else {
                    Err(refuse::late_puzzle(self.text).into())
                };
            }
            if grid::is_row(line) {
                return match grid::rows_of_first(self.text) {
                    0..=9 => self.detected(Layout::of(Grid), 0),
                    _ => Err(refuse::DENSE_GRIDS.to_owned().into()),
                };
            }
        }
        if self.is_cut() {
            return Err(Undetected::More);
        }
        Err(refuse::unrecognised(&self.text[..self.text.len().min(HEAD)]).into())
    }

    fn detected(&self, layout: Layout, skipped: usize) -> Result<Detected, Undetected> {
        let skipped_lines = line_feeds(&self.text[..skipped]);
        Ok(Detected { layout, skipped_bytes: self.skipped + skipped, skipped_lines, is_document: false })
    }

    fn lines(&self) -> Result<Detected, Undetected> {
        let lines = Lines { pads: self.options.pads, ..Lines::default() };
        let puzzles =
            || self.significant_lines().map(|(_, line)| line).filter(|line| lines.record(line).cells.is_ok());
        let has_notes = puzzles().any(|line| lines.note(line).is_some());
        let has_solutions = has_notes && puzzles().any(|line| lines.solution(line).is_some());
        let has_complete =
            puzzles().any(|line| lines.puzzle(line).is_ok_and(|cells| is_complete_text(&cells)));
        self.detected(Layout::of(Lines { has_notes, has_solutions, has_complete, ..lines }), 0)
    }

    fn csv(&self) -> Result<Detected, Undetected> {
        let options = self.options;
        let is_line =
            |(_, line): &(usize, &[u8])| !is_blank(line) && (options.no_header || !line.starts_with(b"#"));
        let first = self.known_lines().find(is_line);
        let Some((start, line)) = first.or(self.is_all.then_some((0, b""))) else {
            return Err(Undetected::More);
        };
        if let Some(delimiter @ (b'"' | b'\r' | b'\n')) = options.delimiter {
            return Err(format!("unsupported delimiter '{}'", delimiter.escape_ascii()).into());
        }
        let delimiter = options.delimiter.map_or_else(|| delimiter_of(line, options), Ok)?;
        let rows = &self.text[start..];
        let (fields, mut header, mut skipped) = (values_of(rows, delimiter), None, start);
        if !options.no_header {
            let length = quotes::row(rows, 0, delimiter, &mut Chain::default()).1;
            if length == rows.len() && !self.is_all && rows.last() != Some(&b'\n') {
                return Err(Undetected::More);
            }
            if fields.is_none() || has_long_run(&rows[..length]) {
                return Err(refuse::BAD_HEADER.to_owned().into());
            }
            let end = if rows[..length].ends_with(b"\n") { &b""[..] } else { b"\n" };
            header = Some([&rows[..length], end].concat());
            skipped += length;
        }
        let fields = fields.map(|fields| fields.into_iter().map(Cow::into_owned).collect::<Vec<_>>());
        let names: Vec<String> = match (&header, &fields) {
            (Some(_), Some(fields)) => {
                fields.iter().map(|field| String::from_utf8_lossy(field).into_owned()).collect()
            }
            _ => Vec::new(),
        };
        let known = header.as_ref().map(|_| &names[..]);
        let puzzle = column_of(options.column.as_ref(), &PUZZLES, known, true)?.expect("it is needed");
        let solution = column_of(options.solution_column.as_ref(), &SOLUTIONS, known, false)?;
        let width = fields.map_or_else(|| self.width(start, delimiter), |fields| fields.len());
        let numbers = || (1..=width).map(|number| number.to_string()).collect();
        let csv = Csv {
            delimiter,
            width,
            puzzle,
            solution: solution.filter(|column| *column != puzzle),
            is_named: options.column.is_some(),
            pads: options.pads,
            names: if header.is_some() { names } else { numbers() },
            header,
        };
        self.detected(Layout::of(csv), skipped)
    }

    /// The number of fields of the first well-formed row. The rows before it are one line each.
    fn width(&self, start: usize, delimiter: u8) -> usize {
        let is_row =
            |(at, line): &(usize, &[u8])| *at >= start && (!is_blank(line) || line.contains(&delimiter));
        let rows = self.known_lines().filter(is_row);
        rows.filter_map(|(at, _)| values_of(&self.text[at..], delimiter))
            .map(|row| row.len())
            .next()
            .unwrap_or(0)
    }

    fn json(&self) -> Result<Detected, Undetected> {
        let start = self.text.iter().take_while(|byte| is_white(**byte)).count();
        let first = line_at(&self.text[start..]);
        let is_document = self.text[start..].starts_with(b"[")
            && !matches!(json::parse(first), Ok(Value::Other(value)) if json::puzzle_of(value).is_ok());
        let mut lines = Cow::Borrowed(self.text);
        if is_document {
            let (mut splitter, mut elements) = (Splitter::default(), Vec::new());
            let split = splitter.split(self.text, self.is_all, &mut elements);
            if self.options.format == InputFormat::Auto {
                split.map_err(|damage| refuse::damaged_array(&damage))?;
                if !self.is_all && splitter.last < HEAD as u64 {
                    return Err(Undetected::More);
                }
            }
            lines = Cow::Owned(elements);
        }
        // The members of the first object of the head are the columns.
        let head = &lines[..line_end(&lines, lines.len().min(HEAD) - usize::from(!lines.is_empty()))];
        let mut rest = head.split(|&byte| byte == b'\n').filter(|line| !is_blank(line));
        let members = rest.find_map(|line| match json::parse(line) {
            Ok(Value::Object(members)) => Some(members),
            _ => None,
        });
        let names: Option<Vec<String>> = members.map(|members| {
            members.iter().map(|member| String::from_utf8_lossy(&member.name).into_owned()).collect()
        });
        let (mut puzzle, mut solution) = (Some(0), None);
        if let Some(names) = &names {
            puzzle = column_of(self.options.column.as_ref(), &PUZZLES, Some(names), true)?;
            solution = column_of(self.options.solution_column.as_ref(), &SOLUTIONS, Some(names), false)?;
        }
        let json = Json {
            names: names.unwrap_or_else(|| vec!["puzzle".to_owned()]),
            puzzle: puzzle.expect("it is needed"),
            solution: solution.filter(|column| Some(*column) != puzzle),
            is_named: self.options.column.is_some(),
            is_document,
        };
        Ok(Detected { is_document, ..self.detected(Layout::of(json), 0)? })
    }

    /// Checks the records that start in the head.
    fn check(&self, detected: Detected) -> Result<Detected, Undetected> {
        let layout = &detected.layout;
        let mut text = Cow::Borrowed(&self.text[detected.skipped_bytes - self.skipped..]);
        let mut is_all = self.is_all;
        if detected.is_document {
            let mut elements = Vec::new();
            // Damage was found before.
            let _ = Splitter::default().split(&text, self.is_all, &mut elements);
            (text, is_all) = (Cow::Owned(elements), true);
        }
        let known = if is_all { text.len() } else { layout.format().last_boundary(&text).unwrap_or(0) };
        let in_head = HEAD.saturating_sub(detected.skipped_bytes - self.skipped);
        let is_known = is_all || known >= in_head;
        let mut records = Records::default();
        records.read_as(layout, &text[..known], SimdLevel::detect());
        let in_head = records.listed().take_while(|(start, _)| *start < in_head);
        let puzzles: Vec<Puzzle> = in_head.filter_map(|(_, puzzle)| puzzle).collect();
        let (Some(first), name) = (puzzles.first(), layout.name()) else {
            return match records.starts().first() {
                _ if !is_known => Err(Undetected::More),
                None => Ok(detected),
                Some(&start) => {
                    let (before, record) = text.split_at(start as usize);
                    let lines = detected.skipped_lines + layout.count_lines(before);
                    Err(refuse::no_puzzle(layout, record, lines).into())
                }
            };
        };
        let is_section = |(_, line): (usize, &[u8])| {
            line.starts_with(b"[")
                && !line.get(..8).is_some_and(|start| start.eq_ignore_ascii_case(b"[puzzle]"))
        };
        if name == "npy"
            && !puzzles.iter().any(|puzzle| puzzle.cells().contains(&9))
            && self.options.blank_number.is_none()
        {
            Err(refuse::NO_NINE.to_owned().into())
        } else if name != "grid" {
            Ok(detected)
        } else if puzzles.iter().any(|puzzle| is_complete(puzzle) != is_complete(first)) {
            Err(refuse::SOLUTIONS_AMONG_GRIDS.to_owned().into())
        } else if self.known_lines().any(is_section) {
            Err(refuse::STATE_OF_A_GAME.to_owned().into())
        } else if is_known {
            Ok(detected)
        } else {
            Err(Undetected::More)
        }
    }
}

/// Whether a field is one of some names.
fn is_named(field: &[u8], names: &[&str]) -> bool {
    let start = field.iter().take_while(|&&byte| byte == b' ').count();
    let end = field.len() - field[start..].iter().rev().take_while(|&&byte| byte == b' ').count();
    names.iter().any(|name| field[start..end].eq_ignore_ascii_case(name.as_bytes()))
}

/// The delimiters of a line between which a field has one of some names; any if the whole line is such a name.
fn named_delimiters(line: &[u8], names: &[&str]) -> Vec<u8> {
    let has_name = |delimiter: u8| {
        values_of(line, delimiter).is_some_and(|fields| fields.iter().any(|field| is_named(field, names)))
    };
    let found: Vec<u8> =
        DELIMITERS.into_iter().filter(|delimiter| line.contains(delimiter) && has_name(*delimiter)).collect();
    match found.is_empty() && has_name(b'\n') {
        true => vec![b','],
        false => found,
    }
}

/// The only delimiter of the first line.
fn delimiter_of(line: &[u8], options: &InputOptions) -> Result<u8, String> {
    let mut found = Vec::new();
    if !options.no_header {
        found = match &options.column {
            Some(ColumnRef::Name(name)) => named_delimiters(line, &[name]),
            _ => named_delimiters(line, &PUZZLES),
        };
    }
    if found.is_empty() {
        found = DELIMITERS.into_iter().filter(|delimiter| line.contains(delimiter)).collect();
    }
    match found[..] {
        [] => Ok(b','),
        [delimiter] => Ok(delimiter),
        _ => Err(refuse::several_delimiters(&found)),
    }
}

/// The index of the column that an option names, or else of the only one with one of the names. `None` if it is not needed.
fn column_of(
    option: Option<&ColumnRef>,
    names: &[&str],
    header: Option<&[String]>,
    is_needed: bool,
) -> Result<Option<usize>, String> {
    let columns = header.unwrap_or_default();
    let wanted = match option {
        Some(ColumnRef::Index(index)) if header.is_none() || *index < columns.len() => {
            return Ok(Some(*index));
        }
        Some(ColumnRef::Index(index)) => Some((index + 1).to_string()),
        Some(ColumnRef::Name(name)) => Some(name.clone()),
        None => None,
    };
    let wanted_name = [wanted.as_deref().unwrap_or_default()];
    let names = if wanted.is_some() { &wanted_name[..] } else { names };
    let mut found = (0..columns.len()).filter(|index| is_named(columns[*index].as_bytes(), names));
    match (found.next(), found.next()) {
        (Some(index), None) => Ok(Some(index)),
        (first, _) if is_needed || wanted.is_some() => {
            Err(refuse::column(wanted.as_deref(), first.is_some(), header))
        }
        _ => Ok(None),
    }
}
