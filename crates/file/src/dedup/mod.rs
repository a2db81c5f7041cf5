//! Duplicates among the records of files, in bounded memory.
//!
//! 1. The workers of a [`Run`] compute the [key](rapidoku_generate::dedup::Key) of each record, and put it with the
//!    number of the record into one of 256 slices of all keys, with 24 to 36 bytes. When these exceed the memory, the
//!    last slices are dropped, and another pass over the inputs collects them.
//! 2. A slice has all records with its keys, and a map finds the first record of each key. A duplicate is a bit, and a
//!    pair of numbers if the first record of its class is written.
//! 3. The inputs are read again, and the rows are written in order. Streams, which cannot be read again, are copied to
//!    a temporary file first. It has no name, so nothing is left of it when the process ends, however it ends.

mod firsts;
mod jobs;

use std::sync::Mutex;

use self::firsts::{Duplicates, Keys, SIDE, SLICES};
use self::jobs::{Collect, Selection, WriteRows};
use super::error::Error;
use super::read::Input;
use super::run::passes::Passes;
use super::run::{Event, Run};
use super::stats::Stats;
use super::sync::into_inner;
use super::table::{Column, Table};
use super::threads;
use super::write::row::Format;
use crate::solver::Solver;
use rapidoku_generate::dedup::{Equivalence, KeyMaker};

/// Finds duplicates among the records of files and streams, whatever their number.
///
/// A duplicate is a record whose class, by an [`Equivalence`], has an earlier record, over all inputs. Records that are
/// not puzzles belong to no class. The output has the records that are not duplicates, in input order; with
/// [`mark`](Dedup::mark) all of them. Without a [`table`](Dedup::table) it has the lines of the records byte for byte,
/// after the header of the first input if it is a table; all headers must be the same then.
///
/// With [`overlap`](Dedup::overlap), only records of other inputs count as earlier ones.
///
/// The output does not depend on the number of threads, the SIMD level, the batch size or the memory. Inputs are read
/// twice, and once more each time [`memory`](Dedup::memory) is full.
///
/// ```
/// use rapidoku::dedup::Equivalence;
/// use rapidoku::file::{Dedup, Output, Run};
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.csv", "unique.csv"].map(|name| folder.path().join(name));
/// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let renamed = puzzle.replace('5', "x").replace('3', "5").replace('x', "3");
/// std::fs::write(&input, format!("id,puzzle\na,{puzzle}\nb,{renamed}\n"))?;
///
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// let stats = Dedup::new(Equivalence::Symmetry).run(run, &mut |_| {})?;
/// assert_eq!((stats.run.records, stats.duplicates), (2, 1));
/// assert_eq!(std::fs::read_to_string(&output)?, format!("id,puzzle\na,{puzzle}\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Dedup {
    /// Which records are duplicates.
    pub by: Equivalence,
    /// Whether [`run`](Dedup::run) writes all records. As text the output then has the number of the first record of
    /// the class for each, and an empty line for a record that is not a puzzle; a table has the column `first`.
    pub mark: bool,
    /// The rows. Their computed columns are [`Dedup::COLUMNS`].
    pub table: Table,
    /// The memory for keys in bytes. If they do not fit, the inputs are read several times; at least a 256th of the
    /// keys and all equal ones are in memory. A bit for each record comes on top, and 16 bytes for each duplicate whose
    /// first record is written.
    pub memory: u64,
}

/// The statistics of [`Dedup::run`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct DedupStats {
    /// Records, bytes and times. Bytes are counted as if the inputs had been read once. By [`Equivalence::Exact`] the
    /// counts of statuses tell only which records are not puzzles.
    pub run: Stats,
    /// The number of records that are duplicates.
    pub duplicates: u64,
}

/// The statistics of [`Dedup::overlap`].
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OverlapStats {
    /// The sum for all inputs, as in [`DedupStats::run`].
    pub run: Stats,
    /// The number of records of the inputs that are searched for.
    pub records: u64,
    /// The number of records of the inputs that are searched.
    pub records_within: u64,
    /// The number of the latter that are equivalent to one of the former.
    pub found: u64,
}

impl Dedup {
    /// The columns that are computed: `first`, the number of the first record of the class, for
    /// [`Table::with_computed`].
    pub const COLUMNS: &'static [&'static str] = &["first"];

    /// The default of [`Dedup::memory`]: 1 GiB, enough for 30 million records in one pass.
    pub const MEMORY: u64 = 1 << 30;

    /// Finds duplicates of this kind. The output is text.
    pub fn new(by: Equivalence) -> Dedup {
        let table = Table::new(Format::Text).copies_lines(true);
        Dedup { by, mark: false, table, memory: Dedup::MEMORY }
    }

    /// Reads the inputs of `run` and writes the rows.
    ///
    /// # Errors
    /// As [`Run::start`]. Also when a temporary file cannot be written, the inputs have changed when they are read
    /// again, or pencilmarks are to be compared by [`Equivalence::Symmetry`].
    pub fn run(&self, run: Run, on_event: &mut dyn FnMut(Event)) -> Result<DedupStats, Error> {
        let selection = if self.mark { Selection::All } else { Selection::Kept };
        let (run, _, duplicates) = self.search(selection, run, &[], on_event)?;
        Ok(DedupStats { run, duplicates })
    }

    /// Finds the records of the inputs of `run` that also occur in `others`, for example test data in training data.
    ///
    /// Each row is a record of the inputs of `run` whose class has a record in the others. As text it has the number of
    /// the record, the number of the first record of the class in the others, and the puzzle, separated by spaces; a
    /// table has the column `first`. Numbers count all records from 1, separately for both.
    ///
    /// ```
    /// use rapidoku::dedup::Equivalence;
    /// use rapidoku::file::{Dedup, Input, Output, Run};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let [train, test, leaks] = ["train.txt", "test.txt", "leaks.txt"].map(|name| folder.path().join(name));
    /// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    /// std::fs::write(&train, format!("{puzzle}\n"))?;
    /// std::fs::write(&test, format!("53..7\n{puzzle}\n"))?;
    ///
    /// let run = Run::default().input(&test).output(Output::create(&leaks)?);
    /// let stats = Dedup::new(Equivalence::Exact).overlap(&[Input::from(&train)], run, &mut |_| {})?;
    /// assert_eq!((stats.records, stats.records_within, stats.found), (1, 2, 1));
    /// assert_eq!(std::fs::read_to_string(&leaks)?, format!("2 1 {puzzle}\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// See [`Dedup::run`].
    pub fn overlap(&self, others: &[Input], run: Run, on_event: &mut dyn FnMut(Event)) -> Result<OverlapStats, Error> {
        let (run, records, found) = self.search(Selection::Duplicates, run, others, on_event)?;
        Ok(OverlapStats { records, records_within: run.records - records, run, found })
    }

    /// Finds the duplicates of the records of `run`, in `others` if those are selected, else among themselves. Also
    /// returns the numbers of records of `others` and of duplicates.
    fn search(
        &self,
        selection: Selection,
        run: Run,
        others: &[Input],
        on_event: &mut dyn FnMut(Event),
    ) -> Result<(Stats, u64, u64), Error> {
        let is_table = selection == Selection::Kept || self.table.format != Format::Text;
        let table = is_table.then_some(&self.table);
        let has_sides = selection == Selection::Duplicates;
        let mut passes = Passes::new(run, others, true, on_event)?;
        let maker = KeyMaker::new(self.by, passes.run.level);
        let pool = threads::pool(threads::count(passes.run.threads))?;
        let duplicates = Mutex::new(Duplicates::new(selection != Selection::Kept));
        let (mut records, mut records_of_others, mut start) = (0, 0, 0);
        while start < SLICES {
            let keys = Keys::new(start, self.memory);
            let collect = |side, table| Collect { maker: &maker, side, keys: &keys, table };
            if has_sides {
                records_of_others = passes.collect(true, start > 0, &collect(0, None))?;
            }
            let side = if has_sides { SIDE } else { 0 };
            records = passes.collect(false, start > 0, &collect(side, table))?;
            pool.install(|| keys.find(has_sides, &passes.run.cancel, &duplicates))?;
            start = keys.end();
        }
        drop(pool);
        let mut duplicates = into_inner(duplicates);
        duplicates.pairs.iter_mut().for_each(|pairs| pairs.sort_unstable());
        let solver = Solver::new().level(passes.run.level);
        let needs_outcomes = self.table.format.has_columns() && self.table.columns.iter().any(Column::needs_solver);
        let job = WriteRows {
            selection,
            table,
            duplicates: &duplicates,
            records,
            changed: passes.any_input(),
            solver: needs_outcomes.then_some(&solver),
        };
        Ok((passes.write(&job)?, records_of_others, duplicates.count()))
    }
}
