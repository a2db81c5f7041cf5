//! Stage 2, records: recognition of the layout of an input from its first lines.
//!
//! Arrays of NumPy, OpenSudoku XML and JSON have a start that nothing else has; other documents and archives (`foreign.rs`) are
//! an error. All other texts are lines. Each reading of them says how many of the first lines it explains ([`Evidence`]), and
//! `Evidence::decide` compares the readings by this table. The first row that applies counts; [`InputOptions`] overrides it.
//!
//! | lines | reading |
//! |---|---|
//! | some with a field of pencilmarks | table of pencilmarks; ambiguous if others have 81 cells |
//! | some with 81 fields of one cell each, and no field of puzzles with blanks, or lists of cells, unless another table has more or a header | table with a column for each cell |
//! | a delimiter or a column is given | table |
//! | nine or more with nine lists of candidates | candidate grids; ambiguous if others have 81 cells |
//! | five or more with nine cells | grids; ambiguous if there are nine and others have 81 cells |
//! | one alone, with three or more puzzles | a puzzle in each field |
//! | some with a puzzle in a field that is not the first, or with a header or quotes before it | table |
//! | some with a puzzle at their start | lines |
//! | none of these | lines if one resembles a puzzle, otherwise an error |
//!
//! The delimiter of a table is the one with the most puzzles in a column, then with the most columns of puzzles. Its first row is a
//! header if the column of puzzles has none there and no field resembles one, unless the row is a record: it has too few cells, a
//! missing value in place of the puzzle, or a number in a column of numbers. `choose.rs` chooses the columns. A first line that is a
//! number is the count of the puzzles.
//!
//! A line or field resembles a puzzle if it has 40 or more cells after another, a clue among them (see
//! [`notation::Content`](super::notation::Content) for more ways). A text without one in its first MiB is an error, so that a README is
//! an error, not a hundred invalid records.

use memchr::memchr;

use super::candidate_grids::{self, CandidateGrids};
use super::choose::{Choice, PUZZLES, SOLUTIONS, Tally, ignore_derived, is_puzzle, most, named, tally};
use super::elements::{self, Conversion, Document};
use super::foreign::{self, Rejection, RejectionKind};
use super::format::Header;
use super::grids::{self, Grids};
use super::input_options::{ColumnRef, InputFormat, InputOptions, SAMPLE, SAMPLED_LINES};
use super::layout::Layout;
use super::lines::{Lines, note};
use super::notation::{Content, is_missing};
use super::opensudoku::{self, OpenSudoku};
use super::rows::{Rows, split};
use super::rulers;
use super::{Records, array, objects, pencilmarks, quotes, spread};
use crate::file::bytes::{BYTE_ORDER_MARK, DELIMITERS, is_delimiter, is_record};
use crate::grid::{CELLS, is_cell, parse_line};
use crate::simd::SimdLevel;

/// A recognised layout.
#[derive(Clone, Debug)]
pub(in super::super) struct Recognised {
    pub layout: Layout,
    /// The number of bytes and lines before the first record: byte order mark, comments and header.
    pub skipped_bytes: usize,
    pub skipped_lines: u64,
    /// How the rest becomes lines, if it is not.
    pub conversion: Option<Conversion>,
    pub counted: Counted,
}

/// What is counted in an input because its start has it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counted {
    /// Records with `0` beside another blank.
    pub mixed_blanks: bool,
    /// Puzzles that may be rounded numbers: most of those at the start are.
    pub rounded: bool,
}

impl Recognised {
    fn new(layout: Layout, skipped_bytes: usize, skipped_lines: u64) -> Recognised {
        Recognised { layout, skipped_bytes, skipped_lines, conversion: None, counted: Counted::default() }
    }

    /// Puzzles at the start of the lines of `text`.
    pub fn lines(text: &[u8], pads: bool) -> Recognised {
        let skipped_bytes = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let mut format = Lines { pads, ..Lines::default() };
        let layout = Layout::of(format);
        let lines = text[skipped_bytes..].split(|&byte| byte == b'\n').take(SAMPLED_LINES);
        format.has_rulers = rulers::are_skipped(lines.clone());
        let mut notes = 0;
        for line in lines.clone() {
            notes += usize::from(note(line).is_some());
            format.has_solutions |= layout.given_solution(line, 0).is_some();
        }
        format.has_notes = notes > 0;
        format.notes_are_rare = 2 * notes <= lines.filter(|line| is_record(line)).count();
        Recognised::new(Layout::of(format), skipped_bytes, 0)
    }
}

/// Recognises the layout of a text from its first [`SAMPLE`] bytes. `start` is longer than that, or the complete text.
///
/// # Errors
/// As [`recognise`].
pub(in super::super) fn recognise_start(
    start: &[u8],
    options: &InputOptions,
) -> Result<Recognised, Rejection> {
    let head = &start[..start.len().min(SAMPLE)];
    let mut recognised = recognise(head, start.len() <= SAMPLE, options)?;
    if recognised.layout.has_lines()
        && recognised.conversion.is_none()
        && !recognised.layout.has_pencilmarks()
    {
        let (text, mut records) = (&head[recognised.skipped_bytes.min(head.len())..], Records::default());
        records.read_as(&recognised.layout, text, SimdLevel::detect());
        recognised.counted = Counted {
            mixed_blanks: records.mixed_blanks(&recognised.layout, text) > 0,
            rounded: records.len() > 1
                && 2 * records.rounded() > records.len() as u64
                && are_digits(&recognised.layout, &records, text),
        };
    }
    Ok(recognised)
}

/// Whether the puzzles have digits alone.
fn are_digits(layout: &Layout, records: &Records, text: &[u8]) -> bool {
    let mut puzzles =
        records.starts().iter().filter_map(|&start| layout.cells_of_puzzle(text, start as usize));
    puzzles.all(|cells| cells.iter().all(u8::is_ascii_digit))
}

/// Recognises the layout of the text that starts with `head`, which is the complete text if `is_all`.
///
/// # Errors
/// The reason, if the layout is ambiguous, unsupported or contradicts `format`.
pub(in super::super) fn recognise(
    head: &[u8],
    is_all: bool,
    options: &InputOptions,
) -> Result<Recognised, Rejection> {
    match (options.format, array::looks_like(head)) {
        (InputFormat::Auto | InputFormat::Npy, true) => {
            let (array, skipped_bytes) = array::recognise(head, options)?;
            return Ok(Recognised::new(Layout::of(array), skipped_bytes, 0));
        }
        (InputFormat::Npy, false) => {
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
    let found = |layout: Layout| Recognised::new(layout, bom, 0);
    // A given format is believed.
    match options.format {
        InputFormat::Jsonl => {
            return objects::recognise(text, is_all, options).map(|objects| found(Layout::of(objects)));
        }
        InputFormat::Auto if objects::looks_like(text).is_some() => {
            // A line alone may be a document.
            let is_one = is_all && text.trim_ascii().split(|&byte| byte == b'\n').count() == 1;
            match elements::recognise(text, is_all, options).filter(|_| is_one) {
                Some(Ok(document)) => return Ok(of_document(document, bom)),
                Some(Err(rejection)) if rejection.kind == RejectionKind::Nested => return Err(rejection),
                _ => {}
            }
            return objects::recognise(text, is_all, options).map(|objects| found(Layout::of(objects)));
        }
        InputFormat::Auto if opensudoku::looks_like(text) => {
            return Ok(found(Layout::of(OpenSudoku::of(text))));
        }
        InputFormat::Auto => {
            if let Some(document) = elements::recognise(text, is_all, options) {
                return document.map(|document| of_document(document, bom));
            }
            // Rows of a grid may be in brackets too.
            if !grids::starts_with_row(text) {
                foreign::detect_markup(head)?;
            }
        }
        _ => {}
    }
    let as_grids = |text| found(Layout::of(Grids { dashes_are_blanks: grids::dashes_are_blanks(text) }));
    let as_candidates = || found(Layout::of(CandidateGrids));
    if let Some(delimiter @ (b'"' | b'\n' | b'\r')) = options.delimiter {
        return Err(format!("unsupported delimiter '{}'", delimiter.escape_ascii()).into());
    }
    match options.format {
        InputFormat::Lines => return Ok(Recognised::lines(head, options.pads)),
        InputFormat::Grids => return Ok(as_grids(text)),
        InputFormat::Candidates => return Ok(as_candidates()),
        InputFormat::OpenSudoku => return Ok(found(Layout::of(OpenSudoku::of(text)))),
        _ => {}
    }
    if let Some((delimiter, length)) = named_delimiter(text).filter(|_| options.delimiter.is_none()) {
        let options = InputOptions { delimiter: Some(delimiter), ..options.clone() };
        let rest = recognise(&text[length..], is_all, &options)?;
        let skipped_bytes = bom + length + rest.skipped_bytes;
        return Ok(Recognised { skipped_bytes, skipped_lines: rest.skipped_lines + 1, ..rest });
    }
    foreign::detect_tuples(text)?;
    let mut sample = sample(text, is_all, options.delimiter);
    sample.pencilmarks = options.format == InputFormat::Pencilmarks || sample.looks_like_pencilmarks()?;
    let tables = sample.tables(options);
    match sample.evidence(&tables, options).decide(options)? {
        Reading::CandidateGrids => Ok(as_candidates()),
        Reading::Grids => Ok(as_grids(text)),
        Reading::Spread(delimiter) => Ok(sample.spread(delimiter, options, bom)?),
        Reading::Table => sample.table(&tables, options, bom),
        Reading::Separated(byte) => {
            let lines = Recognised::lines(head, options.pads);
            Ok(Recognised { conversion: Some(Conversion::Separated(byte)), ..lines })
        }
        Reading::Lines => Ok(sample.lines(options, head, bom)),
        Reading::Nothing => foreign::examine(text).map(|()| Recognised::lines(head, options.pads)),
    }
}

fn of_document(document: Document, before: usize) -> Recognised {
    let Document { layout, start, conversion } = document;
    Recognised { conversion: Some(conversion), ..Recognised::new(layout, before + start, 0) }
}

/// The delimiter that the first line of a text names for spreadsheets, `sep=;`, and the length of the line.
fn named_delimiter(text: &[u8]) -> Option<(u8, usize)> {
    let length = memchr(b'\n', text)?;
    match text[..length].trim_ascii_end().strip_prefix(b"sep=")? {
        &[delimiter] if is_delimiter(delimiter) => Some((delimiter, length + 1)),
        _ => None,
    }
}

/// The numbers of sampled lines that support each reading.
struct Evidence {
    /// Lines with a puzzle in a field, for the delimiter with the most, and those of them that have blanks.
    puzzles: usize,
    open: usize,
    /// Those of them with 81 characters, instead of a list of cells.
    plain: usize,
    /// Lines of nine cells, and the number of the first one.
    grid_rows: usize,
    first_grid_row: u64,
    /// Whether there are lines of nine lists of candidates.
    candidate_rows: bool,
    /// Lines with a puzzle in 81 fields, and the delimiter.
    spread: Option<(usize, u8)>,
    /// Whether the lines with puzzles have other fields that matter: puzzles, solutions or a header.
    has_fields: bool,
    has_pencilmarks: bool,
    /// The byte between the puzzles, if the text is one line of them.
    separator: Option<u8>,
}

/// What the lines of a text are.
enum Reading {
    CandidateGrids,
    Grids,
    Spread(u8),
    Table,
    Lines,
    /// Several puzzles in one line, with this byte between them.
    Separated(u8),
    /// No line has a puzzle.
    Nothing,
}

impl Evidence {
    /// Compares the readings. The table of the module documentation has the same rows in the same order.
    fn decide(&self, options: &InputOptions) -> Result<Reading, String> {
        let wants_rows =
            options.delimiter.is_some() || options.column.is_some() || options.format != InputFormat::Auto;
        let ambiguous = |what: &str| {
            Err(format!("ambiguous format: {what} and puzzles in one line; choose one with --input-format"))
        };
        match *self {
            Evidence { has_pencilmarks: true, .. } => Ok(Reading::Table),
            Evidence { open, plain, spread: Some((1.., delimiter)), .. } if open == 0 || plain == 0 => {
                Ok(Reading::Spread(delimiter))
            }
            _ if wants_rows => Ok(Reading::Table),
            Evidence { candidate_rows: true, plain: 0, .. } => Ok(Reading::CandidateGrids),
            Evidence { candidate_rows: true, .. } => ambiguous("candidate grids"),
            Evidence { grid_rows: 9.., puzzles: 1.., first_grid_row, .. } => {
                ambiguous(&format!("lines of nine cells (line {first_grid_row})"))
            }
            Evidence { grid_rows: 5.., puzzles: 0, .. } => Ok(Reading::Grids),
            Evidence { separator: Some(byte), .. } => Ok(Reading::Separated(byte)),
            Evidence { has_fields: true, .. } => Ok(Reading::Table),
            Evidence { puzzles: 0, .. } => Ok(Reading::Nothing),
            _ => Ok(Reading::Lines),
        }
    }
}

/// The lines at the head of a text that may be records. A row of several lines is one of them.
#[derive(Clone)]
struct Sample<'t> {
    text: &'t [u8],
    is_all: bool,
    records: Vec<Line<'t>>,
    /// Lines that start with `#` and resemble puzzles.
    commented: Vec<Line<'t>>,
    /// Whether there are rulers, which are no records.
    has_rulers: bool,
    /// Whether the puzzles are pencilmarks.
    pencilmarks: bool,
}

#[derive(Clone)]
struct Line<'t> {
    text: &'t [u8],
    /// The line number, from 1.
    number: u64,
    /// The offset of the next line, and the number of lines before it.
    next: usize,
    lines: u64,
}

/// The index of a row of several lines, of which the last ones are missing, if there are others of several lines.
fn cut_row(lines: &[Line]) -> Option<usize> {
    let is_joined = |line: &Line| memchr(b'\n', line.text).is_some();
    let last = lines.iter().rposition(is_joined)? + 1;
    let is_odd = |line: &Line| memchr::memchr_iter(b'"', line.text).count() % 2 == 1;
    lines[last..].iter().position(is_odd).map(|at| last + at)
}

/// Splits the head of a text. If the delimiter is unknown, lines are joined to a row if that is one for any delimiter.
fn sample(text: &[u8], is_all: bool, delimiter: Option<u8>) -> Sample<'_> {
    let whole = if is_all { text.len() } else { memchr::memrchr(b'\n', text).map_or(0, |at| at + 1) };
    let length = |text: &[u8]| {
        let lengths = |delimiters: &[u8]| delimiters.iter().map(|&byte| quotes::row_length(text, byte)).max();
        delimiter.map_or(lengths(&DELIMITERS), |byte| lengths(&[byte])).expect("there are delimiters")
    };
    let (mut next, mut lines, mut records) = (0, 0, Vec::new());
    let mut commented = Vec::new();
    while next < whole && records.len() < SAMPLED_LINES {
        let row = &text[next..next + length(&text[next..whole])];
        let number = lines + 1;
        next = (next + row.len() + 1).min(whole);
        lines += super::line_feeds(row) + 1;
        let line = Line { text: row.strip_suffix(b"\r").unwrap_or(row), number, next, lines };
        if is_record(row) {
            records.push(line);
        } else if foreign::has_possible_puzzle(row) && commented.len() < SAMPLED_LINES {
            commented.push(line);
        }
    }
    if !is_all && let Some(at) = cut_row(&records) {
        records.truncate(at);
    }
    // Rows of a table may start with `#`.
    if records.is_empty() {
        records.clone_from(&commented);
    }
    let has_rulers = rulers::are_skipped(records.iter().map(|line| line.text));
    if has_rulers {
        records.retain(|line| !rulers::is_ruler(line.text));
    } else if let [title, line, _, ..] = &mut records[..]
        && rulers::follows_title(title.text, line.text)
    {
        // The ruler is a part of the header.
        (title.next, title.lines) = (line.next, line.lines);
        records.remove(1);
    }
    Sample { text, is_all, records, commented, has_rulers, pencilmarks: false }
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

    /// The number of fields of the first row that starts with `#` and has a puzzle.
    fn hashed(&self, delimiter: u8, puzzle: usize) -> Option<usize> {
        let rows = self.commented.iter().map(|line| split(line.text, delimiter));
        let has_puzzle = |row: &Vec<Vec<u8>>| {
            let content = row.get(puzzle).map(|field| Content::of(field));
            puzzle > 0 && matches!(content, Some(Content::Open { .. } | Content::Complete))
        };
        rows.filter(has_puzzle).map(|row| row.len()).next()
    }

    /// Whether a carriage return and a line feed end this line.
    fn has_crlf(&self, line: &Line) -> bool {
        self.text[..line.next].ends_with(b"\r\n")
    }

    fn evidence(&self, tables: &[Table], options: &InputOptions) -> Evidence {
        let mut grid_rows = self.records.iter().filter(|line| grids::is_row_of_nine(line.text));
        let first_grid_row = grid_rows.clone().next().map_or(0, |line| line.number);
        let starts = self.records.iter().filter_map(|line| parse_line(line.text.trim_ascii_start()).ok());
        let open = starts.clone().filter(|puzzle| puzzle.clue_count() < CELLS).count();
        let most = |count: fn(&Tally) -> usize| {
            tables.iter().flat_map(|table| &table.tallies).map(count).max().unwrap_or(0)
        };
        let spread = tables.iter().filter_map(|table| {
            let (puzzles, found) = spread::recognise(&table.rows, table.delimiter, options)?;
            let has_header = options.no_header || found.is_ok_and(|spread| spread.rows.header.is_some());
            let is_better = |other: &Table| {
                let found = other.most_puzzles();
                (found > puzzles && other.has_puzzle_beside_field())
                    || (found >= puzzles && !has_header && other.has_header())
            };
            let mut others = tables.iter().filter(|other| other.delimiter != table.delimiter);
            (!others.any(is_better)).then_some((puzzles, table.delimiter))
        });
        Evidence {
            puzzles: most(Tally::puzzles).max(starts.clone().count()),
            open: most(|tally| tally.open).max(open),
            plain: most(|tally| tally.plain).max(starts.count()),
            grid_rows: grid_rows.by_ref().count(),
            first_grid_row,
            candidate_rows: candidate_grids::look_like(self.records.iter().map(|line| line.text)),
            spread: spread.max_by_key(|(puzzles, _)| *puzzles),
            has_fields: self.has_fields(tables, options),
            has_pencilmarks: self.pencilmarks,
            separator: tables
                .iter()
                .find(|table| self.is_all && table.is_line_of_puzzles())
                .map(|table| table.delimiter),
        }
    }

    /// The rows for a delimiter.
    fn split(&self, delimiter: u8) -> Table {
        // Quotes have no meaning if spaces are the delimiter, so what they hold together is not split.
        let is_quoted = |line: &Line| memchr(b'\n', line.text).is_some() || is_quoted_field(line.text);
        let row = |line| match delimiter == b' ' && is_quoted(line) {
            true => vec![line.text.to_vec()],
            false => split(line.text, delimiter),
        };
        let rows: Vec<_> = self.records.iter().map(row).collect();
        let mut tallies = tally(&rows, self.pencilmarks);
        ignore_derived(&mut tallies, rows.iter().take(1).flatten().map(|name| &name[..]));
        Table { delimiter, tallies, rows }
    }

    /// The tables with the delimiters that come into question: all that occur, and one for lines of one field. If the user names a
    /// column, those whose header has it, if there are any.
    fn tables(&self, options: &InputOptions) -> Vec<Table> {
        let given = options.delimiter.or((options.format == InputFormat::Tsv).then_some(b'\t'));
        if let Some(delimiter) = given {
            return vec![self.split(delimiter)];
        }
        let occurs = |&byte: &u8| {
            self.records.iter().any(|line| memchr(byte, line.text).is_some() && !is_quoted_field(line.text))
        };
        let absent = DELIMITERS.into_iter().find(|byte| !occurs(byte));
        let delimiters = DELIMITERS.into_iter().filter(|byte| occurs(byte) || Some(*byte) == absent);
        let mut tables: Vec<Table> = delimiters.map(|delimiter| self.split(delimiter)).collect();
        if let Some(ColumnRef::Name(name)) = &options.column {
            let has_name = |table: &Table| {
                table.rows.first().is_some_and(|first| first.iter().any(|field| named(field, &[name])))
            };
            if tables.iter().any(has_name) {
                tables.retain(has_name);
            }
        }
        tables
    }

    /// Whether lines have other fields than a puzzle at their start.
    fn has_fields(&self, tables: &[Table], options: &InputOptions) -> bool {
        let Some(first) = self.records.first() else { return false };
        let Some(table) = best(tables, options) else {
            return self.records.len() == 1 && !options.no_header && self.lone_header().is_some();
        };
        if parse_line(first.text).is_ok() {
            return options.solution_column.is_some() || (table.fields() != [0] && table.rows[0].len() > 1);
        }
        // Quotes or brackets around puzzles have a meaning in tables only.
        let starts = self.records.iter().filter(|line| parse_line(line.text.trim_ascii_start()).is_ok());
        if table.most_puzzles() > 2 * starts.count() {
            return true;
        }
        // Of fields that only resemble puzzles, the lines are as good an account.
        let is_table = table.most_puzzles() > 0 || table.has_puzzle_name();
        is_table
            && (table.fields() != [0] || first.text[0] == b'"' || (!options.no_header && table.has_header()))
    }

    /// The delimiter of a header without rows.
    fn lone_header(&self) -> Option<u8> {
        let first = self.records.first()?;
        let names = |delimiter: &u8| split(first.text, *delimiter).iter().any(|name| named(name, &PUZZLES));
        DELIMITERS.into_iter().find(names)
    }

    /// Lines with a puzzle each, after the number of them if the first line is that.
    fn lines(&self, options: &InputOptions, head: &[u8], bom: usize) -> Recognised {
        let lines = Recognised::lines(head, options.pads);
        match &self.records[..] {
            [first, _, ..] if first.text.len() < 8 && first.text.iter().all(u8::is_ascii_digit) => {
                Recognised { skipped_bytes: bom + first.next, skipped_lines: first.lines, ..lines }
            }
            _ => lines,
        }
    }

    /// A table with a column for each cell.
    fn spread(&self, delimiter: u8, options: &InputOptions, bom: usize) -> Result<Recognised, String> {
        let (_, found) = spread::recognise(&self.split(delimiter).rows, delimiter, options)
            .expect("the evidence says that there are 81 columns");
        let mut spread = found?;
        let (mut skipped_bytes, mut skipped_lines) = (bom, 0);
        if let (Some(header), Some(line)) = (&mut spread.rows.header, self.records.first()) {
            *header = Header { line: line.text.to_vec(), is_crlf: self.has_crlf(line) };
            (skipped_bytes, skipped_lines) = (bom + line.next, line.lines);
        }
        Ok(Recognised::new(Layout::of(spread), skipped_bytes, skipped_lines))
    }

    fn table(&self, tables: &[Table], options: &InputOptions, bom: usize) -> Result<Recognised, Rejection> {
        let other;
        let table = match best(tables, options) {
            Some(table) => table,
            None => {
                other = self.split(options.delimiter.or(self.lone_header()).unwrap_or(b','));
                &other
            }
        };
        let delimiter = table.delimiter;
        let is_joined = |line: &Line| memchr(b'\n', line.text).is_some();
        if options.delimiter.is_none() && self.records.iter().any(is_joined) {
            // Lines may have been joined for another delimiter.
            let sample =
                Sample { pencilmarks: self.pencilmarks, ..sample(self.text, self.is_all, Some(delimiter)) };
            let options = InputOptions { delimiter: Some(delimiter), ..options.clone() };
            return sample.table(&sample.tables(&options), &options, bom);
        }
        let first = table.rows.first().cloned().unwrap_or_default();
        let by_name = matches!(options.column, Some(ColumnRef::Name(_)))
            && !first.iter().any(|field| foreign::has_possible_puzzle(field));
        let has_header = !options.no_header && (by_name || table.has_header());
        let mut names: Vec<String> = match has_header {
            true => first.iter().map(|name| table.name(name)).collect(),
            // The first row may be a damaged one.
            false => (1..=table.width()).map(|number| number.to_string()).collect(),
        };
        if has_header && table.lacks_first_name() {
            names.insert(0, String::new());
        }
        let choice = Choice {
            rows: &table.rows,
            tallies: &table.tallies,
            width: table.width(),
            pencilmarks: self.pencilmarks,
            names,
            header: has_header.then_some("the header has"),
        };
        if options.column.is_none()
            && let Some(line) = table.line_of_puzzles()
        {
            return Err(format!(
                "several puzzles in line {}; give each a line with tr '{}' '\\n'",
                self.records[line].number,
                delimiter.escape_ascii()
            )
            .into());
        }
        let puzzle = choice.puzzle(options)?;
        let has_cells = |tally: &Tally| tally.open == 0 && tally.complete > 0;
        if self.pencilmarks
            && options.format != InputFormat::Pencilmarks
            && table.tallies.get(puzzle).is_some_and(has_cells)
        {
            // The pencilmarks are in another column.
            let sample = Sample { pencilmarks: false, ..self.clone() };
            return sample.table(&sample.tables(options), options, bom);
        }
        let solution = choice.solution(options, puzzle)?;
        let header = self.records.first().filter(|_| has_header);
        let (skipped_bytes, skipped_lines) = header.map_or((bom, 0), |line| (bom + line.next, line.lines));
        let header = header.map(|line| Header { line: line.text.to_vec(), is_crlf: self.has_crlf(line) });
        let (pencilmarks, pads) = (self.pencilmarks, options.pads);
        let checks_others = options.column.is_none() && !pencilmarks;
        let rows = Rows {
            delimiter,
            puzzle,
            pencilmarks,
            checks_others,
            pads,
            has_rulers: self.has_rulers,
            hashed: self.hashed(delimiter, puzzle),
            solution,
            names: choice.names,
            header,
        };
        Ok(Recognised::new(Layout::of(rows), skipped_bytes, skipped_lines))
    }
}

/// The sampled rows for a delimiter.
struct Table {
    delimiter: u8,
    rows: Vec<Vec<Vec<u8>>>,
    /// The columns of the rows. A header has no puzzles.
    tallies: Vec<Tally>,
}

/// The table with the most puzzles. Without any, that of a delimiter that is given.
fn best<'s>(tables: &'s [Table], options: &InputOptions) -> Option<&'s Table> {
    let is_given = options.delimiter.is_some() || options.format == InputFormat::Tsv;
    // Ties: the delimiter with more columns of puzzles wins, then the first one.
    let best = tables.iter().rev().max_by_key(|table| table.weight())?;
    (is_given || !best.fields().is_empty()).then_some(best)
}

impl Table {
    /// The number of fields of the longest row.
    fn width(&self) -> usize {
        self.rows.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The number of puzzles in the column with the most.
    fn most_puzzles(&self) -> usize {
        self.tallies.iter().map(Tally::puzzles).max().unwrap_or(0)
    }

    /// Whether a row has a puzzle and another field.
    fn has_puzzle_beside_field(&self) -> bool {
        let is_open = |field: &Vec<u8>| matches!(Content::of(field), Content::Open { .. });
        self.rows.iter().any(|row| row.len() > 1 && row.iter().any(is_open))
    }

    /// Columns of puzzles or of fields that resemble them.
    fn fields(&self) -> Vec<usize> {
        most(&self.tallies, |tally| tally.puzzles() + tally.damaged)
    }

    /// Whether there is one row of three puzzles or more. Two may be a puzzle and another one of the same record.
    fn is_line_of_puzzles(&self) -> bool {
        let is_open =
            |field: &Vec<u8>| is_puzzle(field) && matches!(Content::of(field), Content::Open { .. });
        matches!(&self.rows[..], [row] if row.len() > 2 && row.iter().all(is_open))
    }

    /// The index of the only row with puzzles, if it has three or more.
    fn line_of_puzzles(&self) -> Option<usize> {
        let is_open = |field: &&Vec<u8>| matches!(Content::of(field), Content::Open { .. });
        let counts = self.rows.iter().map(|row| row.iter().filter(is_open).count());
        let mut with_puzzles = counts.enumerate().filter(|(_, count)| *count > 0);
        let (index, count) = with_puzzles.next()?;
        (count > 2 && with_puzzles.next().is_none()).then_some(index)
    }

    fn weight(&self) -> [usize; 4] {
        let all = self.tallies.iter().map(|tally| tally.puzzles() + tally.damaged).max();
        // Empty fields before a puzzle could also be white space around it.
        let has_columns = matches!(&self.rows[..], [first, ..] if first.len() > 1
            && !first.iter().any(|field| field.trim_ascii().is_empty())
            && self.rows.iter().all(|row| row.len() == first.len()));
        let columns = most(&self.tallies, Tally::puzzles).len();
        [self.most_puzzles(), columns, all.unwrap_or(0), usize::from(has_columns)]
    }

    fn name(&self, field: &[u8]) -> String {
        // R quotes names in tables with spaces, where quotes have no meaning.
        let name = field.trim_ascii();
        let unquoted = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
        String::from_utf8_lossy(unquoted.unwrap_or(name)).into_owned()
    }

    fn has_puzzle_name(&self) -> bool {
        self.rows.first().is_some_and(|first| first.iter().any(|name| named(name, &PUZZLES)))
    }

    /// Whether the header has no name for the numbers of the rows: so R writes tables. Only between spaces can no field be empty;
    /// with other delimiters, a well-known name must be closer to its column so.
    fn lacks_first_name(&self) -> bool {
        let [header, rows @ ..] = &self.rows[..] else { return false };
        let is_closer = |known: &[&str], count: fn(&Tally) -> usize| {
            let mut names = header.iter().zip(self.tallies.windows(2));
            names.any(|(name, columns)| named(name, known) && count(&columns[1]) > count(&columns[0]))
        };
        // pandas prints the size of a table below it.
        let longer = rows.iter().filter(|row| row.len() == header.len() + 1).count();
        2 * longer > rows.len()
            && (self.delimiter == b' '
                || is_closer(&PUZZLES, |tally| tally.open)
                || is_closer(&SOLUTIONS, |tally| tally.complete))
    }

    /// Whether the first row is a header: the column of puzzles has none there, and nothing that resembles one.
    fn has_header(&self) -> bool {
        let (Some(first), columns) = (self.rows.first(), self.fields()) else { return false };
        let width = first.len() + usize::from(self.lacks_first_name());
        let is_cells = |field: &Vec<u8>| field.len() > 9 && field.iter().all(|&byte| is_cell(byte));
        let is_record = |field: &Vec<u8>| {
            !matches!(Content::of(field), Content::Other)
                || foreign::has_possible_puzzle(field)
                || is_cells(field)
        };
        if first.iter().any(is_record) || columns.iter().any(|&index| index >= width) {
            return false;
        }
        if self.has_puzzle_name() {
            return true;
        }
        if self.lacks_puzzle(first, &columns) || self.has_number_in_column(first) {
            return false;
        }
        match (&first[..], columns.is_empty()) {
            ([name], false) => self.rows.len() > 1 && is_name(name),
            (_, false) => self.rows.len() > 1,
            (names, true) => {
                let is_name = |name: &Vec<u8>| name.is_empty() || is_name(name);
                names.len() > 1 && names.iter().all(is_name) && !names.concat().is_empty()
            }
        }
    }

    /// Whether the first row has a number in a column of numbers, so that it is a record, unless its fields are numbered.
    fn has_number_in_column(&self, first: &[Vec<u8>]) -> bool {
        let number = |field: &[u8]| {
            std::str::from_utf8(field).ok()?.trim().parse::<u64>().ok().filter(|_| field.len() < 16)
        };
        let rows = &self.rows[1..];
        let is_number =
            |row: &Vec<Vec<u8>>, at: usize| row.get(at).is_some_and(|field| number(field).is_some());
        let names = first.iter().skip_while(|name| name.is_empty()).map(|name| number(name));
        let is_numbered = |start: u64| names.clone().eq((start..).map(Some).take(names.clone().count()));
        let has_number =
            |at: usize| number(&first[at]).is_some() && rows.iter().all(|row| is_number(row, at));
        !rows.is_empty() && !is_numbered(0) && !is_numbered(1) && (0..first.len()).any(has_number)
    }

    /// Whether the first row is a record without a puzzle: a value is missing in place of one, and no other field is a name over
    /// a column without words.
    fn lacks_puzzle(&self, first: &[Vec<u8>], columns: &[usize]) -> bool {
        let is_word = |row: &[Vec<u8>], index: usize| {
            row.get(index).is_some_and(|field| is_name(field) && !is_missing(field))
        };
        let is_only_name =
            |index: usize| is_word(first, index) && !self.rows[1..].iter().any(|row| is_word(row, index));
        columns.iter().any(|&index| first.get(index).is_some_and(|field| is_missing(field)))
            && !self.lacks_first_name()
            && !(0..first.len()).any(is_only_name)
    }
}

/// Whether a line is one field in quotes.
fn is_quoted_field(line: &[u8]) -> bool {
    let inner = line.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\""));
    inner.is_some_and(|inner| quotes::end_of_quotes(line, 0) == Some(inner.len() + 2))
}

/// Whether a field may be the name of a column.
fn is_name(field: &[u8]) -> bool {
    let name = field.strip_prefix(b"\"").unwrap_or(field);
    name.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'_' || !byte.is_ascii())
}
