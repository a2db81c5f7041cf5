//! Stage 2, records: recognition of the layout of an input from its first lines.
//!
//! An array of NumPy starts with magic bytes. Known formats that are not text with puzzles (other archives, HTML) are an
//! error. A first line that is an object of JSON means JSON lines, a tag `opensudoku` XML. Otherwise these steps follow; [`InputFormat`] overrides
//! them:
//!
//! 1. Lines with a field that looks like pencilmarks: the puzzles are pencilmarks. If other lines have a puzzle of 81
//!    cells: ambiguous.
//! 2. Lines of nine cells and no line with a puzzle: grids. Lines of both kinds: ambiguous.
//! 3. Lines of nine lists of candidates: candidate grids. Lines with 81 fields of one cell, and no field with a puzzle: a table
//!    with a column per cell, see `spread.rs`.
//! 4. For each delimiter, the fields that contain 81 cells in some line, except rare ones. The delimiter with the most
//!    puzzles wins. If all puzzles are at the start of their lines: lines, not a table. Pencilmarks are always a table,
//!    possibly of one column.
//! 5. A first line without a puzzle is a header if a field has a well-known name ([`PUZZLES`]), or if it has several
//!    fields and all start with a letter.
//! 6. `choose.rs` chooses the field of the puzzle.
//!
//! A text in which none of these steps finds a puzzle is one of lines, if a line resembles a puzzle (40 or more cells without
//! another character between them, at least one of them a clue) or there are only blank lines and comments. Otherwise it is
//! rejected: a README is an error, not a hundred invalid records. For this decision the first MiB is examined, so the
//! first records of an input may be invalid.

use memchr::memchr;

use super::candidate_grids::{self, CandidateGrids};
use super::choose::{Choice, PUZZLES, is_puzzle, named, puzzle_fields};
use super::foreign::{self, Rejection, RejectionKind};
use super::format::Header;
use super::grids::{self, Grids};
use super::input_format::{ColumnRef, Form, InputFormat, SAMPLE, SAMPLED_LINES};
use super::layout::Layout;
use super::lines::{Lines, note};
use super::opensudoku::{self, OpenSudoku};
use super::rows::{DELIMITERS, Rows, is_delimiter, split};
use super::{BYTE_ORDER_MARK, array, is_record, objects, pencilmarks, quotes, spread};
use crate::grid::parse_line;

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
        let mut lines = text[skipped_bytes..].split(|&byte| byte == b'\n').take(SAMPLED_LINES);
        let has_notes = lines.any(|line| note(line).is_some());
        Recognised { layout: Lines { has_notes }.into(), skipped_bytes, skipped_lines: 0 }
    }
}

/// Recognises the layout of a text from its first [`SAMPLE`] bytes. `start` is longer than that, or the complete text.
///
/// # Errors
/// As [`recognise`].
pub(in super::super) fn recognise_start(start: &[u8], format: &InputFormat) -> Result<Recognised, Rejection> {
    recognise(&start[..start.len().min(SAMPLE)], start.len() <= SAMPLE, format)
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
    match (format.form, array::looks_like(head)) {
        (Form::Auto | Form::Npy, true) => {
            let (array, skipped_bytes) = array::recognise(head, format)?;
            return Ok(Recognised { layout: array.into(), skipped_bytes, skipped_lines: 0 });
        }
        (Form::Npy, false) => {
            return Err("no NumPy array: the file starts with other bytes".to_owned().into());
        }
        (_, true) => {
            let reason = "a NumPy array, for which --input-format is npy".to_owned();
            return Err(Rejection { reason, kind: RejectionKind::Document });
        }
        _ => {}
    }
    foreign::detect(head)?;
    let bom = if head.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
    let text = &head[bom..];
    let found = |layout: Layout| Recognised { layout, skipped_bytes: bom, skipped_lines: 0 };
    // A given format is believed.
    match format.form {
        Form::Jsonl => return objects::recognise(text, is_all, format).map(|objects| found(objects.into())),
        Form::Auto if objects::looks_like(text) => {
            return objects::recognise(text, is_all, format).map(|objects| found(objects.into()));
        }
        Form::Auto if opensudoku::looks_like(text) => return Ok(found(OpenSudoku.into())),
        Form::Auto => foreign::detect_markup(head)?,
        _ => {}
    }
    let as_grids = |text| found(Grids { dashes_are_blanks: grids::dashes_are_blanks(text) }.into());
    let as_candidates = || found(CandidateGrids.into());
    let wants_rows = format.delimiter.is_some() || format.column.is_some();
    if let Some(delimiter @ (b'"' | b'\n' | b'\r')) = format.delimiter {
        return Err(format!("unsupported delimiter '{}'", delimiter.escape_ascii()).into());
    }
    match format.form {
        Form::Lines => return Ok(Recognised::lines(head)),
        Form::Grids => return Ok(as_grids(text)),
        Form::Candidates => return Ok(as_candidates()),
        Form::OpenSudoku => return Ok(found(OpenSudoku.into())),
        _ => {}
    }
    let mut sample = sample(text, is_all, format.delimiter);
    sample.pencilmarks = format.form == Form::Pencilmarks || sample.looks_like_pencilmarks()?;
    if !sample.pencilmarks
        && let Some(recognised) = sample.spread(format, bom)
    {
        return Ok(recognised?);
    }
    if sample.pencilmarks || wants_rows || format.form != Form::Auto {
        return Ok(sample.table(format, bom)?);
    }
    let puzzles = sample.records.iter().filter(|line| parse_line(line.text).is_ok()).count();
    let mut rows = sample.records.iter().filter(|line| grids::is_row_of_nine(line.text));
    if candidate_grids::look_like(sample.records.iter().map(|line| line.text)) {
        return match puzzles {
            0 => Ok(as_candidates()),
            _ => Err(
                "ambiguous format: candidate grids and puzzles in one line; choose one with --input-format"
                    .to_owned()
                    .into(),
            ),
        };
    }
    match (rows.clone().count(), puzzles) {
        (9.., 1..) => Err(format!(
            "ambiguous format: lines of nine cells (line {}) and puzzles in one line; choose one with --input-format",
            rows.next().map_or(0, |line| line.number)
        )
        .into()),
        (5.., 0) => Ok(as_grids(text)),
        _ if sample.has_fields(format) => Ok(sample.table(format, bom)?),
        (_, 0) => foreign::examine(text).map(|()| Recognised::lines(head)),
        _ => Ok(Recognised::lines(head)),
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
    while next < whole && records.len() < SAMPLED_LINES {
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

    /// Whether a carriage return and a line feed end this line.
    fn has_crlf(&self, line: &Line) -> bool {
        self.text[..line.next].ends_with(b"\r\n")
    }

    /// The fields of all records.
    fn split(&self, delimiter: u8) -> Vec<Vec<Vec<u8>>> {
        self.records.iter().map(|line| split(line.text, delimiter)).collect()
    }

    /// The fields that contain puzzles, and how often the most frequent one does.
    fn puzzle_fields(&self, delimiter: u8) -> (Vec<usize>, usize) {
        puzzle_fields(&self.split(delimiter), true, self.pencilmarks)
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

    /// A table with a column for each cell, if no field has a puzzle.
    fn spread(&self, format: &InputFormat, bom: usize) -> Option<Result<Recognised, String>> {
        let is_line = |line: &Line| parse_line(line.text).is_ok();
        if self.records.iter().any(is_line)
            || DELIMITERS.into_iter().any(|byte| self.puzzle_fields(byte).1 > 0)
        {
            return None;
        }
        let given = format.delimiter.or((format.form == Form::Tsv).then_some(b'\t'));
        let delimiters = given.map_or(DELIMITERS.to_vec(), |byte| vec![byte]);
        let tried =
            delimiters.into_iter().filter_map(|byte| spread::recognise(&self.split(byte), byte, format));
        let (_, found) = tried.max_by_key(|(puzzles, _)| *puzzles)?;
        Some(found.map(|mut spread| {
            let (mut skipped_bytes, mut skipped_lines) = (bom, 0);
            if let (Some(header), Some(line)) = (&mut spread.rows.header, self.records.first()) {
                *header = Header { line: line.text.to_vec(), is_crlf: self.has_crlf(line) };
                (skipped_bytes, skipped_lines) = (bom + line.next, line.lines);
            }
            Recognised { layout: spread.into(), skipped_bytes, skipped_lines }
        }))
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
        let table = Choice {
            rows: self.split(delimiter),
            skips_first: true,
            pencilmarks: self.pencilmarks,
            fields,
            names,
            header: has_header.then_some("the header has"),
        };
        let puzzle = table.puzzle(format)?;
        let solution = table.solution(format, puzzle)?;
        let (skipped_bytes, skipped_lines) = match self.records.first() {
            Some(header) if has_header => (bom + header.next, header.lines),
            _ => (bom, 0),
        };
        let header = self.records.first().filter(|_| has_header);
        let header = header.map(|line| Header { line: line.text.to_vec(), is_crlf: self.has_crlf(line) });
        let pencilmarks = self.pencilmarks;
        let rows = Rows { delimiter, puzzle, pencilmarks, solution, names: table.names, header };
        Ok(Recognised { layout: rows.into(), skipped_bytes, skipped_lines })
    }
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
