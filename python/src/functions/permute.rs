//! `permute`: random equivalent copies.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::Puzzle;
use rapidoku::grid::Symmetry;

use crate::input::{Input, different_lengths};
use crate::options;
use crate::output::{self, Grids};
use crate::run::{self, Plan};

/// Make random equivalent copies of each puzzle and its solution.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     solutions: a column of N solutions, which are changed like the puzzles.
///     copies: the number of copies of each row. Row ``k`` of the result is a copy of row ``k // copies``.
///     seed: the same seed gives the same copies.
///     start: the number of the first row, to get different copies for the rows of another batch.
///     threads: the number of threads; 0 for all cores.
///
/// Returns:
///     ``puzzle`` and ``solution``, each with N times ``copies`` rows. Rows that are not puzzles have no copies: null,
///     ``None`` or zeros.
///
/// Raises:
///     TypeError: a column has another type.
///     ValueError: the columns have different lengths, or an array has another shape.
///
/// >>> import rapidoku
/// >>> rapidoku.permute(["12" + "." * 79], seed=1).puzzle[0].count(".")
/// 79
#[pyfunction]
#[pyo3(signature = (puzzles, solutions = None, *, copies = 1, seed = 0, start = 0, threads = 0))]
pub fn permute<'py>(
    puzzles: &Bound<'py, PyAny>,
    solutions: Option<&Bound<'py, PyAny>>,
    copies: usize,
    seed: u64,
    start: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let input = Input::new(puzzles)?;
    let answers = solutions.map(Input::new).transpose()?;
    let source = input.source()?;
    let answers = answers.as_ref().map(Input::source).transpose()?;
    if let Some(answers) = &answers
        && answers.len() != source.len()
    {
        return Err(different_lengths(source.len(), answers.len()));
    }
    let form = input.form();

    let n = source.len().checked_mul(copies);
    let n = n.ok_or_else(|| PyValueError::new_err("copies is too large"))?;
    let mut columns = (Grids::new(form, n)?, Grids::new(form, n)?);
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::fill(py, plan, &mut columns, |scratch, rows, (mut puzzle_images, mut solution_images), _| {
        let first = rows.start / copies;
        let originals = first..(rows.end - 1) / copies + 1;
        source.read(originals.clone(), &mut scratch.rows)?;
        if let Some(answers) = &answers {
            answers.read(originals, &mut scratch.others)?;
        }
        for row in rows {
            let index = start.wrapping_mul(copies as u64).wrapping_add(row as u64);
            let symmetry = Symmetry::random(seed, index);
            let image = |original: Option<&Puzzle>| original.map(|puzzle| symmetry.text(&puzzle.to_ascii()));
            let original = row / copies - first;
            puzzle_images.push(image(scratch.rows.get(original)).as_ref());
            let solution = answers.and_then(|_| scratch.others.get(original));
            solution_images.push(image(solution).as_ref());
        }
        Ok(())
    })?;
    let columns = vec![columns.0.finish("puzzle"), columns.1.finish("solution")];
    output::into_python(py, form, columns)
}
