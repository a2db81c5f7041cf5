//! Runs a job on batches of records on several threads and writes the rows in input order (stages 3 to 6).
//!
//! ```text
//!             lock                 N threads                   queue      lock         calling thread
//! inputs -> BatchReader -> [ parse -> Job::solve -> Job::write ] -> Order -> OrderedWriter -> events
//! ```
//!
//! A worker reads a batch, formats its rows with buffers of its own and puts them into a queue. If there are none because
//! the input is refused or the job fails, the failure takes their place in the queue. If there are fewer workers
//! than cores, the calling thread writes the rows in order. Otherwise any worker may write the next ready batch, and the
//! calling thread only handles events: a separate writer thread that competed for a core made runs on easy puzzles a
//! seventh slower on four cores.
//!
//! # Memory
//!
//! Memory depends on the number of threads and the batch size, not on the size of the inputs, the number of invalid
//! records or the speed of the output and of the event handler:
//!
//! * A record has at most 1 MiB. A worker solves at most about 8,000 records of a batch at a time.
//! * A worker that is a few batches ahead of the writer waits ([`Order`]).
//! * Long output and long lists of invalid records are split into parts, of which a batch may have a few in the queue.
//! * Workers send events through a channel of capacity 1, so they wait for a slow event handler.
//!
//! Waiting workers cannot deadlock: a failure, a cancellation and a panic of the event handler stop the queue, and the
//! channel closes with the handler, which makes all waiting calls return.

mod finished;
pub mod job;
mod order;
#[cfg(all(test, not(loom)))]
mod tests;
mod worker;
mod writer;

use std::io;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use self::finished::{Failure, Part};
use self::job::Job;
use self::order::Order;
use self::worker::Source;
use self::writer::OrderedWriter;
use super::error::Error;
use super::read::{Input, Mapping};
use super::record::batch::{BatchReader, ReadOptions, Skipped};
use super::record::{InputFormat, Shard};
use super::stats::Stats;
use super::sync::{Mutex, MutexGuard, TryMutex};
use super::threads;
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

/// The inputs, options and resources of a [`run`].
///
/// ```
/// use rapidoku::file::Config;
///
/// let config = Config::default().input("puzzles.csv").threads(8);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// The inputs, read one after the other.
    pub inputs: Vec<Input>,
    /// Whether regular files are memory-mapped. By default they are read.
    pub mapping: Mapping,
    /// The format of the inputs, as far as it is known. By default it is recognised from the content.
    pub format: InputFormat,
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
    /// A token that cancels the run.
    pub cancel: CancelToken,
}

impl Config {
    /// Adds an input.
    pub fn input(mut self, input: impl Into<Input>) -> Config {
        self.inputs.push(input.into());
        self
    }

    /// Sets whether regular files are memory-mapped.
    pub fn mapping(mut self, mapping: Mapping) -> Config {
        self.mapping = mapping;
        self
    }

    /// Sets the format of the inputs, as far as it is known.
    pub fn format(mut self, format: InputFormat) -> Config {
        self.format = format;
        self
    }

    /// Sets the SIMD level of the parser.
    pub fn level(mut self, level: SimdLevel) -> Config {
        self.level = level;
        self
    }

    /// Sets the maximal number of invalid records that are reported as [`Event::Invalid`].
    pub fn reported(mut self, records: u64) -> Config {
        self.reported = records;
        self
    }

    /// Sets the number of worker threads, 0 for one per core.
    pub fn threads(mut self, threads: usize) -> Config {
        self.threads = threads;
        self
    }

    /// Sets the bytes of input per batch, at most 1 MiB. The output does not depend on it.
    pub fn batch_bytes(mut self, bytes: usize) -> Config {
        self.batch_bytes = Some(bytes);
        self
    }

    /// Restricts the run to a part of the inputs, `None` for all of them.
    pub fn shard(mut self, shard: impl Into<Option<Shard>>) -> Config {
        self.shard = shard.into();
        self
    }

    /// Sets a token that cancels the run.
    pub fn cancel(mut self, cancel: CancelToken) -> Config {
        self.cancel = cancel;
        self
    }
}

/// A report to the calling thread during a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An invalid record. The first [`Config::reported`] of them are reported, in order.
    Invalid(InvalidRecord<'a>),
    /// A file of an archive was skipped, because it has no puzzles, or only the solutions of other files. Sent at the end of
    /// the run for the first ten.
    Skipped {
        /// The name of the file.
        input: &'a str,
        /// The reason.
        reason: &'a str,
    },
    /// More than ten files of archives were skipped. Sent after the last [`Event::Skipped`].
    SkippedMore {
        /// The number of files without an event of their own.
        files: u64,
    },
    /// Batches have been written. Sent about every 50 ms, and after a group of invalid records.
    Progress {
        /// The statistics so far, without the wall time.
        stats: &'a Stats,
        /// The size of all inputs in bytes, if it is known.
        total_bytes: Option<u64>,
    },
    /// All batches are done, and the job writes the rows that it has kept ([`LastRows`]). Sent for the first of them, then
    /// about every 50 ms.
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
struct RunState<'a, J> {
    config: &'a Config,
    job: &'a J,
    /// The run ends after this number of rows.
    max_rows: u64,
    source: Mutex<Source>,
    order: Order<Part>,
    /// Held by the thread that is writing.
    writer: TryMutex<OrderedWriter>,
    /// Empty blocks for reuse.
    blocks: Mutex<Vec<Block>>,
    /// The first failure.
    failure: Mutex<Option<Failure>>,
}

/// Runs `job` on all records of the inputs and writes its rows in input order.
///
/// `on_event` runs on the calling thread. Workers wait for it when it is slow.
///
/// The module has an [example](super).
///
/// # Errors
/// When an input cannot be read or its format is not recognised, the job rejects its layout, the output cannot be written,
/// the run is cancelled, threads cannot be started, or inputs or job do not support a [`Shard`]. The rows before the failure
/// have been written then, the same for every number of threads unless the output failed or the run was cancelled, but an
/// output from [`Output::create`] does not appear.
pub fn run<J: Job>(
    config: &Config,
    job: &J,
    output: Output,
    on_event: &mut dyn FnMut(Event),
) -> Result<Stats, Error> {
    run_checked(config, job, vec![output], on_event, |_| Ok(()))
}

/// The same as [`run`] for a job with several outputs: [`RowSink::move_to_part`](super::RowSink::move_to_part), which has an
/// example, selects the output of a row. Each output has the header. [`Job::finish`] writes to the first one.
///
/// # Errors
/// Those of [`run`]. The outputs are completed one after the other, so if one cannot be renamed, others may have appeared.
///
/// # Panics
/// If there is no output.
pub fn run_parts<J: Job>(
    config: &Config,
    job: &J,
    outputs: Vec<Output>,
    on_event: &mut dyn FnMut(Event),
) -> Result<Stats, Error> {
    run_checked(config, job, outputs, on_event, |_| Ok(()))
}

/// As [`run_parts`]. If `check` fails, which gets the statistics after the last row, the outputs do not appear.
pub(super) fn run_checked<J: Job>(
    config: &Config,
    job: &J,
    outputs: Vec<Output>,
    on_event: &mut dyn FnMut(Event),
    check: impl FnOnce(&Stats) -> Result<(), Error>,
) -> Result<Stats, Error> {
    let pool = threads::pool(threads::count(config.threads))?;
    // The pool limits the number of threads.
    let threads = pool.current_num_threads();
    let sizes = config.inputs.iter().map(Input::size).collect::<Result<Vec<_>, _>>()?;
    let parts = match config.shard {
        Some(_) if job.needs_numbers() => return Err(Error::ShardNumbers),
        shard => shard.map(|shard| shard.parts(&config.inputs, &sizes)).transpose()?,
    };
    let total_bytes = match &parts {
        Some(parts) => Some(parts.iter().map(|part| part.range.end - part.range.start).sum()),
        None => sizes.into_iter().sum::<Option<u64>>(),
    };
    // A single worker has no rows waiting for other batches, so its batches may be large.
    let most = if threads > 1 { job.max_batch_bytes() } else { usize::MAX };
    let usual = batch_bytes(total_bytes, threads).min(most);
    let batch_bytes = config.batch_bytes.unwrap_or(usual);
    let read_options = ReadOptions {
        mapping: config.mapping.clone(),
        size: batch_bytes,
        first_size: job.examined_bytes(),
        whole_lines: job.needs_whole_lines(),
        format: config.format.clone(),
    };
    let mut reader = BatchReader::new(config.inputs.clone(), read_options);
    if let Some(parts) = parts {
        reader = reader.parts(parts);
    }
    let source = Source::new(reader);
    run_source(config, job, source, (total_bytes, u64::MAX), &pool, (outputs, check), on_event)
}

/// Runs `job` on batches of consecutive numbers instead of records, for rows that are generated, and writes the rows in
/// order until there are `max_rows`, or too many numbers had [no row](Job::max_fruitless). A batch has
/// [`BatchView::numbers`](super::BatchView::numbers), but no text and no records. Each row ends with the only line feed in it,
/// unless the job [writes an array](Job::writes_array). For each row the job sets an outcome, all with the same status.
///
/// The inputs and the shard of `config` are ignored.
///
/// # Errors
/// When the output cannot be written, the run is cancelled, or threads cannot be started.
pub fn run_numbers<J: Job>(
    config: &Config,
    job: &J,
    per_batch: u64,
    max_rows: u64,
    output: Output,
    on_event: &mut dyn FnMut(Event),
) -> Result<Stats, Error> {
    let pool = threads::pool(threads::count(config.threads))?;
    let config = &Config { shard: None, ..config.clone() };
    let numbers = 0..if max_rows == 0 { 0 } else { u64::MAX };
    let source = Source::numbers(numbers, per_batch);
    run_source(config, job, source, (None, max_rows), &pool, (vec![output], |_: &Stats| Ok(())), on_event)
}

/// Runs `job` on the batches of a source. `total_bytes` is its size; the run stops after `max_rows` rows. `check` is called
/// before the output appears.
fn run_source<J: Job>(
    config: &Config,
    job: &J,
    source: Source,
    (total_bytes, max_rows): (Option<u64>, u64),
    pool: &rayon::ThreadPool,
    (mut outputs, check): (Vec<Output>, impl FnOnce(&Stats) -> Result<(), Error>),
    on_event: &mut dyn FnMut(Event),
) -> Result<Stats, Error> {
    let threads = pool.current_num_threads();
    outputs.iter_mut().try_for_each(|output| output.set_threads(threads))?;
    let output = outputs.remove(0);
    if job.writes_array() && !output.can_rewrite_start() {
        let reason =
            "a NumPy array cannot be compressed or piped: its header, written last, has the number of rows";
        return Err(output.error(io::Error::new(io::ErrorKind::Unsupported, reason)));
    }
    let start = Instant::now();
    let state = RunState {
        config,
        job,
        max_rows,
        source: Mutex::new(source),
        order: Order::new(threads, 2 * threads as u64 + 2),
        writer: TryMutex::new(OrderedWriter::new(
            output,
            outputs,
            config.shard.is_none_or(Shard::writes_header),
            Stats { threads, ..Stats::default() },
            start,
        )),
        blocks: Mutex::new(Vec::new()),
        failure: Mutex::new(None),
    };
    // With a worker per core, a separate writer thread would take a core from a worker.
    let workers_write = threads > 1 && threads >= threads::count(0);
    // Bounded, so that workers wait for a slow event handler.
    let (sender, reports) = mpsc::sync_channel(1);
    pool.in_place_scope(|scope| {
        let state = &state;
        // Both are dropped when the closure ends, also by a panic of `on_event`. Otherwise workers could wait forever: the
        // scope joins them before it resumes the panic.
        let consumer = state.order.consumer();
        let reports = reports;
        // The last worker that ends drops the last sender, which ends the loop over the reports.
        scope.spawn_broadcast(move |_, _| worker::work(state, workers_write.then(|| sender.clone())));
        if workers_write {
            reports.iter().for_each(|report| report.send_events(total_bytes, on_event));
        } else {
            while let Some(part) = consumer.take() {
                let mut writer = state.writer.lock().expect("no thread panics with the lock");
                let result = writer.write(state, part);
                drop(writer);
                match result {
                    Ok(Some(report)) => report.send_events(total_bytes, on_event),
                    Ok(None) => {}
                    Err(failure) => return state.fail(failure),
                }
            }
        }
    });
    let RunState { writer, failure, source, .. } = state;
    let source = source.into_inner().expect("no thread panics with the lock");
    let failure = failure.into_inner().expect("no thread panics with the lock");
    let (skipped, count) = source.skipped();
    let count = count.min(failure.as_ref().map_or(u64::MAX, |failure| failure.skipped));
    let mut files = 0..count;
    for (Skipped { name, reason }, _) in skipped.iter().zip(&mut files) {
        on_event(Event::Skipped { input: name, reason });
    }
    if !files.is_empty() {
        on_event(Event::SkippedMore { files: files.end - files.start });
    }
    if let Some(Failure { error, .. }) = failure {
        return Err(error);
    }
    let writer = writer.into_inner().expect("no thread panics with the lock");
    let mut stats = writer.finish(job, check, &config.cancel, on_event)?;
    stats.finish(start.elapsed().as_secs_f64());
    Ok(stats)
}

/// A batch size that gives every thread several batches and keeps all of them within the budget.
fn batch_bytes(total: Option<u64>, threads: usize) -> usize {
    let share =
        total.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX) / (8 * threads));
    share.min(BUDGET / threads).clamp(MIN_BATCH, MAX_BATCH)
}

impl<J: Job> RunState<'_, J> {
    /// Ends the run. The first error is returned by it.
    fn fail(&self, failure: Failure) {
        lock(&self.failure).get_or_insert(failure);
        self.order.stop();
    }
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

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics with the lock")
}
