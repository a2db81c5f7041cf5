//! Stage 4, rows: the columns of a [`Table`], resolved for the layout of an input.

use std::borrow::Cow;

use serde_json::{Map, Value};

use super::line::not_puzzle_field;
use super::{Column, Table, Value as Computed};
use crate::file::record::{self, BatchView, Layout};
use crate::file::write::RowSink;
use crate::file::write::row::{Format, Row, quote_header};
use crate::grid::CELLS;
use crate::outcome::Outcomes;

/// The columns of the output.
pub struct Columns<'a> {
    all: Vec<ResolvedColumn<'a>>,
    /// The number of columns at the start that are passed through.
    passed: usize,
    /// The number of columns in the input that have a name, if fields without one are passed through.
    named: Option<usize>,
    format: Format,
    /// The header of CSV.
    pub csv_header: Vec<u8>,
    copies_json: bool,
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
    /// Index of the field in the input, for [`Column::Input`], or of the value, for [`Column::Computed`].
    field: usize,
}

/// The name of the text after a puzzle at the start of a line.
const NOTE: &str = "note";
/// The prefix of an input column with the name of another column.
const PREFIX: &str = "input.";

/// Whether a column is copied from the input.
fn is_input(column: &ResolvedColumn) -> bool {
    matches!(column.column, Column::Input(_))
}

impl<'a> Columns<'a> {
    /// Resolves the columns of a job for an input with this layout. `first` is the layout of the first input.
    ///
    /// # Errors
    /// When the input lacks a column.
    pub fn resolve(table: &'a Table, layout: &Layout, first: &Layout) -> Result<Columns<'a>, String> {
        static OTHER: Column = Column::Input(String::new());
        let mut all = Vec::new();
        if table.passthrough {
            let fields = layout.match_columns(first, "the first input")?;
            for (name, field) in first.columns().iter().zip(fields) {
                let is_prefixed = table.columns.iter().any(|column| column.name() == name);
                let prefix = if is_prefixed { PREFIX } else { "" };
                let name = format!("{prefix}{name}").into();
                all.push(ResolvedColumn { name, is_prefixed, column: &OTHER, field });
            }
        }
        let passed = all.len();
        if table.passthrough && !first.is_table() && !table.columns.contains(&Column::Puzzle) {
            let name = Column::Puzzle.name().into();
            all.push(ResolvedColumn { name, is_prefixed: false, column: &Column::Puzzle, field: 0 });
        }
        if table.passthrough && first.has_notes() && !table.columns.contains(&Column::Input(NOTE.to_owned()))
        {
            all.push(ResolvedColumn { name: NOTE.into(), is_prefixed: false, column: &OTHER, field: 0 });
        }
        let note = [NOTE.to_owned()];
        let names = if layout.is_lines() { &note } else { layout.columns() };
        for column in &table.columns {
            let field = match column {
                Column::Input(name) => record::find_name(names, name).ok_or_else(|| {
                    let of_input = match layout.is_table() {
                        true => format!("those of the input are {}", names.join(", ")),
                        false => "the input is not a table".to_owned(),
                    };
                    format!("no column '{name}': the columns are {}; {of_input}", table.names().join(", "))
                })?,
                Column::Computed(name) => {
                    let index = table.computed.iter().position(|computed| computed == name);
                    index.ok_or_else(|| format!("no column '{name}'"))?
                }
                _ => 0,
            };
            all.push(ResolvedColumn { name: column.name().into(), is_prefixed: false, column, field });
        }
        let (format, blank) = (table.format, table.blank);
        // A note is a surplus field if the first input has no column for it.
        let named = if layout.is_lines() { usize::from(all.iter().any(is_input)) } else { names.len() };
        let named = table.passthrough.then_some(named);
        let [surplus, not_utf8] = ["surplus", "not_utf8"].map(String::from);
        let copies_json = format == Format::Jsonl && layout.is_jsonl();
        let csv_header = Vec::new();
        let mut columns =
            Columns { all, passed, named, format, csv_header, copies_json, blank, surplus, not_utf8 };
        match format {
            Format::Jsonl => columns.make_names_unique(),
            _ => columns.csv_header = columns.header_of(first),
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
    fn header_of(&self, first: &Layout) -> Vec<u8> {
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
            is_input(column) && names.get(column.field).is_some_and(|name| str::from_utf8(name).is_err())
        };
        match self.all.iter().find(is_bad) {
            None => Ok(()),
            Some(column) => Err(format!(
                "the name of column {} is not UTF-8, as JSON requires; convert the input with iconv, or choose CSV",
                column.field + 1
            )),
        }
    }

    /// Whether a column is copied from the input.
    pub fn needs_input(&self) -> bool {
        self.named.is_some() || self.all.iter().any(is_input)
    }

    /// Whether values of JSON lines are copied as they are, which keeps their types.
    pub fn copies_json(&self) -> bool {
        self.copies_json
    }

    /// Writes a row for record `k`. `input` has the fields of the record, `computed` the values of the job.
    #[inline]
    pub fn write_row(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        k: usize,
        input: &[Cow<[u8]>],
        computed: &[Computed],
        sink: &mut RowSink,
    ) {
        let (start, status, found) = (batch.records.starts[k], outcomes.status[k], outcomes.solutions[k]);
        let mut is_utf8 = true;
        // The puzzle of a record that is not a puzzle: its text, if that is not UTF-8.
        let mut not_puzzle = None;
        let row_start = sink.text().len();
        let mut row = Row::start(sink.text(), self.format);
        for ResolvedColumn { name, column, field, .. } in &self.all {
            match column {
                Column::Record => row.number(name, batch.records_before + k as u64 + 1),
                Column::Puzzle => match puzzle_cells(batch, k) {
                    Some(cells) => row.word(name, &self.with_blanks(cells)),
                    None => {
                        let text = not_puzzle_field(batch.layout.puzzle_text(batch.text, start as usize));
                        if self.format == Format::Jsonl && str::from_utf8(&text).is_err() {
                            (is_utf8, not_puzzle) = (false, Some(text.clone()));
                        }
                        row.bytes(name, &text)
                    }
                },
                Column::Solution => row.word(name, if found > 0 { &outcomes.rows[k][..CELLS] } else { b"" }),
                Column::Status => row.word(name, status.name().as_bytes()),
                Column::Solutions => row.number(name, found),
                Column::Guesses => row.number(name, outcomes.guesses[k]),
                Column::Clues => row.maybe_number(name, clues(batch, k)),
                Column::Computed(_) => match &computed[*field] {
                    Computed::Missing => row.maybe_word(name, None),
                    Computed::Number(value) => row.number(name, *value),
                    Computed::Tenths(value) => {
                        row.json(name, format!("{}.{}", value / 10, value % 10).as_bytes())
                    }
                    Computed::Flag(value) => row.maybe_flag(name, Some(*value)),
                    Computed::Cells(cells) => row.word(name, cells),
                    Computed::Word(word) => row.word(name, word.as_bytes()),
                    Computed::Text(text) => row.string(name, text),
                },
                Column::Input(_) => {
                    let value = input.get(*field).map_or(&b""[..], |value| value);
                    if self.copies_json {
                        row.json(name, if value.is_empty() { b"null" } else { value });
                        continue;
                    }
                    is_utf8 &= self.format == Format::Csv || str::from_utf8(value).is_ok();
                    row.bytes(name, value)
                }
            };
        }
        if let Some(surplus) = self.surplus_of(input) {
            is_utf8 &= self.write_surplus(&mut row, surplus);
        }
        if !is_utf8 {
            self.write_not_utf8(&mut row, input, not_puzzle.as_deref());
        }
        row.end();
        if self.format == Format::Csv && !batch.records.is_puzzle(k) {
            quote_header(sink.text(), row_start, &self.csv_header);
        }
        sink.count_not_utf8(u64::from(!is_utf8));
    }

    /// The fields for which there is no column, if there are any and they are passed through.
    fn surplus_of<'f, 't>(&self, input: &'f [Cow<'t, [u8]>]) -> Option<&'f [Cow<'t, [u8]>]> {
        input.get(self.named?..).filter(|fields| !fields.is_empty())
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
        if self.copies_json {
            row.json(&self.surplus, &[&b"["[..], &fields.join(&b','), b"]"].concat());
            return true;
        }
        row.value(&self.surplus, &fields.iter().map(|field| String::from_utf8_lossy(field)).collect());
        fields.iter().all(|field| str::from_utf8(field).is_ok())
    }

    /// Writes the fields that are not UTF-8 in hexadecimal, under the names of their columns. `puzzle` is the text of a
    /// record that is not a puzzle, if it is one of them.
    #[cold]
    fn write_not_utf8(&self, row: &mut Row, input: &[Cow<[u8]>], puzzle: Option<&[u8]>) {
        let hexadecimal = |value: &[u8]| value.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
        let in_columns = self.all.iter().filter_map(|column| match column.column {
            Column::Input(_) => {
                Some((input.get(column.field).map(|value| &**value), column.name.to_string()))
            }
            Column::Puzzle => Some((puzzle, column.name.to_string())),
            _ => None,
        });
        let surplus = self.surplus_of(input).unwrap_or_default();
        let named = input.len() - surplus.len();
        let surplus =
            (named + 1..).zip(surplus).map(|(number, field)| (Some(&**field), format!("column {number}")));
        let bad = in_columns.chain(surplus).filter_map(|(value, name)| {
            let value = value.filter(|value| str::from_utf8(value).is_err())?;
            Some((name, Value::from(hexadecimal(value))))
        });
        row.value(&self.not_utf8, &Value::from(bad.collect::<Map<_, _>>()));
    }

    /// The cells of a puzzle with the chosen character for blanks.
    fn with_blanks<'t>(&self, mut cells: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
        if let Some(blank) = self.blank {
            let is_blank = |byte: u8| !(b'1'..=b'9').contains(&byte);
            cells.to_mut().iter_mut().filter(|byte| is_blank(**byte)).for_each(|byte| *byte = blank);
        }
        cells
    }
}

/// The cells of record `k` as in the input; `None` if it is not a puzzle.
pub fn puzzle_cells<'a>(batch: &BatchView<'a>, k: usize) -> Option<Cow<'a, [u8]>> {
    let start = batch.records.starts[k] as usize;
    batch.records.is_puzzle(k).then(|| batch.layout.cells_of_puzzle(batch.text, start)).flatten()
}

/// The number of clues of record `k`; `None` if it is not a puzzle.
fn clues(batch: &BatchView, k: usize) -> Option<u64> {
    batch.records.is_puzzle(k).then(|| batch.records.puzzles[k].clue_count() as u64)
}
