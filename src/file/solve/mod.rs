//! Stages 3 and 4, outcomes and rows: jobs that solve puzzles and write one row per record.

pub mod grids;

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::record::{self, Kind, Layout};
use super::run::job::{BatchSolver, BatchView, Job, RowSink};
use super::write::row::{Format, Row};
use crate::grid::{CELLS, is_cell};
use crate::outcome::{Outcomes, Status};
use crate::solver::Solver;

/// A [`Job`] that solves puzzles and writes a row for each record.
///
/// With [`Format::Text`], the default, a row is the 81 digits of the solution, or an empty line if there is none. With the
/// other formats a row has the chosen columns.
///
/// ```
/// use rapidoku::Solver;
/// use rapidoku::file::{self, Column, Config, Format, Output, SolveRows, Unfinished};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "solved.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")?;
/// let columns = ["record", "status", "clues"].map(Column::from_name);
/// let job = SolveRows::new(Solver::new()).format(Format::Jsonl).columns(columns);
/// let config = Config::default().input(&input);
/// file::run(&config, &job, Output::create(&output, &Unfinished::default())?, &mut |_| {})?;
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"record\":1,\"status\":\"unique\",\"clues\":30}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolveRows<S = Solver> {
    /// The solver.
    pub solver: S,
    /// The format of the rows.
    pub format: Format,
    /// The columns of CSV and JSON lines, in this order.
    pub columns: Vec<Column>,
    /// Whether all columns of an input table precede `columns`. Those with the name of one of `columns` get the prefix
    /// `input.`.
    pub passthrough: bool,
    /// The character for blank cells in [`Column::Puzzle`]; `None` copies the puzzle from the input.
    pub blank: Option<u8>,
}

/// A column of the output. The name in the header is the variant in lower case, or the name in the input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Column {
    /// The number of the record, from 1 over all inputs.
    Record,
    /// The 81 cells of the puzzle, or its 729 pencilmarks. Empty if the record is not a puzzle.
    Puzzle,
    /// The 81 digits of the first solution found. Empty if there is none.
    Solution,
    /// The [status](Status) as a word.
    Status,
    /// The number of solutions found, up to the limit.
    Solutions,
    /// The number of guesses.
    Guesses,
    /// The number of clues; of pencilmarks, cells with a single candidate.
    Clues,
    /// A column of the input, which must be a table.
    Input(String),
}

impl Column {
    /// The columns that do not come from the input.
    const COMPUTED: [Column; 7] = [
        Column::Record,
        Column::Puzzle,
        Column::Solution,
        Column::Status,
        Column::Solutions,
        Column::Guesses,
        Column::Clues,
    ];

    /// The default columns: puzzle, solution, status and number of solutions.
    pub fn defaults() -> Vec<Column> {
        vec![Column::Puzzle, Column::Solution, Column::Status, Column::Solutions]
    }

    /// The column with this name, for example `solution`. Any other name, and any name after the prefix `input.`, is a
    /// column of the input.
    pub fn from_name(name: &str) -> Column {
        let computed = Column::COMPUTED.into_iter().find(|column| column.name() == name);
        computed.unwrap_or_else(|| Column::Input(name.strip_prefix("input.").unwrap_or(name).to_owned()))
    }

    fn name(&self) -> &str {
        match self {
            Column::Record => "record",
            Column::Puzzle => "puzzle",
            Column::Solution => "solution",
            Column::Status => "status",
            Column::Solutions => "solutions",
            Column::Guesses => "guesses",
            Column::Clues => "clues",
            Column::Input(name) => name,
        }
    }
}

/// A column of the output, resolved for the layout of an input.
struct ResolvedColumn<'a> {
    name: Cow<'a, str>,
    column: &'a Column,
    /// Index of the field in the input, for [`Column::Input`].
    field: usize,
}

impl<S> SolveRows<S> {
    /// A job that writes solutions as text.
    pub fn new(solver: S) -> SolveRows<S> {
        SolveRows {
            solver,
            format: Format::Text,
            columns: Column::defaults(),
            passthrough: false,
            blank: None,
        }
    }

    /// Sets the format of the rows.
    pub fn format(mut self, format: Format) -> SolveRows<S> {
        self.format = format;
        self
    }

    /// Sets the columns of CSV and JSON lines.
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> SolveRows<S> {
        self.columns = columns.into_iter().collect();
        self
    }

    /// Sets whether all columns of an input table precede the other columns.
    pub fn passthrough(mut self, passthrough: bool) -> SolveRows<S> {
        self.passthrough = passthrough;
        self
    }

    /// Sets the character for blank cells in [`Column::Puzzle`]: one of `.0-_*?xX`.
    pub fn blank(mut self, blank: u8) -> SolveRows<S> {
        self.blank = Some(blank);
        self
    }
}

impl Default for SolveRows {
    fn default() -> SolveRows {
        SolveRows::new(Solver::new())
    }
}

impl<S: BatchSolver> Job for SolveRows<S> {
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        if self.format == Format::Text {
            return Ok(Cow::Borrowed(b""));
        }
        if let Some(blank) = self.blank.filter(|blank| !is_cell(*blank) || (b'1'..=b'9').contains(blank)) {
            return Err(format!("unsupported character for blanks: '{}'", blank.escape_ascii()));
        }
        let columns = self.resolve_columns(first.unwrap_or(&Layout::LINES))?;
        if self.format == Format::Jsonl {
            return Ok(Cow::Borrowed(b""));
        }
        let mut header = Vec::new();
        let mut row = Row::start(&mut header, Format::Csv);
        for column in &columns {
            row.string("", &column.name);
        }
        row.end();
        Ok(Cow::Owned(header))
    }

    fn needs_numbers(&self) -> bool {
        self.format != Format::Text && self.columns.contains(&Column::Record)
    }

    fn needs_whole_lines(&self) -> bool {
        self.format != Format::Text
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, sink: &mut RowSink) -> ControlFlow<()> {
        match self.format {
            Format::Text if outcomes.solutions.iter().all(|&n| n > 0) => sink.swap_rows(&mut outcomes.rows),
            Format::Text => write_text(outcomes, sink.text()),
            _ => {
                // If a column is missing, `header` fails and ends the run when this batch is written.
                let Ok(columns) = self.resolve_columns(batch.layout) else {
                    return ControlFlow::Continue(());
                };
                let needs_input = columns.iter().any(|column| matches!(column.column, Column::Input(_)));
                let table = match &batch.layout.kind {
                    Kind::Rows(rows) if needs_input => Some(rows),
                    _ => None,
                };
                let mut input = Vec::new();
                for k in 0..batch.records.puzzles.len() {
                    if let Some(rows) = table {
                        rows.values(
                            record::line_at(batch.text, batch.records.starts[k] as usize),
                            &mut input,
                        );
                    }
                    self.write_row(batch, outcomes, &columns, k, &input, sink.text());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<S> SolveRows<S> {
    /// Resolves the columns of the output for the layout of an input.
    fn resolve_columns(&self, layout: &Layout) -> Result<Vec<ResolvedColumn<'_>>, String> {
        static OTHER: Column = Column::Input(String::new());
        let names = layout.columns();
        let is_computed = |name: &str| self.columns.iter().any(|column| column.name() == name);
        let passed = names.iter().enumerate().filter(|_| self.passthrough).map(|(field, name)| {
            let name = if is_computed(name) { format!("input.{name}") } else { name.clone() };
            ResolvedColumn { name: name.into(), column: &OTHER, field }
        });
        let mut resolved: Vec<_> = passed.collect();
        for column in &self.columns {
            let field = match column {
                Column::Input(name) => {
                    record::find_name(names, name).ok_or_else(|| match layout.is_table() {
                        true => format!("no column '{name}': the columns are {}", names.join(", ")),
                        false => format!("no column '{name}': the input is not a table"),
                    })?
                }
                _ => 0,
            };
            resolved.push(ResolvedColumn { name: column.name().into(), column, field });
        }
        Ok(resolved)
    }

    #[inline]
    fn write_row(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        columns: &[ResolvedColumn],
        k: usize,
        input: &[Cow<str>],
        text: &mut Vec<u8>,
    ) {
        let (start, status, found) = (batch.records.starts[k], outcomes.status[k], outcomes.solutions[k]);
        let mut row = Row::start(text, self.format);
        for ResolvedColumn { name, column, field } in columns {
            match column {
                Column::Record => row.number(name, batch.records_before + k as u64 + 1),
                Column::Puzzle => row.word(name, &self.puzzle(batch, start, status)),
                Column::Solution => row.word(name, if found > 0 { &outcomes.rows[k][..CELLS] } else { b"" }),
                Column::Status => row.word(name, status.name().as_bytes()),
                Column::Solutions => row.number(name, found),
                Column::Guesses => row.number(name, outcomes.guesses[k]),
                Column::Clues => row.number(name, clues(batch, start, status, k)),
                Column::Input(_) => row.string(name, input.get(*field).map_or("", |text| text)),
            };
        }
        row.end();
    }

    fn puzzle<'a>(&self, batch: &BatchView<'a>, start: u32, status: Status) -> Cow<'a, [u8]> {
        let mut cells = puzzle_text(batch, start, status);
        if let Some(blank) = self.blank {
            let is_blank = |byte: u8| !(b'1'..=b'9').contains(&byte);
            cells.to_mut().iter_mut().filter(|byte| is_blank(**byte)).for_each(|byte| *byte = blank);
        }
        cells
    }
}

fn write_text(outcomes: &Outcomes, text: &mut Vec<u8>) {
    for (row, &found) in outcomes.rows.iter().zip(&outcomes.solutions) {
        text.extend_from_slice(if found > 0 { row } else { b"\n" });
    }
}

/// The cells of a record as in the input; empty if it is not a puzzle.
pub fn puzzle_text<'a>(batch: &BatchView<'a>, start: u32, status: Status) -> Cow<'a, [u8]> {
    // An invalid record is either not a puzzle, or a puzzle whose clues clash. Only the first has no cells.
    let cells = match status {
        Status::Invalid => batch.layout.cells(batch.text, start as usize),
        _ => batch.layout.cells_of_puzzle(batch.text, start as usize),
    };
    cells.unwrap_or_default()
}

/// The number of clues of record `k`; 0 if it is not a puzzle.
fn clues(batch: &BatchView, start: u32, status: Status, k: usize) -> u64 {
    let is_puzzle = status != Status::Invalid || !puzzle_text(batch, start, status).is_empty();
    if is_puzzle { batch.records.puzzles[k].clue_count() as u64 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name_and_clashes_get_a_prefix() {
        for column in Column::COMPUTED {
            assert_eq!(Column::from_name(column.name()), column);
        }
        assert_eq!(Column::from_name("input.puzzle"), Column::Input("puzzle".to_owned()));
        assert_eq!(Column::from_name("rating"), Column::Input("rating".to_owned()));
    }

    #[test]
    fn only_blanks_of_the_input_formats_are_blanks_of_the_output() {
        for byte in 0..=u8::MAX {
            let job = SolveRows::new(Solver::new()).format(Format::Csv).blank(byte);
            assert_eq!(job.header(None).is_ok(), b".0-_*?xX".contains(&byte), "{byte}");
        }
    }

    #[test]
    fn a_missing_column_is_named() {
        let job = SolveRows::new(Solver::new()).format(Format::Csv).columns([Column::Input("a".to_owned())]);
        assert_eq!(job.header(None).unwrap_err(), "no column 'a': the input is not a table");
    }
}
