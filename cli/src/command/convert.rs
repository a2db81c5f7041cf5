//! `rapidoku convert`: puzzles in another format.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidoku::file::internal::{GridText, NOT_PUZZLE};
use rapidoku::file::{BatchSolver, BatchView, Error, Format, InputStart, Job, LastRows, Needs, RowSink, Table, Value};
use rapidoku::grid::CELLS;
use rapidoku::{Outcome, Outcomes, Puzzle, SimdLevel};

use crate::args::output::{self, OutputFormat};
use crate::args::table::TableArgs;
use crate::print::{self, PrintArgs, Printed};
use crate::run::{RunArgs, Task};
use crate::solver::LimitedSolver;

/// Write the puzzles of files in another format, without solving them except for print.
///
/// For print, 'html' and 'svg' have all puzzles with the numbers of their records, at most 100,000, and their solutions
/// at the end. A column 'er' of the input is the rating beside the number. 'html' has a heading for each of several
/// inputs, the name of its file. 'frame' has puzzles with the numbers that 'rapidoku solve --format frame' gives their
/// solutions.
///
/// Records keep their order. Lines, pencilmarks, CSV, JSON lines and NumPy arrays keep the solution of a record, which
/// is in the solution column of a table or after the puzzle in a line; other formats have no place for it, and the
/// number of solutions left out is reported. Clues can be written as pencilmarks, with all nine candidates for each
/// blank. Pencilmarks with other lists of candidates can be written as lines, pencilmarks, CSV and JSON lines only;
/// another format is an error.
///
/// A record that is not a puzzle is reported and keeps its place. CSV and JSON lines have its text, an array has 255 in
/// all cells; the other formats have a grid with the clue 1 twice in the first row, which is invalid.
#[derive(clap::Args)]
#[command(mut_arg("format", |format| format.alias("to").help(FORMAT).value_parser(output::parser(FORMATS))), after_help = "\
Examples:
  rapidoku convert puzzles.npy -o puzzles.csv
  rapidoku convert kaggle.csv --format jsonl --passthrough > kaggle.jsonl
  rapidoku convert forum.txt --format pencilmarks
  rapidoku convert easy.txt hard.txt --per-page 4 --title 'Sudoku for June' -o book.html
  rapidoku convert *.sdk -o collection.sdm")]
pub struct Args {
    #[command(flatten)]
    table: TableArgs,

    #[command(flatten)]
    print: PrintArgs,

    #[command(flatten)]
    run: RunArgs,
}

/// The help of `--format`.
const FORMAT: &str = "Format of the output. By default, the extension of the output selects it (csv, jsonl, npy, sdk, sdm, ss, grid, \
    html, svg), or else it is lines";

/// The formats of the output.
const FORMATS: &[OutputFormat] = {
    use OutputFormat::*;
    &[Lines, Pencilmarks, Csv, Jsonl, Npy, Sdk, Sdm, Ss, Grid, Frame, Html, Svg]
};

/// Whether rows can have solutions.
fn writes_solutions(target: OutputFormat) -> bool {
    target.format() != Format::Text || matches!(target, OutputFormat::Lines | OutputFormat::Pencilmarks)
}

/// Runs `rapidoku convert`.
pub fn run(args: &Args) -> anyhow::Result<u8> {
    let target = args.table.choose_format(args.run.output.path(), FORMATS)?;
    let (format, text) = (target.format(), GridText::from_name(&target.name()));
    let mut table = match format {
        Format::Text => Table::new(format),
        // Without columns, rows have the solution if the first input has solutions.
        Format::Npy => args.table.table(format, &COMPUTED, &[])?.passthrough(!args.table.has_columns()),
        _ => {
            // With the columns of the input, its solutions are among them.
            let defaults: &[&str] = if args.table.is_table() { &[] } else { &["puzzle", "solution"] };
            args.table.unsolved(args.table.table(format, &COMPUTED, defaults)?)?
        }
    };
    if format == Format::Text {
        // Lines keep the character of the input.
        let blank = if text == Some(GridText::Lines) { None } else { Some(text.map_or(b'.', GridText::blank)) };
        table.blank = args.table.blank_alone()?.or(blank);
    }
    table.solution_if_given = !args.table.is_table();
    let dropped = AtomicU64::new(0);
    let solver = print::is_printed(target).then(|| LimitedSolver::unique(SimdLevel::detect()));
    let (print, printed) = (&args.print, Mutex::default());
    let job = Convert { target, text, table, dropped, solver, print, printed };
    args.run.run(&Task { solver, ..Task::default() }, &job)?;
    let dropped = job.dropped.into_inner();
    if dropped > 0 {
        args.run.output.message(format_args!(
            "solutions not written: {dropped}; the format {} has puzzles only; lines, csv, jsonl and npy have both",
            target.name()
        ));
    }
    Ok(0)
}

const COMPUTED: [&str; 1] = ["solution"];

/// Writes each record in another format.
struct Convert<'a> {
    target: OutputFormat,
    /// The format of [`Convert::write_text`].
    text: Option<GridText>,
    /// The rows. The character for blanks is also that of text, unless that of the input is kept.
    table: Table,
    /// The number of solutions that the format has no place for.
    dropped: AtomicU64,
    /// The solver and the puzzles, by their numbers, of a format for print.
    solver: Option<LimitedSolver>,
    print: &'a PrintArgs,
    printed: Mutex<BTreeMap<u64, Printed>>,
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
        if !writes_solutions(self.target) && self.solver.is_none() && batch.layout.has_solution() {
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
        rows.write(print::write(self.target, &all, self.print).as_bytes())
    }
}

impl Convert<'_> {
    /// Keeps a puzzle for the end.
    fn keep(&self, batch: &BatchView, outcomes: &Outcomes, k: usize) -> Result<(), Error> {
        let number = batch.records_before + k as u64 + 1;
        if number > print::MAX_PUZZLES {
            let reason = format!("the format {} has at most {} puzzles", self.target.name(), print::MAX_PUZZLES);
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
        if writes_solutions(self.target)
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
        let name = self.target.name();
        let reason =
            format!("the format {name} has clues only, and a record has other pencilmarks; choose lines, csv or jsonl");
        Err(Error::Format { name: batch.input.to_owned(), reason })
    }
}
