//! Jobs that solve puzzles: a row for each record, in the same order.

pub mod grids;

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::record::{self, Layout, Records};
use super::run::job::{BatchSolver, BatchView, Job, RowSink};
use super::write::row::{Format, Row};
use crate::cancel::{CancelToken, Cancelled};
use crate::grid::CELLS;
use crate::outcome::{Outcomes, Status};
use crate::solver::Solver;

/// A [`Job`] that solves puzzles and writes a row for each record.
///
/// With [`Format::Text`] a row is the 81 digits of the solution, or an empty line if there is none. With the other
/// formats a row has the chosen columns.
#[derive(Clone, Debug)]
pub struct SolveRows<S = Solver> {
    /// Solves the puzzles.
    pub solver: S,
    /// Format of the output.
    pub format: Format,
    /// The columns of a row of CSV or JSON lines, in this order.
    pub columns: Vec<Column>,
    /// Whether all columns of an input that is a table come before those.
    pub passthrough: bool,
    /// The character for blanks in [`Column::Puzzle`]; `None` copies the puzzle from the input.
    pub blank: Option<u8>,
}

/// A column of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// Number of the record, from 1 over all inputs.
    Record,
    /// The 81 cells of the puzzle, or its 729 pencilmarks.
    Puzzle,
    /// The 81 digits of the solution.
    Solution,
    /// The status, as a word.
    Status,
    /// Solutions found, up to the limit.
    Solutions,
    /// Guesses made.
    Guesses,
    /// Cells given; of pencilmarks those with one candidate.
    Clues,
    /// A column of the input, which must be a table.
    Input(String),
}

impl Column {
    /// The columns that are not of the input.
    const OWN: [Column; 7] = [
        Column::Record,
        Column::Puzzle,
        Column::Solution,
        Column::Status,
        Column::Solutions,
        Column::Guesses,
        Column::Clues,
    ];

    /// What a row has where nothing else is asked for.
    pub fn defaults() -> Vec<Column> {
        vec![Column::Puzzle, Column::Solution, Column::Status, Column::Solutions]
    }

    /// The column of that name; of the input if it is none of those that every output may have, or starts
    /// with `input.`.
    pub fn from_name(name: &str) -> Column {
        let own = Column::OWN.into_iter().find(|column| column.name() == name);
        own.unwrap_or_else(|| Column::Input(name.strip_prefix("input.").unwrap_or(name).to_owned()))
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

/// A column of the output that has been found in the input, and its name in the output.
struct Pick<'a> {
    name: Cow<'a, str>,
    column: &'a Column,
    /// Of [`Column::Input`].
    field: usize,
}

impl<S> SolveRows<S> {
    /// Solutions as text.
    pub fn new(solver: S) -> SolveRows<S> {
        SolveRows {
            solver,
            format: Format::Text,
            columns: Column::defaults(),
            passthrough: false,
            blank: None,
        }
    }
}

/// Rejects pencilmarks if the solver does not take candidates.
fn accept(solver: &impl BatchSolver, layout: &Layout) -> Result<(), String> {
    if !layout.has_pencilmarks() {
        return Ok(());
    }
    solver.accept_candidates().map_err(|reason| format!("its puzzles are in pencilmarks; {reason}"))
}

impl<S: BatchSolver> Job for SolveRows<S> {
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        if self.format == Format::Text {
            return Ok(Cow::Borrowed(b""));
        }
        let picks = self.picks(first.unwrap_or(&Layout::Lines))?;
        if self.format == Format::Jsonl {
            return Ok(Cow::Borrowed(b""));
        }
        let mut header = Vec::new();
        let mut row = Row::start(&mut header, Format::Csv);
        for pick in &picks {
            row.string("", &pick.name);
        }
        row.end();
        Ok(Cow::Owned(header))
    }

    fn accept(&self, layout: &Layout) -> Result<(), String> {
        accept(&self.solver, layout)
    }

    fn needs_numbers(&self) -> bool {
        self.format != Format::Text && self.columns.contains(&Column::Record)
    }

    fn needs_whole_lines(&self) -> bool {
        self.format != Format::Text
    }

    fn solve(
        &self,
        records: &Records,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.solver.solve_batch(records.given(), outcomes, cancel)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, sink: &mut RowSink) -> ControlFlow<()> {
        match self.format {
            Format::Text if outcomes.solutions.iter().all(|&n| n > 0) => sink.swap_rows(&mut outcomes.rows),
            Format::Text => write_text(outcomes, sink.text()),
            _ => {
                // A layout without them ends the run by way of the header.
                let Ok(picks) = self.picks(batch.layout) else { return ControlFlow::Continue(()) };
                let wants_input = picks.iter().any(|pick| matches!(pick.column, Column::Input(_)));
                let table = match batch.layout {
                    Layout::Rows(rows) if wants_input => Some(rows),
                    _ => None,
                };
                let mut input = Vec::new();
                for k in 0..batch.records.puzzles.len() {
                    if let Some(rows) = table {
                        rows.texts(record::line_at(batch.text, batch.records.starts[k] as usize), &mut input);
                    }
                    self.write_row(batch, outcomes, &picks, k, &input, sink.text());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl<S> SolveRows<S> {
    /// Finds the columns in the input.
    fn picks(&self, layout: &Layout) -> Result<Vec<Pick<'_>>, String> {
        static OTHER: Column = Column::Input(String::new());
        let names = if let Layout::Rows(rows) = layout { &rows.names[..] } else { &[] };
        let is_own = |name: &str| self.columns.iter().any(|column| column.name() == name);
        let passed = names.iter().enumerate().filter(|_| self.passthrough).map(|(field, name)| {
            let name = if is_own(name) { format!("input.{name}") } else { name.clone() };
            Pick { name: name.into(), column: &OTHER, field }
        });
        let mut picks: Vec<_> = passed.collect();
        for column in &self.columns {
            let field = match column {
                Column::Input(name) => record::find_name(names, name).ok_or_else(|| match layout {
                    Layout::Rows(_) => format!("no column '{name}': there are {}", names.join(", ")),
                    _ => format!("no column '{name}': it is not a table"),
                })?,
                _ => 0,
            };
            picks.push(Pick { name: column.name().into(), column, field });
        }
        Ok(picks)
    }

    #[inline]
    fn write_row(
        &self,
        batch: &BatchView,
        outcomes: &Outcomes,
        picks: &[Pick],
        k: usize,
        input: &[Cow<str>],
        text: &mut Vec<u8>,
    ) {
        let (start, status, found) = (batch.records.starts[k], outcomes.status[k], outcomes.solutions[k]);
        let mut row = Row::start(text, self.format);
        for Pick { name, column, field } in picks {
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

/// The cells of a record as they stand in the input; nothing if it is not 81 cells.
pub fn puzzle_text<'a>(batch: &BatchView<'a>, start: u32, status: Status) -> Cow<'a, [u8]> {
    // Only there does a record that is not 81 cells differ from one whose clues clash.
    let cells = match status {
        Status::Invalid => batch.layout.cells(batch.text, start as usize),
        _ => batch.layout.cells_of_puzzle(batch.text, start as usize),
    };
    cells.unwrap_or_default()
}

/// How many cells are given; none of a record that is no puzzle.
fn clues(batch: &BatchView, start: u32, status: Status, k: usize) -> u64 {
    let is_puzzle = status != Status::Invalid || !puzzle_text(batch, start, status).is_empty();
    if is_puzzle { batch.records.puzzles[k].clue_count() as u64 } else { 0 }
}
