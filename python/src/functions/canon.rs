//! `canon`: canonical forms.

use pyo3::prelude::*;
use rapidoku::canon::Canonicalizer;

use super::status_column;
use crate::input::Input;
use crate::memory::{self, Unfilled};
use crate::options::{self, Errors};
use crate::output::{Column, Table, UnfilledCells, Values};
use crate::run::{self, Plan, Stop, chunks};

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
#[pyo3(
    signature = (puzzles, *, minlex = false, max_guesses = None, threads = 0, errors = Errors::Status, dictionary = false),
    text_signature = "(puzzles, *, minlex=False, max_guesses=None, threads=0, errors='status', dictionary=False)"
)]
pub fn canon<'py>(
    puzzles: &Bound<'py, PyAny>,
    minlex: bool,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let canonicalizer = Canonicalizer::new().threads(1);
    let input = Input::new(puzzles)?;
    let source = input.source()?;
    let form = input.form(dictionary);

    let n = source.len();
    let (mut canonical, mut statuses) = (UnfilledCells::new(form, n)?, Unfilled::new(n)?);
    // 0 for puzzles without a form.
    let mut automorphisms = Unfilled::<i64>::new(n)?;
    let items = chunks(n).zip(statuses.chunks()).zip(canonical.chunks().zip(automorphisms.chunks()));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: !minlex };
    run::run(py, plan, items, |scratch, ((rows, mut statuses), (mut cells, mut automorphisms)), cancel| {
        source.read(rows, &mut scratch.puzzles)?;
        solver.try_solve_into(&scratch.puzzles, &mut scratch.outcomes, cancel)?;
        if minlex {
            scratch.forms.clear();
            let mut forms = Vec::new();
            for puzzles in scratch.puzzles.chunks(PER_STEP) {
                if cancel.is_cancelled() {
                    return Err(Stop::Cancelled);
                }
                canonicalizer.minlex_into(puzzles, &mut forms);
                scratch.forms.append(&mut forms);
            }
        } else {
            canonicalizer.solved_into(&scratch.puzzles, &scratch.outcomes, &mut scratch.forms);
        }
        statuses.extend(scratch.outcomes.statuses(), |&status| status as i8);
        // A row that is not a puzzle has clues that clash.
        automorphisms
            .extend(&scratch.forms, |form| form.as_ref().map_or(0, |found| found.automorphisms.into()));
        for found in &scratch.forms {
            match found {
                Some(found) => cells.push(&found.form.to_ascii()),
                None => cells.push_blank(),
            }
        }
        Ok(())
    })?;

    let (statuses, automorphisms) = (statuses.finish(), automorphisms.finish());
    errors.check(py, &source, &statuses)?;
    let has_form = || memory::collect(automorphisms.iter().map(|&number| number > 0));
    let (has_canonical, has_automorphisms) = (has_form()?, has_form()?);
    let columns = vec![
        Column::with_gaps("canonical", canonical.finish(), has_canonical),
        Column::with_gaps("automorphisms", Values::Integers(automorphisms), has_automorphisms),
        status_column(statuses),
    ];
    Table { name: "Canon", columns }.into_python(py, form)
}
