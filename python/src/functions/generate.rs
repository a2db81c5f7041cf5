//! `generate`, `generate_grids`: random puzzles and grids.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::generate::Generator;

use crate::memory;
use crate::options;
use crate::output::{Column, Form, Table, UnfilledCells};
use crate::run::{self, Plan, chunks};

/// The form of generated puzzles and grids, since there is no input to take it from.
pub struct Output(Form);

impl FromPyObject<'_, '_> for Output {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Output> {
        match object.extract::<&str>()? {
            "arrow" => Ok(Output(Form::Arrow { dictionary: false })),
            "list" => Ok(Output(Form::Lists)),
            "numpy" => Ok(Output(Form::Arrays { dimensions: 2 })),
            other => Err(PyValueError::new_err(format!(
                "output must be 'arrow', 'list' or 'numpy', not '{other}'"
            ))),
        }
    }
}

/// Generate ``n`` random minimal puzzles, each with its only solution.
///
/// Puzzle ``start + k`` depends on the seed and its number only. ``output`` is ``"list"``, ``"numpy"`` or ``"arrow"``.
/// The columns are ``puzzle`` and ``solution``; arrays have the shape (n, 81).
///
/// >>> import rapidoku
/// >>> made = rapidoku.generate(3, seed=7)
/// >>> rapidoku.solve(made.puzzle, limit=2).solution == made.solution
/// True
#[pyfunction]
#[pyo3(
    signature = (n, *, seed = 0, start = 0, threads = 0, output = Output(Form::Lists)),
    text_signature = "(n, *, seed=0, start=0, threads=0, output='list')"
)]
pub fn generate(
    py: Python<'_>,
    n: usize,
    seed: u64,
    start: u64,
    threads: usize,
    output: Output,
) -> PyResult<Bound<'_, PyAny>> {
    let (form, generator) = (output.0, Generator::new(seed));
    let (mut puzzles, mut solutions) = (cells(form, n, start)?, cells(form, n, start)?);
    memory::check(form.memory(n))?;
    let items = puzzles.chunks().zip(solutions.chunks());
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, chunks(n).zip(items), |_, (rows, (mut puzzles, mut solutions)), cancel| {
        let made = generator.minimal(start + rows.start as u64..start + rows.end as u64, cancel)?;
        for (puzzle, solution) in &made {
            puzzles.push(&puzzle.to_ascii());
            solutions.push(&solution.to_ascii());
        }
        Ok(())
    })?;
    let columns = vec![Column::new("puzzle", puzzles.finish()), Column::new("solution", solutions.finish())];
    Table { name: "Generate", columns }.into_python(py, form)
}

/// Generate ``n`` random complete grids, uniformly distributed.
///
/// The arguments are those of :func:`generate`. The column is ``solution``.
///
/// >>> import rapidoku
/// >>> rapidoku.generate_grids(2, seed=7, output="numpy").solution.shape
/// (2, 81)
#[pyfunction]
#[pyo3(
    signature = (n, *, seed = 0, start = 0, threads = 0, output = Output(Form::Lists)),
    text_signature = "(n, *, seed=0, start=0, threads=0, output='list')"
)]
pub fn generate_grids(
    py: Python<'_>,
    n: usize,
    seed: u64,
    start: u64,
    threads: usize,
    output: Output,
) -> PyResult<Bound<'_, PyAny>> {
    let (form, generator) = (output.0, Generator::new(seed));
    let mut grids = cells(form, n, start)?;
    memory::check(form.memory(n))?;
    let items = chunks(n).zip(grids.chunks());
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |_, (rows, mut grids), _| {
        rows.for_each(|row| grids.push(&generator.grid(start + row as u64).to_ascii()));
        Ok(())
    })?;
    let columns = vec![Column::new("solution", grids.finish())];
    Table { name: "GenerateGrids", columns }.into_python(py, form)
}

/// A column for the cells of rows with the numbers from `start`.
fn cells(form: Form, n: usize, start: u64) -> PyResult<UnfilledCells> {
    match start.checked_add(n as u64) {
        Some(_) => Ok(UnfilledCells::new(form, n)?),
        None => Err(PyValueError::new_err("n or start is too large")),
    }
}
