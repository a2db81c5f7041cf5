//! `stats`: a description of a column.

use pyo3::prelude::*;
use rapidoku::file::{Describe, Input as File, InputFormat, InputOptions, Run};
use rapidoku::grid::CELLS;

use crate::files;
use crate::input::{Input, Source};
use crate::memory::{self, Unfilled};
use crate::options;
use crate::output;
use crate::run::{self, Plan};

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
    let format = InputOptions { format: InputFormat::Lines, ..InputOptions::default() };
    let run = Run::default().input(File::Text(text)).input_options(format).threads(threads);
    let describe = Describe::new().rates(rate).equal(equal).equivalent(equivalent);
    let (description, _) = files::run(py, threads, |cancel| describe.run(run.cancel(cancel), &mut |_| {}))?;
    let mut value = description.to_json();
    let members = value.as_object_mut().expect("a struct");
    // All rows come from one text in memory.
    ["inputs", "input_count", "blanks"].iter().for_each(|member| drop(members.remove(*member)));
    output::json(py, &value)
}

/// Memory of the tables that find duplicates, for each row.
const LATER_PER_ROW: usize = 2 * 30;

/// Rows as lines of equal length, which the program reads.
fn lines(py: Python, source: Source, threads: usize) -> PyResult<String> {
    let n = source.len();
    let mut lines = Unfilled::new(n)?;
    let plan = Plan { rows: n, threads, is_bounded: true };
    run::fill(py, plan, &mut lines, |scratch, rows, mut lines, _| {
        source.read(rows, &mut scratch.rows)?;
        for puzzle in scratch.rows.iter() {
            // A line of this is not a puzzle.
            let mut line = [b'!'; CELLS + 1];
            line[CELLS] = b'\n';
            if let Some(puzzle) = puzzle {
                line[..CELLS].copy_from_slice(&puzzle.to_ascii());
            }
            lines.push(line);
        }
        Ok(())
    })?;
    Ok(String::from_utf8(lines.finish().into_flattened()).expect("cells are ASCII"))
}
