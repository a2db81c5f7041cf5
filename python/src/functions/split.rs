//! `split`: parts of a column, the same as those of the program.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use rapidoku::file::Split;
use rapidoku::rating::{Difficulty, Rater, Verdict};

use super::rate::rater;
use crate::input::{Input, Source, is_missing};
use crate::memory;
use crate::options;
use crate::output::{self, Texts};
use crate::run::{self, Plan};

/// Divide puzzles into parts, such as train and test, that share no equivalent puzzles.
///
/// Equivalent puzzles are always in the same part, also of other columns with the same seed and parts. The part of each class
/// of equivalent puzzles is drawn at random, so the numbers of rows differ a little from the percentages. A row that is not
/// a puzzle is drawn by its text.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     parts: the name of each part and its percentage, ``{"train": 90, "test": 10}``.
///     by: ``"record"`` to draw the part of each row by its number. This is faster, but the parts may share puzzles. ``"er"`` to
///         divide by rating, so that the parts have the same difficulties: in every range of ratings, the number of classes in a part
///         differs from its share by less than 1 (of three parts by less than 2, and so on). Equivalent puzzles stay together, but
///         the parts of other columns are not the same. The hardest puzzles take a tenth of a second each.
///     max_er: with ``by="er"``, rate up to this rating. Harder puzzles count as equally hard.
///     ratings: with ``by="er"``, a column of N ratings (ER) that are known; None or NaN for a puzzle that is to be rated.
///     seed: the same seed gives the same parts.
///     threads: the number of threads; 0 for all cores.
///
/// Returns:
///     ``part``, the name of the part of each row; a list for arrays. The parts are those of ``rapidoku split``.
///
/// Raises:
///     TypeError: the column has another type.
///     ValueError: the percentages do not add up to 100, ``max_er`` or ``ratings`` are no ratings or without ``by="er"``, or an
///         array has another shape.
///
/// >>> import collections, rapidoku
/// >>> puzzles = rapidoku.generate(1000, seed=1).puzzle
/// >>> parts = rapidoku.split(puzzles, {"train": 90, "test": 10})
/// >>> collections.Counter(parts.part)
/// Counter({'train': 899, 'test': 101})
#[pyfunction]
#[pyo3(signature = (puzzles, parts, *, by = "class", max_er = None, ratings = None, seed = 0, threads = 0))]
pub fn split<'py>(
    puzzles: &Bound<'py, PyAny>,
    parts: &Bound<'py, PyDict>,
    by: &str,
    max_er: Option<f64>,
    ratings: Option<&Bound<'py, PyAny>>,
    seed: u64,
    threads: usize,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let by = options::choose("by", &["class", "record", "er"].map(|rule| (rule, rule)), by)?;
    if max_er.is_some() && by != "er" {
        return Err(PyValueError::new_err("max_er needs by='er'"));
    }
    if ratings.is_some() && by != "er" {
        return Err(PyValueError::new_err("ratings need by='er'"));
    }
    let rater = rater(max_er, None)?.threads(1);
    let (names, shares) = self::parts(parts)?;
    let split = Split::new(&shares, seed);
    let input = Input::new(puzzles)?;
    let source = input.source()?;

    let n = source.len();
    let threads = options::threads(threads)?;
    let rated = match by {
        "er" => {
            let known = ratings.map(|ratings| known(ratings, n, max_er)).transpose()?.unwrap_or_default();
            parts_by_er(py, source, &split, (&rater, &known), threads)?
        }
        _ => Vec::new(),
    };
    let longest = names.iter().map(String::len).max().unwrap_or(0);
    let mut texts = Texts::new(n, longest)?;
    let plan = Plan { rows: n, threads, is_bounded: by != "class" };
    run::fill(py, plan, &mut texts, |scratch, rows, texts, cancel| {
        let mut push = |part: usize| texts.push(Some(&names[part]));
        match by {
            "record" => rows.map(|row| split.part_of_number(row as u64)).try_for_each(push)?,
            "er" => rated[rows].iter().copied().try_for_each(push)?,
            _ => {
                source.read(rows.clone(), &mut scratch.rows)?;
                let parts = split.parts_of(scratch.rows.puzzles(), cancel)?;
                for ((row, puzzle), part) in rows.zip(scratch.rows.iter()).zip(parts) {
                    push(puzzle.map_or_else(|| split.part_of_text(&text(source, row)), |_| part))?;
                }
            }
        }
        Ok(())
    })?;
    output::into_python(py, input.form(), vec![texts.finish("part")?])
}

/// The text by which a row that is not a puzzle is drawn.
fn text(source: Source<'_>, row: usize) -> Cow<'_, [u8]> {
    source.text(row).unwrap_or_default()
}

/// A known rating.
type Known = Option<(Verdict, Difficulty)>;

/// The ratings in a column with `n` rows.
fn known(column: &Bound<PyAny>, n: usize, max_er: Option<f64>) -> PyResult<Vec<Known>> {
    let mut methods = ["tolist", "to_list", "to_pylist"].iter();
    let list = methods.find_map(|name| column.call_method0(name).ok()).unwrap_or_else(|| column.clone());
    let mut known = memory::with_capacity(n)?;
    for item in list.try_iter()? {
        let item = item?;
        if is_missing(&item)? {
            memory::push(&mut known, None)?;
            continue;
        }
        let er: f64 = item.extract()?;
        let tenths = (10.0 * er).round();
        if !(0.0..=f64::from(u16::MAX)).contains(&tenths) {
            return Err(PyValueError::new_err(format!("row {}: {er} is not a rating, such as 7.5", known.len())));
        }
        let verdict = match tenths as u16 {
            _ if max_er.is_some_and(|bound| tenths > (10.0 * bound).round()) => Verdict::Above,
            tenths if tenths == Difficulty::STUCK.0 => Verdict::Stuck,
            _ => Verdict::Rated,
        };
        memory::push(&mut known, Some((verdict, Difficulty(tenths as u16))))?;
    }
    match known.len() {
        m if m == n => Ok(known),
        m => Err(PyValueError::new_err(format!("{n} puzzles, but {m} ratings"))),
    }
}

/// The part of each row, of parts with the same difficulties.
fn parts_by_er(
    py: Python,
    source: Source,
    split: &Split,
    (rater, known): (&Rater, &[Known]),
    threads: usize,
) -> PyResult<Vec<usize>> {
    let mut classes = memory::filled(split.unrated_class(b""), source.len())?;
    let plan = Plan { rows: source.len(), threads, is_bounded: false };
    run::fill(py, plan, &mut classes, |scratch, rows, classes, cancel| {
        source.read(rows.clone(), &mut scratch.rows)?;
        let known = known.get(rows.clone()).unwrap_or_default();
        let found = split.rated_classes(rater, scratch.rows.puzzles(), known, cancel)?;
        for ((row, puzzle), (class, found)) in rows.zip(scratch.rows.iter()).zip(classes.iter_mut().zip(found)) {
            *class = puzzle.map_or_else(|| split.unrated_class(&text(source, row)), |_| found);
        }
        Ok(())
    })?;
    memory::check(MEMORY_OF_STRATA * classes.len())?;
    Ok(py.detach(|| split.parts_by_er(&classes)))
}

/// Memory to sort classes by rating, for each row.
const MEMORY_OF_STRATA: usize = 32;

/// The names and percentages of parts.
fn parts(parts: &Bound<PyDict>) -> PyResult<(Vec<String>, Vec<f64>)> {
    let parts = parts.iter().map(|(name, share)| Ok((name.extract::<String>()?, share.extract::<f64>()?)));
    let (names, shares): (Vec<_>, Vec<f64>) = memory::few::<_, PyResult<Vec<_>>>(parts)?.into_iter().unzip();
    if !shares.iter().all(|share| *share > 0.0) {
        return Err(PyValueError::new_err("the percentages must be positive"));
    }
    let total: f64 = shares.iter().sum();
    if (total - 100.0).abs() < 1e-6 {
        Ok((names, shares))
    } else {
        Err(PyValueError::new_err(format!("the percentages add up to {total}, not to 100")))
    }
}
