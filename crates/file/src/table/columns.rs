//! Stage 4, rows: the columns of a [`Table`], resolved for the layout of an input.

use std::borrow::Cow;

use super::{Column, Table, Value as Computed};
use crate::grid::CELLS;
use crate::outcome::Outcomes;
use crate::record::{BatchView, Layout, NOTE};
use crate::write::RowSink;
use crate::write::row::{Format, Row};

/// The columns of the output.
pub struct Columns<'a> {
    table: &'a Table,
    all: Vec<ResolvedColumn<'a>>,
    /// Whether values of JSON lines are copied as they are, which keeps their types.
    pub copies_json: bool,
    /// Whether a column is copied from the input.
    pub needs_input: bool,
}

struct ResolvedColumn<'a> {
    /// The name in the header of CSV, or the unique key in JSON.
    name: Cow<'a, str>,
    column: &'a Column,
    /// Index of the field in the input, for [`Column::Input`], or of the value, for [`Column::Computed`].
    field: usize,
}

impl<'a> Columns<'a> {
    /// Resolves the columns of a job for an input with this layout. `first` is the layout of the first input.
    ///
    /// # Errors
    /// When the input lacks a column.
    pub fn resolve(table: &'a Table, layout: &Layout, first: &Layout) -> Result<Columns<'a>, String> {
        static OTHER: Column = Column::Input(String::new());
        let mut all = Vec::new();
        let mut add = |name, column, field| all.push(ResolvedColumn { name, column, field });
        if table.passthrough {
            let fields = layout.match_columns(first, "the first input")?;
            for (name, field) in first.columns().iter().zip(fields) {
                let is_prefixed = table.columns.iter().any(|column| column.name() == name);
                let prefix = if is_prefixed { "input." } else { "" };
                add(format!("{prefix}{name}").into(), &OTHER, field);
            }
            if !first.is_table() && !table.columns.contains(&Column::Puzzle) {
                add(Column::Puzzle.name().into(), &Column::Puzzle, 0);
            }
            if first.has_notes() && !table.columns.contains(&Column::Input(NOTE.to_owned())) {
                add(NOTE.into(), &OTHER, 0);
            }
        }
        let is_left_out = |column: &&Column| {
            table.solution_if_given && !first.has_solution() && column.name() == Column::Solution.name()
        };
        for column in table.columns.iter().filter(|column| !is_left_out(column)) {
            let field = match column {
                Column::Input(name) => layout.find_column(name).map_err(|of_input| {
                    format!("no column '{name}': the columns are {}; {of_input}", table.names().join(", "))
                })?,
                Column::Computed(name) => table.index_of(name).ok_or_else(|| format!("no column '{name}'"))?,
                _ => 0,
            };
            add(column.name().into(), column, field);
        }
        let is_json = table.format == Format::Jsonl;
        // In JSON, each name that occurs before gets a number.
        for at in if is_json { 1..all.len() } else { 0..0 } {
            let is_free = |name: &String| all[..at].iter().all(|other| other.name != *name);
            let name = all[at].name.to_string();
            let numbered = (2..).map(|number| format!("{name}.{number}"));
            let free = [name.clone()].into_iter().chain(numbered).find(is_free);
            all[at].name = free.expect("there are more numbers than columns").into();
        }
        let needs_input = all.iter().any(|column| matches!(column.column, Column::Input(_)));
        Ok(Columns { table, all, copies_json: is_json && layout.is_json(), needs_input })
    }

    /// The header of CSV.
    pub fn csv_header(&self) -> Vec<u8> {
        let mut header = Vec::new();
        let mut row = Row::start(&mut header, Format::Csv);
        self.all.iter().for_each(|column| _ = row.string("", &column.name));
        row.end();
        header
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
        let found = outcomes.solution_counts()[k];
        let mut row = Row::start(sink.text(), self.table.format);
        for ResolvedColumn { name, column, field, .. } in &self.all {
            match column {
                Column::Record => row.number(name, batch.records_before + k as u64 + 1),
                Column::Puzzle => match batch.cells(k) {
                    Some(cells) => row.word(name, &self.with_blanks(cells)),
                    None => row.bytes(name, &batch.layout.puzzle_text(batch.record(k))),
                },
                Column::Solution => row.word(name, if found > 0 { &outcomes.rows()[k][..CELLS] } else { b"" }),
                Column::Status => row.word(name, outcomes.statuses()[k].name().as_bytes()),
                Column::Solutions => row.number(name, found),
                Column::Guesses => row.number(name, outcomes.guesses()[k]),
                Column::Clues => {
                    let puzzle = batch.records.is_puzzle(k).then(|| &batch.records.puzzles[k]);
                    row.maybe_number(name, puzzle.map(|puzzle| puzzle.clue_count() as u64))
                }
                Column::Computed(_) => computed[*field].write(name, &mut row),
                Column::Input(_) => match input.get(*field).map_or(&b""[..], |value| value) {
                    b"" if self.copies_json => row.json(name, b"null"),
                    value if self.copies_json => row.json(name, value),
                    value => row.bytes(name, value),
                },
            };
        }
        row.end();
    }

    /// The cells of a puzzle with the chosen character for blanks.
    fn with_blanks<'t>(&self, mut cells: Cow<'t, [u8]>) -> Cow<'t, [u8]> {
        if let Some(blank) = self.table.blank {
            let is_blank = |byte: u8| !(b'1'..=b'9').contains(&byte);
            cells.to_mut().iter_mut().filter(|byte| is_blank(**byte)).for_each(|byte| *byte = blank);
        }
        cells
    }
}

impl Computed<'_> {
    /// Appends the value to a row.
    #[inline]
    fn write<'r, 't>(&self, name: &str, row: &'r mut Row<'t>) -> &'r mut Row<'t> {
        match self {
            Computed::Missing => row.missing(name),
            Computed::Number(value) => row.number(name, *value),
            Computed::Tenths(value) => row.tenths(name, *value),
            Computed::Flag(value) => row.flag(name, *value),
            Computed::Cells(cells) => row.word(name, cells),
            Computed::Word(word) => row.word(name, word.as_bytes()),
            Computed::Text(text) => row.string(name, text),
        }
    }
}
