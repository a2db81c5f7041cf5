//! Stage 2, records: the layout of an input: its format, with the columns of a table.

use std::any::Any;
use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use memchr::memchr;

use super::csv::Csv;
use super::format::Format;
use super::line_feeds;
use super::lines::Lines;
use super::npy::Npy;
use crate::grid::{CELLS, PuzzleError};

/// The layout of an input: its format, and the columns of a table.
///
/// The methods that take a `record` expect the bytes of [`BatchView::record`](crate::BatchView::record). With others
/// their results are meaningless, but they do not panic.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(super) format: Arc<dyn Format>,
    pub(super) name: &'static str,
    /// The names of the columns if it is a table; numbers from 1 if there is no header.
    pub(super) columns: Option<Vec<String>>,
    /// Whether there is a column of solutions, or a solution after some puzzle at the start of lines.
    pub(super) has_solution: bool,
    /// Whether a note follows some puzzle at the start of lines.
    pub(super) has_notes: bool,
}

/// The name of the text after a puzzle at the start of a line.
pub(crate) const NOTE: &str = "note";

impl Layout {
    /// The layout of a format without columns.
    pub(super) fn of(name: &'static str, format: impl Format) -> Layout {
        Layout { format: Arc::new(format), name, columns: None, has_solution: false, has_notes: false }
    }

    /// The format.
    pub(crate) fn format(&self) -> &dyn Format {
        &*self.format
    }

    /// The format, if it is of this type.
    fn as_format<F: Format>(&self) -> Option<&F> {
        (self.format() as &dyn Any).downcast_ref()
    }

    /// A puzzle at the start of each line.
    #[doc(hidden)]
    pub fn lines() -> &'static Layout {
        static LINES: LazyLock<Layout> = LazyLock::new(|| Layout::of("lines", Lines::default()));
        &LINES
    }

    /// The name of the format: `lines`, `csv`, `json`, `grid` or `npy`.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Whether there is a puzzle at the start of each line.
    pub fn is_lines(&self) -> bool {
        self.name == "lines"
    }

    /// For lines: whether a note follows some puzzle at the start of the input.
    pub(crate) fn has_notes(&self) -> bool {
        self.has_notes
    }

    /// Whether each record has named or numbered fields that include the puzzle: CSV, JSON, or an array with solutions.
    pub fn is_table(&self) -> bool {
        self.columns.is_some()
    }

    /// Whether each line is a value of JSON.
    pub fn is_json(&self) -> bool {
        self.name == "json"
    }

    /// Whether the lines are CSV with commas and a header. Without one, programs would take the first row for it.
    pub(crate) fn is_plain_csv(&self) -> bool {
        self.as_format().is_some_and(|csv: &Csv| csv.delimiter == b',' && csv.header.is_some())
    }

    /// Whether each puzzle has nine rows.
    pub fn is_grid(&self) -> bool {
        self.name == "grid"
    }

    /// Whether the input is text. Arrays are not.
    pub fn is_text(&self) -> bool {
        self.format().expected().is_none()
    }

    /// Whether there is a column of solutions; in lines, whether a solution follows some puzzle at the start of the
    /// input.
    pub fn has_solution(&self) -> bool {
        self.has_solution
    }

    /// Whether solutions can be expected: there is a column of them, or each line may have one.
    pub fn may_be_verified(&self) -> bool {
        self.has_solution() || self.is_lines()
    }

    /// The header of a table as in the input, with its line end.
    pub fn header(&self) -> Option<&[u8]> {
        self.as_format().and_then(|csv: &Csv| csv.header.as_deref())
    }

    /// The names of the columns of a table, in order; numbers from 1 if there is no header. For JSON, the names of the
    /// members of the first object. Empty for other layouts.
    pub fn columns(&self) -> &[String] {
        self.columns.as_deref().unwrap_or_default()
    }

    /// The index among the values of a record of the column with this name. If no name is equal, one that differs only
    /// in case is used.
    ///
    /// # Errors
    /// When there is none: which columns there are.
    pub(crate) fn find_column(&self, name: &str) -> Result<usize, String> {
        let note = [NOTE.to_owned()];
        let names = if self.is_lines() { &note } else { self.columns() };
        let is_like = |other: &String| other.eq_ignore_ascii_case(name);
        let found = names.iter().position(|other| other == name).or_else(|| names.iter().position(is_like));
        found.ok_or_else(|| {
            if self.is_table() {
                format!("those of the input are {}", names.join(", "))
            } else {
                "the input is not a table".to_owned()
            }
        })
    }

    /// The index in this table of each column of the first input, in any case.
    ///
    /// # Errors
    /// When the columns are not the same. The message is about this input, and calls the first one `first_name`.
    pub(crate) fn match_columns(&self, first: &Layout, first_name: &str) -> Result<Vec<usize>, String> {
        let (names, wanted) = (self.columns(), first.columns());
        let mut indices: Vec<usize> = Vec::new();
        for name in wanted {
            let is_free = |index: &usize| !indices.contains(index) && names[*index].eq_ignore_ascii_case(name);
            let index = (0..names.len()).find(is_free);
            indices.push(index.ok_or_else(|| format!("no column '{name}', which '{first_name}' has"))?);
        }
        match (0..names.len()).find(|index| !indices.contains(index)) {
            None => Ok(indices),
            Some(index) => Err(format!("column '{}' does not occur in '{first_name}'", names[index])),
        }
    }

    /// Checks that the records of this input can follow those of the first one as they are.
    ///
    /// # Errors
    /// When they cannot. The message is about this input, and calls the first one `first_name`.
    pub(crate) fn check_copies(&self, first: &Layout, first_name: &str) -> Result<(), String> {
        let delimiter = |layout: &Layout| layout.as_format().map(|csv: &Csv| csv.delimiter);
        let part = if self.name() != first.name() || delimiter(self) != delimiter(first) {
            "format"
        } else if self.header().map(<[u8]>::trim_ascii_end) != first.header().map(<[u8]>::trim_ascii_end) {
            "header"
        } else {
            return Ok(());
        };
        Err(format!("its {part} is not that of '{first_name}', and records are copied as they are"))
    }

    /// The reason why a record is invalid, and the offset of the line with the error. `None` if the record is a puzzle
    /// whose clues do not clash.
    pub fn diagnose(&self, record: &[u8]) -> Option<(usize, PuzzleError)> {
        let record = self.format().record(record);
        let line = record.line;
        record.error().map(|error| (line, error))
    }

    /// The 81 cells or 729 pencilmarks of a record as in the input; `None` if it is not a puzzle.
    #[doc(hidden)]
    pub fn cells<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        self.format().record(record).cells.ok()
    }

    /// The text of a record where its puzzle should be: the line, the field of a table, the lines of a grid
    /// with spaces for line breaks, or the numbers of an array. The row, if it does not reach the column.
    pub fn puzzle_text<'t>(&self, record: &'t [u8]) -> Cow<'t, [u8]> {
        self.format().puzzle_text(record)
    }

    /// What stands where a record gives its solution: in the column of solutions, or after the puzzle of a line if it
    /// is a complete grid.
    pub fn solution<'t>(&self, record: &'t [u8]) -> Option<Cow<'t, [u8]>> {
        self.format().solution(record)
    }

    /// The same if it is a complete grid.
    #[doc(hidden)]
    pub fn given_solution(&self, record: &[u8]) -> Option<[u8; CELLS]> {
        let cells: [u8; CELLS] = self.solution(record)?.as_ref().try_into().ok()?;
        super::cells::is_complete(&cells).then_some(cells)
    }

    /// Replaces `values` by the values of the columns of a record, without quotes. With `as_json`, those of JSON are as
    /// in the input, and empty if the object has no such member. A line has one value, the note, if it has one.
    #[doc(hidden)]
    pub fn values<'t>(&self, record: &'t [u8], as_json: bool, values: &mut Vec<Cow<'t, [u8]>>) {
        self.format().values(record, as_json, values);
    }

    /// The bytes of a record alone, with its line end if it has one.
    pub fn record_bytes<'t>(&self, record: &'t [u8]) -> &'t [u8] {
        // A line alone is the record. To parse it would take half of the time of a copy.
        if self.is_text() && memchr(b'\n', record).is_some_and(|end| end + 1 == record.len()) {
            return record;
        }
        &record[..self.format().record(record).length.min(record.len())]
    }

    /// The number of lines that end in a part of a batch. An array has no lines; its records are counted instead.
    pub fn count_lines(&self, part: &[u8]) -> u64 {
        self.as_format().map_or_else(|| line_feeds(part), |array: &Npy| array.count_records(part))
    }
}
