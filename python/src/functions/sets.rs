//! `split`, `sample`: parts and samples of a column, the same as those of the program.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rapidoku::file::{Sample, Split};
use rapidoku::rating::{Difficulty, Rater};

use crate::input::{Input, Source};
use crate::memory::{self, CHUNK};
use crate::options;
use crate::output::{Column, Table, Texts, Values};
use crate::run::{self, Plan, chunks};

/// Whose parts are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Drawn {
    /// Those of classes of equivalent puzzles.
    Classes,
    /// Those of rows.
    Rows,
    /// Those of classes, so that the parts have the same ratings.
    Ratings,
}

impl FromPyObject<'_, '_> for Drawn {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, '_, PyAny>) -> PyResult<Drawn> {
        match object.extract::<&str>()? {
            "class" => Ok(Drawn::Classes),
            "record" => Ok(Drawn::Rows),
            "er" => Ok(Drawn::Ratings),
            other => {
                Err(PyValueError::new_err(format!("by must be 'class', 'record' or 'er', not '{other}'")))
            }
        }
    }
}

/// Divide puzzles into parts, such as train and test, that share no equivalent puzzles.
///
/// Equivalent puzzles are always in the same part, also of other columns with the same seed and parts. The part of each class
/// of equivalent puzzles is drawn at random, so the numbers of rows differ a little from the percentages. A row that is not
/// a puzzle is drawn by its text.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     parts: the name of each part and its percentage, ``{"train": 90, "test": 10}``; or its share, of which the sum is 1.
///     by: ``"record"`` to draw the part of each row by its number. This is faster, but the parts may share puzzles. ``"er"`` to
///         divide by rating, so that the parts have the same difficulties: in every range of ratings, the number of classes in a part
///         differs from its share by less than 1 (of three parts by less than 2, and so on). Equivalent puzzles stay together, but
///         the parts of other columns are not the same. The hardest puzzles take a tenth of a second each.
///     max_er: with ``by="er"``, rate up to this rating. Harder puzzles count as equally hard.
///     seed: the same seed gives the same parts.
///     threads: the number of threads; 0 for all cores.
///
/// Returns:
///     ``part``, the name of the part of each row; a list for arrays. The parts are those of ``rapidoku split``.
///
/// Raises:
///     TypeError: the column has another type.
///     ValueError: the percentages do not add up to 100, ``max_er`` is not a rating or without ``by="er"``, or an array has another
///         shape.
///
/// >>> import collections, rapidoku
/// >>> puzzles = rapidoku.generate(1000, seed=1).puzzle
/// >>> parts = rapidoku.split(puzzles, {"train": 90, "test": 10})
/// >>> collections.Counter(parts.part)
/// Counter({'train': 899, 'test': 101})
#[pyfunction]
#[pyo3(
    signature = (puzzles, parts, *, by = Drawn::Classes, max_er = None, seed = 0, threads = 0),
    text_signature = "(puzzles, parts, *, by='class', max_er=None, seed=0, threads=0)"
)]
pub fn split<'py>(
    puzzles: &Bound<'py, PyAny>,
    parts: &Bound<'py, PyDict>,
    by: Drawn,
    max_er: Option<f64>,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let max_er = max_er.map(|er| bound(er, by)).transpose()?;
    let (names, shares) = self::parts(parts)?;
    let split = Split::new(&shares, seed);
    let input = Input::new(puzzles)?;
    let source = input.source()?;

    let n = source.len();
    let threads = options::threads(threads)?;
    let rated = match by {
        Drawn::Ratings => parts_by_er(py, source, &split, max_er, threads)?,
        _ => Vec::new(),
    };
    let longest = names.iter().map(String::len).max().unwrap_or(0);
    let mut texts = Texts::new(n, longest)?;
    let plan = Plan { rows: n, threads, is_bounded: by != Drawn::Classes };
    run::run(py, plan, chunks(n).zip(texts.chunks()), |scratch, (rows, texts), cancel| {
        let mut push = |part: usize| texts.push(names[part].as_bytes());
        match by {
            Drawn::Rows => rows.map(|row| split.part_of_number(row as u64)).try_for_each(push)?,
            Drawn::Ratings => rated[rows].iter().copied().try_for_each(push)?,
            Drawn::Classes => {
                source.read(rows.clone(), &mut scratch.puzzles)?;
                let parts = split.parts_of(&scratch.puzzles, cancel)?;
                for ((row, puzzle), part) in rows.zip(&scratch.puzzles).zip(parts) {
                    push(match source.is_puzzle(row, puzzle) {
                        true => part,
                        false => split.part_of_text(&source.text(row)),
                    })?;
                }
            }
        }
        Ok(())
    })?;
    let columns = vec![Column::new("part", Values::Texts(texts))];
    Table { name: "Split", columns }.into_python(py, input.form(false))
}

/// The highest rating that is told from others.
fn bound(er: f64, by: Drawn) -> PyResult<Difficulty> {
    let tenths = (10.0 * er).round();
    if by != Drawn::Ratings {
        return Err(PyValueError::new_err("max_er needs by='er'"));
    }
    match (0.0..=f64::from(u16::MAX)).contains(&tenths) {
        true => Ok(Difficulty(tenths as u16)),
        false => Err(PyValueError::new_err(format!("max_er must be a rating, such as 7.5, not {er}"))),
    }
}

/// The part of each row, of parts with the same difficulties.
fn parts_by_er(
    py: Python,
    source: Source,
    split: &Split,
    max_er: Option<Difficulty>,
    threads: usize,
) -> PyResult<Vec<usize>> {
    let mut rater = Rater::new().threads(1);
    if let Some(bound) = max_er {
        rater = rater.up_to(bound);
    }
    let mut classes = memory::filled(split.unrated_class(b""), source.len())?;
    let items = chunks(classes.len()).zip(classes.chunks_mut(CHUNK));
    let plan = Plan { rows: source.len(), threads, is_bounded: false };
    run::run(py, plan, items, |scratch, (rows, classes), cancel| {
        source.read(rows.clone(), &mut scratch.puzzles)?;
        let found = split.rated_classes(&rater, &scratch.puzzles, cancel)?;
        for ((row, puzzle), (class, found)) in rows.zip(&scratch.puzzles).zip(classes.iter_mut().zip(found)) {
            *class = match source.is_puzzle(row, puzzle) {
                true => found,
                false => split.unrated_class(&source.text(row)),
            };
        }
        Ok(())
    })?;
    memory::check(MEMORY_OF_STRATA * classes.len())?;
    Ok(py.detach(|| split.parts_by_er(&classes)))
}

/// Memory to sort classes by rating, for each row.
const MEMORY_OF_STRATA: usize = 32;

/// The names and shares of parts.
fn parts(parts: &Bound<PyDict>) -> PyResult<(Vec<String>, Vec<f64>)> {
    let parts = parts.iter().map(|(name, share)| Ok((name.extract::<String>()?, share.extract::<f64>()?)));
    let (names, shares): (Vec<_>, Vec<f64>) = memory::few::<_, PyResult<Vec<_>>>(parts)?.into_iter().unzip();
    if !shares.iter().all(|share| *share > 0.0) {
        return Err(PyValueError::new_err("the percentages must be positive"));
    }
    let total: f64 = shares.iter().sum();
    match [1.0, 100.0].iter().any(|whole| (total - whole).abs() < 1e-8 * whole) {
        true => Ok((names, shares)),
        false => Err(PyValueError::new_err(format!("the percentages add up to {total}, not to 100"))),
    }
}

/// Draw a random sample of rows: every set of ``n`` rows has the same probability.
///
/// Rows that are not puzzles belong to the sample like others.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     n: the number of rows. If there are fewer, all are in the sample.
///     seed: the same seed gives the same sample.
///
/// Returns:
///     ``keep``, whether each row is in the sample, which is that of ``rapidoku sample``.
///
/// >>> import itertools, rapidoku
/// >>> puzzles = rapidoku.generate(1000, seed=1).puzzle
/// >>> sample = rapidoku.sample(puzzles, 10, seed=7)
/// >>> len(list(itertools.compress(puzzles, sample.keep)))
/// 10
#[pyfunction]
#[pyo3(signature = (puzzles, n, *, seed = 0))]
pub fn sample<'py>(puzzles: &Bound<'py, PyAny>, n: usize, seed: u64) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let input = Input::new(puzzles)?;
    let rows = input.source()?.len();
    let keep = py.detach(|| {
        let sample = Sample::new(n as u64, seed);
        let mut keys = memory::collect((0..rows).map(|row| sample.key(row as u64)))?;
        let bound = match keys.len() > n {
            true => Some(*keys.select_nth_unstable(n).1),
            false => None,
        };
        let is_kept = |row: usize| bound.is_none_or(|bound| sample.key(row as u64) < bound);
        memory::collect((0..rows).map(is_kept))
    })?;
    Table { name: "Sample", columns: vec![Column::new("keep", Values::Flags(keep))] }
        .into_python(py, input.form(false))
}
