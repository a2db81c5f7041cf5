//! `permute`: random equivalent copies.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::grid::Symmetry;

use crate::input::{Input, different_lengths};
use crate::memory::Unfilled;
use crate::options;
use crate::output::{Column, Table, UnfilledCells};
use crate::run::{self, Plan, chunks};

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
    let form = input.form(false);

    let n = source.len().checked_mul(copies);
    let n = n.ok_or_else(|| PyValueError::new_err("copies is too large"))?;
    let cells = || UnfilledCells::new(form, n);
    let (mut puzzle_images, mut solution_images) = (cells()?, cells()?);
    let (mut has_puzzle, mut has_solution) = (Unfilled::new(n)?, Unfilled::new(n)?);
    let items = chunks(n)
        .zip(puzzle_images.chunks().zip(has_puzzle.chunks()))
        .zip(solution_images.chunks().zip(has_solution.chunks()));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |scratch, ((rows, of_puzzles), of_solutions), _| {
        let originals = rows.start / copies..(rows.end - 1) / copies + 1;
        for (source, (mut images, mut valid)) in
            [(Some(&source), of_puzzles), (answers.as_ref(), of_solutions)]
        {
            if let Some(source) = source {
                source.read(originals.clone(), &mut scratch.puzzles)?;
            }
            for row in rows.clone() {
                let original = source.and_then(|source| {
                    let puzzle = scratch.puzzles[row / copies - originals.start];
                    source.is_puzzle(row / copies, &puzzle).then_some(puzzle)
                });
                valid.push(original.is_some());
                match original {
                    Some(original) => {
                        let index = start.wrapping_mul(copies as u64).wrapping_add(row as u64);
                        images.push(&Symmetry::random(seed, index).text(&original.to_ascii()));
                    }
                    None => images.push_blank(),
                }
            }
        }
        Ok(())
    })?;

    let columns = vec![
        Column::with_gaps("puzzle", puzzle_images.finish(), has_puzzle.finish()),
        Column::with_gaps("solution", solution_images.finish(), has_solution.finish()),
    ];
    Table { name: "Permute", columns }.into_python(py, form)
}
