//! Which layout a text has, by the look of its first lines.
//!
//! What is known to be no text of puzzles (an archive of another kind, say) is an error, and so is what shows no
//! puzzle and looks binary. Else the steps, each of which what the user says ([`InputFormat`]) cuts short:
//!
//! 1. Lines with a field of pencilmarks (or what looks like it): puzzles are in pencilmarks. Lines with a puzzle of 81
//!    cells but no such field as well: ambiguous.
//! 2. Lines of nine cells, and none with a puzzle: grids. Both of them: ambiguous.
//! 3. For each delimiter, the fields that are 81 cells in any line, give or take strays. The delimiter that
//!    finds most of them counts; where none finds any but at the start of the first line: lines. Of pencilmarks the
//!    same, but that these are always a table, if only of one column.
//! 4. A first line without such a field is a header if a field has a telling name ([`PUZZLES`]), or if it
//!    has several fields and all start with a letter.
//! 5. The puzzle is the field with a telling name; else the only one with blanks; else the only one.
//!    Several that may be it: ambiguous.

use std::fmt::Write;

use super::rows::split;
use super::{BYTE_ORDER_MARK, Grids, Layout, Rows, foreign, grids, is_record, pencilmarks};
use crate::grid::{CELLS, is_cell, parse_line};

/// Bytes from the start of an input that are looked at.
pub(in super::super) const SAMPLE: usize = 32 << 10;
/// Lines of it that count.
const LINES: usize = 200;

/// Names of columns that hold puzzles, and that hold solutions.
const PUZZLES: [&str; 10] =
    ["puzzle", "puzzles", "question", "questions", "quiz", "quizzes", "sudoku", "unsolved", "board", "grid"];
const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

/// Between fields, the likeliest first.
const DELIMITERS: [u8; 5] = [b',', b'\t', b';', b'|', b' '];

/// What the user says about an input. The default says nothing: all is told by content.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputFormat {
    /// The kind of layout.
    pub form: Form,
    /// What is between fields.
    pub delimiter: Option<u8>,
    /// Where the puzzle is.
    pub column: Option<ColumnRef>,
    /// Where the solution is.
    pub solution_column: Option<ColumnRef>,
    /// The first line is a record, not a header.
    pub no_header: bool,
}

/// The kinds of layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// By content.
    #[default]
    Auto,
    /// [`Layout::Lines`].
    Lines,
    /// [`Layout::Rows`], with commas unless another delimiter is given or found.
    Csv,
    /// [`Layout::Rows`] with tabs.
    Tsv,
    /// [`Layout::Grids`].
    Grids,
    /// [`Layout::Rows`] of puzzles in pencilmarks.
    Pencilmarks,
}

/// A column of a table, as a user calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ColumnRef {
    /// By its place, from 0.
    Index(usize),
    /// By its name in the header.
    Name(String),
}

impl ColumnRef {
    /// A number, counted from 1, or a name.
    pub fn from_argument(text: &str) -> ColumnRef {
        match text.parse() {
            Ok(number @ 1usize..) => ColumnRef::Index(number - 1),
            _ => ColumnRef::Name(text.to_owned()),
        }
    }
}

/// What was made out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Recognised {
    pub layout: Layout,
    /// Bytes and lines before the first record: a byte order mark, comments and a header.
    pub skipped_bytes: usize,
    pub skipped_lines: u64,
}

/// Makes out the layout of the text that starts with `head`, which is all of it if `is_all`.
///
/// # Errors
/// What was seen, if that may mean different things or is not what `reading` says.
pub(in super::super) fn recognise(
    head: &[u8],
    is_all: bool,
    reading: &InputFormat,
) -> Result<Recognised, String> {
    if let Some(kind) = foreign::kind(head) {
        return Err(kind);
    }
    let mark = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let text = &head[mark..];
    let found = |layout| Recognised { layout, skipped_bytes: mark, skipped_lines: 0 };
    let as_grids = |text| found(Layout::Grids(Grids { rules_are_rows: grids::rules_are_rows(text) }));
    let wants_rows = reading.delimiter.is_some() || reading.column.is_some();
    match reading.form {
        Form::Lines => return Ok(found(Layout::Lines)),
        Form::Grids => return Ok(as_grids(text)),
        _ => {}
    }
    let mut sample = sample(text, is_all);
    sample.pencilmarks = reading.form == Form::Pencilmarks || sample.looks_like_pencilmarks()?;
    if sample.pencilmarks || wants_rows || reading.form != Form::Auto {
        return sample.table(reading, mark);
    }
    let puzzles = sample.records.iter().filter(|line| parse_line(line.text).is_ok()).count();
    let mut rows = sample.records.iter().filter(|line| grids::is_row_of_nine(line.text));
    match (rows.clone().count(), puzzles) {
        (9.., 1..) => Err(format!(
            "lines of nine cells, like line {}, and puzzles in one line; say which with --input-format",
            rows.next().map_or(0, |line| line.number)
        )),
        (5.., 0) => Ok(as_grids(text)),
        _ if sample.has_fields(reading) => sample.table(reading, mark),
        (_, 0) => foreign::trouble(text).map_or(Ok(found(Layout::Lines)), Err),
        _ => Ok(found(Layout::Lines)),
    }
}

/// The lines of the head of a text that may be records.
struct Sample<'t> {
    text: &'t [u8],
    records: Vec<Line<'t>>,
    /// Whether puzzles are in pencilmarks.
    pencilmarks: bool,
}

struct Line<'t> {
    text: &'t [u8],
    /// From 1.
    number: u64,
    /// Where the next one starts.
    next: usize,
}

fn sample(text: &[u8], is_all: bool) -> Sample<'_> {
    let whole = if is_all { text.len() } else { memchr::memrchr(b'\n', text).map_or(0, |at| at + 1) };
    let mut next = 0;
    let lines = text[..whole].split_inclusive(|&byte| byte == b'\n').zip(1..).map(|(line, number)| {
        next += line.len();
        let line = line.strip_suffix(b"\n").unwrap_or(line);
        Line { text: line.strip_suffix(b"\r").unwrap_or(line), number, next }
    });
    let records = lines.filter(|line| is_record(line.text)).take(LINES).collect();
    Sample { text, records, pencilmarks: false }
}

impl<'t> Sample<'t> {
    /// Whether lines have a field of pencilmarks; an error if others have a puzzle of another kind.
    fn looks_like_pencilmarks(&self) -> Result<bool, String> {
        let has = |line: &Line, wanted: fn(&[u8]) -> bool| {
            line.text.split(|&byte| is_delimiter(byte) || byte == b'"').any(wanted)
        };
        let Some(first) = self.records.iter().find(|line| has(line, pencilmarks::is_like)) else {
            return Ok(false);
        };
        let is_other = |line: &&Line| !has(line, pencilmarks::is_like) && has(line, is_puzzle);
        match self.records.iter().find(is_other) {
            None => Ok(true),
            Some(other) => Err(format!(
                "pencilmarks, like line {}, and puzzles of 81 cells, like line {}; take them apart, or say which with \
                 --input-format",
                first.number, other.number
            )),
        }
    }

    /// The fields that hold puzzles.
    fn puzzle_fields(&self, delimiter: u8) -> (Vec<usize>, usize) {
        self.fields(delimiter, if self.pencilmarks { pencilmarks::is_like } else { is_puzzle })
    }

    /// The fields that are as wanted, at least half as often as the one that is so most often, and how often that is.
    fn fields(&self, delimiter: u8, wanted: fn(&[u8]) -> bool) -> (Vec<usize>, usize) {
        let mut counts = Vec::new();
        // The first may be a header.
        let body = if self.records.len() > 1 { &self.records[1..] } else { &self.records[..] };
        for line in body {
            for (index, field) in split(line.text, delimiter).iter().enumerate() {
                counts.resize(counts.len().max(index + 1), 0);
                counts[index] += usize::from(wanted(field));
            }
        }
        let most = counts.iter().copied().max().unwrap_or(0);
        let fields =
            (0..counts.len()).filter(|&index| counts[index] > 0 && counts[index] * 2 >= most).collect();
        (fields, most)
    }

    /// The delimiter that finds most puzzles, and in which fields it does.
    fn delimiter(&self, reading: &InputFormat) -> Option<(u8, Vec<usize>)> {
        let given = reading.delimiter.or((reading.form == Form::Tsv).then_some(b'\t'));
        let candidates = given.map_or(DELIMITERS.to_vec(), |byte| vec![byte]);
        let tried = candidates.into_iter().map(|byte| (byte, self.puzzle_fields(byte)));
        // Of several that find as many, the one that finds them in more fields, then the first.
        let best = tried.rev().max_by_key(|(_, (fields, most))| (*most, fields.len()));
        best.map(|(byte, (fields, _))| (byte, fields))
            .filter(|(_, fields)| given.is_some() || !fields.is_empty())
    }

    /// Whether there is more to a line than a puzzle at its start.
    fn has_fields(&self, reading: &InputFormat) -> bool {
        let Some(first) = self.records.first() else { return false };
        match self.delimiter(reading) {
            Some((delimiter, fields)) if parse_line(first.text).is_ok() => {
                reading.solution_column.is_some() || (fields != [0] && split(first.text, delimiter).len() > 1)
            }
            Some((delimiter, fields)) => {
                fields != [0]
                    || first.text[0] == b'"'
                    || (!reading.no_header && is_header(&split(first.text, delimiter), &fields))
            }
            None => self.records.len() == 1 && !reading.no_header && self.lone_header().is_some(),
        }
    }

    /// The delimiter of a header with nothing below it.
    fn lone_header(&self) -> Option<u8> {
        let first = self.records.first()?;
        let names = |delimiter: &u8| split(first.text, *delimiter).iter().any(|name| named(name, &PUZZLES));
        DELIMITERS.into_iter().find(names)
    }

    fn table(&self, reading: &InputFormat, mark: usize) -> Result<Recognised, String> {
        let fallback = || reading.delimiter.or(self.lone_header()).unwrap_or(b',');
        let (delimiter, fields) = self.delimiter(reading).unwrap_or_else(|| (fallback(), Vec::new()));
        let first = self.records.first().map(|line| split(line.text, delimiter)).unwrap_or_default();
        let by_name = matches!(reading.column, Some(ColumnRef::Name(_)));
        let has_header = !reading.no_header && (by_name || is_header(&first, &fields));
        let names: Vec<String> = match has_header {
            true => {
                first.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect()
            }
            false => (1..=first.len()).map(|number| number.to_string()).collect(),
        };
        let table = Table { sample: self, delimiter, fields, names, has_header };
        let puzzle = table.puzzle(reading)?;
        let solution = table.solution(reading, puzzle)?;
        let (skipped_bytes, skipped_lines) = match self.records.first() {
            Some(header) if has_header => (mark + header.next, header.number),
            _ => (mark, 0),
        };
        let header = self.records.first().filter(|_| has_header).map(|line| line.text.to_vec());
        let pencilmarks = self.pencilmarks;
        let layout =
            Layout::Rows(Rows { delimiter, puzzle, pencilmarks, solution, names: table.names, header });
        Ok(Recognised { layout, skipped_bytes, skipped_lines })
    }
}

/// A table whose columns are to be told apart.
struct Table<'s> {
    sample: &'s Sample<'s>,
    delimiter: u8,
    /// Columns of 81 cells.
    fields: Vec<usize>,
    names: Vec<String>,
    has_header: bool,
}

impl Table<'_> {
    fn puzzle(&self, reading: &InputFormat) -> Result<usize, String> {
        if let Some(column) = &reading.column {
            return self.find(column);
        }
        let named = self.named(&PUZZLES);
        let open = self.open();
        match (&named[..], &open[..], &self.fields[..]) {
            (&[index], ..) => Ok(index),
            (_, &[index], _) => Ok(index),
            (_, [], &[index]) => Ok(index),
            // Pencilmarks may be alone in their line, and bad.
            ([], [], []) if reading.form == Form::Pencilmarks => Ok(0),
            ([], [], []) => Err(format!("no column of puzzles: {}", self.seen())),
            (named, open, all) => {
                let several = [named, open, all].into_iter().find(|found| found.len() > 1).unwrap_or(all);
                Err(format!("puzzles may be in {}; say where with --column", self.list(several)))
            }
        }
    }

    fn solution(&self, reading: &InputFormat, puzzle: usize) -> Result<Option<usize>, String> {
        if let Some(column) = &reading.solution_column {
            return self.find(column).map(Some);
        }
        if let [index] = self.named(&SOLUTIONS)[..] {
            return Ok(Some(index));
        }
        let open = self.open();
        let full: Vec<_> = if self.sample.pencilmarks {
            self.sample.fields(self.delimiter, is_puzzle).0
        } else {
            let others = self.fields.iter().copied();
            others.filter(|index| *index != puzzle && !open.contains(index)).collect()
        };
        Ok(if let [index] = full[..] { Some(index) } else { None })
    }

    fn find(&self, column: &ColumnRef) -> Result<usize, String> {
        match column {
            ColumnRef::Index(index) => {
                let has = |line: &Line| *index < split(line.text, self.delimiter).len();
                let records = &self.sample.records;
                match records.is_empty() || records.iter().any(has) {
                    true => Ok(*index),
                    false => Err(format!("no column {}: {}", index + 1, self.seen())),
                }
            }
            ColumnRef::Name(name) => {
                find_name(&self.names, name).ok_or_else(|| format!("no column '{name}': {}", self.seen()))
            }
        }
    }

    fn named(&self, telling: &[&str]) -> Vec<usize> {
        let is_named = |&index: &usize| self.has_header && named(self.names[index].as_bytes(), telling);
        (0..self.names.len()).filter(is_named).collect()
    }

    /// The columns of 81 cells that have blanks. A few, beside a column with many, are mistakes in solutions.
    fn open(&self) -> Vec<usize> {
        if self.sample.pencilmarks {
            return self.fields.clone();
        }
        let blanks = |&index: &usize| {
            let lines = self.sample.records.iter().map(|line| split(line.text, self.delimiter));
            let fields =
                lines.filter_map(|mut fields| (index < fields.len()).then(|| fields.swap_remove(index)));
            let of_field =
                |field: Vec<u8>| field.iter().filter(|byte| !(b'1'..=b'9').contains(*byte)).count();
            fields.filter(|field| is_puzzle(field)).map(of_field).sum::<usize>()
        };
        let counts: Vec<_> = self.fields.iter().map(blanks).collect();
        let most = counts.iter().copied().max().unwrap_or(0);
        let columns = self.fields.iter().zip(counts);
        columns.filter(|&(_, blanks)| blanks > 0 && blanks * 4 >= most).map(|(&index, _)| index).collect()
    }

    fn seen(&self) -> String {
        match (self.sample.text.is_empty(), self.has_header) {
            (true, _) => "it is empty".to_owned(),
            (_, true) => format!("the header has {}", self.list(&(0..self.names.len()).collect::<Vec<_>>())),
            (_, false) => format!("its first row has {} fields and no header", self.names.len()),
        }
    }

    fn list(&self, columns: &[usize]) -> String {
        let mut list = String::from(if columns.len() == 1 { "column " } else { "columns " });
        for (i, &index) in columns.iter().enumerate() {
            let before = match i {
                0 => "",
                _ if i + 1 == columns.len() => " and ",
                _ => ", ",
            };
            let name = self.names.get(index).cloned().unwrap_or_else(|| (index + 1).to_string());
            let _ = write!(list, "{before}{name}");
        }
        list
    }
}

/// The place of a name, or else of one that differs in nothing but case.
pub(in super::super) fn find_name(names: &[String], name: &str) -> Option<usize> {
    let exact = names.iter().position(|other| other == name);
    exact.or_else(|| names.iter().position(|other| other.eq_ignore_ascii_case(name)))
}

fn named(field: &[u8], telling: &[&str]) -> bool {
    let field = field.trim_ascii();
    telling.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(field))
}

/// Whether it may stand between fields.
pub(super) fn is_delimiter(byte: u8) -> bool {
    DELIMITERS.contains(&byte)
}

fn is_puzzle(field: &[u8]) -> bool {
    field.len() == CELLS && field.iter().all(|&byte| is_cell(byte))
}

/// Whether the fields of a first line are the names of those below, of which `puzzles` hold puzzles.
fn is_header(fields: &[Vec<u8>], puzzles: &[usize]) -> bool {
    let holds_puzzle = fields.iter().any(|field| is_puzzle(field));
    let has_places = puzzles.iter().all(|&index| index < fields.len());
    let like_names = fields.iter().all(|field| field.is_empty() || field[0].is_ascii_alphabetic());
    let is_named = fields.iter().any(|field| named(field, &PUZZLES));
    !holds_puzzle
        && has_places
        && (is_named || (fields.len() > 1 && like_names && !fields.concat().is_empty()))
}
