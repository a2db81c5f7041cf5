//! Rows that are generated from numbers instead of records, on several threads, and written in the order of the
//! numbers.

use std::ops::Range;
use std::time::{Duration, Instant};

use super::order::{Order, Producer};
use super::{Clock, Event, PROGRESS_INTERVAL, Run, prepare};
use crate::cancel::{CancelToken, Cancelled};
use crate::error::Error;
use crate::stats::{Counts, Stats};
use crate::sync::Mutex;
use crate::threads;
use crate::write::row::npy_header;

/// What [`Run::generate`] writes.
pub struct Generation<'a> {
    /// The bytes before the first row.
    pub header: &'a [u8],
    /// Whether the rows are those of [`Format::Npy`](super::super::Format::Npy): 81 bytes each, without a line feed.
    /// The run writes the header of the array then.
    pub is_array: bool,
    /// Rows are generated for this many consecutive numbers at a time.
    pub per_batch: u64,
    /// The run stops after this number of rows.
    pub max_rows: u64,
    /// The run stops after this many consecutive numbers without a row, rounded up to whole batches.
    pub max_fruitless: u64,
    /// Called for each batch that is written, with [`GeneratedRows::tried`] and the number of its rows.
    pub on_batch: &'a (dyn Fn(u64, u64) + Sync),
    /// Turns all rows, which are kept in memory, into the output.
    pub document: Option<&'a MakeDocument<'a>>,
    /// Generates the rows of some numbers. Called from several threads at once.
    pub rows: &'a MakeRows<'a>,
}

/// Turns all rows into a document.
pub type MakeDocument<'a> = dyn Fn(&[u8]) -> String + Sync + 'a;

/// Generates the rows of some numbers.
pub type MakeRows<'a> = dyn Fn(Range<u64>, &mut GeneratedRows, &CancelToken) -> Result<(), Cancelled> + Sync + 'a;

/// The rows that were generated from some numbers.
#[derive(Default)]
pub struct GeneratedRows {
    /// The number of items that could have become rows.
    pub tried: u64,
    text: Vec<u8>,
    /// The end of each row in the text.
    ends: Vec<usize>,
}

impl GeneratedRows {
    /// Appends a row, which `write` appends to its argument.
    pub fn push(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.text);
        self.ends.push(self.text.len());
    }
}

/// The rows of a batch, and the time that they took.
type Batch = (GeneratedRows, Duration);

impl Run {
    /// Generates rows from the numbers 0, 1, 2 and so on, and writes them in order. The number of rows of a number is
    /// up to `generation`. Each row counts as a [unique](crate::outcome::Status::Unique) puzzle.
    ///
    /// Of the run, only the first output, the number of threads and the token are used.
    ///
    /// # Errors
    /// When the output cannot be written, the run is cancelled, or threads cannot be started.
    pub fn generate(self, generation: &Generation, on_event: &mut dyn FnMut(Event)) -> Result<Stats, Error> {
        let pool = threads::pool(threads::count(self.threads))?;
        let threads = pool.current_num_threads();
        let mut output = prepare(self.outputs, generation.is_array, threads)?.swap_remove(0);
        let start = Instant::now();
        let array = npy_header(0, 1);
        let header = if generation.is_array { &array } else { generation.header };
        output.write(header)?;
        let mut stats = Stats { threads, output_bytes: header.len() as u64, ..Stats::default() };
        // The rows of a document, and the numbers since the last row.
        let (mut kept, mut fruitless) = (Vec::new(), 0);
        let end = if generation.max_rows.min(generation.per_batch) == 0 { 0 } else { u64::MAX };
        let starts = Mutex::new((0..end).step_by(generation.per_batch.max(1) as usize));
        let order = Order::new(threads, 2 * threads as u64 + 2);
        pool.in_place_scope(|scope| {
            // Stops the workers when it is dropped.
            let consumer = order.consumer();
            let (order, starts, cancel) = (&order, &starts, &self.cancel);
            scope.spawn_broadcast(move |_, _| work(generation, &order.producer(), starts, cancel));
            let mut last_progress = start;
            while let Some(batch) = consumer.take() {
                let mut clock = Clock::start();
                let (GeneratedRows { tried, text, ends }, time) = batch.map_err(|Cancelled| Error::Cancelled)?;
                (generation.on_batch)(tried, ends.len() as u64);
                let room = generation.max_rows - stats.records;
                let rows = room.min(ends.len() as u64);
                let text = &text[..rows.checked_sub(1).map_or(0, |last| ends[last as usize])];
                if generation.document.is_some() {
                    kept.extend_from_slice(text);
                } else {
                    output.write(text)?;
                    stats.output_bytes += text.len() as u64;
                }
                stats.add(&Stats {
                    counts: Counts { unique: rows, ..Counts::default() },
                    solving_seconds: time.as_secs_f64(),
                    writing_seconds: clock.lap().as_secs_f64(),
                    ..Stats::default()
                });
                fruitless = if ends.is_empty() { fruitless + generation.per_batch } else { 0 };
                if rows == room || fruitless >= generation.max_fruitless {
                    break;
                }
                if last_progress.elapsed() >= PROGRESS_INTERVAL {
                    last_progress = Instant::now();
                    on_event(Event::Progress { stats: &stats, total_bytes: None });
                }
            }
            Ok(())
        })?;
        if let Some(document) = generation.document {
            let document = document(&kept);
            stats.output_bytes += document.len() as u64;
            output.write(document.as_bytes())?;
        }
        if generation.is_array {
            output.finish_array(1)?;
        }
        output.finish()?;
        stats.finish(start.elapsed().as_secs_f64());
        Ok(stats)
    }
}

/// Generates batches until the queue is stopped or the run is cancelled.
fn work(
    generation: &Generation,
    producer: &Producer<Result<Batch, Cancelled>>,
    starts: &Mutex<impl Iterator<Item = u64>>,
    cancel: &CancelToken,
) {
    while let Some((turn, start)) = producer.take(starts, Iterator::next) {
        let numbers = start..start.saturating_add(generation.per_batch);
        let (mut clock, mut rows) = (Clock::start(), GeneratedRows::default());
        let made = (generation.rows)(numbers, &mut rows, cancel).and_then(|()| cancel.check());
        let is_cancelled = made.is_err();
        if !turn.finish(made.map(|()| (rows, clock.lap()))) || is_cancelled {
            return;
        }
    }
}
