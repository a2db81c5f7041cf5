//! `solve`: a row for each record, in the same order.

use std::borrow::Cow;
use std::ops::ControlFlow;

use super::row::{Format, Row};
use super::{Job, Lot, Sheet};
use crate::engine::Outcomes;
use crate::grid::{CELLS, Status};
use crate::record::{self, Layout};

/// Writes a row for each record: row `k` belongs to record `k`, always.
///
/// As text that is the 81 digits of the solution, or an empty line where there is none to give; else the
/// columns asked for, empty where there is nothing to give.
#[derive(Clone, Debug)]
pub struct Solve {
    /// Form of the output.
    pub format: Format,
    /// What a row of CSV or JSON lines has, in this order.
    pub columns: Vec<Column>,
    /// Before those, all columns of an input that is a table.
    pub passthrough: bool,
    /// What stands for blanks in [`Column::Puzzle`]; without it the puzzle is as it stands in the input.
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

impl Default for Solve {
    /// Solutions as text.
    fn default() -> Solve {
        Solve { format: Format::Text, columns: Column::defaults(), passthrough: false, blank: None }
    }
}

impl Job for Solve {
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

    fn numbered(&self) -> bool {
        self.format != Format::Text && self.columns.contains(&Column::Record)
    }

    fn whole_lines(&self) -> bool {
        self.format != Format::Text
    }

    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()> {
        match self.format {
            Format::Text if outcomes.solutions.iter().all(|&n| n > 0) => sheet.trade_rows(&mut outcomes.rows),
            Format::Text => write_text(outcomes, sheet.text()),
            _ => {
                // A layout without them ends the run by way of the header.
                let Ok(picks) = self.picks(lot.layout) else { return ControlFlow::Continue(()) };
                let wants_input = picks.iter().any(|pick| matches!(pick.column, Column::Input(_)));
                let table = match lot.layout {
                    Layout::Rows(rows) if wants_input => Some(rows),
                    _ => None,
                };
                let mut input = Vec::new();
                for k in 0..lot.records.puzzles.len() {
                    if let Some(rows) = table {
                        rows.texts(record::line_at(lot.text, lot.records.starts[k] as usize), &mut input);
                    }
                    self.write_row(lot, outcomes, &picks, k, &input, sheet.text());
                }
            }
        }
        ControlFlow::Continue(())
    }
}

impl Solve {
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
        lot: &Lot,
        outcomes: &Outcomes,
        picks: &[Pick],
        k: usize,
        input: &[Cow<str>],
        text: &mut Vec<u8>,
    ) {
        let (start, status, found) = (lot.records.starts[k], outcomes.status[k], outcomes.solutions[k]);
        let mut row = Row::start(text, self.format);
        for Pick { name, column, field } in picks {
            match column {
                Column::Record => row.number(name, lot.records_before + k as u64 + 1),
                Column::Puzzle => row.word(name, &self.puzzle(lot, start, status)),
                Column::Solution => row.word(name, if found > 0 { &outcomes.rows[k][..CELLS] } else { b"" }),
                Column::Status => row.word(name, status.name().as_bytes()),
                Column::Solutions => row.number(name, found),
                Column::Guesses => row.number(name, outcomes.guesses[k]),
                Column::Clues => row.number(name, clues(lot, start, status, k)),
                Column::Input(_) => row.string(name, input.get(*field).map_or("", |text| text)),
            };
        }
        row.end();
    }

    fn puzzle<'a>(&self, lot: &Lot<'a>, start: u32, status: Status) -> Cow<'a, [u8]> {
        let mut cells = puzzle_text(lot, start, status);
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
pub(super) fn puzzle_text<'a>(lot: &Lot<'a>, start: u32, status: Status) -> Cow<'a, [u8]> {
    // Only there does a record that is not 81 cells differ from one whose clues clash.
    let cells = match status {
        Status::Invalid => lot.layout.cells(lot.text, start as usize),
        _ => lot.layout.cells_of_puzzle(lot.text, start as usize),
    };
    cells.unwrap_or_default()
}

/// How many cells are given; none of a record that is no puzzle.
fn clues(lot: &Lot, start: u32, status: Status, k: usize) -> u64 {
    let is_puzzle = status != Status::Invalid || !puzzle_text(lot, start, status).is_empty();
    if is_puzzle { lot.records.puzzles[k].clues() as u64 } else { 0 }
}
