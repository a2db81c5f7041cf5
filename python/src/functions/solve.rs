//! `solve`, `check`, `count`: searches for solutions.

use pyo3::prelude::*;
use rapidoku::Limits;

use super::status_column;
use crate::input::Input;
use crate::memory;
use crate::options;
use crate::output::{self, Column, Grids, Values};
use crate::run::{self, Plan};

/// Solve each puzzle.
///
/// Args:
///     puzzles: a column of N puzzles: Arrow strings, a list of str, or integers of shape (N, 81) or (N, 9, 9) with
///         0 for blanks.
///     limit: stop at this number of solutions of a puzzle: 1 finds one, 2 proves whether it is unique.
///     max_guesses: give a puzzle up after this number of guesses (status ``gave-up``).
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
#[pyo3(signature = (puzzles, *, limit = 1, max_guesses = None, threads = 0, errors = "status"))]
pub fn solve<'py>(
    puzzles: &Bound<'py, PyAny>,
    limit: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let limits = options::limits(limit, max_guesses)?;
    search(puzzles, limits, threads, errors, &["solution", "status", "solutions", "guesses"])
}

/// Check whether each puzzle has exactly one solution.
///
/// Arguments and exceptions are those of :func:`solve`. The result has one column, ``status``.
///
/// >>> import rapidoku
/// >>> rapidoku.check(["." * 81, "11" + "." * 79]).status
/// ['multiple', 'invalid']
#[pyfunction]
#[pyo3(signature = (puzzles, *, max_guesses = None, threads = 0, errors = "status"))]
pub fn check<'py>(
    puzzles: &Bound<'py, PyAny>,
    max_guesses: Option<u64>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    search(puzzles, options::limits(2, max_guesses)?, threads, errors, &["status"])
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
#[pyo3(signature = (puzzles, *, limit = 1_000_000, max_guesses = None, threads = 0, errors = "status"))]
pub fn count<'py>(
    puzzles: &Bound<'py, PyAny>,
    limit: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    search(puzzles, options::limits(limit, max_guesses)?, threads, errors, &["solutions", "status"])
}

/// Up to this number of solutions, a puzzle takes a few milliseconds at most.
const FEW_SOLUTIONS: u64 = 1000;

/// Searches all rows. The result has the columns with these names.
fn search<'py>(
    puzzles: &Bound<'py, PyAny>,
    limits: Limits,
    threads: usize,
    errors: &str,
    names: &[&str],
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let input = Input::new(puzzles)?;
    let (source, form, threads) = (input.source()?, input.form(), options::threads(threads)?);
    options::check(errors, py, source, threads)?;

    let rows = source.len();
    let solutions = names.contains(&"solution").then(|| Grids::new(form, rows)).transpose()?;
    let numbers = (memory::zeroed(rows)?, memory::zeroed(rows)?);
    let mut columns = ((solutions, memory::zeroed(rows)?), numbers);
    let plan = Plan { rows, threads, is_bounded: limits.solutions.get() <= FEW_SOLUTIONS };
    let solver = options::solver(limits);
    run::fill(py, plan, &mut columns, |scratch, rows, columns, cancel| {
        let ((solutions, statuses), (counts, guesses)) = columns;
        source.read(rows, &mut scratch.rows)?;
        let outcomes = &mut scratch.outcomes;
        solver.try_solve_into(scratch.rows.puzzles(), outcomes, cancel)?;
        memory::set(statuses, outcomes.statuses().iter().map(|&status| status as i8));
        memory::set(counts, outcomes.solution_counts().iter().map(|&count| count as i64));
        memory::set(guesses, outcomes.guesses().iter().map(|&guesses| guesses as i64));
        if let Some(mut solutions) = solutions {
            for (row, &count) in outcomes.rows().iter().zip(outcomes.solution_counts()) {
                solutions.push(row.first_chunk().filter(|_| count > 0));
            }
        }
        Ok(())
    })?;

    let ((solutions, statuses), (counts, guesses)) = columns;
    let mut columns = vec![
        status_column(statuses),
        Column::new("solutions", Values::Integers(counts)),
        Column::new("guesses", Values::Integers(guesses)),
    ];
    columns.append(&mut memory::few(solutions.map(|solutions| solutions.finish("solution")).into_iter()));
    columns.retain(|column| names.contains(&column.name));
    columns.sort_by_key(|column| names.iter().position(|name| *name == column.name));
    output::into_python(py, form, columns)
}
