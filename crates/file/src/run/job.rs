//! Stages 3 and 4, outcomes and rows: the interface between a run and the job that processes its batches.

use std::ops::ControlFlow;
use std::time::Instant;

use super::{Event, PROGRESS_INTERVAL};
use crate::cancel::{CancelToken, Cancelled};
use crate::error::Error;
use crate::escape::escape;
use crate::outcome::{Outcomes, PuzzleSlice};
use crate::record::{BatchView, Layout};
use crate::solver::Solver;
use crate::stats::Stats;
use crate::table::Table;
use crate::write::{Output, RowSink};

/// The processing of each batch of records. Methods are called from several threads at once.
///
/// A run asks the job what it [needs](Job::needs) once, and whether it [accepts](Job::accept) an input before the first
/// batch of the input. For each batch, a worker calls the [solver](Job::solver) and then [`Job::write`].
///
/// ```
/// use std::ops::ControlFlow;
///
/// use rapidoku::file::{BatchSolver, BatchView, Job, Output, RowSink, Run};
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
/// let run = Run::default().input(&input).output(Output::create(&output)?);
/// run.start(&Guesses(Solver::new()), &mut |_| {})?;
/// assert_eq!(std::fs::read(&output)?, b"0\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Job: Sync {
    /// What the job needs, and the bytes before its rows. The default is the default of [`Needs`].
    fn needs(&self) -> Needs<'_> {
        Needs::default()
    }

    /// The table of the rows, if they have columns. The run writes its header, rejects inputs without its columns, and
    /// does what the table needs. Asked again for every input, after [`Job::accept`].
    fn table(&self) -> Option<&Table> {
        None
    }

    /// Solves the puzzles of each batch before [`Job::write`]. `None`, the default, gives invalid records the status
    /// [`Status::Invalid`](crate::outcome::Status::Invalid), and all others
    /// [`Status::NoSolution`](crate::outcome::Status::NoSolution), for jobs that need no solutions or find them while
    /// they write.
    fn solver(&self) -> Option<&dyn BatchSolver> {
        None
    }

    /// Whether the job can do something with records of pencilmarks. If not, the run ends with an error before the
    /// first one. The default asks the solver.
    ///
    /// # Errors
    /// The reason why it cannot.
    fn accept_candidates(&self) -> Result<(), String> {
        self.solver().map_or(Ok(()), |solver| solver.accept_candidates())
    }

    /// Called for every input, before its first batch is processed. The default accepts all inputs.
    ///
    /// # Errors
    /// Usually [`InputStart::reject`], if the job does not support the input.
    fn accept(&self, input: &InputStart) -> Result<(), Error> {
        let _ = input;
        Ok(())
    }

    /// Writes the rows of a batch. It may change `outcomes`; statuses and guesses are counted afterwards.
    ///
    /// Return [`ControlFlow::Break`] if [`RowSink::flush_if_large`] does: the run has ended then. [`RowSink::fail`]
    /// ends the run with an error, and [`ControlFlow::Break`] without an error cancels it.
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

/// What a [`Job`] needs.
///
/// ```
/// use rapidoku::file::Needs;
///
/// let needs = Needs { header: b"record,guesses\n", numbers: true, ..Needs::default() };
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Needs<'a> {
    /// The bytes before the first row, unless the job has a [table](Job::table).
    pub header: &'a [u8],
    /// Whether it needs [`BatchView::records_before`] and [`BatchView::lines_before`], also if its table does not.
    /// Batches are then parsed one at a time, which limits a run to about ten million records per second.
    pub numbers: bool,
    /// Whether [`Job::write`] does most of the work. Its time then counts as time of solving.
    pub solves_in_write: bool,
    /// The maximal size of a batch in bytes of input. Jobs with rows much longer than their records should use small
    /// batches, because rows wait in memory until the rows of earlier batches have been written.
    pub max_batch_bytes: usize,
}

impl Default for Needs<'_> {
    fn default() -> Self {
        Needs { header: b"", numbers: false, solves_in_write: false, max_batch_bytes: usize::MAX }
    }
}

/// An input that is about to be processed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InputStart<'a> {
    /// The name of the input.
    pub name: &'a str,
    /// The layout of the input.
    pub layout: &'a Layout,
    /// The name and the layout of the first input that has records or a header, `None` if this is the first one.
    pub first: Option<(&'a str, &'a Layout)>,
}

impl InputStart<'_> {
    /// The error of a job that does not support the input.
    pub fn reject(&self, reason: impl Into<String>) -> Error {
        Error::Format { name: self.name.to_owned(), reason: escape(&reason.into()).into_owned() }
    }
}

/// The destination of the rows after those of the last batch, see [`Job::finish`].
pub struct LastRows<'a> {
    output: &'a mut Output,
    /// Rows that have not been passed to the output.
    part: Vec<u8>,
    /// The number of bytes that have been passed to the output.
    pub(super) bytes: u64,
    total_bytes: Option<u64>,
    cancel: &'a CancelToken,
    stats: &'a Stats,
    last_event: Option<Instant>,
    on_event: &'a mut dyn FnMut(Event),
}

/// Rows are passed to the output in parts of at least this many bytes.
const PART_BYTES: usize = 256 << 10;

impl<'a> LastRows<'a> {
    pub(super) fn new(
        output: &'a mut Output,
        cancel: &'a CancelToken,
        stats: &'a Stats,
        on_event: &'a mut dyn FnMut(Event),
    ) -> LastRows<'a> {
        let part = Vec::new();
        LastRows { output, part, bytes: 0, total_bytes: None, cancel, stats, last_event: None, on_event }
    }

    /// Writes rows.
    ///
    /// # Errors
    /// When the output cannot be written or the run was cancelled.
    pub fn write(&mut self, rows: &[u8]) -> Result<(), Error> {
        self.part.extend_from_slice(rows);
        if self.part.len() < PART_BYTES { Ok(()) } else { self.flush() }
    }

    /// Passes the rows to the output.
    pub(super) fn flush(&mut self) -> Result<(), Error> {
        if self.part.is_empty() {
            return Ok(());
        }
        if self.cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        self.output.write(&self.part)?;
        self.bytes += self.part.len() as u64;
        self.part.clear();
        if self.last_event.is_none_or(|last| last.elapsed() >= PROGRESS_INTERVAL) {
            self.last_event = Some(Instant::now());
            let (stats, written_bytes, total_bytes) = (self.stats, self.bytes, self.total_bytes);
            (self.on_event)(Event::Writing { stats, written_bytes, total_bytes });
        }
        Ok(())
    }

    /// Sets the number of bytes that will be written, for [`Event::Writing`].
    pub(crate) fn expect_bytes(&mut self, bytes: u64) {
        self.total_bytes = Some(bytes);
    }

    /// The statistics of the batches.
    pub fn stats(&self) -> &Stats {
        self.stats
    }
}

/// A solver of batches: [`Solver`], or a solver of another crate.
pub trait BatchSolver: Sync {
    /// Solves `puzzles` into `outcomes`, one entry per puzzle.
    ///
    /// # Errors
    /// When `cancel` has been set.
    fn solve_batch(&self, puzzles: PuzzleSlice, outcomes: &mut Outcomes, cancel: &CancelToken)
    -> Result<(), Cancelled>;

    /// Whether it solves [`PuzzleSlice::Candidates`]. If not, a run ends with an error before the first record of
    /// pencilmarks.
    ///
    /// # Errors
    /// The reason why it does not.
    fn accept_candidates(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Solves on the thread of the worker. Only puzzles with thousands of solutions are searched on several.
impl BatchSolver for Solver {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.count(puzzles, outcomes, cancel, |_| ())
    }
}
