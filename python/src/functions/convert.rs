//! `convert`: puzzles in another format or another kind of column.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::file::internal::GridText;
use rapidoku::grid::CELLS;
use rapidoku::{Candidates, Puzzle};

use crate::input::Input;
use crate::memory;
use crate::options;
use crate::output::{self, Grids, Texts};
use crate::run::{self, Plan};

/// Convert puzzles to another format, or to another kind of column, without solving them.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     to: ``"lines"`` or ``"sdm"`` (81 characters, with 0 for blanks), ``"pencilmarks"`` (729 characters), or text of several lines:
///         ``"grid"``, ``"sdk"``, ``"ss"``.
///     blank: the character for blanks, ``.`` or ``0`` or another one that the program reads.
///     output: ``"arrow"``, ``"list"`` or ``"numpy"``; without it, the result has the kind of ``puzzles``.
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is not a puzzle, or whose clues clash.
///
/// Returns:
///     ``puzzle``, with N rows. Arrays have cells, with 0 for blanks; for formats with more than 81 characters, a list takes
///     the place of an array. Rows that are not puzzles are null, ``None`` or zeros.
///
/// Raises:
///     TypeError: the column has another type.
///     ValueError: an array has another shape, or there is no such format.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> print(rapidoku.convert([puzzle], to="grid").puzzle[0][:47])
/// 5 3 . | . 7 . | . . .
/// 6 . . | 1 9 5 | . . .
/// . 9
/// >>> rapidoku.convert([puzzle], output="numpy").puzzle[0, :6].tolist()
/// [5, 3, 0, 0, 7, 0]
#[pyfunction]
#[pyo3(signature = (puzzles, to = "lines", *, blank = None, output = None, threads = 0, errors = "status"))]
pub fn convert<'py>(
    puzzles: &Bound<'py, PyAny>,
    to: &str,
    blank: Option<char>,
    output: Option<&str>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let format = options::choose("to", &GridText::ALL, to)?;
    let blank = blank.unwrap_or(char::from(format.blank()));
    if !".0-_*?xX".contains(blank) {
        return Err(PyValueError::new_err(format!("blank must be one of .0-_*?xX, not '{blank}'")));
    }
    let input = Input::new(puzzles)?;
    let form = output.map_or_else(|| Ok(input.form()), options::form)?;
    let (source, threads) = (input.source()?, options::threads(threads)?);
    options::check(errors, py, source, threads)?;

    let n = source.len();
    let longest = text(format, &Puzzle::EMPTY, blank).len();
    let is_grid = matches!(format, GridText::Lines | GridText::Sdm);
    let grids = is_grid.then(|| Grids::new(form, n)).transpose()?;
    let texts = (!is_grid).then(|| Texts::new(n, longest)).transpose()?;
    let mut columns = (grids, texts);
    let plan = Plan { rows: n, threads, is_bounded: true };
    run::fill(py, plan, &mut columns, |scratch, rows, (mut grids, mut texts), _| {
        source.read(rows, &mut scratch.rows)?;
        for puzzle in scratch.rows.iter() {
            match (&mut grids, &mut texts) {
                (Some(grids), _) => grids.push(puzzle.map(|puzzle| cells(puzzle, blank as u8)).as_ref()),
                (_, Some(texts)) => texts.push(puzzle.map(|puzzle| text(format, puzzle, blank)).as_deref())?,
                _ => {}
            }
        }
        Ok(())
    })?;
    let (grids, texts) = columns;
    let texts = texts.map(|texts| texts.finish("puzzle")).transpose()?;
    let column = grids.map(|grids| grids.finish("puzzle")).or(texts);
    output::into_python(py, form, memory::few(column.into_iter()))
}

fn cells(puzzle: &Puzzle, blank: u8) -> [u8; CELLS] {
    puzzle.to_ascii().map(|cell| if cell == b'.' { blank } else { cell })
}

fn text(format: GridText, puzzle: &Puzzle, blank: char) -> String {
    if format == GridText::Pencilmarks {
        return Candidates::from(puzzle).to_string().replace('.', blank.encode_utf8(&mut [0; 4]));
    }
    let mut text = Vec::new();
    format.push(&mut text, &cells(puzzle, blank as u8));
    String::from_utf8(text).expect("cells are ASCII")
}
