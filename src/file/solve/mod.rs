//! Stages 3 and 4, outcomes and rows: jobs that solve puzzles and write one row per record.

mod columns;
pub mod grids;

use std::borrow::Cow;
use std::ops::ControlFlow;

use self::columns::Columns;
use super::record::Layout;
use super::run::job::{BatchSolver, BatchView, Job, RowSink};
use super::write::row::Format;
use crate::grid::is_cell;
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
    /// `input.`. Later inputs must have the columns of the first one, in any order.
    ///
    /// CSV keeps the bytes of the input, and fields for which the header has no name follow the last column. In JSON lines
    /// such fields are in an array under `surplus`. Bytes that are not UTF-8 become U+FFFD there, and `not_utf8` has the
    /// fields in question in hexadecimal; [`Stats::not_utf8`](super::Stats::not_utf8) counts the rows. Of several columns
    /// with the same name, all but the first get a suffix (`.2`).
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
        let layout = first.unwrap_or(&Layout::LINES);
        let columns = Columns::resolve(self, layout, layout)?;
        Ok(match self.format {
            Format::Csv => Cow::Owned(columns.csv_header(layout)),
            _ => columns.check_names(layout).map(|()| Cow::Borrowed(&b""[..]))?,
        })
    }

    fn accept_after(&self, layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
        if self.passthrough && self.format != Format::Text {
            layout.match_columns(first, first_name)?;
        }
        Ok(())
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
                let Ok(columns) = Columns::resolve(self, batch.layout, batch.first_layout) else {
                    return ControlFlow::Continue(());
                };
                columns.write(batch, outcomes, sink);
            }
        }
        ControlFlow::Continue(())
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
