//! `minimize`: minimal puzzles contained in puzzles.

use pyo3::prelude::*;
use rapidoku::Puzzle;
use rapidoku::generate::Minimizer;

use super::status_column;
use crate::input::Input;
use crate::memory;
use crate::options;
use crate::output::{self, Column, Grids, Values};
use crate::run::{self, Plan};

/// Remove redundant clues of each puzzle until it is minimal: it has one solution, and several without any of its clues.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     seed: the order in which the clues of a puzzle are tried depends on the seed and the puzzle only.
///     max_guesses: give the search for a solution up after this number of guesses (status ``gave-up``).
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is invalid.
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
#[pyo3(signature = (puzzles, *, seed = 0, max_guesses = None, threads = 0, errors = "status"))]
pub fn minimize<'py>(
    puzzles: &Bound<'py, PyAny>,
    seed: u64,
    max_guesses: Option<u64>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let minimizer = Minimizer::new(seed);
    let input = Input::new(puzzles)?;
    let (source, form, threads) = (input.source()?, input.form(), options::threads(threads)?);
    options::check(errors, py, source, threads)?;

    let n = source.len();
    // Of removed clues, -1 for rows without a minimal puzzle.
    let mut columns = (Grids::new(form, n)?, (memory::zeroed(n)?, memory::zeroed(n)?));
    let plan = Plan { rows: n, threads, is_bounded: true };
    run::fill(py, plan, &mut columns, |scratch, rows, (mut grids, (removed, statuses)), cancel| {
        source.read(rows, &mut scratch.rows)?;
        let (puzzles, outcomes) = (scratch.rows.puzzles(), &mut scratch.outcomes);
        solver.try_solve_into(puzzles, outcomes, cancel)?;
        let found = minimizer.minimize(puzzles, outcomes, cancel)?;
        memory::set(statuses, outcomes.statuses().iter().map(|&status| status as i8));
        for ((minimal, puzzle), removed) in found.iter().zip(puzzles).zip(removed) {
            grids.push(minimal.map(|minimal| minimal.to_ascii()).as_ref());
            let left = |minimal: &Puzzle| puzzle.clue_count() as i64 - minimal.clue_count() as i64;
            *removed = minimal.as_ref().map_or(-1, left);
        }
        Ok(())
    })?;

    let (grids, (removed, statuses)) = columns;
    let removed = removed.iter().map(|&number| (number >= 0).then_some(number));
    let columns = vec![
        grids.finish("minimized"),
        Column::optional("removed", Values::Integers, removed)?,
        status_column(statuses),
    ];
    output::into_python(py, form, columns)
}
