//! `convert`: puzzles in another format or another kind of column.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::file::internal::GridText;
use rapidoku::{Candidates, Puzzle, Status};

use super::generate::Output;
use crate::input::Input;
use crate::memory::{self, Unfilled};
use crate::options::{self, Errors};
use crate::output::{Column, Form, Table, Texts, UnfilledCells, Values};
use crate::run::{self, Plan, chunks};

/// A format of text, as in `rapidoku convert`.
#[derive(Clone, Copy)]
pub struct Target(GridText);

impl FromPyObject<'_, '_> for Target {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Target> {
        let name = object.extract::<&str>()?;
        GridText::from_name(name).map(Target).ok_or_else(|| {
            let names: Vec<&str> = memory::few(GridText::ALL.iter().map(|(name, _)| *name));
            PyValueError::new_err(format!("to must be one of {}, not '{name}'", names.join(", ")))
        })
    }
}

impl Target {
    /// The bytes of the longest text: that of the puzzle with the most candidates.
    fn longest(self) -> usize {
        let mut text = Vec::new();
        self.write(&Puzzle::EMPTY, b'.', &mut text);
        text.len()
    }

    /// Replaces `text` by the puzzle.
    fn write(self, puzzle: &Puzzle, blank: u8, text: &mut Vec<u8>) {
        text.clear();
        if self.0.has_candidates() {
            self.0.push_candidates(text, &Candidates::from(puzzle), blank);
        } else {
            let cells = puzzle.to_ascii().map(|cell| if cell == b'.' { blank } else { cell });
            self.0.push(text, &cells);
        }
    }
}

/// Convert puzzles to another format, or to another kind of column, without solving them.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     to: ``"lines"`` (81 characters), ``"pencilmarks"`` (729 characters), or text of several lines: ``"grid"``, ``"sdk"``, ``"ss"``,
///         ``"sdx"``, ``"candidates"``. ``"sdm"`` are lines with 0 for blanks, ``"opensudoku"`` elements of XML. For CSV, JSON
///         and files of NumPy, use those of data frames and NumPy.
///     blank: the character for blanks, ``.`` or ``0`` or another one that the program reads.
///     output: ``"arrow"``, ``"list"`` or ``"numpy"``; without it, the result has the kind of ``puzzles``.
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is not a puzzle, or whose clues clash.
///
/// Returns:
///     ``puzzle``, with N rows. With ``to="lines"``, arrays have cells, with 0 for blanks; with other formats, a list takes
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
#[pyo3(
    signature = (puzzles, to = Target(GridText::Lines), *, blank = None, output = None, threads = 0, errors = Errors::Status),
    text_signature = "(puzzles, to='lines', *, blank=None, output=None, threads=0, errors='status')"
)]
pub fn convert<'py>(
    puzzles: &Bound<'py, PyAny>,
    to: Target,
    blank: Option<char>,
    output: Option<Output>,
    threads: usize,
    errors: Errors,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let blank = blank.unwrap_or(char::from(to.0.blank()));
    if !".0-_*?xX".contains(blank) {
        return Err(PyValueError::new_err(format!("blank must be one of .0-_*?xX, not '{blank}'")));
    }
    let input = Input::new(puzzles)?;
    let form = output.map_or_else(|| input.form(false), |output| output.0);
    let source = input.source()?;

    let n = source.len();
    let as_cells = to.0 == GridText::Lines && matches!(form, Form::Arrays { .. });
    let (mut cells, mut texts) = (
        UnfilledCells::new(form, if as_cells { n } else { 0 })?,
        Texts::new(n, if as_cells { 0 } else { to.longest() })?,
    );
    let (mut statuses, mut valid) = (Unfilled::new(n)?, Unfilled::new(n)?);
    let mut cell_chunks = cells.chunks();
    let items = chunks(n).zip(texts.chunks()).zip(statuses.chunks().zip(valid.chunks()));
    let items = items.map(move |item| (item, cell_chunks.next()));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |scratch, (((rows, texts), (mut statuses, mut valid)), mut cells), _| {
        source.read(rows.clone(), &mut scratch.puzzles)?;
        let mut text = Vec::new();
        for (row, puzzle) in rows.zip(&scratch.puzzles) {
            let is_puzzle = source.is_puzzle(row, puzzle);
            valid.push(is_puzzle);
            statuses.push(if puzzle.clash().is_some() { Status::Invalid } else { Status::Solved } as i8);
            match &mut cells {
                Some(cells) => cells.push_option(is_puzzle.then_some(puzzle)),
                None if is_puzzle => {
                    to.write(puzzle, blank as u8, &mut text);
                    texts.push(&text)?;
                }
                None => texts.push(b"")?,
            }
        }
        Ok(())
    })?;

    errors.check(py, &source, &statuses.finish())?;
    let values = if as_cells { cells.finish() } else { Values::Texts(texts) };
    let columns = vec![Column::with_gaps("puzzle", values, valid.finish())];
    Table { name: "Convert", columns }.into_python(py, form)
}
