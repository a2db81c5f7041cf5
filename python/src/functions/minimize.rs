//! `minimize`: minimal puzzles contained in puzzles.

use pyo3::prelude::*;
use rapidoku::generate::Minimizer;

use super::status_column;
use crate::input::Input;
use crate::memory::{self, Unfilled};
use crate::options::{self, Errors};
use crate::output::{Column, Table, UnfilledCells, Values};
use crate::run::{self, Plan, chunks};

/// Remove redundant clues of each puzzle until it is minimal: it has one solution, and several without any of its clues.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     seed: the order in which the clues of a puzzle are tried depends on the seed and the puzzle only.
///     max_guesses: give the search for a solution up after this number of guesses (status ``limit``).
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is invalid.
///     dictionary: for Arrow, whether ``status`` is a dictionary of words instead of strings.
///
/// Returns:
///     ``minimized``, a minimal puzzle with some of the clues; ``removed``, the number of the others; and ``status``. Each
///     has N rows. Rows without exactly one solution have no minimal puzzle: null, ``None``, or zeros and -1.
///
/// Raises:
///     TypeError: the column has another type.
///     ValueError: an array has another shape, a table several columns, or an option is out of range.
///     InvalidPuzzleError: a row is invalid, with ``errors="raise"``.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> minimal = rapidoku.minimize([puzzle, "." * 81], seed=1)
/// >>> minimal.removed, minimal.status
/// ([8, None], ['unique', 'multiple'])
/// >>> rapidoku.solve(minimal.minimized[:1]).solution == rapidoku.solve([puzzle]).solution
/// True
#[pyfunction]
#[pyo3(
    signature = (puzzles, *, seed = 0, max_guesses = None, threads = 0, errors = Errors::Status, dictionary = false),
    text_signature = "(puzzles, *, seed=0, max_guesses=None, threads=0, errors='status', dictionary=False)"
)]
pub fn minimize<'py>(
    puzzles: &Bound<'py, PyAny>,
    seed: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let minimizer = Minimizer::new(seed);
    let input = Input::new(puzzles)?;
    let source = input.source()?;
    let form = input.form(dictionary);

    let n = source.len();
    let (mut minimized, mut statuses) = (UnfilledCells::new(form, n)?, Unfilled::new(n)?);
    // -1 for rows without a minimal puzzle.
    let mut removed = Unfilled::<i64>::new(n)?;
    let items = chunks(n).zip(statuses.chunks()).zip(minimized.chunks().zip(removed.chunks()));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |scratch, ((rows, mut statuses), (mut cells, mut removed)), cancel| {
        source.read(rows, &mut scratch.puzzles)?;
        let (puzzles, outcomes) = (&scratch.puzzles, &mut scratch.outcomes);
        solver.try_solve_into(puzzles, outcomes, cancel)?;
        let found = minimizer.minimize(puzzles, outcomes, cancel)?;
        statuses.extend(outcomes.statuses(), |&status| status as i8);
        for (found, puzzle) in found.iter().zip(puzzles) {
            match found {
                Some(minimal) => {
                    cells.push(&minimal.to_ascii());
                    removed.push(puzzle.clue_count() as i64 - minimal.clue_count() as i64);
                }
                None => {
                    cells.push_blank();
                    removed.push(-1);
                }
            }
        }
        Ok(())
    })?;

    let (statuses, removed) = (statuses.finish(), removed.finish());
    errors.check(py, &source, &statuses)?;
    let has_minimal = || memory::collect(removed.iter().map(|&number| number >= 0));
    let (has_minimized, has_removed) = (has_minimal()?, has_minimal()?);
    let columns = vec![
        Column::with_gaps("minimized", minimized.finish(), has_minimized),
        Column::with_gaps("removed", Values::Integers(removed), has_removed),
        status_column(statuses),
    ];
    Table { name: "Minimize", columns }.into_python(py, form)
}
