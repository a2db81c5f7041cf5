//! `generate`, `generate_grids`: random puzzles and grids.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::generate::Generator;
use rapidoku::grid::CELLS;

use crate::memory::zeros;
use crate::options;
use crate::output::{Column, Form, Table, Values};
use crate::run::{self, CHUNK, Plan, chunks};

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
    let (mut puzzles, mut solutions) = (cells(n, start)?, cells(n, start)?);
    let items = puzzles.chunks_mut(CELLS * CHUNK).zip(solutions.chunks_mut(CELLS * CHUNK));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, chunks(n).zip(items), |_, (rows, (puzzles, solutions)), cancel| {
        let made = generator.minimal(start + rows.start as u64..start + rows.end as u64, cancel)?;
        let cells = puzzles.chunks_exact_mut(CELLS).zip(solutions.chunks_exact_mut(CELLS));
        for ((puzzle, solution), (to_puzzle, to_solution)) in made.iter().zip(cells) {
            form.write_cells(&puzzle.to_ascii(), to_puzzle);
            form.write_cells(&solution.to_ascii(), to_solution);
        }
        Ok(())
    })?;
    let columns = vec![
        Column::new("puzzle", Values::Cells(puzzles)),
        Column::new("solution", Values::Cells(solutions)),
    ];
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
    let mut grids = cells(n, start)?;
    let items = chunks(n).zip(grids.chunks_mut(CELLS * CHUNK));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |_, (rows, grids), _| {
        for (row, to) in rows.zip(grids.chunks_exact_mut(CELLS)) {
            form.write_cells(&generator.grid(start + row as u64).to_ascii(), to);
        }
        Ok(())
    })?;
    let columns = vec![Column::new("solution", Values::Cells(grids))];
    Table { name: "GenerateGrids", columns }.into_python(py, form)
}

/// Memory for the cells of rows with the numbers from `start`.
fn cells(n: usize, start: u64) -> PyResult<Vec<u8>> {
    let has_numbers = start.checked_add(n as u64).is_some();
    let cells = n.checked_mul(CELLS).filter(|_| has_numbers);
    cells.map(zeros).ok_or_else(|| PyValueError::new_err("n or start is too large"))
}
