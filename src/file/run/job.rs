//! Stages 3 and 4, outcomes and rows: the interface between a run and the job that processes its batches.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::Instant;

use super::{Event, PROGRESS_INTERVAL};
use crate::cancel::{CancelToken, Cancelled};
use crate::file::error::Error;
use crate::file::record::{BatchView, Layout, Records};
use crate::file::stats::Stats;
use crate::file::table::Table;
use crate::file::write::row::Format;
use crate::file::write::{Output, RowSink};
use crate::outcome::{Outcomes, PuzzleSlice};
use crate::solver::Solver;

/// The processing of each batch of records. Methods are called from several threads at once.
///
/// For each batch a worker calls [`Job::solve`] and then [`Job::write`]. They are separate methods so that
/// [`Stats`] can report their times separately.
///
/// ```
/// use std::ops::ControlFlow;
///
/// use rapidoku::file::{self, BatchSolver, BatchView, Config, Job, Output, RowSink, Unfinished};
/// use rapidoku::{Outcomes, Solver};
///
/// /// Writes the number of guesses for each record.
/// struct Guesses(Solver);
///
/// impl Job for Guesses {
///     fn solver(&self) -> Option<&dyn BatchSolver> {
///         Some(&self.0)
///     }
///
///     fn write(&self, _: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
///         for guesses in outcomes.guesses() {
///             rows.text().extend_from_slice(format!("{guesses}\n").as_bytes());
///         }
///         ControlFlow::Continue(())
///     }
/// }
///
/// let folder = tempfile::tempdir()?;
/// let [input, output] = ["puzzles.txt", "guesses.txt"].map(|name| folder.path().join(name));
/// std::fs::write(&input, "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n")?;
/// let config = Config::default().input(&input);
/// file::run(&config, &Guesses(Solver::new()), Output::create(&output, &Unfinished::default())?, &mut |_| {})?;
/// assert_eq!(std::fs::read(&output)?, b"0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Job: Sync {
    /// The table of the rows, if they have columns. The defaults of [`Job::header`], [`Job::accept_after`],
    /// [`Job::needs_numbers`] and [`Job::needs_whole_lines`] do what it needs.
    fn table(&self) -> Option<&Table> {
        None
    }

    /// The bytes before the first row. `first` is the layout of the first input, `None` if there is none. Also called for
    /// every other input, to check its layout; the result is not written then. The default is the header of the
    /// [table](Job::table).
    ///
    /// # Errors
    /// The reason, if the layout lacks something that the job needs, such as a column.
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        self.table().map_or(Ok(Cow::Borrowed(b"")), |table| table.header(first))
    }

    /// The bytes after the last row.
    fn footer(&self) -> &[u8] {
        b""
    }

    /// Solves the puzzles of a batch before [`Job::write`]. `None`, the default, leaves every record with the status
    /// [`Status::None`](crate::Status::None), for jobs that need no solutions or find them while they write.
    fn solver(&self) -> Option<&dyn BatchSolver> {
        None
    }

    /// Called with the layout of every input before its first batch is solved. The default rejects pencilmarks if the
    /// [solver](Job::solver) does.
    ///
    /// # Errors
    /// The reason, if the job does not support the layout.
    fn accept(&self, layout: &Layout) -> Result<(), String> {
        match self.solver() {
            Some(solver) if layout.has_pencilmarks() => {
                solver.accept_candidates().map_err(|reason| format!("unsupported pencilmarks: {reason}"))
            }
            _ => Ok(()),
        }
    }

    /// Called with the layout of every input but the first, before its first batch is solved. `first` and `first_name` are
    /// the layout and the name of the first input that has records or a header. The default accepts the layouts that the
    /// [table](Job::table) does.
    ///
    /// # Errors
    /// The reason, if rows of both inputs cannot be in the same output. It should contain both the name of the first input
    /// and that of a column.
    fn accept_after(&self, layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
        self.table().map_or(Ok(()), |table| table.accept_after(layout, first, first_name))
    }

    /// The number of bytes at the start of every input that [`Job::accept_start`] examines. The default is 0.
    fn examined_bytes(&self) -> usize {
        0
    }

    /// Called with the start of every input, before its first batch is solved. The text has at least
    /// [`Job::examined_bytes`], or the input is shorter. The default accepts all texts.
    ///
    /// # Errors
    /// The reason, if the records are not as the job needs them.
    fn accept_start(&self, layout: &Layout, text: &[u8]) -> Result<(), String> {
        let _ = (layout, text);
        Ok(())
    }

    /// Whether [`Job::write`] does most of the work, and not [`Job::solve`]. Its time then counts as time of solving.
    fn solves_in_write(&self) -> bool {
        false
    }

    /// Whether the job needs [`BatchView::records_before`] and [`BatchView::lines_before`]. If it does, batches are parsed
    /// one at a time, which limits a run to about ten million records per second. The default is whether the
    /// [table](Job::table) does.
    fn needs_numbers(&self) -> bool {
        self.table().is_some_and(Table::needs_numbers)
    }

    /// Whether the rows of the job report invalid records, so that the caller of [`run`](super::super::run()) need not.
    fn reports_invalid(&self) -> bool {
        false
    }

    /// Whether [`BatchView::text`] must contain complete lines. If not, the end of a line in a stream that is longer than a
    /// batch and cannot change its record may be missing. The default is whether the [table](Job::table) needs them.
    fn needs_whole_lines(&self) -> bool {
        self.table().is_some_and(Table::needs_whole_lines)
    }

    /// Whether the rows are those of [`Format::Npy`]: 81 bytes each, without a line feed. The run writes the header of the
    /// array then. The default is the format of the [table](Job::table).
    fn writes_array(&self) -> bool {
        self.table().is_some_and(|table| table.format == Format::Npy)
    }

    /// The maximal size of a batch in bytes of input. Jobs with rows much longer than their records should use small
    /// batches, because rows wait in memory until the rows of earlier batches have been written.
    fn max_batch_bytes(&self) -> usize {
        usize::MAX
    }

    /// [`run_numbers`](super::super::run_numbers) stops after this many consecutive numbers without a row, rounded up to whole
    /// batches. The default is [`u64::MAX`]: it goes on for ever.
    fn max_fruitless(&self) -> u64 {
        u64::MAX
    }

    /// Solves the puzzles of a batch into `outcomes`, one entry per record. The default uses the [solver](Job::solver).
    ///
    /// # Errors
    /// When `cancel` was set.
    fn solve(
        &self,
        records: &Records,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        match self.solver() {
            Some(solver) => solver.solve_batch(records.puzzle_slice(), outcomes, cancel),
            None => {
                outcomes.reset(records.len());
                Ok(())
            }
        }
    }

    /// Writes the rows of a batch. It may change `outcomes`; statuses and guesses are counted afterwards.
    ///
    /// Return [`ControlFlow::Break`] if [`RowSink::flush_if_large`] does: the run has ended then. [`RowSink::fail`] ends the run
    /// with an error, and [`ControlFlow::Break`] without an error cancels it.
    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()>;

    /// Writes rows after those of the last batch, for jobs that must have seen all records before. Called once, on one
    /// thread, unless the run has failed. The default writes nothing.
    ///
    /// # Errors
    /// The failure of [`LastRows::write`], or another one that ends the run.
    fn finish(&self, rows: &mut LastRows) -> Result<(), Error> {
        let _ = rows;
        Ok(())
    }
}

/// The destination of the rows after those of the last batch, see [`Job::finish`].
pub struct LastRows<'a> {
    pub(super) output: &'a mut Output,
    pub(super) bytes: u64,
    pub(super) total_bytes: Option<u64>,
    pub(super) not_utf8: u64,
    pub(super) cancel: &'a CancelToken,
    /// The statistics of the batches.
    pub(super) stats: &'a Stats,
    pub(super) last_event: Option<Instant>,
    pub(super) on_event: &'a mut dyn FnMut(Event),
}

impl LastRows<'_> {
    /// Writes rows, at best many at once.
    ///
    /// # Errors
    /// When the output cannot be written or the run was cancelled.
    pub fn write(&mut self, rows: &[u8]) -> Result<(), Error> {
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.bytes += rows.len() as u64;
        self.output.write(rows)?;
        if self.last_event.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
            self.last_event = Some(Instant::now());
            let (stats, written_bytes, total_bytes) = (self.stats, self.bytes, self.total_bytes);
            (self.on_event)(Event::Writing { stats, written_bytes, total_bytes });
        }
        Ok(())
    }

    /// Sets the number of bytes that will be written, for [`Event::Writing`].
    pub(in crate::file) fn expect_bytes(&mut self, bytes: u64) {
        self.total_bytes = Some(bytes);
    }

    /// Counts rows in which bytes that are not UTF-8 were replaced.
    pub(in crate::file) fn count_not_utf8(&mut self, rows: u64) {
        self.not_utf8 += rows;
    }
}

/// A solver of batches: [`Solver`], or a solver of another crate.
pub trait BatchSolver: Sync {
    /// Solves `puzzles` into `outcomes`, one entry per puzzle.
    ///
    /// # Errors
    /// When `cancel` has been set.
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled>;

    /// Whether it solves [`PuzzleSlice::Candidates`]. If not, [`SolveRows`](crate::file::SolveRows) and
    /// [`SolveGrids`](crate::file::SolveGrids) reject inputs with pencilmarks.
    ///
    /// # Errors
    /// The reason why it does not.
    fn accept_candidates(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Solves on the thread of the worker, whatever the number of threads of the solver.
impl BatchSolver for Solver {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.solve_on_this_thread(puzzles, outcomes, cancel).map(drop)
    }
}
