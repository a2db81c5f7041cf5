//! Stage 4, rows: rows with the columns that the user chose, for any job.

pub(crate) mod array;
pub(crate) mod columns;

use std::borrow::Cow;

use self::array::Grid;
use self::columns::Columns;
use super::record::{BYTE_ORDER_MARK, BatchView, Layout};
use super::write::RowSink;
use super::write::row::{Format, npy_header};
use crate::grid::{CELLS, is_cell};
use crate::outcome::Outcomes;

/// A column of the output. The name in the header is the variant in lower case, or the given name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// The number of the record, from 1 over all inputs.
    Record,
    /// The 81 cells of the puzzle, or its 729 pencilmarks. If the record is not a puzzle, the text in its place: the
    /// line, or the field of a table.
    Puzzle,
    /// The 81 digits of the first solution found. Empty if there is none.
    Solution,
    /// The [status](crate::outcome::Status) as a word.
    Status,
    /// The number of solutions found, up to the limit.
    Solutions,
    /// The number of guesses.
    Guesses,
    /// The number of clues; of pencilmarks, cells with a single candidate. Missing if the record is not a puzzle.
    Clues,
    /// A column that the job computes, one of those of [`Table::with_computed`].
    Computed(&'static str),
    /// A column of the input, which must be a table.
    Input(String),
}

impl Column {
    /// The columns that every job offers.
    const COMMON: [(&str, Column); 7] = [
        ("record", Column::Record),
        ("puzzle", Column::Puzzle),
        ("solution", Column::Solution),
        ("status", Column::Status),
        ("solutions", Column::Solutions),
        ("guesses", Column::Guesses),
        ("clues", Column::Clues),
    ];

    /// The default columns of [`SolveRows`](super::SolveRows): puzzle, solution, status and number of solutions.
    pub fn defaults() -> Vec<Column> {
        vec![Column::Puzzle, Column::Solution, Column::Status, Column::Solutions]
    }

    /// The column with this name, for example `solution`. Any other name, and any name after the prefix `input.`, is a
    /// column of the input.
    pub fn from_name(name: &str) -> Column {
        let common = Column::COMMON.into_iter().find(|(common, _)| *common == name);
        let input = || Column::Input(name.strip_prefix("input.").unwrap_or(name).to_owned());
        common.map_or_else(input, |(_, column)| column)
    }

    /// Whether only a solver knows the value.
    pub fn needs_solver(&self) -> bool {
        matches!(self, Column::Solution | Column::Status | Column::Solutions | Column::Guesses)
    }

    /// The name, without the prefix `input.` of an input column.
    pub fn name(&self) -> &str {
        match self {
            Column::Computed(name) => name,
            Column::Input(name) => name,
            _ => Column::COMMON.iter().find(|(_, column)| column == self).map_or("", |(name, _)| name),
        }
    }
}

/// A value of a [computed column](Column::Computed).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// No value: an empty field in CSV, `null` in JSON.
    Missing,
    /// A number.
    Number(u64),
    /// A number in tenths: 71 is written as `7.1`.
    Tenths(u64),
    /// `true` or `false`.
    Flag(bool),
    /// 81 cells as ASCII.
    Cells([u8; CELLS]),
    /// Text that never needs quotes or escapes.
    Word(&'static str),
    /// Any text.
    Text(Cow<'a, str>),
}

/// The format and the columns of rows, for CSV, JSON lines and arrays of NumPy, or [copies](Table::copies_lines) of
/// records.
///
/// [`SolveRows`](super::SolveRows) has one. A [`Job`](super::Job) of your own can have one too: it returns it from
/// [`Job::table`](super::Job::table), and calls [`Table::write`] in [`Job::write`](super::Job::write).
///
/// ```
/// use std::ops::ControlFlow;
///
/// use rapidoku::file::{BatchSolver, BatchView, Format, Job, Output, RowSink, Run, Table, Value};
/// use rapidoku::{Outcomes, Solver};
///
/// /// Writes the digit in the centre of each puzzle.
/// struct Centre(Solver, Table);
///
/// impl Job for Centre {
///     fn table(&self) -> Option<&Table> {
///         Some(&self.1)
///     }
///
///     fn solver(&self) -> Option<&dyn BatchSolver> {
///         Some(&self.0)
///     }
///
///     fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
///         self.1.write(batch, outcomes, rows, &mut |k, values| {
///             if let Some(solution) = outcomes.solution(k) {
///                 values[0] = Value::Number(solution.cells()[40].into());
///             }
///         })
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.csv", "centres.csv"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// std::fs::write(&input, format!("id,puzzle\na,{puzzle}\nb,none\n"))?;
/// let table = Table::with_computed(Format::Csv, &["centre"]).column_names(["id", "status", "centre"]);
/// let job = Centre(Solver::new(), table);
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&job, &mut |_| {})?;
/// assert_eq!(std::fs::read_to_string(&output)?, "id,status,centre\na,unique,5\nb,invalid,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Table {
    /// The format of the rows. A table has no rows of [`Format::Text`] unless it [copies lines](Table::copies_lines);
    /// the job writes them.
    pub format: Format,
    /// The columns, in this order. With [`Format::Npy`], those named `puzzle` and `solution`, or one of them; others
    /// are errors.
    pub columns: Vec<Column>,
    /// Whether all columns of an input table precede `columns`. Those with the name of one of `columns` get the prefix
    /// `input.`. Later inputs must have the columns of the first one, in any order. An input that is not a table has
    /// one column, [`Column::Puzzle`].
    ///
    /// Rows of [`Format::Npy`] without `columns` have the puzzle, and the solution if the first input gives solutions.
    ///
    /// CSV keeps the bytes of the input. In JSON lines, bytes that are not UTF-8 become U+FFFD, and of several columns
    /// with the same name, all but the first get a suffix (`.2`).
    pub passthrough: bool,
    /// The character for blank cells in [`Column::Puzzle`]; `None` copies the puzzle from the input.
    pub blank: Option<u8>,
    /// Whether the rows of [`Format::Text`] are the records themselves, byte for byte, after the header of the first
    /// input. The last line gets a missing line feed, and an empty line follows each grid. Later inputs must have the
    /// format of the first one, with the same header.
    ///
    /// The same for CSV and JSON lines, if all columns are [passed through](Table::passthrough), there are no others,
    /// and the first input has the format of the output: it is CSV with a header and commas, or JSON.
    pub copies_lines: bool,
    /// Whether CSV and JSON lines have the column `solution` only if the first input gives solutions.
    pub solution_if_given: bool,
    /// The names of the columns that the job computes.
    computed: &'static [&'static str],
    /// Whether the job solves puzzles, so that messages name the columns that need a solver.
    solves: bool,
}

impl Table {
    /// A table with the [default columns](Column::defaults).
    pub fn new(format: Format) -> Table {
        Table::with_computed(format, &[])
    }

    /// A table of a job that computes the columns `computed`. The names take precedence over those of other columns.
    pub fn with_computed(format: Format, computed: &'static [&'static str]) -> Table {
        Table {
            format,
            columns: Column::defaults(),
            passthrough: false,
            blank: None,
            copies_lines: false,
            solution_if_given: false,
            computed,
            solves: true,
        }
    }

    /// Sets the columns.
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> Table {
        self.columns = columns.into_iter().collect();
        self
    }

    /// Sets the columns by their names, see [`Table::column`].
    pub fn column_names<T: AsRef<str>>(mut self, names: impl IntoIterator<Item = T>) -> Table {
        self.columns = names.into_iter().map(|name| self.column(name.as_ref())).collect();
        self
    }

    /// Sets whether all columns of an input table precede the other columns.
    pub fn passthrough(mut self, passthrough: bool) -> Table {
        self.passthrough = passthrough;
        self
    }

    /// Sets whether the rows of [`Format::Text`] are the records themselves, see [`Table::copies_lines`].
    pub fn copies_lines(mut self, copies_lines: bool) -> Table {
        self.copies_lines = copies_lines;
        self
    }

    /// The table of a job that does not solve puzzles.
    #[doc(hidden)]
    pub fn without_solver(mut self) -> Table {
        self.solves = false;
        self
    }

    /// The names of all columns except those of the input.
    fn names(&self) -> Vec<&str> {
        let offered = Column::COMMON.iter().filter(|(_, column)| self.solves || !column.needs_solver());
        let mut names: Vec<&str> = offered.map(|(name, _)| *name).collect();
        names.extend(self.computed.iter().filter(|name| !names.contains(*name)).collect::<Vec<_>>());
        names
    }

    /// The column with this name: one that the job computes, or that of [`Column::from_name`].
    pub fn column(&self, name: &str) -> Column {
        let computed = self.index_of(name).map(|index| Column::Computed(self.computed[index]));
        computed.unwrap_or_else(|| Column::from_name(name))
    }

    /// The index of a column that the job computes.
    fn index_of(&self, name: &str) -> Option<usize> {
        self.computed.iter().position(|computed| *computed == name)
    }

    /// Whether one of the columns is the computed column `name`. If not, the job need not compute it.
    pub fn has(&self, name: &str) -> bool {
        self.columns.iter().any(|column| matches!(column, Column::Computed(computed) if *computed == name))
    }

    /// The bytes before the rows: the names of the columns in CSV, that of the input for [copied
    /// lines](Table::copies_lines), nothing in other formats.
    ///
    /// # Errors
    /// When there is no column, the first input lacks one, JSON lines cannot have the name of one, or `blank` is not a
    /// blank.
    pub(crate) fn header(&self, first: Option<&Layout>) -> Result<Cow<'static, [u8]>, String> {
        let layout = first.unwrap_or(Layout::lines());
        match self.format {
            _ if self.copies(first) => return copied_header(first),
            Format::Text => return Ok(Cow::Borrowed(b"")),
            Format::Npy => {
                let grids = array::grids(self, layout)?;
                return Ok(npy_header(0, grids.len()).into());
            }
            Format::Csv | Format::Jsonl => {}
        }
        if self.columns.is_empty() {
            match first {
                None => return Ok(Cow::Borrowed(b"")),
                Some(layout) if layout.is_table() || self.passthrough => {}
                Some(_) => return Err("no columns: the input is not a table".to_owned()),
            }
        }
        if let Some(blank) = self.blank.filter(|blank| !is_cell(*blank) || (b'1'..=b'9').contains(blank)) {
            return Err(format!("unsupported character for blanks: '{}'", blank.escape_ascii()));
        }
        let columns = Columns::resolve(self, layout, layout)?;
        Ok(if self.format == Format::Csv { columns.csv_header().into() } else { Cow::Borrowed(b"") })
    }

    /// Checks that rows of an input that is not the first one can follow those of the first one.
    ///
    /// # Errors
    /// When columns are passed through, and those of `layout` are not those of `first`, or lines are copied and the
    /// layouts differ.
    pub(crate) fn accept_after(&self, layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
        if self.format == Format::Npy {
            return array::grids(self, layout).map(drop);
        }
        if self.copies(Some(first)) {
            return layout.check_copies(first, first_name);
        }
        if self.passthrough { layout.match_columns(first, first_name).map(drop) } else { Ok(()) }
    }

    /// Whether the rows are the lines of the records, for inputs of which `first` is the first one.
    pub(crate) fn copies(&self, first: Option<&Layout>) -> bool {
        let is_all = self.passthrough && self.columns.is_empty() && self.blank.is_none();
        self.copies_lines
            && match self.format {
                Format::Text => true,
                Format::Csv => is_all && first.is_some_and(Layout::is_plain_csv),
                Format::Jsonl => is_all && first.is_some_and(Layout::is_json),
                Format::Npy => false,
            }
    }

    /// The number of grids in a row of [`Format::Npy`].
    pub(crate) fn grid_count(&self, first: Option<&Layout>) -> usize {
        array::grids(self, first.unwrap_or(Layout::lines())).map_or(1, |grids| grids.len())
    }

    /// Whether one of the columns is [`Column::Record`], see [`Needs::numbers`](super::Needs::numbers).
    pub(crate) fn needs_numbers(&self) -> bool {
        self.format.has_columns() && self.columns.contains(&Column::Record)
    }

    /// Writes a row for each record. For each record `k`, `compute` gets a value for each computed column, all
    /// [`Value::Missing`], and replaces those that exist.
    ///
    /// Returns [`ControlFlow::Break`](std::ops::ControlFlow::Break) if the run has ended.
    pub fn write<'v>(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        sink: &mut RowSink,
        compute: &mut dyn FnMut(usize, &mut [Value<'v>]),
    ) -> std::ops::ControlFlow<()> {
        let mut writer = self.writer(batch);
        let mut values = vec![Value::Missing; self.computed.len()];
        for k in 0..batch.records.len() {
            values.fill(Value::Missing);
            compute(k, &mut values);
            writer.write_row(outcomes, k, &values, sink);
            sink.flush_if_large()?;
        }
        std::ops::ControlFlow::Continue(())
    }

    /// A writer of the rows of a batch, for jobs that write several rows for a record, or none.
    pub fn writer<'a>(&'a self, batch: &BatchView<'a>) -> TableWriter<'a> {
        // A run rejects an input without one of the columns before its first batch, if the job returns the table.
        let rows = match self.format {
            _ if self.copies(Some(batch.first_layout)) => Rows::Copies,
            Format::Text => Rows::None,
            Format::Npy => array::grids(self, batch.first_layout).map_or(Rows::None, Rows::Grids),
            Format::Csv | Format::Jsonl => {
                Columns::resolve(self, batch.layout, batch.first_layout).map_or(Rows::None, Rows::Columns)
            }
        };
        TableWriter { batch: *batch, rows, input: Vec::new(), input_of: usize::MAX }
    }
}

/// A writer of rows of a batch, from [`Table::writer`].
pub struct TableWriter<'a> {
    batch: BatchView<'a>,
    rows: Rows<'a>,
    /// The fields of the record `input_of`.
    input: Vec<Cow<'a, [u8]>>,
    input_of: usize,
}

/// What the rows of a batch consist of.
enum Rows<'a> {
    None,
    /// The lines of the records.
    Copies,
    Grids(Vec<Grid>),
    Columns(Columns<'a>),
}

impl TableWriter<'_> {
    /// Writes a row for record `k`, with a value for each computed column, or copies its lines.
    ///
    /// # Panics
    /// When there is no such record, or there are fewer values than computed columns.
    pub fn write_row(&mut self, outcomes: &Outcomes, k: usize, values: &[Value], sink: &mut RowSink) {
        match &self.rows {
            Rows::None => {}
            Rows::Copies => push_record(&self.batch, k, sink.text()),
            Rows::Grids(grids) => array::push_row(grids, &self.batch, outcomes, k, values, sink.text()),
            Rows::Columns(columns) => {
                if columns.needs_input && self.input_of != k {
                    let record = self.batch.record(k);
                    self.batch.layout.values(record, columns.copies_json, &mut self.input);
                    self.input_of = k;
                }
                columns.write_row(&self.batch, outcomes, k, &self.input, values, sink);
            }
        }
    }
}

/// The bytes before copied records: the header of the first input, if it is a table.
///
/// # Errors
/// When the input is not text.
fn copied_header(first: Option<&Layout>) -> Result<Cow<'static, [u8]>, String> {
    if first.is_some_and(|layout| !layout.is_text()) {
        return Err("records are copied as lines, which a NumPy array does not have; choose the format of the output: npy, csv or \
                    jsonl"
            .to_owned());
    }
    let mut copy = Vec::new();
    first.and_then(Layout::header).into_iter().for_each(|header| push_lines(header, &mut copy));
    Ok(Cow::Owned(copy))
}

/// Appends lines, after an empty line if they start with a byte order mark, which would be skipped at the start of a
/// file.
fn push_lines(lines: &[u8], text: &mut Vec<u8>) {
    if lines.starts_with(BYTE_ORDER_MARK) {
        text.push(b'\n');
    }
    text.extend_from_slice(lines);
}

/// Appends the bytes of record `k`, including its line ends. A last line without a line feed gets one, so that the next
/// record starts on a new line. An empty line ends a grid.
fn push_record(batch: &BatchView, k: usize, text: &mut Vec<u8>) {
    push_lines(batch.layout.record_bytes(batch.record(k)), text);
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    if batch.layout.is_grid() {
        text.push(b'\n');
    }
}
