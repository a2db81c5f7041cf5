//! `rate`: how difficult puzzles are for people.

use pyo3::prelude::*;
use rapidoku::Status;
use rapidoku::rating::{Difficulty, Rater, Technique};

use super::status_column;
use crate::input::Input;
use crate::memory::{self, CHUNK, OutOfMemory};
use crate::options::{self, Errors};
use crate::output::{Column, Table, Values};
use crate::run::{self, Plan, chunks};

/// The words of the column `hardest`.
static TECHNIQUES: [&str; Technique::ALL.len()] = {
    let mut names = [""; Technique::ALL.len()];
    let mut at = 0;
    while at < names.len() {
        names[at] = Technique::ALL[at].name();
        at += 1;
    }
    names
};

/// A row of the result.
#[derive(Clone, Copy, Default)]
struct Row {
    status: i8,
    clues: i64,
    /// ER, EP and ED.
    rating: Option<[Difficulty; 3]>,
    hardest: Option<Technique>,
    singles_only: bool,
}

/// Rate each puzzle on the scale of Sudoku Explainer.
///
/// Arguments and exceptions are those of :func:`solve`. The columns are ``status``, ``clues``, ``er``, ``ep`` and ``ed``,
/// ``hardest`` (a word, or the number of a :class:`Technique` in arrays) and ``singles_only``. Puzzles without
/// exactly one solution have no rating: null, ``None``, NaN, -1 or ``False``. The hardest puzzles take a tenth of a second each.
///
/// >>> import rapidoku
/// >>> rated = rapidoku.rate(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
/// >>> rated.er, rated.hardest
/// ([1.2], ['hidden single'])
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
        let ratings = Rater::new().threads(1).rate_solved(&scratch.puzzles, &scratch.outcomes, cancel)?;
        let by_singles = Rater::by_singles(&scratch.puzzles, &ratings, cancel)?;
        let results =
            scratch.puzzles.iter().zip(scratch.outcomes.statuses()).zip(ratings.iter().zip(by_singles));
        for (row, ((puzzle, &status), (rating, by_singles))) in rated.iter_mut().zip(results) {
            row.status = status as i8;
            row.clues = if status == Status::Invalid { 0 } else { puzzle.clue_count() as i64 };
            if status == Status::Unique {
                row.rating = Some([rating.er, rating.ep, rating.ed]);
                row.hardest = rating.hardest();
                row.singles_only = by_singles;
            }
        }
        Ok(())
    })?;

    let statuses: Vec<i8> = column(&rated, |row| row.status)?;
    errors.check(py, &source, &statuses)?;
    let is_rated = || column(&rated, |row| row.rating.is_some());
    let rating = |index: usize| {
        let tenths = column(&rated, |row| f64::from(row.rating.map_or(0, |rating| rating[index].0)) / 10.0);
        tenths.map(Values::Floats)
    };
    let hardest = column(&rated, |row| row.hardest.map_or(0, |technique| technique as i8))?;
    let has_hardest = column(&rated, |row| row.hardest.is_some())?;
    let is_puzzle = column(&rated, |row| row.status != Status::Invalid as i8)?;
    let clues = Values::Integers(column(&rated, |row| row.clues)?);
    let singles_only = Values::Flags(column(&rated, |row| row.singles_only)?);
    let columns = vec![
        status_column(statuses),
        Column::with_gaps("clues", clues, is_puzzle),
        Column::with_gaps("er", rating(0)?, is_rated()?),
        Column::with_gaps("ep", rating(1)?, is_rated()?),
        Column::with_gaps("ed", rating(2)?, is_rated()?),
        Column::with_gaps("hardest", Values::Words(hardest, &TECHNIQUES), has_hardest),
        Column::with_gaps("singles_only", singles_only, is_rated()?),
    ];
    Table { name: "Rate", columns }.into_python(py, input.form(dictionary))
}

/// A column of some field.
fn column<T>(rows: &[Row], field: impl Fn(&Row) -> T) -> Result<Vec<T>, OutOfMemory> {
    memory::collect(rows.iter().map(field))
}
