//! `read_puzzles`: the puzzles and solutions of files.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rapidoku::file::{BatchView, ColumnRef, InputFormat, InputOptions, Job, Needs, RowSink, Run};
use rapidoku::grid::CELLS;
use rapidoku::{CancelToken, Outcomes, Puzzle};

use crate::files;
use crate::memory::{self, Fill, OutOfMemory};
use crate::options::{self, Output};
use crate::output::{self, Column, Form, Grids, Texts, TextsChunk};
use crate::run::{self, Stop, chunks};

/// Read the puzzles of a file, or of several ones.
///
/// The start of a file decides its format, as for the program: lines, CSV, JSON, grids of nine lines, or an array of NumPy; each also
/// compressed with gzip, zstd or zip. Digits stay text, so no zeros are lost.
///
/// Args:
///     paths: a path, or a list of paths.
///     column, solution_column: a name from the header, or a number from 0, if the column is not found by its usual name.
///     input_format: a name of ``rapidoku solve --input-format``, such as ``"csv"`` or ``"grid"``.
///     delimiter: the character between columns.
///     no_header: whether the first line of CSV is a record.
///     pad: put zeros before fields of 70 to 80 digits: a program that took puzzles for numbers dropped them.
///     blank_number: the number of a blank in NumPy arrays.
///     threads: the number of threads; 0 for all cores.
///     output: ``"arrow"``, ``"list"`` or ``"numpy"``.
///
/// Returns:
///     ``puzzle``, with ``.`` for blanks, or the text in its place if the record is not a puzzle; ``solution``, what the file has for it,
///     right or wrong; and ``reason``, why the record is not a valid puzzle. There is one row for each record, in order. Without a
///     value, a row is null, ``None`` or zeros; arrays have grids only. Pencilmarks that no clues stand for are not puzzles.
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
/// 1  oops                  None                  bad character 'o' in column 1
/// >>> rapidoku.check(puzzles["puzzle"]).to_pydict()
/// {'status': ['multiple', 'invalid']}
#[pyfunction]
#[pyo3(
    signature = (paths, *, column = None, solution_column = None, input_format = "auto", delimiter = None,
        no_header = false, pad = false, blank_number = None, threads = 0,
        output = Output(Form::Arrow)),
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
    let formats = [
        ("auto", InputFormat::Auto),
        ("lines", InputFormat::Lines),
        ("csv", InputFormat::Csv),
        ("json", InputFormat::Json),
        ("grid", InputFormat::Grid),
        ("npy", InputFormat::Npy),
    ];
    let delimiter = delimiter.map(|character| {
        let is_ascii = |_: &u8| character.is_ascii();
        u8::try_from(character)
            .ok()
            .filter(is_ascii)
            .ok_or(PyValueError::new_err("delimiter must be one ASCII character"))
    });
    let options = InputOptions {
        format: options::choose("input_format", &formats, input_format)?,
        column: column.map(ColumnRef::from),
        solution_column: solution_column.map(ColumnRef::from),
        delimiter: delimiter.transpose()?,
        no_header,
        pads: pad,
        blank_number,
    };
    let mut run = Run::default().input_options(options).threads(options::threads(threads)?);
    for path in self::paths(paths)? {
        run = run.input(path);
    }
    let job = Read(Mutex::new(Ok(Vec::new())));
    let result = files::run(py, run.threads, |cancel| run.cancel(cancel).start(&job, &mut |_| {}));
    // A job that has no memory cancels its run.
    let mut parts = job.0.into_inner().expect("no thread panics with the lock")?;
    result?;
    parts.sort_unstable_by_key(|part| part.first);
    let columns = run::once(py, |cancel| {
        memory::few::<_, Result<_, _>>(
            (0..NAMES.len()).map(|index| self::column(&parts, index, output.0, cancel)),
        )
    })?;
    output::into_python(py, output.0, columns)
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

/// The columns of the result.
const NAMES: [&str; 3] = ["puzzle", "solution", "reason"];

/// The records of a batch.
struct Part {
    /// The number of records before them.
    first: u64,
    rows: usize,
    columns: [TextsChunk; NAMES.len()],
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
        let rows = batch.records.len();
        let mut part = Part { first: batch.records_before, rows, columns: Default::default() };
        for k in 0..rows {
            let record = batch.record(k);
            let marks = batch.records.pencilmarks().get(k);
            let puzzle = marks.map_or(Some(batch.records.puzzles()[k]), |marks| marks.puzzle());
            let puzzle = puzzle.filter(|_| batch.records.is_puzzle(k));
            let reason = match puzzle {
                Some(puzzle) => puzzle.clash(),
                None => batch.layout.diagnose(record).map(|(_, reason)| reason),
            };
            let reason = reason.map(|reason| reason.to_string());
            let reason = reason.or_else(|| puzzle.is_none().then(|| NO_CLUES.to_owned()));
            let [puzzles, solutions, reasons] = &mut part.columns;
            reasons.push(reason.as_deref())?;
            let cells = puzzle.map(|puzzle| puzzle.to_ascii());
            // A row with too many fields may have a puzzle, but is not one.
            let other = cells.is_none().then(|| batch.layout.puzzle_text(record));
            let other = other.filter(|text| Puzzle::try_from(&**text).is_err());
            push(puzzles, cells.as_ref().map(<[u8; CELLS]>::as_slice).or(other.as_deref()))?;
            push(solutions, batch.layout.solution(record).as_deref())?;
        }
        Ok(part)
    }
}

/// The reason of pencilmarks that are more than clues.
const NO_CLUES: &str = "pencilmarks that no clues stand for";

/// Adds a text without the white space around it, or nothing for an empty one.
fn push(texts: &mut TextsChunk, text: Option<&[u8]>) -> Result<(), OutOfMemory> {
    let text = text.map(<[u8]>::trim_ascii).filter(|text| !text.is_empty());
    texts.push(text.map(String::from_utf8_lossy).as_deref())
}

/// Column `index` of all batches.
fn column(parts: &[Part], index: usize, form: Form, cancel: &CancelToken) -> Result<Column, Stop> {
    let n = parts.iter().map(|part| part.rows).sum();
    let mut rows = parts.iter().flat_map(|part| (0..part.rows).map(move |k| part.columns[index].get(k)));
    let has_cells = matches!(form, Form::Arrays { .. }) && NAMES[index] != "reason";
    let grids = has_cells.then(|| Grids::new(form, n)).transpose()?;
    let texts = (!has_cells).then(|| Texts::new(n, 0)).transpose()?;
    let mut column = (grids, texts);
    for (range, (mut grids, mut texts)) in chunks(n).zip(column.chunks()) {
        if cancel.is_cancelled() {
            return Err(Stop::Cancelled);
        }
        for text in rows.by_ref().take(range.len()) {
            match (&mut grids, &mut texts) {
                (Some(grids), _) => {
                    let puzzle = text.and_then(|text| Puzzle::try_from(text.as_bytes()).ok());
                    grids.push(puzzle.map(|puzzle| puzzle.to_ascii()).as_ref());
                }
                (_, Some(texts)) => texts.push(text)?,
                _ => {}
            }
        }
    }
    let texts = column.1.map(|texts| texts.finish(NAMES[index])).transpose()?;
    Ok(column.0.map(|grids| grids.finish(NAMES[index])).or(texts).expect("one of them"))
}
