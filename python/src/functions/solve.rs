//! `solve`, `solve_one`, `check`, `count`: searches for solutions.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString, PyTuple};
use rapidoku::Limits;

use super::status_column;
use crate::input::Input;
use crate::memory::{self, Unfilled};
use crate::options::{self, Errors};
use crate::output::{self, Column, Form, Grids, Values, named_tuple};
use crate::run::{self, Plan};

/// Solve each puzzle.
///
/// Args:
///     puzzles: a column of N puzzles: Arrow strings, a list of str, or integers of shape (N, 81) or (N, 9, 9) with
///         0 for blanks.
///     limit: stop at this number of solutions of a puzzle: 1 finds one, 2 proves whether it is unique.
///     max_guesses: give a puzzle up after this number of guesses (status ``limit``).
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is invalid.
///
/// Returns:
///     ``solution`` (null, ``None`` or zeros if there is none), ``status`` (a word, or the number of a :class:`Status`
///     in arrays), ``solutions`` (how many were found) and ``guesses``, each with N rows.
///
/// Raises:
///     TypeError: the column has another type.
///     ValueError: an array has another shape, a table several columns, or an option is out of range.
///     InvalidPuzzleError: a row is invalid, with ``errors="raise"``.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> solved = rapidoku.solve([puzzle, "oops"], limit=2)
/// >>> solved.status
/// ['unique', 'invalid']
/// >>> solved.solution
/// ['534678912672195348198342567859761423426853791713924856961537284287419635345286179', None]
/// >>> rapidoku.solve([puzzle, "oops"], errors="raise")
/// Traceback (most recent call last):
///     ...
/// rapidoku._results.InvalidPuzzleError: row 1: bad character 'o' in column 1
#[pyfunction]
#[pyo3(
    signature = (puzzles, *, limit = 1, max_guesses = None, threads = 0, errors = Errors::STATUS),
    text_signature = "(puzzles, *, limit=1, max_guesses=None, threads=0, errors='status')"
)]
pub fn solve<'py>(
    puzzles: &Bound<'py, PyAny>,
    limit: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = options::limits(limit, max_guesses)?;
    let found = search(puzzles, limits, threads, errors, true)?;
    let mut columns: Vec<Column> = memory::few(found.solutions.into_iter());
    columns.append(&mut vec![
        status_column(found.statuses),
        Column::new("solutions", Values::Integers(found.counts)),
        Column::new("guesses", Values::Integers(found.guesses)),
    ]);
    output::into_python(puzzles.py(), found.form, columns)
}

/// Solve one puzzle: a line of 81 cells or a grid of nine lines.
///
/// For many puzzles :func:`solve` is several times as fast.
///
/// >>> import rapidoku
/// >>> rapidoku.solve_one("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79", limit=2)[:3]
/// ('534678912672195348198342567859761423426853791713924856961537284287419635345286179', 'unique', 1)
#[pyfunction]
#[pyo3(signature = (puzzle, *, limit = 1, max_guesses = None))]
pub fn solve_one<'py>(
    puzzle: &Bound<'py, PyString>,
    limit: u64,
    max_guesses: Option<u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzle.py();
    let puzzles = PyList::new(py, [puzzle])?;
    let columns = solve(&puzzles, limit, max_guesses, 1, Errors::STATUS)?;
    let fields = columns.try_iter()?.map(|column| column?.get_item(0));
    named_tuple(py, "Solved", PyTuple::new(py, memory::few::<_, PyResult<Vec<_>>>(fields)?)?)
}

/// Check whether each puzzle has exactly one solution.
///
/// Arguments and exceptions are those of :func:`solve`. The result has one column, ``status``.
///
/// >>> import rapidoku
/// >>> rapidoku.check(["." * 81, "11" + "." * 79]).status
/// ['multiple', 'invalid']
#[pyfunction]
#[pyo3(
    signature = (puzzles, *, max_guesses = None, threads = 0, errors = Errors::STATUS),
    text_signature = "(puzzles, *, max_guesses=None, threads=0, errors='status')"
)]
pub fn check<'py>(
    puzzles: &Bound<'py, PyAny>,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
) -> PyResult<Bound<'py, PyAny>> {
    let found = search(puzzles, options::limits(2, max_guesses)?, threads, errors, false)?;
    output::into_python(puzzles.py(), found.form, vec![status_column(found.statuses)])
}

/// Count the solutions of each puzzle, up to ``limit``.
///
/// Arguments and exceptions are those of :func:`solve`. The columns are ``solutions`` and ``status``.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8...."
/// >>> rapidoku.count([puzzle, "." * 81], limit=1000).solutions
/// [2, 1000]
#[pyfunction]
#[pyo3(
    signature = (puzzles, *, limit = 1_000_000, max_guesses = None, threads = 0, errors = Errors::STATUS),
    text_signature = "(puzzles, *, limit=1000000, max_guesses=None, threads=0, errors='status')"
)]
pub fn count<'py>(
    puzzles: &Bound<'py, PyAny>,
    limit: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
) -> PyResult<Bound<'py, PyAny>> {
    let found = search(puzzles, options::limits(limit, max_guesses)?, threads, errors, false)?;
    let columns =
        vec![Column::new("solutions", Values::Integers(found.counts)), status_column(found.statuses)];
    output::into_python(puzzles.py(), found.form, columns)
}

/// The outcomes of a search, a column for each field.
struct Found {
    form: Form,
    solutions: Option<Column>,
    statuses: Vec<i8>,
    counts: Vec<i64>,
    guesses: Vec<i64>,
}

/// Up to this number of solutions, a puzzle takes a few milliseconds at most.
const FEW_SOLUTIONS: u64 = 1000;

/// Searches all rows, and keeps the solutions if they are wanted.
fn search(
    puzzles: &Bound<PyAny>,
    limits: Limits,
    threads: usize,
    errors: Errors,
    keeps_solutions: bool,
) -> PyResult<Found> {
    let py = puzzles.py();
    let input = Input::new(puzzles)?;
    let (source, form, threads) = (input.source()?, input.form(), options::threads(threads)?);
    errors.check(py, source, threads)?;

    let rows = source.len();
    let solutions = keeps_solutions.then(|| Grids::new(form, rows)).transpose()?;
    let numbers = (Unfilled::new(rows)?, Unfilled::new(rows)?);
    let mut columns = ((solutions, Unfilled::new(rows)?), numbers);
    let plan = Plan { rows, threads, is_bounded: limits.solutions.get() <= FEW_SOLUTIONS };
    let solver = options::solver(limits);
    run::fill(py, plan, &mut columns, |scratch, rows, columns, cancel| {
        let ((solutions, mut statuses), (mut counts, mut guesses)) = columns;
        source.read(rows, &mut scratch.rows)?;
        let outcomes = &mut scratch.outcomes;
        solver.try_solve_into(scratch.rows.puzzles(), outcomes, cancel)?;
        statuses.extend(outcomes.statuses(), |&status| status as i8);
        counts.extend(outcomes.solution_counts(), |&count| count as i64);
        guesses.extend(outcomes.guesses(), |&guesses| guesses as i64);
        if let Some(mut solutions) = solutions {
            for (row, &count) in outcomes.rows().iter().zip(outcomes.solution_counts()) {
                solutions.push(row.first_chunk().filter(|_| count > 0));
            }
        }
        Ok(())
    })?;
    let ((solutions, statuses), (counts, guesses)) = columns;
    Ok(Found {
        form,
        solutions: solutions.map(|solutions| solutions.finish("solution")),
        statuses: statuses.finish(),
        counts: counts.finish(),
        guesses: guesses.finish(),
    })
}
