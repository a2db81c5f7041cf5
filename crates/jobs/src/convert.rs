//! Records in another format.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::internal::{GridText, NOT_PUZZLE};
use rapidoku::file::{BatchSolver, BatchView, Error, Format, InputStart, Job, LastRows, Needs, RowSink, Table, Value};
use rapidoku::grid::CELLS;
use rapidoku::rating::Difficulty;
use rapidoku::{Outcome, Outcomes, Puzzle, Solution, Status};

use crate::solver::LimitedSolver;

/// The names of the columns.
pub const COMPUTED: [&str; 1] = ["solution"];

/// Writes each record in another format.
pub struct Convert<'a> {
    /// The name of the format.
    pub name: &'a str,
    /// The format of rows without columns.
    pub text: Option<GridText>,
    /// Whether rows can have solutions.
    pub writes_solutions: bool,
    /// The rows. The character for blanks is also that of text, unless that of the input is kept.
    pub table: Table,
    /// The number of solutions that the format has no place for.
    pub dropped: AtomicU64,
    /// The solver of a format for print.
    pub solver: Option<LimitedSolver>,
    /// Writes the file of a format for print.
    pub print: &'a (dyn Fn(&[Printed]) -> String + Sync),
    /// Its puzzles, by their numbers.
    pub printed: Mutex<BTreeMap<u64, Printed>>,
}

/// The most puzzles in a file for print: they are in memory.
pub const MAX_PUZZLES: u64 = 100_000;

/// A puzzle to print.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The number of its record.
    pub number: u64,
    /// The chapter of a page: the name of the input.
    pub heading: String,
    /// The rating, if the input has it.
    pub er: Option<Difficulty>,
    /// The puzzle.
    pub puzzle: Puzzle,
    /// The first solution, if there is one.
    pub solution: Option<Solution>,
    /// How many solutions there are.
    pub status: Status,
}

impl Job for Convert<'_> {
    fn needs(&self) -> Needs<'_> {
        Needs { numbers: self.solver.is_some(), ..Needs::default() }
    }

    fn table(&self) -> Option<&Table> {
        (self.table.format != Format::Text).then_some(&self.table)
    }

    fn solver(&self) -> Option<&dyn BatchSolver> {
        self.solver.as_ref().map(|solver| solver as &dyn BatchSolver)
    }

    /// The formats that have clues only have messages of their own.
    fn accept_candidates(&self) -> Result<(), String> {
        Ok(())
    }

    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        let has_solutions = input.layout.has_solution();
        let first_has = input.first.is_none_or(|(_, first)| first.has_solution());
        if has_solutions && !first_has && self.table().is_some() && self.table.solution_if_given {
            return Err(
                input.reject("it has solutions, but the first input has none; choose the columns with --columns")
            );
        }
        Ok(())
    }

    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
        if self.table.format != Format::Text {
            let is_array = self.table.format == Format::Npy;
            let refused = |k: usize| Some((k, self.check_clues(batch, k).err()?));
            if is_array && let Some((k, error)) = (0..batch.records.len()).find_map(refused) {
                return rows.fail(k, error);
            }
            let needs_solution = is_array || self.table.has("solution");
            return self.table.write(batch, outcomes, rows, &mut |k, values| {
                if let Some(cells) = batch.layout.given_solution(batch.record(k)).filter(|_| needs_solution) {
                    values[0] = Value::Cells(cells);
                }
            });
        }
        for k in 0..batch.records.len() {
            let written = match self.solver {
                Some(_) => self.keep(batch, outcomes, k),
                None => self.write_text(batch, k, rows.text()),
            };
            if let Err(error) = written {
                return rows.fail(k, error);
            }
            rows.flush_if_large()?;
        }
        if !self.writes_solutions && self.solver.is_none() && batch.layout.has_solution() {
            let has_solution = |k: &usize| batch.layout.given_solution(batch.record(*k)).is_some();
            let dropped = (0..batch.records.len()).filter(has_solution).count();
            self.dropped.fetch_add(dropped as u64, Ordering::Relaxed);
        }
        ControlFlow::Continue(())
    }

    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        if self.solver.is_none() {
            return Ok(());
        }
        let printed = self.printed.lock().expect("no thread panics with the lock");
        let all: Vec<Printed> = printed.values().cloned().collect();
        rows.write((self.print)(&all).as_bytes())
    }
}

impl Convert<'_> {
    /// Keeps a puzzle for the end.
    fn keep(&self, batch: &BatchView, outcomes: &Outcomes, k: usize) -> Result<(), Error> {
        let number = batch.records_before + k as u64 + 1;
        if number > MAX_PUZZLES {
            let reason = format!("the format {} has at most {} puzzles", self.name, MAX_PUZZLES);
            return Err(Error::Format { name: batch.input.to_owned(), reason });
        }
        let cells = if batch.records.is_puzzle(k) { self.cells(batch, k)? } else { NOT_PUZZLE };
        let puzzle = Puzzle::try_from(&cells[..]).expect("these are cells");
        let er = batch.layout.columns().iter().position(|name| name.eq_ignore_ascii_case("er"));
        let er = er.and_then(|index| {
            let mut values = Vec::new();
            batch.layout.values(batch.record(k), false, &mut values);
            str::from_utf8(values.get(index)?).ok()?.parse().ok()
        });
        let heading = Path::new(batch.input).file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let Outcome { solution, status, .. } = outcomes.get(k).unwrap_or(Outcome::INVALID);
        let printed = Printed { number, heading, er, puzzle, solution, status };
        self.printed.lock().expect("no thread panics with the lock").insert(number, printed);
        Ok(())
    }

    fn write_text(&self, batch: &BatchView, k: usize, text: &mut Vec<u8>) -> Result<(), Error> {
        let is_puzzle = batch.records.is_puzzle(k);
        let format = self.text.expect("tables and pages are written by others");
        // Lines may have both.
        let has_marks =
            format == GridText::Pencilmarks || (format == GridText::Lines && !batch.records.pencilmarks().is_empty());
        if !is_puzzle {
            format.push(text, &NOT_PUZZLE);
        } else if has_marks {
            let (marks, blank) = (batch.records.candidates(k).to_string(), self.table.blank.unwrap_or(b'.'));
            text.extend(marks.bytes().map(|mark| if mark == b'.' { blank } else { mark }));
        } else {
            format.push(text, &self.cells(batch, k)?);
        }
        if self.writes_solutions
            && is_puzzle
            && let Some(solution) = batch.layout.given_solution(batch.record(k))
        {
            text.push(b',');
            text.extend_from_slice(&solution);
        }
        if format.is_line() {
            text.push(b'\n');
        }
        Ok(())
    }

    /// The 81 cells of a puzzle, or an error if it cannot be given by clues.
    #[inline(always)]
    fn cells(&self, batch: &BatchView, k: usize) -> Result<[u8; CELLS], Error> {
        self.check_clues(batch, k)?;
        // With a character for blanks, the text of the record need not be read again.
        let cells = if self.table.blank.is_none() { batch.cells(k) } else { None };
        let cells = cells.and_then(|cells| <[u8; CELLS]>::try_from(&*cells).ok());
        let blank = self.table.blank.unwrap_or(b'.');
        let cell = |digit: u8| if digit == 0 { blank } else { b'0' + digit };
        Ok(cells.unwrap_or_else(|| batch.records.puzzles()[k].cells().map(cell)))
    }

    /// An error if a puzzle has pencilmarks that no clues stand for.
    fn check_clues(&self, batch: &BatchView, k: usize) -> Result<(), Error> {
        let marks = batch.records.pencilmarks().get(k).filter(|_| batch.records.is_puzzle(k));
        if marks.is_none_or(|marks| marks.puzzle().is_some()) {
            return Ok(());
        }
        let name = self.name;
        let reason =
            format!("the format {name} has clues only, and a record has other pencilmarks; choose lines, csv or jsonl");
        Err(Error::Format { name: batch.input.to_owned(), reason })
    }
}
