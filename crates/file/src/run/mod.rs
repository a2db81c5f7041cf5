//! Runs a job on batches of records on several threads and writes the rows in input order (stages 3 to 6).
//!
//! ```text
//!             lock                 N threads                   queue      lock         calling thread
//! inputs -> BatchReader -> [ parse -> solver -> Job::write ] --> Order -> OrderedWriter -> events
//! ```
//!
//! A worker reads a batch, formats its rows with buffers of its own and puts them into a queue. If there are none
//! because the input is refused or the job fails, the failure takes their place in the queue. If there are fewer
//! workers than cores, the calling thread writes the rows in order. Otherwise any worker may write the next ready
//! batch, and the calling thread only handles events: a separate writer thread that competed for a core made runs on
//! easy puzzles a seventh slower on four cores.
//!
//! # Memory
//!
//! Memory depends on the number of threads and the batch size, not on the size of the inputs, the number of invalid
//! records or the speed of the output and of the event handler:
//!
//! * A record has at most 1 MiB. A worker solves at most about 8,000 records of a batch at a time.
//! * A worker that is a few batches ahead of the writer waits ([`Order`]).
//! * A batch with many records or long output is split into parts, of which it may have a few in the queue.
//! * Workers send events through a channel of capacity 1, so they wait for a slow event handler.
//!
//! Waiting workers cannot deadlock: a failure, a cancellation and a panic of the event handler stop the queue, and the
//! channel closes with the handler, which makes all waiting calls return.

pub mod generation;
pub mod job;
mod order;
pub mod passes;
mod worker;
mod writer;

use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::sync::{Arc, OnceLock, mpsc};
use std::time::{Duration, Instant};

use self::job::{Job, Needs};
use self::order::Order;
use self::worker::Source;
use self::writer::{OrderedWriter, Part};
use super::error::Error;
use super::read::{Input, Mapping};
use super::record::batch::{BatchReader, Origin, ReadOptions};
use super::record::{InputOptions, Layout, Shard};
use super::stats::Stats;
use super::sync::{Mutex, TryMutex, lock};
use super::table::Table;
use super::threads;
use super::write::row::Format;
use super::write::{Block, Output};
use crate::cancel::CancelToken;
use crate::grid::PuzzleError;
use crate::simd::SimdLevel;

/// The number of invalid records that programs usually report one by one.
pub const REPORTED: u64 = 10;

/// Bytes of input in the batches of all threads together, unless batches would become too small.
const BUDGET: usize = 8 << 20;
/// Smaller batches spend too much time in the queue and leave SIMD lanes idle.
const MIN_BATCH: usize = 32 << 10;
/// Larger batches gain nothing and exceed the caches.
pub const MAX_BATCH: usize = 512 << 10;

/// Time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// A run of a [`Job`]: its inputs, outputs, options and resources.
///
/// ```no_run
/// use rapidoku::Solver;
/// use rapidoku::file::{Output, Run, SolveRows};
///
/// let run = Run { threads: 8, ..Run::default() }.input("puzzles.csv").output(Output::stdout());
/// let stats = run.start(&SolveRows::new(Solver::new()), &mut |_| {})?;
/// # Ok::<(), rapidoku::file::Error>(())
/// ```
#[derive(Default)]
pub struct Run {
    /// The inputs, read one after the other.
    pub inputs: Vec<Input>,
    /// The outputs. [`RowSink::move_to_part`](super::RowSink::move_to_part), which has an example, selects the output
    /// of a row; the first one is that of all others. Each output has the header of the job. Without an output, rows
    /// are discarded.
    pub outputs: Vec<Output>,
    /// Whether regular files are memory-mapped. By default they are read.
    pub mapping: Mapping,
    /// What is known about the format of the inputs. By default it is recognised from the content.
    pub input_options: InputOptions,
    /// The SIMD level of the parser.
    pub level: SimdLevel,
    /// The maximal number of invalid records that are reported as [`Event::Invalid`], 0 by default.
    pub reported: u64,
    /// The number of worker threads, 0 for one per core; at most 512 are started.
    pub threads: usize,
    /// Bytes of input per batch, at most 1 MiB. `None` chooses a size for inputs, job and machine. The output does not
    /// depend on it.
    pub batch_bytes: Option<usize>,
    /// The part of the inputs to which the run is restricted.
    pub shard: Option<Shard>,
    /// The number of records that are left out at the start. Others keep their numbers.
    pub skip: u64,
    /// The maximal number of records after those. The rest of the inputs is not read.
    pub take: Option<u64>,
    /// A token that cancels the run.
    pub cancel: CancelToken,
}

impl Run {
    /// Adds an input.
    pub fn input(mut self, input: impl Into<Input>) -> Run {
        self.inputs.push(input.into());
        self
    }

    /// Adds an output.
    pub fn output(mut self, output: Output) -> Run {
        self.outputs.push(output);
        self
    }

    /// Runs `job` on all records of the inputs and writes its rows in input order.
    ///
    /// `on_event` runs on the calling thread. Workers wait for it when it is slow.
    ///
    /// The module has an [example](super).
    ///
    /// # Errors
    /// When an input cannot be read or its format is not recognised, the job rejects it, an output cannot be written,
    /// the run is cancelled, threads cannot be started, or inputs or job do not support a [`Shard`]. The rows before
    /// the failure have been written then, the same for every number of threads unless an output failed or the run was
    /// cancelled, but an output from [`Output::create`] does not appear. Outputs are completed one after the other, so
    /// if one cannot be renamed, others may have appeared.
    pub fn start(mut self, job: &dyn Job, on_event: &mut dyn FnMut(Event)) -> Result<Stats, Error> {
        let records = self.skip..self.take.map_or(u64::MAX, |take| self.skip.saturating_add(take));
        let mut needs = job.needs();
        needs.numbers |= job.table().is_some_and(Table::needs_numbers) || records != (0..u64::MAX);
        let pool = threads::pool(threads::count(self.threads))?;
        // The pool limits the number of threads.
        let threads = pool.current_num_threads();
        let (reader, total_bytes) = self.reader(&needs, threads)?;
        let is_array = is_array(job);
        let outputs = prepare(std::mem::take(&mut self.outputs), is_array, threads)?;
        let start = Instant::now();
        let writer = OrderedWriter {
            outputs,
            stats: Stats { threads, ..Stats::default() },
            reported: 0,
            last_progress: start,
            input: None,
            lines: 0,
            bytes: 0,
        };
        let state = RunState {
            level: self.level,
            reported: self.reported,
            writes_header: self.shard.is_none_or(Shard::writes_header) || is_array,
            cancel: &self.cancel,
            job,
            needs,
            records,
            first: OnceLock::new(),
            source: Mutex::new(Source::new(reader)),
            order: Order::new(threads, 2 * threads as u64 + 2),
            writer: TryMutex::new(writer),
            blocks: Mutex::new(Vec::new()),
            failure: Mutex::new(None),
        };
        state.process(&pool, total_bytes, on_event);
        let mut stats = state.finish(on_event)?;
        stats.finish(start.elapsed().as_secs_f64());
        Ok(stats)
    }

    /// The reader of the batches, and the size of the inputs in bytes, if it is known.
    fn reader(&self, needs: &Needs, threads: usize) -> Result<(BatchReader, Option<u64>), Error> {
        let stored = self.inputs.iter().map(Input::stored_size).collect::<Result<Vec<_>, _>>()?;
        let plain = |size: &Option<(u64, bool)>| size.filter(|(_, is_compressed)| !is_compressed);
        let sizes: Vec<_> = stored.iter().map(|size| Some(plain(size)?.0)).collect();
        let parts = match self.shard {
            Some(_) if needs.numbers => return Err(Error::ShardNumbers),
            shard => shard.map(|shard| shard.parts(&self.inputs, &sizes)).transpose()?,
        };
        let total_bytes = match &parts {
            Some(parts) => Some(parts.iter().map(|part| part.range.end - part.range.start).sum()),
            // It is not known where the last record is.
            None if self.take.is_some() => None,
            None => stored.into_iter().map(|size| Some(size?.0)).sum::<Option<u64>>(),
        };
        // A single worker has no rows waiting for other batches, so its batches may be large.
        let most = if threads > 1 { needs.max_batch_bytes } else { usize::MAX };
        let usual = batch_bytes(sizes.into_iter().sum(), threads).min(most);
        let mut reader = BatchReader::new(
            self.inputs.clone(),
            ReadOptions {
                mapping: self.mapping.clone(),
                size: self.batch_bytes.unwrap_or(usual),
                input: self.input_options.clone(),
            },
        );
        if let Some(parts) = parts {
            reader = reader.parts(parts);
        }
        Ok((reader, total_bytes))
    }
}

/// A report to the calling thread during a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An invalid record. The first [`Run::reported`] of them are reported, in order.
    Invalid(InvalidRecord<'a>),
    /// Batches have been written. Sent about every 50 ms, and after a group of invalid records.
    Progress {
        /// The statistics so far, without the wall time.
        stats: &'a Stats,
        /// The size of all inputs in bytes, if it is known, for [`Stats::stored_bytes`].
        total_bytes: Option<u64>,
    },
    /// All batches are done, and the job writes the rows that it has kept ([`LastRows`]). Sent for the first of them,
    /// then about every 50 ms.
    ///
    /// [`LastRows`]: super::LastRows
    Writing {
        /// The statistics of the batches, without the wall time.
        stats: &'a Stats,
        /// The number of bytes of these rows that have been written.
        written_bytes: u64,
        /// The number of bytes of all of them, if it is known.
        total_bytes: Option<u64>,
    },
}

/// A record that is not a valid puzzle.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InvalidRecord<'a> {
    /// The name of the input.
    pub input: &'a str,
    /// The number of the record, from 1 over all inputs. Of a [`Shard`], the number in the shard.
    pub record: u64,
    /// The line in the input, from 1. Of a [`Shard`], the line in its part of the input.
    pub line: u64,
    /// The number of bytes of the input (decompressed) before that line.
    pub byte_offset: u64,
    /// The reason why it is invalid.
    pub reason: PuzzleError,
}

/// The state shared by the workers and the calling thread.
struct RunState<'a> {
    /// See [`Run`].
    level: SimdLevel,
    reported: u64,
    writes_header: bool,
    cancel: &'a CancelToken,
    job: &'a dyn Job,
    needs: Needs<'a>,
    /// The numbers of the records that are processed, from 0.
    records: Range<u64>,
    /// The first input that has records or a header, and the header of the job. Set once the job has accepted it.
    first: OnceLock<(Arc<Origin>, Cow<'a, [u8]>)>,
    source: Mutex<Source>,
    order: Order<Part>,
    /// Held by the thread that is writing.
    writer: TryMutex<OrderedWriter>,
    /// Empty blocks for reuse.
    blocks: Mutex<Vec<Block>>,
    /// The first failure.
    failure: Mutex<Option<Error>>,
}

impl RunState<'_> {
    /// Processes all batches. After a failure, there may be batches left.
    fn process(&self, pool: &rayon::ThreadPool, total_bytes: Option<u64>, on_event: &mut dyn FnMut(Event)) {
        let threads = pool.current_num_threads();
        // With a worker per core, a separate writer thread would take a core from a worker.
        let workers_write = threads > 1 && threads >= threads::count(0);
        // Bounded, so that workers wait for a slow event handler.
        let (sender, reports) = mpsc::sync_channel(1);
        pool.in_place_scope(|scope| {
            // Both are dropped when the closure ends, also by a panic of `on_event`. Otherwise workers could wait
            // forever: the scope joins them before it resumes the panic.
            let consumer = self.order.consumer();
            let reports = reports;
            // The last worker that ends drops the last sender, which ends the loop over the reports.
            scope.spawn_broadcast(move |_, _| worker::work(self, workers_write.then(|| sender.clone())));
            if workers_write {
                reports.iter().for_each(|report| report.send_events(total_bytes, on_event));
                return;
            }
            while let Some(part) = consumer.take() {
                let result = lock(&self.writer).write(self, part);
                match result {
                    Ok(Some(report)) => report.send_events(total_bytes, on_event),
                    Ok(None) => {}
                    Err(error) => return self.fail(error),
                }
            }
        });
    }

    /// An empty block, with the memory of one that was written if there is any.
    fn spare_block(&self) -> Block {
        let mut block = lock(&self.blocks).pop().unwrap_or_default();
        block.clear();
        block
    }

    /// Ends the run. The first error is returned by it.
    fn fail(&self, error: Error) {
        lock(&self.failure).get_or_insert(error);
        self.order.stop();
    }
}

/// The bytes before the first row of a job, given the layout of the first input if there is one.
fn header<'a>(job: &'a dyn Job, needs: &Needs<'a>, first: Option<&Layout>) -> Result<Cow<'a, [u8]>, String> {
    job.table().map_or(Ok(Cow::Borrowed(needs.header)), |table| table.header(first))
}

/// Whether the rows of a job are an array of NumPy.
fn is_array(job: &dyn Job) -> bool {
    job.table().is_some_and(|table| table.format == Format::Npy)
}

/// The outputs of a run with this number of threads; at least one.
fn prepare(mut outputs: Vec<Output>, is_array: bool, threads: usize) -> Result<Vec<Output>, Error> {
    if outputs.is_empty() {
        return Ok(vec![Output::discarding()]);
    }
    outputs.iter_mut().try_for_each(|output| output.set_threads(threads))?;
    if let Some(output) = outputs.iter().find(|output| is_array && !output.can_rewrite_start()) {
        let reason = "a NumPy array cannot be compressed or piped: its header, written last, has the number of rows";
        return Err(output.error(io::Error::new(io::ErrorKind::Unsupported, reason)));
    }
    Ok(outputs)
}

/// A batch size that gives every thread several batches and keeps all of them within the budget.
fn batch_bytes(total: Option<u64>, threads: usize) -> usize {
    let share = total.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX) / (8 * threads));
    share.min(BUDGET / threads).clamp(MIN_BATCH, MAX_BATCH)
}

/// A stopwatch.
struct Clock(Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Instant::now())
    }

    /// The time since the start or the previous lap.
    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}
