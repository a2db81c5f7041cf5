//! Takes batches of records through a job on several threads, and writes the rows in order.
//!
//! ```text
//!             lock                 N threads                   queue      lock         calling thread
//! inputs -> BatchReader -> [ parse -> Job::solve -> Job::write ] -> Order -> OrderedWriter -> events
//! ```
//!
//! A worker takes a batch from the inputs, makes formatted rows of it with buffers of its own, and hands these over. If
//! there are fewer workers than cores, the calling thread writes the rows in order while the workers go on. Otherwise
//! any worker may write the next ready batch, and the calling thread only passes events on: with a writer thread
//! competing for a core, runs on easy puzzles took a seventh longer on four cores.
//!
//! A worker that is a few batches ahead of the writer waits. So memory is bounded by the number of threads and the size
//! of a batch, whatever the size of the inputs and the speed of the output: about 80 MB at most, and 4 MB per thread on
//! small machines.

pub mod job;
mod order;
mod worker;
mod writer;

use std::sync::mpsc;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use self::job::Job;
use self::order::Order;
use self::worker::{Finished, Source};
use self::writer::{OrderedWriter, Written};
use super::error::Error;
use super::read::{Input, Mapping};
use super::record::InputFormat;
use super::record::batch::{BatchReader, ReadOptions};
use super::stats::Stats;
use super::threads;
use super::write::{Block, Output};
use crate::cancel::CancelToken;
use crate::grid::PuzzleError;
use crate::simd::Level;

/// The number of invalid records that programs usually report one by one.
pub const REPORTED: u64 = 10;

/// Bytes of input that all threads together have in batches, if batches stay large enough.
const BUDGET: usize = 8 << 20;
/// Smaller batches cost too much for the hand-over and leave lanes of the engine idle.
const MIN_BATCH: usize = 32 << 10;
/// Larger batches gain nothing and do not fit the caches.
pub const MAX_BATCH: usize = 512 << 10;

/// Time between two progress events.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(50);

/// The inputs and resources of a [`run`].
///
/// ```
/// use rapidoku::file::Config;
///
/// let config = Config::default().input("puzzles.csv").threads(8);
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Config {
    /// Read one after the other.
    pub inputs: Vec<Input>,
    /// Whether regular files are mapped to memory.
    pub mapping: Mapping,
    /// What is known of the format of the inputs. By default it is recognised from the content.
    pub format: InputFormat,
    /// The SIMD level of the parser.
    pub level: Level,
    /// Report this many invalid records one by one, from the first.
    pub reported: u64,
    /// The number of worker threads, 0 for one per core.
    pub threads: usize,
    /// Bytes of input per batch instead of a size chosen from inputs, job and machine. Does not change the output.
    pub batch_bytes: Option<usize>,
    /// Cancels the run.
    pub cancel: CancelToken,
}

impl Config {
    /// Adds an input.
    pub fn input(mut self, input: impl Into<Input>) -> Config {
        self.inputs.push(input.into());
        self
    }

    /// Sets whether regular files are mapped to memory.
    pub fn mapping(mut self, mapping: Mapping) -> Config {
        self.mapping = mapping;
        self
    }

    /// Sets what is known of the format of the inputs.
    pub fn format(mut self, format: InputFormat) -> Config {
        self.format = format;
        self
    }

    /// Sets the SIMD level of the parser.
    pub fn level(mut self, level: Level) -> Config {
        self.level = level;
        self
    }

    /// Sets how many invalid records are reported one by one. The default is none.
    pub fn reported(mut self, records: u64) -> Config {
        self.reported = records;
        self
    }

    /// Sets the number of worker threads, 0 for one per core.
    pub fn threads(mut self, threads: usize) -> Config {
        self.threads = threads;
        self
    }

    /// Sets the bytes of input per batch. The output does not depend on it.
    pub fn batch_bytes(mut self, bytes: usize) -> Config {
        self.batch_bytes = Some(bytes);
        self
    }

    /// Sets a token that cancels the run.
    pub fn cancel(mut self, cancel: CancelToken) -> Config {
        self.cancel = cancel;
        self
    }
}

/// What the calling thread is told during a run.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// One of the first [`Config::reported`] invalid records, in order.
    Invalid(InvalidRecord<'a>),
    /// Some batches have been written. Comes about every 50 ms.
    Progress {
        /// The statistics so far, without the wall time.
        stats: &'a Stats,
        /// The number of bytes of all inputs, if it is known.
        total_bytes: Option<u64>,
    },
}

/// A record that is not a valid puzzle.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct InvalidRecord<'a> {
    /// The name of the input.
    pub input: &'a str,
    /// The number of the record, from 1 over all inputs.
    pub record: u64,
    /// The line in the input, from 1.
    pub line: u64,
    /// The number of bytes of the input (decompressed) before that line.
    pub byte_offset: u64,
    /// Why it is invalid.
    pub reason: PuzzleError,
}

/// What the workers share with each other and the calling thread.
struct RunState<'a, J> {
    config: &'a Config,
    job: &'a J,
    source: Mutex<Source>,
    order: Order<Finished>,
    /// The thread that holds the lock writes.
    writer: Mutex<OrderedWriter>,
    /// Blocks for reuse.
    blocks: Mutex<Vec<Block>>,
    /// The first failure.
    failure: Mutex<Option<Error>>,
}

/// Runs `job` on all records of the inputs and writes its rows in their order.
///
/// `watch` runs on the calling thread.
///
/// # Errors
/// When an input or the output fails, the run is cancelled, or threads cannot be started. The rows of the batches
/// before the failure have been written then; [`Output::create`] makes sure that no incomplete file appears.
pub fn run<J: Job>(
    config: &Config,
    job: &J,
    mut output: Output,
    watch: &mut dyn FnMut(Event),
) -> Result<Stats, Error> {
    let threads = threads::count(config.threads);
    let sizes = config.inputs.iter().map(Input::size).collect::<Result<Vec<_>, _>>()?;
    let total_bytes = sizes.into_iter().sum::<Option<u64>>();
    // A single thread does not wait for others, so its batches may be large.
    let most = if threads > 1 { job.max_batch_bytes() } else { usize::MAX };
    let usual = batch_bytes(total_bytes, threads).min(most);
    let batch_bytes = config.batch_bytes.unwrap_or(usual);
    let pool = threads::pool(threads)?;
    output.set_threads(threads)?;

    let start = Instant::now();
    let read_options = ReadOptions {
        mapping: config.mapping.clone(),
        size: batch_bytes,
        whole_lines: job.needs_whole_lines(),
        format: config.format.clone(),
    };
    let state = RunState {
        config,
        job,
        source: Mutex::new(Source::new(BatchReader::new(config.inputs.clone(), read_options))),
        order: Order::new(threads, 2 * threads as u64 + 2),
        writer: Mutex::new(OrderedWriter::new(output, Stats { threads, ..Stats::default() }, start)),
        blocks: Mutex::default(),
        failure: Mutex::default(),
    };
    // With a worker on every core a separate writer thread would take a core from a worker.
    let workers_write = threads > 1 && threads >= threads::count(0);
    // Bounded, so that workers wait if the calling thread is slow to handle events.
    let (sender, written) = mpsc::sync_channel(1);
    pool.in_place_scope(|scope| {
        let state = &state;
        let report = sender.clone();
        scope.spawn_broadcast(move |_, _| worker::work(state, workers_write.then(|| report.clone())));
        // Dropped by the last worker that ends, which ends the loops below.
        let consumer = state.order.consumer();
        drop(sender);
        let mut tell = |written: Written| written.tell(total_bytes, watch);
        if workers_write {
            written.iter().for_each(&mut tell);
        } else {
            while let Some(finished) = consumer.take() {
                match lock(&state.writer).write(state, finished) {
                    Ok(Some(written)) => tell(written),
                    Ok(None) => {}
                    Err(error) => return state.fail(error),
                }
            }
        }
    });
    let RunState { writer, failure, .. } = state;
    if let Some(failure) = failure.into_inner().expect("no thread panics with the lock") {
        return Err(failure);
    }
    let mut stats = writer.into_inner().expect("no thread panics with the lock").finish(job)?;
    stats.finish(start.elapsed().as_secs_f64());
    Ok(stats)
}

/// A size that gives every thread several batches and keeps all of them within the budget.
fn batch_bytes(total: Option<u64>, threads: usize) -> usize {
    let share =
        total.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX) / (8 * threads));
    share.min(BUDGET / threads).clamp(MIN_BATCH, MAX_BATCH)
}

impl<J: Job> RunState<'_, J> {
    /// Ends the run with this error if it is the first.
    fn fail(&self, error: Error) {
        lock(&self.failure).get_or_insert(error);
        self.order.stop();
    }
}

/// Measures the time between calls.
struct Clock(Instant);

impl Clock {
    fn start() -> Clock {
        Clock(Instant::now())
    }

    fn lap(&mut self) -> Duration {
        let now = Instant::now();
        now - std::mem::replace(&mut self.0, now)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics with the lock")
}
