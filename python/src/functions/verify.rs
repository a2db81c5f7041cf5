//! `verify`: whether solutions are correct.

use std::iter::zip;

use pyo3::prelude::*;
use rapidoku::verify::{Flaw, check};
use rapidoku::{Puzzle, Solution, Status};

use crate::input::{Input, Source, different_lengths};
use crate::memory;
use crate::options;
use crate::output::{self, Column, Texts, Values};
use crate::run::{self, Plan};

/// The words of the column `fault`: those of the program, see `rapidoku verify --help`.
const FAULTS: [&str; 7] = ["invalid", "missing", "solution", "clue", "house", "multiple", "gave-up"];

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
///
/// Returns:
///     ``correct``, ``fault`` (a word, or the number of a :class:`Fault` in arrays, -1 for none), ``reason``, and ``wrong_cells``: the
///     number of cells that differ from the solution of the puzzle, blanks included. It is 0 for every solution of a puzzle with several;
///     otherwise it is missing if the puzzle does not have exactly one solution or the answer does not have 81 cells.
///
/// Raises:
///     TypeError: a column has another type.
///     ValueError: the columns have different lengths, or an array has another shape.
///
/// >>> import rapidoku
/// >>> rapidoku.verify(["1" + "." * 80], ["2" * 81]).reason
/// ['r1c1 holds 2, but its clue is 1']
#[pyfunction]
#[pyo3(signature = (puzzles, solutions, *, unique = false, max_guesses = None, threads = 0))]
pub fn verify<'py>(
    puzzles: &Bound<'py, PyAny>,
    solutions: &Bound<'py, PyAny>,
    unique: bool,
    max_guesses: Option<u64>,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let (input, answers) = (Input::new(puzzles)?, Input::new(solutions)?);
    let (source, answers) = (input.source()?, answers.source()?);
    if source.len() != answers.len() {
        return Err(different_lengths(source.len(), answers.len()));
    }

    let n = source.len();
    // Of faults, -1 for correct solutions.
    let mut columns = (memory::zeroed(n)?, (Texts::new(n, 0)?, memory::zeroed(n)?));
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::fill(py, plan, &mut columns, |scratch, rows, (words, (reasons, wrong_cells)), cancel| {
        source.read(rows.clone(), &mut scratch.rows)?;
        answers.read(rows.clone(), &mut scratch.others)?;
        let solved = if unique { scratch.rows.puzzles() } else { &[] };
        solver.try_solve_into(solved, &mut scratch.outcomes, cancel)?;
        let mut wrong = Vec::new();
        for (((k, row), word), wrong_cells) in rows.enumerate().zip(words).zip(&mut *wrong_cells) {
            let verified = match scratch.rows.get(k) {
                Some(puzzle) => check_row(puzzle, answers, scratch.others.get(k), row),
                None => source.puzzle(row).map(drop).map_err(|reason| (0, reason)),
            };
            let fault = verified.err().or_else(|| not_unique(*scratch.outcomes.statuses().get(k)?));
            *word = fault.as_ref().map_or(-1, |(word, _)| *word);
            reasons.push(fault.map(|(_, reason)| reason).as_deref())?;
            *wrong_cells = if matches!(*word, -1 | 5 | 6) { 0 } else { -1 };
            if let (2..=4, Some(puzzle), Some(answer)) = (*word, scratch.rows.get(k), scratch.others.get(k)) {
                memory::push(&mut wrong, (k, *puzzle, *answer))?;
            }
        }
        let puzzles = memory::collect(wrong.iter().map(|(_, puzzle, _)| *puzzle))?;
        solver.try_solve_into(&puzzles, &mut scratch.outcomes, cancel)?;
        for ((k, _, answer), outcome) in wrong.iter().zip(scratch.outcomes.iter()) {
            if let (Status::Unique, Some(solution)) = (outcome.status, outcome.solution) {
                let differ = zip(answer.cells(), solution.cells()).filter(|(a, b)| a != b);
                wrong_cells[*k] = differ.count() as i64;
            }
        }
        Ok(())
    })?;

    let (words, (reasons, wrong_cells)) = columns;
    let reasons = reasons.finish("reason")?;
    let wrong_cells = wrong_cells.iter().map(|&cells| (cells >= 0).then_some(cells));
    let correct = memory::collect(words.iter().map(|&word| word < 0))?;
    let faults = words.iter().map(|&word| (word >= 0).then_some(word));
    let columns = vec![
        Column::new("correct", Values::Flags(correct)),
        Column::optional("fault", |words| Values::Words(words, FAULTS.into()), faults)?,
        reasons,
        Column::optional("wrong_cells", Values::Integers, wrong_cells)?,
    ];
    output::into_python(py, input.form(), columns)
}

/// Checks a solution by the rules. As for the program, a complete grid without a solution is one itself.
fn check_row(puzzle: &Puzzle, answers: Source, answer: Option<&Puzzle>, row: usize) -> Result<(), Fault> {
    let solution = if answers.is_missing(row) {
        Solution::try_from(*puzzle).map_err(|_| (1, "no solution given".to_owned()))
    } else {
        let answer = answer.copied().map_or_else(|| answers.puzzle(row), Ok);
        let solution = answer.and_then(|answer| Solution::try_from(answer).map_err(|blank| blank.to_string()));
        solution.map_err(|reason| (2, format!("solution: {reason}")))
    }?;
    check(puzzle, &solution).map_err(|flaw| (if matches!(flaw, Flaw::House { .. }) { 4 } else { 3 }, flaw.to_string()))
}

/// The fault of a correct solution that is not known to be the only one.
fn not_unique(status: Status) -> Option<Fault> {
    match status {
        Status::Multiple => Some((5, "not the only solution".to_owned())),
        Status::GaveUp => Some((6, "given up before it was known to be the only solution".to_owned())),
        _ => None,
    }
}
