//! Stages 3 and 4, outcomes and rows: jobs that solve puzzles and write a row or a grid for each record.

use std::io::Write;
use std::ops::ControlFlow;
use std::sync::OnceLock;

use super::error::Error;
use super::record::BatchView;
use super::run::job::{BatchSolver, InputStart, Job, Needs};
use super::table::{Column, Table};
use super::write::RowSink;
use super::write::row::{Format, push_npy_row};
use crate::grid::CELLS;
use crate::outcome::{BLANK_ROW, Outcomes};
use crate::solver::Solver;

/// A [`Job`] that solves puzzles and writes a row for each record.
///
/// With [`Format::Text`], the default, a row is the 81 digits of the solution, or an empty line if there is none. With
/// [`Format::Npy`] it is 81 bytes, zeros if there is none, unless the puzzle is a column too. With the other formats a
/// row has the chosen columns.
///
/// ```
/// use rapidoku::Solver;
/// use rapidoku::file::{Column, Format, Output, Run, SolveRows};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "solved.jsonl"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")?;
/// let columns = ["record", "status", "clues"].map(Column::from_name);
/// let job = SolveRows::new(Solver::new()).format(Format::Jsonl).columns(columns);
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&job, &mut |_| {})?;
/// assert_eq!(std::fs::read_to_string(&output)?, "{\"record\":1,\"status\":\"unique\",\"clues\":30}\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SolveRows<S = Solver> {
    /// The solver.
    pub solver: S,
    /// The format and the columns of the rows.
    pub table: Table,
    /// The table of the rows if the first input is CSV, instead of the other one.
    pub csv: Option<Table>,
    /// Whether text has the status in place of a solution that was not found. It is not an input for programs then.
    pub names_statuses: bool,
    /// Whether the first input is CSV.
    is_csv: OnceLock<bool>,
}

impl<S> SolveRows<S> {
    /// A job that writes solutions as text.
    pub fn new(solver: S) -> SolveRows<S> {
        let table = Table::new(Format::Text);
        SolveRows { solver, table, csv: None, names_statuses: false, is_csv: OnceLock::new() }
    }

    /// Sets the format of the rows. The column of [`Format::Npy`] is the solution, unless others are set afterwards.
    pub fn format(mut self, format: Format) -> SolveRows<S> {
        self.table.format = format;
        if format == Format::Npy {
            self.table.columns = vec![Column::Solution];
        }
        self
    }

    /// Sets the columns of CSV and JSON lines.
    pub fn columns(mut self, columns: impl IntoIterator<Item = Column>) -> SolveRows<S> {
        self.table = self.table.columns(columns);
        self
    }
}

impl Default for SolveRows {
    fn default() -> SolveRows {
        SolveRows::new(Solver::new())
    }
}

impl<S: BatchSolver> Job for SolveRows<S> {
    fn table(&self) -> Option<&Table> {
        let csv = self.csv.as_ref().filter(|_| self.is_csv.get() == Some(&true));
        Some(csv.unwrap_or(&self.table))
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        self.is_csv.get_or_init(|| input.layout.name() == "csv");
        Ok(())
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, sink: &mut RowSink) -> ControlFlow<()> {
        let table = self.table().expect("it has one");
        match table.format {
            Format::Text if outcomes.solution_counts().iter().all(|&n| n > 0) => sink.swap_rows(outcomes.rows_mut()),
            Format::Text => write_text(outcomes, self.names_statuses, sink.text()),
            Format::Npy if table.columns == [Column::Solution] => write_npy(outcomes, sink.text()),
            _ => return table.write(batch, outcomes, sink, &mut |_, _| ()),
        }
        ControlFlow::Continue(())
    }
}

fn write_npy(outcomes: &Outcomes, text: &mut Vec<u8>) {
    text.reserve(outcomes.rows().len() * CELLS);
    for (row, &found) in outcomes.rows().iter().zip(outcomes.solution_counts()) {
        let (cells, _) = row.split_first_chunk().expect("a row has 81 digits and a line feed");
        push_npy_row(text, if found > 0 { cells } else { &[b'0'; CELLS] });
    }
}

fn write_text(outcomes: &Outcomes, names_statuses: bool, text: &mut Vec<u8>) {
    let rows = outcomes.rows().iter().zip(outcomes.solution_counts()).zip(outcomes.statuses());
    for ((row, &found), status) in rows {
        if names_statuses && found == 0 {
            text.extend_from_slice(status.name().as_bytes());
        }
        text.extend_from_slice(if found > 0 { row } else { b"\n" });
    }
}

/// A [`Job`] that solves puzzles and writes each solution as a grid of nine lines.
///
/// ```
/// use rapidoku::Solver;
/// use rapidoku::file::{Output, Run, SolveGrids};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "grids.txt"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")?;
/// let job = SolveGrids::new(Solver::new());
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&job, &mut |_| {})?;
/// assert!(std::fs::read_to_string(&output)?.starts_with("5 3 4 6 7 8 9 1 2\n6 7 2 1 9 5 3 4 8\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SolveGrids<S = Solver> {
    /// The solver.
    pub solver: S,
    /// `false`: nine lines of nine digits separated by spaces, or dots if there is no solution, and an empty line
    /// between two grids. Grid `k` belongs to record `k`.
    ///
    /// `true`: a title with the number of the record and its status (`Grid 1: unique`), the solution in a frame if
    /// there is one, and an empty line.
    pub framed: bool,
}

impl<S> SolveGrids<S> {
    /// Plain grids.
    pub fn new(solver: S) -> SolveGrids<S> {
        SolveGrids { solver, framed: false }
    }
}

impl<S: BatchSolver> Job for SolveGrids<S> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: true, ..Needs::default() }
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        Some(&self.solver)
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        for (k, status) in outcomes.statuses().iter().enumerate() {
            let text = rows.text();
            let record = batch.records_before + k as u64 + 1;
            let solution = outcomes.solution(k);
            if self.framed {
                let _ = writeln!(text, "Grid {record}: {status}");
                if let Some(solution) = solution {
                    let _ = writeln!(text, "{solution:#}");
                }
                text.push(b'\n');
            } else {
                if record > 1 {
                    text.push(b'\n');
                }
                write_spaced(if solution.is_some() { &outcomes.rows()[k] } else { &BLANK_ROW }, text);
            }
            rows.flush_if_large()?;
        }
        ControlFlow::Continue(())
    }
}

fn write_spaced(row: &[u8], text: &mut Vec<u8>) {
    let (lines, _) = row.as_chunks::<9>();
    for line in lines {
        text.extend(line.iter().enumerate().flat_map(|(at, &cell)| [cell, b" \n"[at / 8]]));
    }
}
