//! `stats`: a description of a column.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rapidoku::file::{Describe, Description, Input as File, Run};
use rapidoku::grid::CELLS;

use crate::files;
use crate::input::{Input, Source};
use crate::memory::{self, Unfilled};
use crate::options;
use crate::run::{self, Plan, chunks};

/// Describe a set of puzzles: statuses, clues, guesses, techniques, duplicates.
///
/// Args:
///     puzzles: a column of puzzles, as for :func:`solve`.
///     rate: rate each puzzle up to ER 9.4, which takes most of the time.
///     equal: count equal puzzles.
///     equivalent: count equivalent puzzles, which takes most of the rest.
///     threads: the number of threads; 0 for all cores.
///
/// Returns:
///     A dictionary with the members of ``rapidoku stats --format json``, except those about files: ``records``, ``counts`` of
///     each status, ``clues``, ``guesses``, ``total_guesses``, ``max_guesses``, ``er``, ``hardest``, ``equal``, ``equivalent``.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> described = rapidoku.stats([puzzle, puzzle, "oops"])
/// >>> described["counts"]["unique"], described["hardest"], described["equal"]["duplicates"]
/// (2, {'hidden single': 2}, 1)
#[pyfunction]
#[pyo3(signature = (puzzles, *, rate = true, equal = true, equivalent = true, threads = 0))]
pub fn stats<'py>(
    puzzles: &Bound<'py, PyAny>,
    rate: bool,
    equal: bool,
    equivalent: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let threads = options::threads(threads)?;
    let input = Input::new(puzzles)?;
    let source = input.source()?;
    let text = lines(py, source, threads)?;
    memory::check(text.len() + LATER_PER_ROW * source.len())?;
    let run = Run::default().input(File::Text(text)).threads(threads);
    let describe = Describe::new().rates(rate).equal(equal).equivalent(equivalent);
    let (description, _) =
        files::run(py, threads, |cancel, on_event| describe.run(run.cancel(cancel), on_event))?;
    py.import("json")?.getattr("loads")?.call1((to_json(&description)?,))
}

/// Memory of the tables that find duplicates, for each row.
const LATER_PER_ROW: usize = 2 * 30;

/// Rows as lines of equal length, which the program reads.
fn lines(py: Python, source: Source, threads: usize) -> PyResult<String> {
    let n = source.len();
    let mut lines = Unfilled::new(n)?;
    let plan = Plan { rows: n, threads, is_bounded: true };
    run::run(py, plan, chunks(n).zip(lines.chunks()), |scratch, (rows, mut lines), _| {
        source.read(rows.clone(), &mut scratch.puzzles)?;
        for (row, puzzle) in rows.zip(&scratch.puzzles) {
            let mut line = [b' '; CELLS + 1];
            line[CELLS] = b'\n';
            match source.is_puzzle(row, puzzle) {
                true => line[..CELLS].copy_from_slice(&puzzle.to_ascii()),
                false => line[..NOT_PUZZLE.len()].copy_from_slice(NOT_PUZZLE),
            }
            lines.push(line);
        }
        Ok(())
    })?;
    Ok(String::from_utf8(lines.finish().into_flattened()).expect("cells are ASCII"))
}

/// The text of rows that are not puzzles.
const NOT_PUZZLE: &[u8] = b"invalid";

/// The description as the program has it in JSON.
fn to_json(description: &Description) -> PyResult<String> {
    let mut value = description.to_json();
    let members = value.as_object_mut().expect("a struct");
    // All rows come from one text in memory.
    for member in ["inputs", "input_count", "blanks"] {
        members.remove(member);
    }
    serde_json::to_string(&value).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
