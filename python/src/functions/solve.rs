//! `solve`, `solve_one`, `check`, `count`: searches for solutions.

use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};
use rapidoku::Limits;

use super::status_column;
use crate::input::{Input, Source};
use crate::memory::{self, Unfilled};
use crate::options::{self, Errors};
use crate::output::{Column, Table, UnfilledCells, Values, named_tuple};
use crate::run::{self, Plan, chunks};

/// Solve each puzzle.
///
/// Args:
///     puzzles: a column of N puzzles: Arrow strings, a list of str, or integers of shape (N, 81) or (N, 9, 9) with
///         0 for blanks.
///     limit: stop at this number of solutions of a puzzle: 1 finds one, 2 proves whether it is unique.
///     max_guesses: give a puzzle up after this number of guesses (status ``limit``).
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is invalid.
///     dictionary: for Arrow, whether ``status`` is a dictionary of words instead of strings.
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
    signature = (puzzles, *, limit = 1, max_guesses = None, threads = 0, errors = Errors::Status, dictionary = false),
    text_signature = "(puzzles, *, limit=1, max_guesses=None, threads=0, errors='status', dictionary=False)"
)]
pub fn solve<'py>(
    puzzles: &Bound<'py, PyAny>,
    limit: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let search = Search { limits: options::limits(limit, max_guesses)?, threads, errors };
    let input = Input::new(puzzles)?;
    let form = input.form(dictionary);
    let source = input.source()?;
    let mut solutions = UnfilledCells::new(form, source.len())?;
    let found = search.run(puzzles.py(), source, Some(&mut solutions))?;
    let valid = memory::collect(found.counts.iter().map(|&count| count > 0))?;
    let columns = vec![
        Column::with_gaps("solution", solutions.finish(), valid),
        status_column(found.statuses),
        Column::new("solutions", Values::Integers(found.counts)),
        Column::new("guesses", Values::Integers(found.guesses)),
    ];
    Table { name: "Solve", columns }.into_python(puzzles.py(), form)
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
    let columns = solve(&puzzles, limit, max_guesses, 1, Errors::Status, false)?;
    let fields = columns.try_iter()?.map(|column| column?.get_item(0));
    named_tuple(py, "Solved", memory::few::<_, PyResult<_>>(fields)?)
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
    signature = (puzzles, *, max_guesses = None, threads = 0, errors = Errors::Status, dictionary = false),
    text_signature = "(puzzles, *, max_guesses=None, threads=0, errors='status', dictionary=False)"
)]
pub fn check<'py>(
    puzzles: &Bound<'py, PyAny>,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let search = Search { limits: options::limits(2, max_guesses)?, threads, errors };
    let input = Input::new(puzzles)?;
    let found = search.run(puzzles.py(), input.source()?, None)?;
    let columns = vec![status_column(found.statuses)];
    Table { name: "Check", columns }.into_python(puzzles.py(), input.form(dictionary))
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
    signature = (puzzles, *, limit = 1_000_000, max_guesses = None, threads = 0, errors = Errors::Status, dictionary = false),
    text_signature = "(puzzles, *, limit=1000000, max_guesses=None, threads=0, errors='status', dictionary=False)"
)]
pub fn count<'py>(
    puzzles: &Bound<'py, PyAny>,
    limit: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let search = Search { limits: options::limits(limit, max_guesses)?, threads, errors };
    let input = Input::new(puzzles)?;
    let found = search.run(puzzles.py(), input.source()?, None)?;
    let columns =
        vec![Column::new("solutions", Values::Integers(found.counts)), status_column(found.statuses)];
    Table { name: "Count", columns }.into_python(puzzles.py(), input.form(dictionary))
}

/// The options of a search.
struct Search {
    limits: Limits,
    threads: usize,
    errors: Errors,
}

/// The outcomes of a search without the solutions, a column for each field.
struct Found {
    statuses: Vec<i8>,
    counts: Vec<i64>,
    guesses: Vec<i64>,
}

/// Up to this number of solutions, a puzzle takes a few milliseconds at most.
const FEW_SOLUTIONS: u64 = 1000;

impl Search {
    /// Searches all rows, and writes the solutions to a column if there is one.
    fn run(&self, py: Python, source: Source, solutions: Option<&mut UnfilledCells>) -> PyResult<Found> {
        let rows = source.len();
        let (mut statuses, mut counts, mut guesses) =
            (Unfilled::new(rows)?, Unfilled::new(rows)?, Unfilled::new(rows)?);
        let mut solutions = solutions.map(UnfilledCells::chunks);
        let items = chunks(rows).zip(statuses.chunks()).zip(counts.chunks().zip(guesses.chunks()));
        let items = items.map(|item| (item, solutions.as_mut().and_then(Iterator::next)));

        let plan = Plan {
            rows,
            threads: options::threads(self.threads)?,
            is_bounded: self.limits.solutions.get() <= FEW_SOLUTIONS,
        };
        let solver = options::solver(self.limits);
        run::run(py, plan, items, |scratch, (columns, solutions), cancel| {
            let ((rows, mut statuses), (mut counts, mut guesses)) = columns;
            source.read(rows, &mut scratch.puzzles)?;
            let outcomes = &mut scratch.outcomes;
            solver.try_solve_into(&scratch.puzzles, outcomes, cancel)?;
            statuses.extend(outcomes.statuses(), |&status| status as i8);
            counts.extend(outcomes.solution_counts(), |&count| count as i64);
            guesses.extend(outcomes.guesses(), |&guesses| guesses as i64);
            if let Some(mut solutions) = solutions {
                outcomes
                    .rows()
                    .iter()
                    .for_each(|row| solutions.push(row.first_chunk().expect("a row is longer")));
            }
            Ok(())
        })?;
        let found = Found { statuses: statuses.finish(), counts: counts.finish(), guesses: guesses.finish() };
        self.errors.check(py, &source, &found.statuses)?;
        Ok(found)
    }
}
