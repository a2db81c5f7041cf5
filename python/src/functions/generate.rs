//! `generate`, `generate_grids`: random puzzles and grids.

use std::ffi::CString;
use std::ops::RangeInclusive;

use pyo3::exceptions::{PyRuntimeWarning, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use rapidoku::generate::{ClueSymmetry, Filter, Generator, ParsePatternError, Pattern, Patterned};
use rapidoku::rating::{Difficulty, Technique};
use rapidoku::{CancelToken, Cancelled, Puzzle, SimdLevel, Solution};

use crate::memory;
use crate::options;
use crate::output::{self, Form, Grids};
use crate::run::{self, Plan};

/// A number, or the first and the last number of a range, which may be ``None``.
#[derive(FromPyObject)]
pub enum Range<T> {
    One(T),
    Pair(Option<T>, Option<T>),
}

impl<T: PartialOrd + Copy> Range<T> {
    fn inclusive(self, least: T, greatest: T) -> PyResult<RangeInclusive<T>> {
        let (first, last) = match self {
            Range::One(number) => (number, number),
            Range::Pair(first, last) => (first.unwrap_or(least), last.unwrap_or(greatest)),
        };
        if first <= last {
            Ok(first..=last)
        } else {
            Err(PyValueError::new_err("the first number is greater than the last one"))
        }
    }
}

/// Generate ``n`` random puzzles, each with its only solution.
///
/// Without options they are minimal: no clue can be removed. Puzzles with few clues are overrepresented among them.
///
/// Args:
///     n: the number of puzzles.
///     seed: the same seed and options give the same puzzles.
///     start: the number of the first puzzle that is tried. Each puzzle depends on the seed and its number only.
///     symmetry: cells with clues have this symmetry, such as ``"half-turn"``, as in ``rapidoku generate --symmetry``.
///     pattern: clues are exactly at the cells of this text of 81 characters: ``.`` or ``0`` for a blank and another one for a
///         clue. The puzzles need not be minimal.
///     uniform: every puzzle with the pattern is equally likely, also with fewer than 27 clues, which may take very long.
///     unbiased: every minimal puzzle is equally likely, which takes 4300 times as long.
///     clues: only puzzles with this number of clues, or between two numbers: ``(22, 24)``, ``(None, 24)``.
///     singles_only: only puzzles that naked and hidden singles solve.
///     guesses: only puzzles for which the search makes this number of guesses, or between two numbers.
///     hardest: only puzzles whose hardest technique is this one, a :class:`Technique` or its word, or one of a list.
///     er: only puzzles with this rating on the scale of Sudoku Explainer, or between two: ``(4.0, 5.0)``.
///     max_tries: give up after this number of tries without a puzzle; a pattern has a default.
///     threads: the number of threads; 0 for all cores.
///     output: ``"list"``, ``"numpy"`` or ``"arrow"``.
///
/// Returns:
///     ``puzzle`` and ``solution``; arrays have the shape (n, 81). There are fewer rows, and a ``RuntimeWarning``, if
///     ``max_tries`` was reached.
///
/// >>> import rapidoku
/// >>> made = rapidoku.generate(3, seed=7)
/// >>> rapidoku.solve(made.puzzle, limit=2).solution == made.solution
/// True
/// >>> made = rapidoku.generate(20, clues=(22, 23), hardest="hidden single")
/// >>> set(rapidoku.rate(made.puzzle).hardest)
/// {'hidden single'}
#[pyfunction]
#[pyo3(signature = (n, *, seed = 0, start = 0, symmetry = None, pattern = None, uniform = false, unbiased = false,
        clues = None, singles_only = false, guesses = None, hardest = None, er = None, max_tries = None, threads = 0,
        output = "list"))]
#[expect(clippy::too_many_arguments, reason = "they have names in Python")]
pub fn generate<'py>(
    py: Python<'py>,
    n: usize,
    seed: u64,
    start: u64,
    symmetry: Option<&str>,
    pattern: Option<&str>,
    uniform: bool,
    unbiased: bool,
    clues: Option<Range<u64>>,
    singles_only: bool,
    guesses: Option<Range<u64>>,
    hardest: Option<Bound<'py, PyAny>>,
    er: Option<Range<f64>>,
    max_tries: Option<u64>,
    threads: usize,
    output: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (form, threads) = (options::form(output)?, options::threads(threads)?);
    let generator = Generator::new(seed);
    let mut filter = Filter::default();
    let integers = |range: Option<Range<u64>>| range.map(|range| range.inclusive(0, u64::MAX)).transpose();
    (filter.clues, filter.guesses) = (integers(clues)?, integers(guesses)?);
    let er = er.map(|range| range.inclusive(0.0, f64::from(u16::MAX) / 10.0)).transpose()?;
    // The nearest tenths.
    let tenths = |er: f64| Difficulty((10.0 * er).round() as u16);
    filter.er = er.map(|er| tenths(*er.start())..=tenths(*er.end()));
    filter.singles_only = singles_only;
    filter.hardest = hardest.map_or(Ok(Vec::new()), |words| techniques(&words))?;
    let modes = [symmetry.is_some(), pattern.is_some(), unbiased];
    if modes.iter().filter(|is_on| **is_on).count() > 1 || (uniform && pattern.is_none()) {
        return Err(PyValueError::new_err(
            "symmetry, pattern and unbiased exclude each other, and uniform needs a pattern",
        ));
    }
    let symmetries = ClueSymmetry::ALL.map(|symmetry| (symmetry.name(), symmetry));
    let symmetry = symmetry.map_or(Ok(ClueSymmetry::Any), |name| options::choose("symmetry", &symmetries, name))?;
    let pattern = pattern.map(|text| self::pattern(text, seed, uniform, max_tries)).transpose()?;
    if pattern.is_none() && !unbiased && filter == Filter::default() {
        // Each number has a puzzle.
        let make = |numbers, cancel: &_| generator.symmetric(symmetry, numbers, cancel);
        return all(py, form, n, start, threads, make);
    }

    let search = Search {
        n,
        start,
        threads,
        per_batch: pattern.as_ref().map_or(PER_BATCH, |pattern| pattern.per_batch(n as u64)),
        max_fruitless: match &pattern {
            Some(pattern) => pattern.max_fruitless(),
            None => max_tries.unwrap_or(u64::MAX),
        },
    };
    let found = search.run(py, |numbers, cancel| {
        let mut made = match &pattern {
            Some(pattern) => pattern.puzzles(numbers, cancel)?,
            None if unbiased => {
                let made = generator.unbiased(numbers, cancel)?;
                memory::few(made.into_iter().map(|made| (made.puzzle, made.solution)))
            }
            None => generator.symmetric(symmetry, numbers, cancel)?,
        };
        filter.retain(SimdLevel::detect(), &mut made, |(puzzle, _)| puzzle, cancel)?;
        Ok(made)
    })?;
    if found.len() < n {
        let tries = pattern.as_ref().map_or(max_tries, |pattern| Some(pattern.max_tries())).unwrap_or(u64::MAX);
        let text = format!("gave up after {tries} tries without a puzzle; puzzles: {} of {n}", found.len());
        let text = CString::new(text).expect("no NUL");
        PyErr::warn(py, &py.get_type::<PyRuntimeWarning>(), &text, 1)?;
    }
    let make = |numbers: std::ops::Range<u64>, _: &_| {
        Ok(memory::few(found[numbers.start as usize..numbers.end as usize].iter().copied()))
    };
    all(py, form, found.len(), 0, threads, make)
}

type Made = (Puzzle, Solution);

/// Numbers that a thread tries at a time. The rows of a search that is given up depend on it.
const PER_BATCH: u64 = 1024;

/// A technique by its word, or a member of the enum, which prints it; or several in a list or a tuple.
fn techniques(words: &Bound<PyAny>) -> PyResult<Vec<Technique>> {
    let technique = |word: &Bound<PyAny>| {
        let word = word.str()?.to_string();
        word.parse().map_err(|error| PyValueError::new_err(format!("hardest: {error}, not '{word}'")))
    };
    if words.is_instance_of::<PyList>() || words.is_instance_of::<PyTuple>() {
        memory::few(words.try_iter()?.map(|word| technique(&word?)))
    } else {
        Ok(vec![technique(words)?])
    }
}

fn pattern(text: &str, seed: u64, uniform: bool, max_tries: Option<u64>) -> PyResult<Patterned> {
    let pattern: Pattern = text.parse().map_err(|error: ParsePatternError| PyValueError::new_err(error.to_string()))?;
    match pattern.impossible() {
        Some(reason) => Err(PyValueError::new_err(format!("pattern: {reason}"))),
        None => Ok(Patterned::new(seed, pattern, uniform, max_tries, SimdLevel::detect())),
    }
}

/// `n` puzzles with the numbers from `start`, which `make` makes.
fn all<'py>(
    py: Python<'py>,
    form: Form,
    n: usize,
    start: u64,
    threads: usize,
    make: impl Fn(std::ops::Range<u64>, &CancelToken) -> Result<Vec<Made>, Cancelled> + Sync,
) -> PyResult<Bound<'py, PyAny>> {
    let mut columns = (grids(form, n, start)?, grids(form, n, start)?);
    let plan = Plan { rows: n, threads, is_bounded: true };
    run::fill(py, plan, &mut columns, |_, rows, (mut puzzles, mut solutions), cancel| {
        for (puzzle, solution) in &make(start + rows.start as u64..start + rows.end as u64, cancel)? {
            puzzles.push(Some(&puzzle.to_ascii()));
            solutions.push(Some(&solution.to_ascii()));
        }
        Ok(())
    })?;
    let columns = vec![columns.0.finish("puzzle"), columns.1.finish("solution")];
    output::into_python(py, form, columns)
}

/// A search for puzzles among numbers, most of which may have none.
struct Search {
    n: usize,
    start: u64,
    threads: usize,
    per_batch: u64,
    /// It ends after this number of successive numbers without a puzzle, rounded up to whole batches.
    max_fruitless: u64,
}

impl Search {
    fn run(
        &self,
        py: Python,
        make: impl Fn(std::ops::Range<u64>, &CancelToken) -> Result<Vec<Made>, Cancelled> + Sync,
    ) -> PyResult<Vec<Made>> {
        let mut found: Vec<Made> = memory::with_capacity(self.n)?;
        let (mut next, mut fruitless) = (self.start, 0);
        let (mut per_round, most) = (self.threads, ROUND * self.threads);
        while found.len() < self.n {
            let mut batches = memory::filled(Vec::new(), per_round)?;
            let first = |k: usize| next.saturating_add(k as u64 * self.per_batch);
            let items = (0..).zip(&mut batches);
            let plan = Plan { rows: usize::MAX, threads: self.threads, is_bounded: false };
            run::run(py, plan, items, |_, (k, batch), cancel| {
                *batch = make(first(k)..first(k + 1), cancel)?;
                Ok(())
            })?;
            for batch in batches {
                fruitless = if batch.is_empty() { fruitless + self.per_batch } else { 0 };
                let missing = self.n - found.len();
                // There is room.
                found.append(&mut memory::few(batch.into_iter().take(missing)));
                if fruitless >= self.max_fruitless {
                    return Ok(found);
                }
            }
            next = first(per_round);
            if next == u64::MAX {
                break;
            }
            per_round = most.min(2 * per_round);
        }
        Ok(found)
    }
}

/// The most batches that a thread tries before it waits for the others.
const ROUND: usize = 16;

/// Generate ``n`` random complete grids, uniformly distributed.
///
/// The arguments are those of :func:`generate`. The column is ``solution``.
///
/// >>> import rapidoku
/// >>> rapidoku.generate_grids(2, seed=7, output="numpy").solution.shape
/// (2, 81)
#[pyfunction]
#[pyo3(signature = (n, *, seed = 0, start = 0, threads = 0, output = "list"))]
pub fn generate_grids<'py>(
    py: Python<'py>,
    n: usize,
    seed: u64,
    start: u64,
    threads: usize,
    output: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let (form, generator) = (options::form(output)?, Generator::new(seed));
    let mut grids = grids(form, n, start)?;
    let plan = Plan { rows: n, threads: options::threads(threads)?, is_bounded: true };
    run::fill(py, plan, &mut grids, |_, rows, mut grids, _| {
        let [first, end] = [rows.start, rows.end].map(|row| start + row as u64);
        generator.grids(first..end).iter().for_each(|grid| grids.push(Some(&grid.to_ascii())));
        Ok(())
    })?;
    output::into_python(py, form, vec![grids.finish("solution")])
}

/// A column for the grids with the numbers from `start`.
fn grids(form: Form, n: usize, start: u64) -> PyResult<Grids> {
    match start.checked_add(n as u64) {
        Some(_) => Ok(Grids::new(form, n)?),
        None => Err(PyValueError::new_err("n or start is too large")),
    }
}
