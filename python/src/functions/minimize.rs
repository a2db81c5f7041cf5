//! `minimize`: minimal puzzles contained in puzzles.

use pyo3::prelude::*;
use rapidoku::generate::Minimizer;
use rapidoku::grid::CELLS;

use super::status_column;
use crate::input::Input;
use crate::memory::zeros;
use crate::options::{self, Errors};
use crate::output::{Column, Table, Values};
use crate::run::{self, CHUNK, Plan, chunks};

/// Remove redundant clues of each puzzle until it is minimal: it has one solution, and several without any of its clues.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     seed: the order in which the clues of a puzzle are tried depends on the seed and the puzzle only.
///     max_guesses: give the search for a solution up after so many guesses (status ``limit``).
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
    let (mut minimized, mut statuses) = (zeros(CELLS * n), zeros(n));
    // -1 for rows without a minimal puzzle.
    let mut removed: Vec<i64> = zeros(n);
    let cells = minimized.chunks_mut(CELLS * CHUNK).zip(removed.chunks_mut(CHUNK));
    let items = chunks(n).zip(statuses.chunks_mut(CHUNK)).zip(cells);
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |scratch, ((rows, statuses), (cells, removed)), cancel| {
        source.read(rows, &mut scratch.puzzles);
        let (puzzles, outcomes) = (&scratch.puzzles, &mut scratch.outcomes);
        solver.try_solve_into(puzzles, outcomes, cancel)?;
        let found = minimizer.minimize(puzzles, outcomes, cancel)?;
        let to = cells.chunks_exact_mut(CELLS).zip(removed).zip(statuses);
        let from = found.iter().zip(puzzles).zip(outcomes.statuses());
        for (((cells, removed), to_status), ((found, puzzle), &status)) in to.zip(from) {
            *to_status = status as i8;
            form.write_cells(&found.map_or([b'.'; CELLS], |minimal| minimal.to_ascii()), cells);
            *removed = found.map_or(-1, |minimal| puzzle.clue_count() as i64 - minimal.clue_count() as i64);
        }
        Ok(())
    })?;

    errors.check(py, &source, &statuses)?;
    let has_minimal: Vec<bool> = removed.iter().map(|&number| number >= 0).collect();
    let columns = vec![
        Column::with_gaps("minimized", Values::Cells(minimized), has_minimal.clone()),
        Column::with_gaps("removed", Values::Integers(removed), has_minimal),
        status_column(statuses),
    ];
    Table { name: "Minimize", columns }.into_python(py, form)
}
