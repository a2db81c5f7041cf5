//! Stage 4, rows: the columns of [`SolveRows`], resolved for the layout of an input.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::{Column, SolveRows, puzzle_text};
use crate::file::record::{self, Kind, Layout};
use crate::file::run::job::{BatchView, RowSink};
use crate::file::write::row::{Format, Row};
use crate::grid::CELLS;
use crate::outcome::{Outcomes, Status};

/// The columns of the output.
pub struct Columns<'a> {
    all: Vec<ResolvedColumn<'a>>,
    /// The number of columns at the start that are passed through, and of columns in the input.
    passed: usize,
    in_input: usize,
    format: Format,
    blank: Option<u8>,
    /// Keys for fields without a name and for fields that are not UTF-8.
    surplus: String,
    not_utf8: String,
}

struct ResolvedColumn<'a> {
    /// The name in the header of CSV, if it is UTF-8, or the unique key in JSON.
    name: Cow<'a, str>,
    /// Whether the name has [`PREFIX`].
    is_prefixed: bool,
    column: &'a Column,
    /// Index of the field in the input, for [`Column::Input`].
    field: usize,
}

/// The prefix of an input column with the name of another column.
const PREFIX: &str = "input.";

impl<'a> Columns<'a> {
    /// Resolves the columns of a job for an input with this layout. `first` is the layout of the first input.
    ///
    /// # Errors
    /// When the input lacks a column.
    pub fn resolve<S>(job: &'a SolveRows<S>, layout: &Layout, first: &Layout) -> Result<Columns<'a>, String> {
        static OTHER: Column = Column::Input(String::new());
        let mut all = Vec::new();
        if job.passthrough {
            let fields = layout.match_columns(first, "the first input")?;
            for (name, field) in first.columns().iter().zip(fields) {
                let is_prefixed = job.columns.iter().any(|column| column.name() == name);
                let prefix = if is_prefixed { PREFIX } else { "" };
                let name = format!("{prefix}{name}").into();
                all.push(ResolvedColumn { name, is_prefixed, column: &OTHER, field });
            }
        }
        let passed = all.len();
        let names = layout.columns();
        for column in &job.columns {
            let field = match column {
                Column::Input(name) => {
                    record::find_name(names, name).ok_or_else(|| match layout.is_table() {
                        true => format!("no column '{name}': the columns are {}", names.join(", ")),
                        false => format!("no column '{name}': the input is not a table"),
                    })?
                }
                _ => 0,
            };
            all.push(ResolvedColumn { name: column.name().into(), is_prefixed: false, column, field });
        }
        let (format, blank, in_input) = (job.format, job.blank, names.len());
        let [surplus, not_utf8] = ["surplus", "not_utf8"].map(String::from);
        let mut columns = Columns { all, passed, in_input, format, blank, surplus, not_utf8 };
        if format == Format::Jsonl {
            columns.make_names_unique();
        }
        Ok(columns)
    }

    /// Adds a number to each name that occurs before.
    fn make_names_unique(&mut self) {
        let mut used: Vec<String> = Vec::new();
        let originals: Vec<String> = self.all.iter().map(|column| column.name.to_string()).collect();
        let mut unique = |name: &str| {
            let numbered = (2..).map(|number| format!("{name}.{number}"));
            let free = [name.to_owned()].into_iter().chain(numbered).find(|name| !used.contains(name));
            let free = free.expect("there are more numbers than columns");
            used.push(free.clone());
            free
        };
        for (column, name) in self.all.iter_mut().zip(&originals) {
            column.name = unique(name).into();
        }
        self.surplus = unique("surplus");
        self.not_utf8 = unique("not_utf8");
    }

    /// The header of CSV. `first` is the layout of the first input. Its names keep bytes that are not UTF-8.
    pub fn csv_header(&self, first: &Layout) -> Vec<u8> {
        let mut header = Vec::new();
        let names = first.column_bytes();
        let mut row = Row::start(&mut header, Format::Csv);
        for (k, column) in self.all.iter().enumerate() {
            match names.get(k).filter(|_| k < self.passed) {
                Some(name) if column.is_prefixed => row.bytes("", &[PREFIX.as_bytes(), name].concat()),
                Some(name) => row.bytes("", name),
                None => row.string("", &column.name),
            };
        }
        row.end();
        header
    }

    /// Checks that the names of the input columns are UTF-8, as JSON requires.
    pub fn check_names(&self, layout: &Layout) -> Result<(), String> {
        let names = layout.column_bytes();
        let is_bad = |column: &&ResolvedColumn| {
            matches!(column.column, Column::Input(_))
                && names.get(column.field).is_some_and(|name| str::from_utf8(name).is_err())
        };
        match self.all.iter().find(is_bad) {
            None => Ok(()),
            Some(column) => Err(format!(
                "the name of column {} is not UTF-8, as JSON requires; convert the input with iconv, or choose CSV",
                column.field + 1
            )),
        }
    }

    /// Writes the rows of a batch.
    pub fn write(&self, batch: &BatchView, outcomes: &Outcomes, sink: &mut RowSink) {
        let needs_input = self.all.iter().any(|column| matches!(column.column, Column::Input(_)));
        let table = match &batch.layout.kind {
            Kind::Rows(rows) if needs_input => Some(rows),
            _ => None,
        };
        let mut input = Vec::new();
        for k in 0..batch.records.puzzles.len() {
            if let Some(rows) = table {
                rows.values(rows.row_at(batch.text, batch.records.starts[k] as usize), &mut input);
            }
            let is_utf8 = self.write_row(batch, outcomes, k, &input, sink.text());
            sink.count_not_utf8(u64::from(!is_utf8));
        }
    }

    /// Writes a row, and returns whether all its fields are UTF-8 or need not be.
    #[inline]
    fn write_row(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        k: usize,
        input: &[Cow<[u8]>],
        text: &mut Vec<u8>,
    ) -> bool {
        let (start, status, found) = (batch.records.starts[k], outcomes.status[k], outcomes.solutions[k]);
        let mut is_utf8 = true;
        let before = text.len();
        let mut row = Row::start(text, self.format);
        for ResolvedColumn { name, column, field, .. } in &self.all {
            match column {
                Column::Record => row.number(name, batch.records_before + k as u64 + 1),
                Column::Puzzle => row.word(name, &self.puzzle(batch, start, status)),
                Column::Solution => row.word(name, if found > 0 { &outcomes.rows[k][..CELLS] } else { b"" }),
                Column::Status => row.word(name, status.name().as_bytes()),
                Column::Solutions => row.number(name, found),
                Column::Guesses => row.number(name, outcomes.guesses[k]),
                Column::Clues => row.number(name, clues(batch, start, status, k)),
                Column::Input(_) => {
                    let value = input.get(*field).map_or(&b""[..], |value| value);
                    match str::from_utf8(value) {
                        _ if self.format == Format::Csv => row.bytes(name, value),
                        Ok(value) => row.string(name, value),
                        Err(_) => {
                            is_utf8 = false;
                            row.string(name, &String::from_utf8_lossy(value))
                        }
                    }
                }
            };
        }
        if self.passed > 0 && input.len() > self.in_input {
            is_utf8 &= self.write_surplus(&mut row, &input[self.in_input..]);
        }
        if !is_utf8 {
            self.write_not_utf8(&mut row, input);
        }
        row.end();
        if text.len() == before + 1 {
            // The only field of CSV is empty. A blank line would not be a record.
            text.splice(before..before, *b"\"\"");
        }
        is_utf8
    }

    /// Writes the fields for which the header has no names, unless all are empty. Returns whether they are UTF-8 or need
    /// not be.
    #[cold]
    fn write_surplus(&self, row: &mut Row, fields: &[Cow<[u8]>]) -> bool {
        if fields.iter().all(|field| field.is_empty()) {
            return true;
        }
        if self.format == Format::Csv {
            fields.iter().for_each(|field| _ = row.bytes("", field));
            return true;
        }
        row.value(&self.surplus, &fields.iter().map(|field| String::from_utf8_lossy(field)).collect());
        fields.iter().all(|field| str::from_utf8(field).is_ok())
    }

    /// Writes the fields that are not UTF-8 in hexadecimal, under the names of their columns.
    #[cold]
    fn write_not_utf8(&self, row: &mut Row, input: &[Cow<[u8]>]) {
        let hexadecimal = |value: &[u8]| value.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let named = self.all.iter().filter(|column| matches!(column.column, Column::Input(_)));
        let named = named.map(|column| (column.field, column.name.to_string()));
        let surplus = (self.in_input..input.len()).filter(|_| self.passed > 0);
        let fields = named.chain(surplus.map(|field| (field, format!("column {}", field + 1))));
        let bad = fields.filter_map(|(field, name)| {
            let value = input.get(field).filter(|value| str::from_utf8(value).is_err())?;
            Some((name, Value::from(hexadecimal(value))))
        });
        row.value(&self.not_utf8, &Value::from(bad.collect::<Map<_, _>>()));
    }

    fn puzzle<'t>(&self, batch: &BatchView<'t>, start: u32, status: Status) -> Cow<'t, [u8]> {
        let mut cells = puzzle_text(batch, start, status);
        if let Some(blank) = self.blank {
            let is_blank = |byte: u8| !(b'1'..=b'9').contains(&byte);
            cells.to_mut().iter_mut().filter(|byte| is_blank(**byte)).for_each(|byte| *byte = blank);
        }
        cells
    }
}

/// The number of clues of record `k`; 0 if it is not a puzzle.
fn clues(batch: &BatchView, start: u32, status: Status, k: usize) -> u64 {
    let is_puzzle = status != Status::Invalid || !puzzle_text(batch, start, status).is_empty();
    if is_puzzle { batch.records.puzzles[k].clue_count() as u64 } else { 0 }
}
