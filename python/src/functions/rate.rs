//! `rate`: how difficult puzzles are for people.

use pyo3::prelude::*;
use rapidoku::Status;
use rapidoku::technique::{self, Technique};

use super::status_column;
use crate::input::Input;
use crate::memory::{self, CHUNK, OutOfMemory};
use crate::options::{self, Errors};
use crate::output::{Column, Table, Values};
use crate::run::{self, Plan, Stop, chunks};

/// The words of the column `hardest`.
const TECHNIQUES: [&str; Technique::ALL.len()] = [
    "naked single",
    "hidden single",
    "pointing",
    "claiming",
    "naked pair",
    "hidden pair",
    "naked triple",
    "hidden triple",
    "naked quad",
    "hidden quad",
    "guess",
];

/// A row of the result.
#[derive(Clone, Copy, Default)]
struct Row {
    status: i8,
    clues: i64,
    /// Whether there is a rating.
    is_rated: bool,
    singles_only: bool,
    hardest: Option<Technique>,
    guesses: i64,
    backtracks: i64,
}

/// Rate each puzzle by the hardest technique that it requires, guesses and backtracks.
///
/// Arguments and exceptions are those of :func:`solve`. The columns are ``status``, ``clues``, ``singles_only``,
/// ``hardest`` (a word, or the number of a :class:`Technique` in arrays), ``guesses`` and ``backtracks``. Puzzles without
/// a solution have no rating: null, ``None``, -1 or ``False``.
///
/// >>> import rapidoku
/// >>> rapidoku.rate(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"]).hardest
/// ['naked single']
#[pyfunction]
#[pyo3(
    signature = (puzzles, *, max_guesses = None, threads = 0, errors = Errors::Status, dictionary = false),
    text_signature = "(puzzles, *, max_guesses=None, threads=0, errors='status', dictionary=False)"
)]
pub fn rate<'py>(
    puzzles: &Bound<'py, PyAny>,
    max_guesses: Option<u64>,
    threads: usize,
    errors: Errors,
    dictionary: bool,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let input = Input::new(puzzles)?;
    let source = input.source()?;

    let mut rated = memory::filled(Row::default(), source.len())?;
    let items = chunks(rated.len()).zip(rated.chunks_mut(CHUNK));
    // Ratings take much longer than searches, so the calling thread must stay free to look for signals.
    let plan = Plan { rows: source.len(), threads: options::threads(threads)?, is_bounded: false };
    run::run(py, plan, items, |scratch, (rows, rated), cancel| {
        source.read(rows, &mut scratch.puzzles)?;
        solver.try_solve_into(&scratch.puzzles, &mut scratch.outcomes, cancel)?;
        for ((row, puzzle), &status) in
            rated.iter_mut().zip(&scratch.puzzles).zip(scratch.outcomes.statuses())
        {
            if cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            row.status = status as i8;
            row.clues = if status == Status::Invalid { 0 } else { puzzle.clue_count() as i64 };
            if matches!(status, Status::Unique | Status::Multiple) {
                let rating = technique::solve(puzzle, &mut |_| ());
                row.is_rated = true;
                row.singles_only = rating.singles_only();
                row.hardest = rating.hardest;
                row.guesses = rating.guesses as i64;
                row.backtracks = rating.backtracks as i64;
            }
        }
        Ok(())
    })?;

    let statuses: Vec<i8> = column(&rated, |row| row.status)?;
    errors.check(py, &source, &statuses)?;
    let is_rated = || column(&rated, |row| row.is_rated);
    let hardest = column(&rated, |row| row.hardest.map_or(0, |technique| technique as i8))?;
    let has_hardest = column(&rated, |row| row.hardest.is_some())?;
    let is_puzzle = column(&rated, |row| row.status != Status::Invalid as i8)?;
    let singles_only = Values::Flags(column(&rated, |row| row.singles_only)?);
    let integers = |field: fn(&Row) -> i64| column(&rated, field).map(Values::Integers);
    let columns = vec![
        status_column(statuses),
        Column::with_gaps("clues", integers(|row| row.clues)?, is_puzzle),
        Column::with_gaps("singles_only", singles_only, is_rated()?),
        Column::with_gaps("hardest", Values::Words(hardest, &TECHNIQUES), has_hardest),
        Column::with_gaps("guesses", integers(|row| row.guesses)?, is_rated()?),
        Column::with_gaps("backtracks", integers(|row| row.backtracks)?, is_rated()?),
    ];
    Table { name: "Rate", columns }.into_python(py, input.form(dictionary))
}

/// A column of some field.
fn column<T>(rows: &[Row], field: impl Fn(&Row) -> T) -> Result<Vec<T>, OutOfMemory> {
    memory::collect(rows.iter().map(field))
}
