//! `verify`: whether solutions are correct.

use pyo3::prelude::*;
use rapidoku::verify::{Flaw, check};
use rapidoku::{Puzzle, Solution, Status};

use crate::input::{Input, Source, different_lengths};
use crate::memory::{self, Unfilled};
use crate::options;
use crate::output::{Column, Table, Texts, Values};
use crate::run::{self, Plan, chunks};

/// The words of the column `fault`: those of the program, see `rapidoku verify --help`.
const FAULTS: [&str; 6] = ["invalid", "solution", "clue", "house", "multiple", "limit"];

/// A wrong row: an index into [`FAULTS`] and the reason.
type Fault = (i8, String);

/// Verify the solution of each puzzle.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     solutions: a column of N solutions, which may be of another kind.
///     unique: also require that each solution is the only one of its puzzle.
///     max_guesses: give the search for another solution up after this number of guesses.
///     threads: the number of threads; 0 for all cores.
///     dictionary: for Arrow, whether ``fault`` is a dictionary of words instead of strings.
///
/// Returns:
///     ``correct``, ``fault`` (a word, or the number of a :class:`Fault` in arrays, -1 for none) and ``reason``.
///
/// Raises:
///     TypeError: a column has another type.
///     ValueError: the columns have different lengths, or an array has another shape.
///
/// >>> import rapidoku
/// >>> rapidoku.verify(["1" + "." * 80], ["2" * 81]).reason
/// ['r1c1 holds 2, but its clue is 1']
#[pyfunction]
#[pyo3(signature = (puzzles, solutions, *, unique = false, max_guesses = None, threads = 0, dictionary = false))]
pub fn verify<'py>(
    puzzles: &Bound<'py, PyAny>,
    solutions: &Bound<'py, PyAny>,
    unique: bool,
    max_guesses: Option<u64>,
    threads: usize,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let (input, answers) = (Input::new(puzzles)?, Input::new(solutions)?);
    let (source, answers) = (input.source()?, answers.source()?);
    if source.len() != answers.len() {
        return Err(different_lengths(source.len(), answers.len()));
    }

    let n = source.len();
    let (mut wrong, mut words, mut reasons) = (Unfilled::new(n)?, Unfilled::new(n)?, Texts::new(n, 0)?);
    let items = chunks(n).zip(wrong.chunks()).zip(words.chunks().zip(reasons.chunks()));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::run(py, plan, items, |scratch, ((rows, mut wrong), (mut words, reasons)), cancel| {
        source.read(rows.clone(), &mut scratch.puzzles)?;
        answers.read(rows.clone(), &mut scratch.grids)?;
        let statuses = if unique {
            solver.try_solve_into(&scratch.puzzles, &mut scratch.outcomes, cancel)?;
            scratch.outcomes.statuses()
        } else {
            &[]
        };
        for (k, (puzzle, grid)) in scratch.puzzles.iter().zip(&scratch.grids).enumerate() {
            let fault = check_row(&source, puzzle, &answers, grid, rows.start + k).err();
            let fault = fault.or_else(|| not_unique(*statuses.get(k)?));
            wrong.push(fault.is_some());
            let (word, reason) = fault.unwrap_or_default();
            words.push(word);
            reasons.push(reason.as_bytes())?;
        }
        Ok(())
    })?;

    let wrong = wrong.finish();
    let correct = memory::collect(wrong.iter().map(|wrong| !wrong))?;
    let has_reason = memory::collect(wrong.iter().copied())?;
    let columns = vec![
        Column::new("correct", Values::Flags(correct)),
        Column::with_gaps("fault", Values::Words(words.finish(), &FAULTS), wrong),
        Column::with_gaps("reason", Values::Texts(reasons), has_reason),
    ];
    Table { name: "Verify", columns }.into_python(py, input.form(dictionary))
}

/// Checks a solution by the rules.
fn check_row(
    source: &Source,
    puzzle: &Puzzle,
    answers: &Source,
    grid: &Puzzle,
    row: usize,
) -> Result<(), Fault> {
    // A valid row may have the same clues as the placeholder of rows that are not puzzles.
    if *puzzle == Puzzle::MALFORMED
        && let Some(reason) = source.fault(row)
    {
        return Err((0, reason));
    }
    let solution = match answers.fault(row) {
        Some(reason) if *grid == Puzzle::MALFORMED => Err(reason),
        _ => Solution::try_from(*grid).map_err(|blank| blank.to_string()),
    };
    let solution = solution.map_err(|reason| (1, format!("solution: {reason}")))?;
    check(puzzle, &solution).map_err(|flaw| {
        let word = match flaw {
            Flaw::House { .. } => 3,
            _ => 2,
        };
        (word, flaw.to_string())
    })
}

/// The fault of a correct solution that is not known to be the only one.
fn not_unique(status: Status) -> Option<Fault> {
    match status {
        Status::Multiple => Some((4, "not the only solution".to_owned())),
        Status::Limit => Some((5, "given up before it was known to be the only solution".to_owned())),
        _ => None,
    }
}
