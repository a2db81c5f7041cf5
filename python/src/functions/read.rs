//! `read_puzzles`: the puzzles and solutions of files.

use std::iter;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rapidoku::file::{BatchView, ColumnRef, InputFormat, InputOptions, Job, Needs, RowSink, Run};
use rapidoku::grid::CELLS;
use rapidoku::{CancelToken, Outcomes, Puzzle};

use super::generate::Output;
use crate::files;
use crate::memory::{self, OutOfMemory};
use crate::options;
use crate::output::{Column, Form, Table, Texts, TextsChunk, UnfilledCells, Values};
use crate::run::{self, Plan, Stop, chunks};

/// Read the puzzles of a file, or of several ones.
///
/// Every input format of the program is recognised from the content: lines, CSV and other tables, JSON, grids of nine
/// lines, pencilmarks, OpenSudoku XML, NumPy arrays (npy, npz); each also compressed with gzip, zstd or zip. Digits stay
/// text, so no zeros are lost.
///
/// Args:
///     paths: a path, or a list of paths.
///     column, solution_column: a name from the header, or a number from 0, if the column is not found by its usual name.
///     input_format: a name of ``rapidoku solve --input-format``, such as ``"csv"`` or ``"grid"``.
///     delimiter: the character between columns.
///     no_header: whether the first line is a record.
///     pad: put zeros before fields of 70 to 80 digits: a program that took puzzles for numbers dropped them.
///     blank_number: the number of a blank in NumPy arrays.
///     threads: the number of threads; 0 for all cores.
///     output: ``"arrow"``, ``"list"`` or ``"numpy"``.
///
/// Returns:
///     ``puzzle``, with ``.`` for blanks; ``solution``, the solution that the file has for it, which may be wrong; and ``reason``,
///     why the record is not a valid puzzle. There is one row for each record, in order. Without a value, a row is null,
///     ``None`` or zeros: ``puzzle`` if the record is not a puzzle, ``reason`` if there is none. Pencilmarks that
///     no clues stand for are not puzzles.
///
/// Raises:
///     OSError: a file cannot be read; ``FileNotFoundError`` and others.
///     ValueError: there are no puzzles in a file, or the format is not clear.
///
/// >>> import pathlib, rapidoku, tempfile
/// >>> path = pathlib.Path(tempfile.mkdtemp(), "sudoku.csv")
/// >>> _ = path.write_text("quizzes,solutions\n" + "0" * 80 + "1," + "1" * 81 + "\n" + "oops,\n")
/// >>> puzzles = rapidoku.read_puzzles(path)
/// >>> puzzles
/// ArrowTable: 2 rows
///    puzzle                solution              reason
/// 0  ...................…  1111111111111111111…  None
/// 1  None                  None                  bad character 'o' in column 1
/// >>> rapidoku.check(puzzles["puzzle"]).to_pydict()
/// {'status': ['multiple', 'invalid']}
#[pyfunction]
#[pyo3(
    signature = (paths, *, column = None, solution_column = None, input_format = "auto", delimiter = None,
        no_header = false, pad = false, blank_number = None, threads = 0,
        output = Output(Form::Arrow { dictionary: false })),
    text_signature = "(paths, *, column=None, solution_column=None, input_format='auto', delimiter=None, no_header=False, \
        pad=False, blank_number=None, threads=0, output='arrow')"
)]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn read_puzzles<'py>(
    paths: &Bound<'py, PyAny>,
    column: Option<NameOrIndex>,
    solution_column: Option<NameOrIndex>,
    input_format: &str,
    delimiter: Option<char>,
    no_header: bool,
    pad: bool,
    blank_number: Option<i8>,
    threads: usize,
    output: Output,
) -> PyResult<Bound<'py, PyAny>> {
    let py = paths.py();
    let mut options = InputOptions::default().format(form(input_format)?).no_header(no_header).pads(pad);
    options.column = column.map(ColumnRef::from);
    options.solution_column = solution_column.map(ColumnRef::from);
    options.delimiter = match delimiter {
        Some(delimiter) if !delimiter.is_ascii() => {
            return Err(PyValueError::new_err("delimiter must be one ASCII character"));
        }
        delimiter => delimiter.map(|delimiter| delimiter as u8),
    };
    options.blank_number = blank_number;
    let mut run = Run::default().input_options(options).threads(options::threads(threads)?);
    for path in self::paths(paths)? {
        run = run.input(path);
    }
    let job = Read(Mutex::new(Ok(Vec::new())));
    let result = files::run(py, run.threads, |cancel, on_event| run.cancel(cancel).start(&job, on_event));
    // A job that has no memory cancels its run.
    job.check()?;
    result?;
    let mut table = None;
    let plan = Plan { rows: 1, threads: 1, is_bounded: false };
    run::run(py, plan, iter::once((job, &mut table)), |_, (job, table), cancel| {
        *table = Some(job.table(output.0, cancel)?);
        Ok(())
    })?;
    table.expect("the work is done").into_python(py, output.0)
}

/// The column of a table.
#[derive(FromPyObject)]
pub enum NameOrIndex {
    Index(usize),
    Name(String),
}

impl From<NameOrIndex> for ColumnRef {
    fn from(column: NameOrIndex) -> ColumnRef {
        match column {
            NameOrIndex::Index(index) => ColumnRef::Index(index),
            NameOrIndex::Name(name) => ColumnRef::Name(name),
        }
    }
}

fn form(name: &str) -> PyResult<InputFormat> {
    let is_named = |form: &&InputFormat| form.name() == name || form.aliases().contains(&name);
    InputFormat::ALL.iter().find(is_named).copied().ok_or_else(|| {
        let names: Vec<&str> = memory::few(InputFormat::ALL.iter().map(|form| form.name()));
        PyValueError::new_err(format!("input_format must be one of {}, not '{name}'", names.join(", ")))
    })
}

fn paths(object: &Bound<PyAny>) -> PyResult<Vec<PathBuf>> {
    let path = |object: &Bound<PyAny>| {
        object.extract::<PathBuf>().map_err(|_| {
            let class = object.get_type().fully_qualified_name();
            class.map_or_else(
                |error| error,
                |class| PyTypeError::new_err(format!("expected a path or a list of paths, not {class}")),
            )
        })
    };
    if let Ok(list) = object.cast::<PyList>() {
        return memory::few(list.iter().map(|item| path(&item)));
    }
    if let Ok(tuple) = object.cast::<PyTuple>() {
        return memory::few(tuple.iter().map(|item| path(&item)));
    }
    path(object).map(|path| vec![path])
}

/// Collects the records of a run.
struct Read(Mutex<Result<Vec<Part>, OutOfMemory>>);

/// The records of a batch.
struct Part {
    /// The number of records before them.
    first: u64,
    puzzles: Vec<Option<Puzzle>>,
    /// Empty if no record has a solution.
    solutions: Vec<Option<Puzzle>>,
    /// For each record, empty for puzzles.
    reasons: TextsChunk,
}

impl Job for Read {
    fn needs(&self) -> Needs<'_> {
        // The order of batches, which is not that in which they are read.
        Needs { numbers: true, ..Needs::default() }
    }

    fn write(&self, batch: &BatchView, _: &mut Outcomes, _: &mut RowSink) -> ControlFlow<()> {
        let part = Part::new(batch);
        let mut parts = self.0.lock().expect("no thread panics with the lock");
        let added = part.and_then(|part| match &mut *parts {
            Ok(parts) => memory::push(parts, part),
            Err(OutOfMemory) => Err(OutOfMemory),
        });
        match added {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                *parts = Err(error);
                ControlFlow::Break(())
            }
        }
    }
}

impl Part {
    fn new(batch: &BatchView) -> Result<Part, OutOfMemory> {
        let n = batch.records.len();
        let mut part = Part {
            first: batch.records_before,
            puzzles: memory::with_capacity(n)?,
            solutions: memory::with_capacity(n)?,
            reasons: TextsChunk::default(),
        };
        for (k, start) in batch.records.starts().iter().enumerate() {
            let (start, is_puzzle) = (*start as usize, batch.records.is_puzzle(k));
            let puzzle = batch.records.pencilmarks().get(k);
            let puzzle = puzzle.map_or(Some(batch.records.puzzles()[k]), |candidates| candidates.puzzle());
            let reason = match (puzzle.filter(|_| is_puzzle), puzzle.is_some_and(|p| p.clash().is_none())) {
                (Some(_), true) => None,
                (None, _) if is_puzzle => Some(NO_CLUES.to_owned()),
                _ => batch.layout.diagnose(batch.text, start).map(|(_, reason)| reason.to_string()),
            };
            memory::push(&mut part.puzzles, puzzle.filter(|_| is_puzzle))?;
            memory::push(&mut part.solutions, solution(batch, start))?;
            part.reasons.push(reason.unwrap_or_default().as_bytes())?;
        }
        if part.solutions.iter().all(Option::is_none) {
            part.solutions = Vec::new();
        }
        Ok(part)
    }
}

/// The reason of pencilmarks that are more than clues.
const NO_CLUES: &str = "pencilmarks that no clues stand for";

/// The grid in the solution column of a record, or after the puzzle of a line, with any text behind it.
fn solution(batch: &BatchView, start: usize) -> Option<Puzzle> {
    let (_, field) = batch.layout.solution(batch.text, start)?;
    let field = match &field {
        field if !batch.layout.is_lines() => field.trim_ascii(),
        field if field.get(CELLS).is_some_and(u8::is_ascii_alphanumeric) => return None,
        field => field.get(..CELLS)?,
    };
    Puzzle::try_from(field).ok()
}

impl Read {
    fn check(&self) -> Result<(), OutOfMemory> {
        self.0.lock().expect("no thread panics with the lock").as_ref().map(drop).map_err(|_| OutOfMemory)
    }

    /// The rows of all batches.
    fn table(self, form: Form, cancel: &CancelToken) -> Result<Table, Stop> {
        let mut parts = self.0.into_inner().expect("no thread panics with the lock")?;
        parts.sort_unstable_by_key(|part| part.first);
        let n = parts.iter().map(|part| part.puzzles.len()).sum();
        memory::check(form.memory(n))?;
        let cells = || UnfilledCells::new(form, n);
        let (mut puzzles, mut solutions, mut reasons) = (cells()?, cells()?, Texts::new(n, 0)?);
        let [mut has_puzzle, mut has_solution, mut has_reason] =
            [memory::with_capacity(n)?, memory::with_capacity(n)?, memory::with_capacity(n)?];
        let mut records = parts.iter().flat_map(|part| (0..part.puzzles.len()).map(move |k| (part, k)));
        let columns = puzzles.chunks().zip(solutions.chunks()).zip(reasons.chunks());
        for (rows, ((mut puzzles, mut solutions), reasons)) in chunks(n).zip(columns) {
            if cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            for (part, k) in records.by_ref().take(rows.len()) {
                let solution = part.solutions.get(k).copied().flatten();
                let reason = part.reasons.get(k);
                puzzles.push_option(part.puzzles[k].as_ref());
                solutions.push_option(solution.as_ref());
                reasons.push(reason)?;
                memory::push(&mut has_puzzle, part.puzzles[k].is_some())?;
                memory::push(&mut has_solution, solution.is_some())?;
                memory::push(&mut has_reason, !reason.is_empty())?;
            }
        }
        let columns = vec![
            Column::with_gaps("puzzle", puzzles.finish(), has_puzzle),
            Column::with_gaps("solution", solutions.finish(), has_solution),
            Column::with_gaps("reason", Values::Texts(reasons), has_reason),
        ];
        Ok(Table { name: "Read", columns })
    }
}
