//! `dedup`, `overlap`: duplicates in a column, and rows of one column that occur in another.

use pyo3::prelude::*;
use rapidoku::dedup::{Deduplicator, Equivalence, Key};

use crate::input::{Input, Source};
use crate::memory;
use crate::options;
use crate::output::{self, Column, Values};
use crate::run::{self, Plan};

/// Find duplicates: for each puzzle, the first row with the same one.
///
/// Args:
///     puzzles: a column of N puzzles, as for :func:`solve`.
///     by: ``"symmetry"`` if equivalent puzzles are the same: one becomes the other by renaming digits, by reordering
///         bands, stacks, and lines within them, and by transposing. ``"exact"`` if only equal clues are.
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row that is invalid.
///
/// Returns:
///     ``first``, the index of the first row with the same puzzle, from 0; and ``keep``, whether that is the row itself.
///     Each has N rows. A row that is not a puzzle never equals another row: ``first`` is null, ``None`` or -1, and
///     ``keep`` is true. A puzzle whose clues clash is the same as those with the same clues only.
///
/// Raises:
///     TypeError: the column has another type.
///     ValueError: an array has another shape, a table several columns, or an option is out of range.
///     InvalidPuzzleError: a row is invalid, with ``errors="raise"``.
///
/// Puzzles are compared by hashes of 128 bits. By symmetry, most of the time goes into solving and canonical forms.
///
/// >>> import rapidoku
/// >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
/// >>> renamed = puzzle.replace("5", "x").replace("3", "5").replace("x", "3")
/// >>> rapidoku.dedup([puzzle, "oops", renamed, puzzle])
/// Columns: 4 rows
///    first  keep
/// 0  0      True
/// 1  None   True
/// 2  0      False
/// 3  0      False
/// >>> rapidoku.dedup([puzzle, "oops", renamed, puzzle], by="exact").keep
/// [True, True, True, False]
#[pyfunction]
#[pyo3(signature = (puzzles, *, by = "symmetry", threads = 0, errors = "status"))]
pub fn dedup<'py>(puzzles: &Bound<'py, PyAny>, by: &str, threads: usize, errors: &str) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let search = Search::new(by, threads, errors)?;
    let input = Input::new(puzzles)?;
    let source = input.source()?;

    let keys = search.keys(py, source)?;
    let firsts = search.firsts(py, &keys)?;
    let keep = memory::collect(firsts.iter().enumerate().map(|(row, &first)| first == row))?;
    let of_classes = firsts.iter().zip(&keys).map(|(&first, key)| key.map(|_| first as i64));
    let columns =
        vec![Column::optional("first", Values::Integers, of_classes)?, Column::new("keep", Values::Flags(keep))];
    output::into_python(py, input.form(), columns)
}

/// Find the puzzles of one column in another, for example training data in test data.
///
/// Args:
///     puzzles: a column of puzzles to search for, as for :func:`solve`.
///     within: a column of N puzzles that are looked up, which may be of another kind.
///     by: ``"symmetry"`` or ``"exact"``, as for :func:`dedup`.
///     threads: the number of threads; 0 for all cores.
///     errors: ``"raise"`` to raise an exception for the first row of ``puzzles`` that is invalid, or else of ``within``.
///
/// Returns:
///     For each row of ``within``: ``first``, the index of the first row of ``puzzles`` with the same puzzle, from 0
///     (null, ``None`` or -1 if there is none); and ``found``, whether there is one. The result has the kind of
///     ``within``. A row that is not a puzzle never equals another row.
///
/// Raises:
///     TypeError: a column has another type.
///     ValueError: an array has another shape, a table several columns, or an option is out of range.
///     InvalidPuzzleError: a row is invalid, with ``errors="raise"``.
///
/// >>> import rapidoku
/// >>> train = rapidoku.generate(1000, seed=1).puzzle
/// >>> test = rapidoku.generate(2, seed=2).puzzle + rapidoku.permute(train[7:8]).puzzle
/// >>> rapidoku.overlap(train, test).first
/// [None, None, 7]
#[pyfunction]
#[pyo3(signature = (puzzles, within, *, by = "symmetry", threads = 0, errors = "status"))]
pub fn overlap<'py>(
    puzzles: &Bound<'py, PyAny>,
    within: &Bound<'py, PyAny>,
    by: &str,
    threads: usize,
    errors: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let py = puzzles.py();
    let search = Search::new(by, threads, errors)?;
    let (input, inputs_within) = (Input::new(puzzles)?, Input::new(within)?);
    let (source, within) = (input.source()?, inputs_within.source()?);

    let n = source.len();
    let mut keys = search.keys(py, source)?;
    memory::extend(&mut keys, &search.keys(py, within)?)?;
    let firsts = &search.firsts(py, &keys)?[n..];
    // The first row of a class that `puzzles` lacks is in `within`.
    let found = memory::collect(firsts.iter().map(|&first| first < n))?;
    let firsts = firsts.iter().map(|&first| (first < n).then_some(first as i64));
    let columns =
        vec![Column::optional("first", Values::Integers, firsts)?, Column::new("found", Values::Flags(found))];
    output::into_python(py, inputs_within.form(), columns)
}

/// The options of a search for duplicates.
struct Search<'a> {
    by: Equivalence,
    threads: usize,
    errors: &'a str,
}

impl Search<'_> {
    fn new<'a>(by: &str, threads: usize, errors: &'a str) -> PyResult<Search<'a>> {
        let equivalences = [("symmetry", Equivalence::Symmetry), ("exact", Equivalence::Exact)];
        let by = options::choose("by", &equivalences, by)?;
        Ok(Search { by, threads: options::threads(threads)?, errors })
    }

    /// Computes the key of each row; `None` for rows that are not puzzles.
    fn keys(&self, py: Python, source: Source) -> PyResult<Vec<Option<Key>>> {
        options::check(self.errors, py, source, self.threads)?;
        memory::check(LATER_PER_ROW * source.len())?;
        let mut keys = memory::filled(None, source.len())?;
        let deduplicator = Deduplicator::new(self.by).threads(1);
        // The form of a puzzle with several solutions may take milliseconds.
        let is_bounded = self.by == Equivalence::Exact;
        let plan = Plan { rows: source.len(), threads: self.threads, is_bounded };
        run::fill(py, plan, &mut keys, |scratch, rows, keys, cancel| {
            source.read(rows, &mut scratch.rows)?;
            let found = deduplicator.keys(scratch.rows.puzzles(), cancel)?;
            for ((key, found), puzzle) in keys.iter_mut().zip(found).zip(scratch.rows.iter()) {
                *key = puzzle.and(found);
            }
            Ok(())
        })?;
        Ok(keys)
    }

    /// For each key the index of the first equal one.
    fn firsts(&self, py: Python, keys: &[Option<Key>]) -> PyResult<Vec<usize>> {
        run::once(py, |cancel| Ok(Deduplicator::new(self.by).firsts_of_keys(keys, cancel)?))
    }
}

/// Memory that is needed for each row when its key is known: a key and its index, and the columns of the result.
const LATER_PER_ROW: usize = 24 + 8 + 10;
