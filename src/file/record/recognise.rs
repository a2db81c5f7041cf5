//! Stage 2, records: recognition of the layout of an input from its first lines.
//!
//! Known formats that are not text with puzzles (other archives, JSON, HTML) are an error. Otherwise these steps follow;
//! [`InputFormat`] overrides them:
//!
//! 1. Lines with a field that looks like pencilmarks: the puzzles are pencilmarks. If other lines have a puzzle of 81
//!    cells: ambiguous.
//! 2. Lines of nine cells and no line with a puzzle: grids. Lines of both kinds: ambiguous.
//! 3. For each delimiter, the fields that contain 81 cells in some line, except rare ones. The delimiter with the most
//!    puzzles wins. If all puzzles are at the start of their lines: lines, not a table. Pencilmarks are always a table,
//!    possibly of one column.
//! 4. A first line without a puzzle is a header if a field has a well-known name ([`PUZZLES`]), or if it has several
//!    fields and all start with a letter.
//! 5. The puzzle is the field with a well-known name, or the only one with blanks, or the only one. If several fields
//!    qualify: ambiguous.
//!
//! A text in which none of these steps finds a puzzle is one of lines, if a line resembles a puzzle (40 or more cells without
//! another character between them, at least one of them a clue) or there are only blank lines and comments. Otherwise it is
//! rejected: a README is an error, not a hundred invalid records. For this decision the first MiB is examined, so the
//! first records of an input may be invalid.

use std::fmt::Write;

use memchr::memchr;

use super::rows::split;
use super::{
    BYTE_ORDER_MARK, Grids, Kind, Layout, Rejection, Rows, foreign, grids, is_record, pencilmarks, quotes,
};
use crate::grid::{CELLS, is_cell, parse_line};

/// The number of bytes examined at the start of an input.
pub(in super::super) const SAMPLE: usize = 32 << 10;
/// The maximal number of lines examined.
const LINES: usize = 200;

/// Well-known names of the columns of puzzles and of solutions.
const PUZZLES: [&str; 10] =
    ["puzzle", "puzzles", "question", "questions", "quiz", "quizzes", "sudoku", "unsolved", "board", "grid"];
const SOLUTIONS: [&str; 5] = ["solution", "solutions", "answer", "answers", "solved"];

/// Delimiters, the most likely first.
const DELIMITERS: [u8; 5] = [b',', b'\t', b';', b'|', b' '];

/// The format of an input, as far as the user knows it. The default recognises everything from the content.
///
/// ```
/// use rapidoku::file::{Config, Form, InputFormat};
///
/// let format = InputFormat::default().form(Form::Csv).delimiter(b';').column("question").solution_column("answer");
/// let config = Config::default().input("puzzles.csv").format(format);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputFormat {
    /// The kind of layout.
    pub form: Form,
    /// The byte between fields; any but `"` and line ends.
    pub delimiter: Option<u8>,
    /// The column of the puzzles.
    pub column: Option<ColumnRef>,
    /// The column of the solutions.
    pub solution_column: Option<ColumnRef>,
    /// Whether the first line is a record instead of a header.
    pub no_header: bool,
}

impl InputFormat {
    /// Sets the kind of layout.
    pub fn form(mut self, form: Form) -> InputFormat {
        self.form = form;
        self
    }

    /// Sets the byte between fields; any but `"` and line ends.
    pub fn delimiter(mut self, delimiter: u8) -> InputFormat {
        self.delimiter = Some(delimiter);
        self
    }

    /// Sets the column of the puzzles: a name, or an index from 0.
    pub fn column(mut self, column: impl Into<ColumnRef>) -> InputFormat {
        self.column = Some(column.into());
        self
    }

    /// Sets the column of the solutions: a name, or an index from 0.
    pub fn solution_column(mut self, column: impl Into<ColumnRef>) -> InputFormat {
        self.solution_column = Some(column.into());
        self
    }

    /// Sets whether the first line is a record instead of a header.
    pub fn no_header(mut self, no_header: bool) -> InputFormat {
        self.no_header = no_header;
        self
    }
}

/// A kind of input layout.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// Recognised from the content.
    #[default]
    Auto,
    /// A puzzle at the start of each line.
    Lines,
    /// A puzzle in a field of each line; separated by commas unless another delimiter is given or found.
    Csv,
    /// The same, separated by tabs.
    Tsv,
    /// A puzzle in nine lines.
    Grids,
    /// A puzzle in pencilmarks, 729 characters, in a field of each line.
    Pencilmarks,
}

/// A reference to a column of a table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ColumnRef {
    /// An index from 0.
    Index(usize),
    /// A name in the header. If no name is equal, one that differs only in case is used.
    Name(String),
}

impl ColumnRef {
    /// Interprets a command line argument: a number from 1, or a name.
    pub fn from_argument(text: &str) -> ColumnRef {
        match text.parse() {
            Ok(number @ 1usize..) => ColumnRef::Index(number - 1),
            _ => ColumnRef::Name(text.to_owned()),
        }
    }
}

/// An index from 0.
impl From<usize> for ColumnRef {
    fn from(index: usize) -> ColumnRef {
        ColumnRef::Index(index)
    }
}

/// A name.
impl From<&str> for ColumnRef {
    fn from(name: &str) -> ColumnRef {
        ColumnRef::Name(name.to_owned())
    }
}

/// A recognised layout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Recognised {
    pub layout: Layout,
    /// The number of bytes and lines before the first record: byte order mark, comments and header.
    pub skipped_bytes: usize,
    pub skipped_lines: u64,
}

impl Recognised {
    /// Puzzles at the start of the lines of `text`.
    pub fn lines(text: &[u8]) -> Recognised {
        let skipped_bytes = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        Recognised { layout: Kind::Lines.into(), skipped_bytes, skipped_lines: 0 }
    }
}

/// Recognises the layout of the text that starts with `head`, which is the complete text if `is_all`.
///
/// # Errors
/// The reason, if the layout is ambiguous, unsupported or contradicts `format`.
pub(in super::super) fn recognise(
    head: &[u8],
    is_all: bool,
    format: &InputFormat,
) -> Result<Recognised, Rejection> {
    foreign::detect(head)?;
    // A given format is believed.
    if format.form == Form::Auto {
        foreign::detect_markup(head)?;
    }
    let bom = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let text = &head[bom..];
    let found = |kind: Kind| Recognised { layout: kind.into(), skipped_bytes: bom, skipped_lines: 0 };
    let as_grids = |text| found(Kind::Grids(Grids { rules_are_rows: grids::rules_are_rows(text) }));
    let wants_rows = format.delimiter.is_some() || format.column.is_some();
    if let Some(delimiter @ (b'"' | b'\n' | b'\r')) = format.delimiter {
        return Err(format!("unsupported delimiter '{}'", delimiter.escape_ascii()).into());
    }
    match format.form {
        Form::Lines => return Ok(found(Kind::Lines)),
        Form::Grids => return Ok(as_grids(text)),
        _ => {}
    }
    let mut sample = sample(text, is_all, format.delimiter);
    sample.pencilmarks = format.form == Form::Pencilmarks || sample.looks_like_pencilmarks()?;
    if sample.pencilmarks || wants_rows || format.form != Form::Auto {
        return Ok(sample.table(format, bom)?);
    }
    let puzzles = sample.records.iter().filter(|line| parse_line(line.text).is_ok()).count();
    let mut rows = sample.records.iter().filter(|line| grids::is_row_of_nine(line.text));
    match (rows.clone().count(), puzzles) {
        (9.., 1..) => Err(format!(
            "ambiguous format: lines of nine cells (line {}) and puzzles in one line; choose one with --input-format",
            rows.next().map_or(0, |line| line.number)
        )
        .into()),
        (5.., 0) => Ok(as_grids(text)),
        _ if sample.has_fields(format) => Ok(sample.table(format, bom)?),
        (_, 0) => foreign::examine(text).map(|()| found(Kind::Lines)),
        _ => Ok(found(Kind::Lines)),
    }
}

/// The lines at the head of a text that may be records. A row of several lines is one of them.
struct Sample<'t> {
    text: &'t [u8],
    is_all: bool,
    records: Vec<Line<'t>>,
    /// Whether the puzzles are pencilmarks.
    pencilmarks: bool,
}

struct Line<'t> {
    text: &'t [u8],
    /// The line number, from 1.
    number: u64,
    /// The offset of the next line, and the number of lines before it.
    next: usize,
    lines: u64,
}

/// Splits the head of a text. If the delimiter is unknown, lines are joined to a row if that is one for any delimiter.
fn sample(text: &[u8], is_all: bool, delimiter: Option<u8>) -> Sample<'_> {
    let whole = if is_all { text.len() } else { memchr::memrchr(b'\n', text).map_or(0, |at| at + 1) };
    let length = |text: &[u8]| {
        let lengths = |delimiters: &[u8]| delimiters.iter().map(|&byte| quotes::row_length(text, byte)).max();
        delimiter.map_or(lengths(&DELIMITERS), |byte| lengths(&[byte])).expect("there are delimiters")
    };
    let (mut next, mut lines, mut records) = (0, 0, Vec::new());
    while next < whole && records.len() < LINES {
        let row = &text[next..next + length(&text[next..whole])];
        let number = lines + 1;
        next = (next + row.len() + 1).min(whole);
        lines += super::line_feeds(row) + 1;
        if is_record(row) {
            records.push(Line { text: row.strip_suffix(b"\r").unwrap_or(row), number, next, lines });
        }
    }
    Sample { text, is_all, records, pencilmarks: false }
}

impl<'t> Sample<'t> {
    /// Whether lines contain pencilmarks.
    ///
    /// # Errors
    /// If other lines have a puzzle of 81 cells.
    fn looks_like_pencilmarks(&self) -> Result<bool, String> {
        let has = |line: &Line, wanted: fn(&[u8]) -> bool| {
            line.text.split(|&byte| is_delimiter(byte) || byte == b'"').any(wanted)
        };
        let Some(first) = self.records.iter().find(|line| has(line, pencilmarks::looks_like)) else {
            return Ok(false);
        };
        let is_other = |line: &&Line| !has(line, pencilmarks::looks_like) && has(line, is_puzzle);
        match self.records.iter().find(is_other) {
            None => Ok(true),
            Some(other) => Err(format!(
                "ambiguous format: pencilmarks (line {}) and puzzles of 81 cells (line {}); split the file, or choose one \
                 with --input-format",
                first.number, other.number
            )),
        }
    }

    /// The fields that contain puzzles, and how often the most frequent one does.
    fn puzzle_fields(&self, delimiter: u8) -> (Vec<usize>, usize) {
        self.fields(delimiter, if self.pencilmarks { pencilmarks::looks_like } else { is_puzzle })
    }

    /// The fields that are as `wanted` at least half as often as the most frequent one, and the count of that one.
    fn fields(&self, delimiter: u8, wanted: fn(&[u8]) -> bool) -> (Vec<usize>, usize) {
        let mut counts = Vec::new();
        // The first line may be a header.
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

    /// The delimiter that gives the most puzzles, and the fields that contain them.
    fn delimiter(&self, format: &InputFormat) -> Option<(u8, Vec<usize>)> {
        let given = format.delimiter.or((format.form == Form::Tsv).then_some(b'\t'));
        let candidates = given.map_or(DELIMITERS.to_vec(), |byte| vec![byte]);
        let tried = candidates.into_iter().map(|byte| (byte, self.puzzle_fields(byte)));
        // Ties: the delimiter with more such fields wins, then the first one.
        let best = tried.rev().max_by_key(|(_, (fields, most))| (*most, fields.len()));
        best.map(|(byte, (fields, _))| (byte, fields))
            .filter(|(_, fields)| given.is_some() || !fields.is_empty())
    }

    /// Whether lines have other fields than a puzzle at their start.
    fn has_fields(&self, format: &InputFormat) -> bool {
        let Some(first) = self.records.first() else { return false };
        match self.delimiter(format) {
            Some((delimiter, fields)) if parse_line(first.text).is_ok() => {
                format.solution_column.is_some() || (fields != [0] && split(first.text, delimiter).len() > 1)
            }
            Some((delimiter, fields)) => {
                fields != [0]
                    || first.text[0] == b'"'
                    || (!format.no_header && is_header(&split(first.text, delimiter), &fields))
            }
            None => self.records.len() == 1 && !format.no_header && self.lone_header().is_some(),
        }
    }

    /// The delimiter of a header without rows.
    fn lone_header(&self) -> Option<u8> {
        let first = self.records.first()?;
        let names = |delimiter: &u8| split(first.text, *delimiter).iter().any(|name| named(name, &PUZZLES));
        DELIMITERS.into_iter().find(names)
    }

    fn table(&self, format: &InputFormat, bom: usize) -> Result<Recognised, String> {
        let fallback = || format.delimiter.or(self.lone_header()).unwrap_or(b',');
        let (delimiter, fields) = self.delimiter(format).unwrap_or_else(|| (fallback(), Vec::new()));
        let is_joined = |line: &Line| memchr(b'\n', line.text).is_some();
        if format.delimiter.is_none() && self.records.iter().any(is_joined) {
            // Lines may have been joined for another delimiter.
            let sample =
                Sample { pencilmarks: self.pencilmarks, ..sample(self.text, self.is_all, Some(delimiter)) };
            return sample.table(&InputFormat { delimiter: Some(delimiter), ..format.clone() }, bom);
        }
        let first = self.records.first().map(|line| split(line.text, delimiter)).unwrap_or_default();
        let by_name = matches!(format.column, Some(ColumnRef::Name(_)))
            && !first.iter().any(|field| foreign::has_possible_puzzle(field));
        let has_header = !format.no_header && (by_name || is_header(&first, &fields));
        let names: Vec<String> = match has_header {
            true => {
                first.iter().map(|name| String::from_utf8_lossy(name.trim_ascii()).into_owned()).collect()
            }
            false => (1..=first.len()).map(|number| number.to_string()).collect(),
        };
        let table = Table { sample: self, delimiter, fields, names, has_header };
        let puzzle = table.puzzle(format)?;
        let solution = table.solution(format, puzzle)?;
        let (skipped_bytes, skipped_lines) = match self.records.first() {
            Some(header) if has_header => (bom + header.next, header.lines),
            _ => (bom, 0),
        };
        let header = self.records.first().filter(|_| has_header).map(|line| line.text.to_vec());
        let pencilmarks = self.pencilmarks;
        let rows = Rows { delimiter, puzzle, pencilmarks, solution, names: table.names, header };
        Ok(Recognised { layout: Kind::Rows(rows).into(), skipped_bytes, skipped_lines })
    }
}

/// A table whose columns are to be identified.
struct Table<'s> {
    sample: &'s Sample<'s>,
    delimiter: u8,
    /// Columns that contain puzzles.
    fields: Vec<usize>,
    names: Vec<String>,
    has_header: bool,
}

impl Table<'_> {
    fn puzzle(&self, format: &InputFormat) -> Result<usize, String> {
        if let Some(column) = &format.column {
            return self.find(column);
        }
        let named = self.named(&PUZZLES);
        let with_blanks = self.with_blanks();
        match (&named[..], &with_blanks[..], &self.fields[..]) {
            (&[index], ..) => Ok(index),
            (_, &[index], _) => Ok(index),
            (_, [], &[index]) => Ok(index),
            // With an explicit form, the only column may consist of invalid pencilmarks.
            ([], [], []) if format.form == Form::Pencilmarks => Ok(0),
            ([], [], []) => Err(format!("no column of puzzles: {}", self.describe())),
            (named, with_blanks, all) => {
                let several =
                    [named, with_blanks, all].into_iter().find(|found| found.len() > 1).unwrap_or(all);
                Err(format!(
                    "ambiguous column: puzzles may be in {}; choose one with --column",
                    self.list(several)
                ))
            }
        }
    }

    fn solution(&self, format: &InputFormat, puzzle: usize) -> Result<Option<usize>, String> {
        if let Some(column) = &format.solution_column {
            return self.find(column).map(Some);
        }
        if let [index] = self.named(&SOLUTIONS)[..] {
            return Ok(Some(index));
        }
        let with_blanks = self.with_blanks();
        let full: Vec<_> = if self.sample.pencilmarks {
            self.sample.fields(self.delimiter, is_puzzle).0
        } else {
            let others = self.fields.iter().copied();
            others.filter(|index| *index != puzzle && !with_blanks.contains(index)).collect()
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
                    false => Err(format!("no column {}: {}", index.saturating_add(1), self.describe())),
                }
            }
            ColumnRef::Name(name) => {
                find_name(&self.names, name).ok_or_else(|| format!("no column '{name}': {}", self.describe()))
            }
        }
    }

    fn named(&self, names: &[&str]) -> Vec<usize> {
        let is_named = |&index: &usize| self.has_header && named(self.names[index].as_bytes(), names);
        (0..self.names.len()).filter(is_named).collect()
    }

    /// The columns of puzzles with blanks. A few blanks, compared to another column, are errors in solutions.
    fn with_blanks(&self) -> Vec<usize> {
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

    fn describe(&self) -> String {
        match (self.sample.text.is_empty(), self.has_header) {
            (true, _) => "the input is empty".to_owned(),
            (_, true) => format!("the header has {}", self.list(&(0..self.names.len()).collect::<Vec<_>>())),
            (_, false) => {
                let plural = if self.names.len() == 1 { "" } else { "s" };
                format!("there is no header, and the first row has {} field{plural}", self.names.len())
            }
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

/// The index of a name, or else of one that differs only in case.
pub(in super::super) fn find_name(names: &[String], name: &str) -> Option<usize> {
    let exact = names.iter().position(|other| other == name);
    exact.or_else(|| names.iter().position(|other| other.eq_ignore_ascii_case(name)))
}

fn named(field: &[u8], names: &[&str]) -> bool {
    let field = field.trim_ascii();
    names.iter().any(|name| name.as_bytes().eq_ignore_ascii_case(field))
}

/// Whether a byte may separate fields.
pub(super) fn is_delimiter(byte: u8) -> bool {
    DELIMITERS.contains(&byte)
}

fn is_puzzle(field: &[u8]) -> bool {
    field.len() == CELLS && field.iter().all(|&byte| is_cell(byte))
}

/// Whether the fields of the first line are column names. `puzzles` are the indices of the columns of puzzles.
fn is_header(fields: &[Vec<u8>], puzzles: &[usize]) -> bool {
    let holds_puzzle = fields.iter().any(|field| foreign::has_possible_puzzle(field));
    let has_places = puzzles.iter().all(|&index| index < fields.len());
    let like_names = fields.iter().all(|field| field.is_empty() || field[0].is_ascii_alphabetic());
    let is_named = fields.iter().any(|field| named(field, &PUZZLES));
    !holds_puzzle
        && has_places
        && (is_named || (fields.len() > 1 && like_names && !fields.concat().is_empty()))
}
