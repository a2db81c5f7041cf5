//! `read_puzzles`: the puzzles and solutions of files.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Mutex;

use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;
use rapidoku::file::{BatchView, ColumnRef, Error, Input, InputFormat, InputOptions, Job, Needs, RowSink, Run};
use rapidoku::grid::CELLS;
use rapidoku::{CancelToken, Outcomes, Puzzle};

use crate::memory::{self, Fill, OutOfMemory};
use crate::options;
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
#[pyo3(signature = (paths, *, column = None, solution_column = None, input_format = "auto", delimiter = None,
        no_header = false, pad = false, blank_number = None, threads = 0,
        output = "arrow"))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn read_puzzles<'py>(
    py: Python<'py>,
    paths: Paths,
    column: Option<NameOrIndex>,
    solution_column: Option<NameOrIndex>,
    input_format: &str,
    delimiter: Option<char>,
    no_header: bool,
    pad: bool,
    blank_number: Option<i8>,
    threads: usize,
    output: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let form = options::form(output)?;
    let formats = [
        ("auto", InputFormat::Auto),
        ("lines", InputFormat::Lines),
        ("csv", InputFormat::Csv),
        ("json", InputFormat::Json),
        ("grid", InputFormat::Grid),
        ("npy", InputFormat::Npy),
    ];
    let delimiter = match delimiter.map(u8::try_from) {
        Some(Ok(delimiter @ ..=0x7f)) => Some(delimiter),
        Some(_) => return Err(PyValueError::new_err("delimiter must be one ASCII character")),
        None => None,
    };
    let column_ref = |column| match column {
        NameOrIndex::Index(index) => ColumnRef::Index(index),
        NameOrIndex::Name(name) => ColumnRef::Name(name),
    };
    let options = InputOptions {
        format: options::choose("input_format", &formats, input_format)?,
        column: column.map(column_ref),
        solution_column: solution_column.map(column_ref),
        delimiter,
        no_header,
        pads: pad,
        blank_number,
    };
    let mut run = Run { input_options: options, threads: options::threads(threads)?, ..Run::default() };
    run.inputs = match paths {
        Paths::One(path) => vec![Input::File(path)],
        Paths::Several(paths) => memory::few(paths.into_iter().map(Input::File)),
    };
    let job = Read(Mutex::new(Ok(Vec::new())));
    memory::check_threads(run.threads + OTHER_THREADS)?;
    let result = run::once(py, |cancel| {
        run.cancel = cancel.clone();
        Ok(run.start(&job, &mut |_| {}))
    })?;
    // A job that has no memory cancels its run.
    let mut parts = job.0.into_inner().expect("no thread panics with the lock")?;
    result.map_err(|error| exception(py, &error))?;
    parts.sort_unstable_by_key(|part| part.first);
    let columns = run::once(py, |cancel| {
        memory::few::<_, Result<_, _>>((0..NAMES.len()).map(|index| self::column(&parts, index, form, cancel)))
    })?;
    output::into_python(py, form, columns)
}

/// The column of a table.
#[derive(FromPyObject)]
pub enum NameOrIndex {
    Index(usize),
    Name(String),
}

/// A path, or several.
#[derive(FromPyObject)]
pub enum Paths {
    One(PathBuf),
    Several(Vec<PathBuf>),
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

/// Threads that a run may start besides its workers: one that reads, one that decompresses, and the calling one; and as much
/// memory again for its queue of batches.
const OTHER_THREADS: usize = 6;

/// An error of the library as an exception.
fn exception(py: Python, error: &Error) -> PyErr {
    match error {
        Error::Open { name, source } | Error::Read { name, source } => {
            if source.kind() == io::ErrorKind::OutOfMemory {
                return PyMemoryError::new_err(error.message());
            }
            let Some(number) = source.raw_os_error() else {
                return io::Error::new(source.kind(), error.message()).into();
            };
            // With these arguments, the class of the exception depends on the number.
            let text = py.import("os").and_then(|os| os.call_method1("strerror", (number,)));
            text.map_or_else(|error| error, |text| PyOSError::new_err((number, text.unbind(), name.clone())))
        }
        _ => PyValueError::new_err(error.message()),
    }
}
