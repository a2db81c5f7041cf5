//! `canon`: canonical forms.

use pyo3::prelude::*;
use rapidoku::canon::{Canonical, Canonicalizer};

use super::status_column;
use crate::input::Input;
use crate::memory;
use crate::options;
use crate::output::{self, Column, Grids, Values};
use crate::run::{self, Plan, Stop};

/// Forms between two looks at the cancellation: a least equivalent puzzle may take milliseconds.
const PER_STEP: usize = 16;

/// Compute the canonical form of each puzzle, which is the same for equivalent puzzles.
///
/// A puzzle with exactly one solution gets its form by way of the solution; others get none. With ``minlex`` the form is
/// the lexicographically smallest equivalent puzzle, for any number of solutions. Compare forms of the same method only.
///
/// Other arguments and exceptions are those of :func:`solve`. The columns are ``canonical``, ``automorphisms`` and
/// ``status``.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> copies = rapidoku.permute([puzzle], copies=100).puzzle
/// >>> len(set(copies)), len(set(rapidoku.canon(copies).canonical))
/// (100, 1)
#[pyfunction]
#[pyo3(signature = (puzzles, *, minlex = false, max_guesses = None, threads = 0, errors = "status"))]
pub fn canon<'py>(
    puzzles: &Bound<'py, PyAny>,
    minlex: bool,
    max_guesses: Option<u64>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let canonicalizer = Canonicalizer::new().threads(1);
    let input = Input::new(puzzles)?;
    let (source, form, threads) = (input.source()?, input.form(), options::threads(threads)?);
    options::check(errors, py, source, threads)?;

    let n = source.len();
    // Of automorphisms, 0 for puzzles without a form.
    let numbers = (memory::zeroed(n)?, memory::zeroed(n)?);
    let mut columns = (Grids::new(form, n)?, numbers);
    let plan = Plan { rows: n, threads, is_bounded: !minlex };
    run::fill(py, plan, &mut columns, |scratch, rows, (mut grids, (automorphisms, statuses)), cancel| {
        source.read(rows, &mut scratch.rows)?;
        let (puzzles, forms) = (scratch.rows.puzzles(), &mut scratch.forms);
        solver.try_solve_into(puzzles, &mut scratch.outcomes, cancel)?;
        if minlex {
            forms.clear();
            let mut some = Vec::new();
            for puzzles in puzzles.chunks(PER_STEP) {
                if cancel.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
                canonicalizer.minlex_into(puzzles, &mut some);
                forms.append(&mut some);
            }
        } else {
            canonicalizer.solved_into(puzzles, &scratch.outcomes, forms);
        }
        memory::set(statuses, scratch.outcomes.statuses().iter().map(|&status| status as i8));
        // A row that is not a puzzle has clues that clash.
        let number = |form: &Option<Canonical>| form.as_ref().map_or(0, |found| found.automorphisms.into());
        memory::set(automorphisms, forms.iter().map(number));
        forms.iter().for_each(|found| grids.push(found.as_ref().map(|found| found.form.to_ascii()).as_ref()));
        Ok(())
    })?;

    let (grids, (automorphisms, statuses)) = columns;
    let automorphisms = automorphisms.iter().map(|&number: &i64| (number > 0).then_some(number));
    let columns = vec![
        grids.finish("canonical"),
        Column::optional("automorphisms", Values::Integers, automorphisms)?,
        status_column(statuses),
    ];
    output::into_python(py, form, columns)
}
