//! `rate`: how difficult puzzles are for people.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rapidoku::rating::{Difficulty, Rater, Rating, Technique, Verdict};
use rapidoku::{Puzzle, Status};

use super::status_column;
use crate::input::Input;
use crate::memory;
use crate::options;
use crate::output::{self, Column, Values};
use crate::run::{self, Plan};

/// A row of the result.
#[derive(Clone, Copy, Default)]
struct Row {
    status: i8,
    clues: Option<i64>,
    er: Option<Difficulty>,
    ep: Option<Difficulty>,
    ed: Option<Difficulty>,
    hardest: Option<Technique>,
    singles_only: Option<bool>,
}

impl Row {
    fn new(puzzle: &Puzzle, status: Status, rating: &Rating, by_singles: bool) -> Row {
        let clues = (status != Status::Invalid).then(|| puzzle.clue_count() as i64);
        let row = Row { status: status as i8, clues, ..Row::default() };
        if status != Status::Unique {
            return row;
        }
        // EP and ED are known once a step has been found. The rest of what is above a bound or a limit is not known.
        let is_rated = rating.verdict == Verdict::Rated;
        let known = |difficulty: Difficulty| (is_rated || difficulty.0 > 0).then_some(difficulty);
        Row {
            er: is_rated.then_some(rating.er),
            ep: known(rating.ep),
            ed: known(rating.ed),
            hardest: rating.hardest().filter(|_| is_rated),
            singles_only: Some(by_singles),
            ..row
        }
    }
}

/// Rate each puzzle on the scale of Sudoku Explainer.
///
/// The search stops at the first step above ``max_er``, or when it has made ``max_work`` nodes of chains; ``er`` and ``hardest`` are
/// missing then. Other arguments and exceptions are those of :func:`solve`. The columns are ``status``, ``clues``, ``er``, ``ep`` and ``ed``,
/// ``hardest`` (a word, or the number of a :class:`Technique` in arrays) and ``singles_only``. Puzzles without
/// exactly one solution have no rating: null, ``None``, NaN, -1 or ``False``. The hardest puzzles take a tenth of a second each.
///
/// >>> import rapidoku
/// >>> rated = rapidoku.rate(["53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"])
/// >>> rated.er, rated.hardest
/// ([1.2], ['hidden single'])
#[pyfunction]
#[pyo3(signature = (puzzles, *, max_er = None, max_work = None, max_guesses = None, threads = 0, errors = "status"))]
pub fn rate<'py>(
    puzzles: &Bound<'py, PyAny>,
    max_er: Option<f64>,
    max_work: Option<u64>,
    max_guesses: Option<u64>,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let solver = options::solver(options::limits(2, max_guesses)?);
    let rater = rater(max_er, max_work)?.threads(1);
    let input = Input::new(puzzles)?;
    let (source, threads) = (input.source()?, options::threads(threads)?);
    options::check(errors, py, source, threads)?;

    let mut rated = memory::filled(Row::default(), source.len())?;
    // Ratings take much longer than searches, so the calling thread must stay free to look for signals.
    let plan = Plan { rows: source.len(), threads, is_bounded: false };
    run::fill(py, plan, &mut rated, |scratch, rows, rated, cancel| {
        source.read(rows, &mut scratch.rows)?;
        let puzzles = scratch.rows.puzzles();
        solver.try_solve_into(puzzles, &mut scratch.outcomes, cancel)?;
        let ratings = rater.rate_solved(puzzles, &scratch.outcomes, cancel)?;
        let by_singles = Rater::by_singles(puzzles, &ratings);
        let results = puzzles.iter().zip(scratch.outcomes.statuses()).zip(ratings.iter().zip(by_singles));
        for (row, ((puzzle, &status), (rating, by_singles))) in rated.iter_mut().zip(results) {
            *row = Row::new(puzzle, status, rating, by_singles);
        }
        Ok(())
    })?;

    let statuses = memory::collect(rated.iter().map(|row| row.status))?;
    let tenths = |name, of: fn(&Row) -> Option<Difficulty>| {
        Column::optional(name, Values::Floats, rated.iter().map(|row| Some(f64::from(of(row)?.0) / 10.0)))
    };
    let words = memory::few(Technique::ALL.iter().map(|technique| technique.name()));
    let hardest = rated.iter().map(|row| row.hardest.map(|technique| technique as i8));
    let columns = vec![
        status_column(statuses),
        Column::optional("clues", Values::Integers, rated.iter().map(|row| row.clues))?,
        tenths("er", |row| row.er)?,
        tenths("ep", |row| row.ep)?,
        tenths("ed", |row| row.ed)?,
        Column::optional("hardest", |hardest| Values::Words(hardest, words), hardest)?,
        Column::optional("singles_only", Values::Flags, rated.iter().map(|row| row.singles_only))?,
    ];
    output::into_python(py, input.form(), columns)
}

/// A rater with these limits.
pub fn rater(max_er: Option<f64>, max_work: Option<u64>) -> PyResult<Rater> {
    let tenths = 10.0 * max_er.unwrap_or(f64::from(u16::MAX) / 10.0);
    if !(0.0..=f64::from(u16::MAX)).contains(&tenths.round()) {
        return Err(PyValueError::new_err(format!("max_er must be a rating, such as 7.5, not {}", tenths / 10.0)));
    }
    Ok(Rater::new().up_to(Difficulty(tenths.round() as u16)).max_work(max_work.unwrap_or(u64::MAX)))
}
