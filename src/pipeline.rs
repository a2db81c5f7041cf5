//! Stage 5, outcomes: takes batches through the engine on several threads.
//!
//! ```text
//!            lock               N threads                 order    lock        calling thread
//! inputs -> Cutter -> [ records -> engine -> job ] -> Order -> Scribe -> diagnostics, progress
//! ```
//!
//! Each worker cuts a batch off the inputs, takes it all the way to formatted bytes with buffers of
//! its own, and hands these over. What bytes those are is the business of the [`Job`]. The calling thread writes
//! them in order while the workers go on. Where the workers leave no core to it they write themselves, whoever
//! finds something to be written, and the calling thread only tells of it: it would wait for a core while they all
//! wait for it (a seventh of the time on easy puzzles and four cores).
//! A worker that is a few batches ahead of the writing waits, so memory is bounded by the number of threads and
//! the size of a batch, whatever the size of the inputs and however slow a batch or the output is. The sizes
//! are chosen such that this is some 80 MB at most, and 4 MB per thread on small machines.

use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::batch::{Batch, Cutter, Manner, Origin};
use crate::engine::{Engine, Outcomes, Search};
use crate::error::Error;
use crate::grid::{Invalid, Status};
use crate::input::Input;
use crate::job::{Job, Lot, Sheet};
use crate::order::Order;
use crate::output::{Block, Output};
use crate::record::{Reading, Records};
use crate::simd::Level;
use crate::stats::{Counts, Stats};
use crate::threads;

/// Invalid records that people want to hear of one by one; the others are only counted.
pub const REPORTED: u64 = 10;

/// Bytes of input that all threads together may have under way, if that leaves batches a decent size.
const BUDGET: usize = 8 << 20;
/// Batches of at least this size spread the cost of a hand-over thin, and fill an engine's lanes.
const MIN_BATCH: usize = 32 << 10;
/// Larger ones gain nothing and fall out of the caches.
pub(crate) const MAX_BATCH: usize = 512 << 10;

/// Between two reports to the calling thread, for which a worker has to make way.
const REPORT_INTERVAL: Duration = Duration::from_millis(50);

/// What a run is to do.
#[derive(Clone, Debug)]
pub struct Config {
    /// Read one after the other.
    pub inputs: Vec<Input>,
    /// Map regular files rather than read them.
    pub may_map: bool,
    /// What is known of the layout of the inputs; by default it is told by their content.
    pub reading: Reading,
    /// Solver.
    pub engine: Engine,
    /// How far it searches.
    pub search: Search,
    /// Invalid records to report one by one, from the first.
    pub reported: u64,
    /// Threads that solve, 0 for as many as the machine has.
    pub threads: usize,
    /// Bytes of input per batch instead of a size chosen from inputs, job and machine. The output does not
    /// depend on it.
    pub batch_bytes: Option<usize>,
}

/// What is worth telling during a run.
#[derive(Clone, Debug)]
pub enum Event<'a> {
    /// One of the first [`Config::reported`] invalid records, in order.
    Invalid {
        /// Name of the input.
        input: &'a str,
        /// Number of the record, from 1 over all inputs.
        record: u64,
        /// Line in the input, from 1.
        line: u64,
        /// Bytes of the input (unpacked) before that line.
        byte_offset: u64,
        /// What is wrong.
        reason: Invalid,
    },
    /// Some batches have been written. Told every now and then.
    Progress {
        /// The statistics so far, without times.
        stats: &'a Stats,
        /// Bytes of input in all, if that is known.
        total_bytes: Option<u64>,
    },
}

/// What workers share with the calling thread.
struct Workshop<'a, J> {
    config: &'a Config,
    job: &'a J,
    source: Mutex<Source>,
    order: Order<Finished>,
    /// Whoever has it writes.
    scribe: Mutex<Scribe>,
    /// Blocks for reuse.
    blocks: Mutex<Vec<Block>>,
    /// What went wrong first.
    failure: Mutex<Option<Error>>,
}

/// Where the batches come from.
struct Source {
    cutter: Cutter,
    before: Before,
}

/// Records before a batch, and lines of its input before it. Known only to jobs that ask for numbers.
#[derive(Clone, Copy, Default)]
struct Before {
    records: u64,
    lines: u64,
}

/// What a worker has to itself.
#[derive(Default)]
struct Desk {
    batch: Batch,
    records: Records,
    outcomes: Outcomes,
}

/// What becomes of a batch, or of a part of one whose output is long: then only the last part has more than a
/// block to tell.
struct Finished {
    block: Block,
    counts: Counts,
    guesses: u64,
    origin: Arc<Origin>,
    consumed: u64,
    lines: u64,
    invalid: Vec<Bad>,
    reading: Duration,
    solving: Duration,
    formatting: Duration,
}

/// An invalid record; all counts are from the start of its batch, and from 0.
struct Bad {
    record: u64,
    line: u64,
    byte_offset: u64,
    reason: Invalid,
}

impl Finished {
    /// Nothing yet, of a batch from there.
    fn of(origin: &Arc<Origin>) -> Finished {
        Finished {
            block: Block::default(),
            counts: Counts::default(),
            guesses: 0,
            origin: Arc::clone(origin),
            consumed: 0,
            lines: 0,
            invalid: Vec::new(),
            reading: Duration::ZERO,
            solving: Duration::ZERO,
            formatting: Duration::ZERO,
        }
    }
}

/// Does `job` with all records of the inputs, and writes what comes of it in their order.
///
/// `watch` runs on the calling thread.
///
/// # Errors
/// When an input or the output fails, or threads cannot be had. Where an input fails half-way, the rows of the
/// batches before that have been written, for what it is worth in an output that is no file.
pub fn run<J: Job>(
    config: &Config,
    job: &J,
    mut output: Output,
    watch: &mut dyn FnMut(Event),
) -> Result<Stats, Error> {
    let threads = threads::count(config.threads);
    let sizes = config.inputs.iter().map(Input::size).collect::<Result<Vec<_>, _>>()?;
    let total_bytes = sizes.into_iter().sum::<Option<u64>>();
    // One thread waits for no other.
    let most = if threads > 1 { job.batch_bytes() } else { usize::MAX };
    let usual = batch_bytes(total_bytes, threads).min(most);
    let batch_bytes = config.batch_bytes.unwrap_or(usual);
    let pool = threads::pool(threads)?;
    output.pack_by(threads)?;

    let start = Instant::now();
    let stats = Stats {
        version: env!("CARGO_PKG_VERSION"),
        engine: config.engine.name(),
        simd: config.engine.level().map(Level::name),
        threads,
        limit: config.search.limit,
        ..Stats::default()
    };
    let workshop = Workshop {
        config,
        job,
        source: Mutex::new(Source {
            cutter: Cutter::new(
                config.inputs.clone(),
                Manner {
                    may_map: config.may_map,
                    size: batch_bytes,
                    whole_lines: job.whole_lines(),
                    reading: config.reading.clone(),
                },
            ),
            before: Before::default(),
        }),
        order: Order::new(threads, 2 * threads as u64 + 2),
        scribe: Mutex::new(Scribe {
            output,
            stats,
            reported: 0,
            told: start,
            input: None,
            lines: 0,
            bytes: 0,
        }),
        blocks: Mutex::default(),
        failure: Mutex::default(),
    };
    // A thread more than the machine has would be in the way of those that it waits for.
    let all_write = threads > 1 && threads >= threads::count(0);
    let (sender, written) = mpsc::channel();
    pool.in_place_scope(|scope| {
        let workshop = &workshop;
        let report = sender.clone();
        scope.spawn_broadcast(move |_, _| work(workshop, all_write.then(|| report.clone())));
        // Goes when the last worker has gone, and with it what it waits for.
        let consumer = workshop.order.consumer();
        drop(sender);
        let mut tell = |written: Written| written.tell(total_bytes, watch);
        if all_write {
            written.iter().for_each(&mut tell);
        } else {
            while let Some(finished) = consumer.take() {
                match lock(&workshop.scribe).write(workshop, finished) {
                    Ok(Some(written)) => tell(written),
                    Ok(None) => {}
                    Err(error) => return workshop.fail(error),
                }
            }
        }
    });
    let Workshop { scribe, failure, .. } = workshop;
    if let Some(failure) = failure.into_inner().expect("nobody panics with the lock") {
        return Err(failure);
    }
    let Scribe { mut output, mut stats, input, .. } =
        scribe.into_inner().expect("nobody panics with the lock");
    if input.is_none()
        && let Ok(header) = job.header(None)
    {
        output.write(&header)?;
        stats.output_bytes = header.len() as u64;
    }
    output.finish()?;
    stats.finish(start.elapsed().as_secs_f64());
    Ok(stats)
}

/// Small enough that every thread gets several batches and all of them fit the budget.
fn batch_bytes(total: Option<u64>, threads: usize) -> usize {
    let share =
        total.map_or(usize::MAX, |bytes| usize::try_from(bytes).unwrap_or(usize::MAX) / (8 * threads));
    share.min(BUDGET / threads).clamp(MIN_BATCH, MAX_BATCH)
}

/// Not every engine solves puzzles in pencilmarks.
fn check_pencilmarks(engine: Engine, origin: &Origin) -> Result<(), Error> {
    if engine.takes_candidates() || !origin.layout.has_pencilmarks() {
        return Ok(());
    }
    let seen = format!("its puzzles are in pencilmarks; the {} engine takes clues only", engine.name());
    Err(Error::Layout { name: origin.name.clone(), seen })
}

impl Source {
    /// Takes the next batch, and `numbered` reads its records too, to know how many come before the one after.
    fn next(&mut self, numbered: bool, desk: &mut Desk) -> Result<Option<Before>, Error> {
        if !self.cutter.next(&mut desk.batch)? {
            return Ok(None);
        }
        let mut before = self.before;
        if desk.batch.is_first {
            before.lines = desk.batch.origin().skipped_lines;
        }
        if numbered {
            desk.records.read_as(&desk.batch.origin().layout, desk.batch.text());
            self.before.records = before.records + desk.records.puzzles.len() as u64;
            self.before.lines = before.lines + desk.records.lines;
        }
        Ok(Some(before))
    }
}

impl<J: Job> Workshop<'_, J> {
    /// Ends the run, with this error if it is the first.
    fn fail(&self, error: Error) {
        lock(&self.failure).get_or_insert(error);
        self.order.stop();
    }

    /// Writes what is there to be written, unless another thread is at it; `false` after a failure.
    fn write_ready(&self, report: &Sender<Written>) -> bool {
        // Who comes while another thread writes leaves it to that one, which looks again when it has put the pen down.
        while self.order.is_ready() {
            let Ok(mut scribe) = self.scribe.try_lock() else { return true };
            while let Some(finished) = self.order.try_take() {
                match scribe.write(self, finished) {
                    // The calling thread hears of it, or has gone in a panic.
                    Ok(Some(written)) => drop(report.send(written)),
                    Ok(None) => {}
                    Err(error) => {
                        self.fail(error);
                        return false;
                    }
                }
            }
        }
        true
    }
}

/// A worker: from the inputs to [`Order`], batch by batch, and on to the output where there is somebody to report
/// that to.
fn work<J: Job>(workshop: &Workshop<J>, report: Option<Sender<Written>>) {
    let producer = workshop.order.producer();
    let numbered = workshop.job.numbered();
    let mut desk = Desk::default();
    loop {
        let (clock, next) = {
            let mut source = lock(&workshop.source);
            // Waiting for the other threads is not reading.
            (Clock::start(), source.next(numbered, &mut desk))
        };
        let checked = next.and_then(|before| match before {
            Some(_) if desk.batch.is_first => {
                check_pencilmarks(workshop.config.engine, desk.batch.origin()).map(|()| before)
            }
            _ => Ok(before),
        });
        let before = match checked {
            Ok(Some(before)) => before,
            Ok(None) => return,
            Err(error) => {
                lock(&workshop.failure).get_or_insert(error);
                return;
            }
        };
        desk.batch.ask_ahead();
        let (number, origin) = (desk.batch.number, Arc::clone(desk.batch.origin()));
        let spare_block = || lock(&workshop.blocks).pop().unwrap_or_default();
        let put = |part, is_last| {
            producer.put(number, part, is_last)
                && report.as_ref().is_none_or(|report| workshop.write_ready(report))
        };
        let mut hand_over = |block| {
            let part = Finished { block, ..Finished::of(&origin) };
            put(part, false).then(spare_block)
        };
        let sheet = Sheet::new(spare_block(), &mut hand_over);
        let finished = desk.finish_batch(workshop, before, sheet, clock);
        desk.batch.let_go();
        if !finished.is_some_and(|finished| put(finished, true)) {
            return;
        }
    }
}

impl Desk {
    /// `None` when nobody wants the output any more.
    fn finish_batch<J: Job>(
        &mut self,
        workshop: &Workshop<J>,
        before: Before,
        mut sheet: Sheet,
        mut clock: Clock,
    ) -> Option<Finished> {
        let Desk { batch, records, outcomes } = self;
        let Workshop { config, job, .. } = workshop;
        let (text, origin) = (batch.text(), batch.origin());
        if !job.numbered() {
            records.read_as(&origin.layout, text);
        }
        let reading = clock.lap();
        match job.search(config.search) {
            Some(search) => drop(config.engine.solve(records.given(), search, outcomes)),
            None => outcomes.clear(records.puzzles.len()),
        }
        let solving = clock.lap();
        let lot = Lot {
            text,
            records,
            layout: &origin.layout,
            input: &origin.name,
            records_before: before.records,
            lines_before: before.lines,
        };
        if job.write(&lot, outcomes, &mut sheet).is_break() {
            return None;
        }
        let counts = Counts::of(&outcomes.status);
        Some(Finished {
            block: sheet.into_block(),
            counts,
            guesses: outcomes.guesses.iter().sum(),
            consumed: batch.consumed,
            lines: records.lines,
            invalid: if counts.invalid > 0 { invalid(&lot, outcomes, config.reported) } else { Vec::new() },
            reading,
            solving,
            formatting: clock.lap(),
            ..Finished::of(origin)
        })
    }
}

/// The first invalid records of a batch.
fn invalid(lot: &Lot, outcomes: &Outcomes, reported: u64) -> Vec<Bad> {
    let numbered = (0..).zip(outcomes.status.iter().zip(&lot.records.starts));
    let (mut lines, mut counted) = (0, 0);
    let bad = numbered.filter(|(_, (status, _))| **status == Status::Invalid);
    let bad = bad.filter_map(|(record, (_, &start))| {
        let (at, reason) = lot.layout.trouble(lot.text, start as usize)?;
        lines += memchr::memchr_iter(b'\n', &lot.text[counted..at]).count() as u64;
        counted = at;
        Some(Bad { record, line: lines, byte_offset: at as u64, reason })
    });
    bad.take(usize::try_from(reported).unwrap_or(usize::MAX)).collect()
}

/// Who has the output, and what is known of all that has been written.
struct Scribe {
    output: Output,
    stats: Stats,
    /// Invalid records told of, and when something was told last.
    reported: u64,
    told: Instant,
    /// Number of the input written from, and its lines and bytes so far.
    input: Option<usize>,
    lines: u64,
    bytes: u64,
}

/// What is to be told of a part that has been written.
struct Written {
    origin: Arc<Origin>,
    /// Counted from the start of everything and of the input.
    invalid: Vec<Bad>,
    stats: Stats,
}

impl Scribe {
    /// Writes the next part in order. Returns what is to be told, if it is time to.
    fn write<J: Job>(
        &mut self,
        workshop: &Workshop<J>,
        finished: Finished,
    ) -> Result<Option<Written>, Error> {
        let Scribe { output, stats, .. } = self;
        let origin = finished.origin;
        if self.input != Some(origin.index) {
            let header = workshop.job.header(Some(&origin.layout));
            let header = header.map_err(|seen| Error::Layout { name: origin.name.clone(), seen })?;
            if self.input.is_none() {
                output.write(&header)?;
                stats.output_bytes = header.len() as u64;
            }
            (self.input, self.lines, self.bytes) = (Some(origin.index), origin.skipped_lines, 0);
        }
        let mut invalid = finished.invalid;
        invalid.truncate(usize::try_from(workshop.config.reported - self.reported).unwrap_or(usize::MAX));
        self.reported += invalid.len() as u64;
        for bad in &mut invalid {
            bad.record += stats.records;
            bad.line += self.lines;
            // The first batch starts behind what was skipped, which it has consumed.
            bad.byte_offset += self.bytes.max(origin.skipped_bytes);
        }
        self.bytes += finished.consumed;
        self.lines += finished.lines;

        let mut clock = Clock::start();
        let bytes = finished.block.bytes().len() as u64;
        let spare = output.write_block(finished.block)?;
        let writing = clock.lap();

        stats.add(finished.counts, finished.guesses, finished.consumed);
        stats.output_bytes += bytes;
        stats.reading_seconds += finished.reading.as_secs_f64();
        stats.solving_seconds += finished.solving.as_secs_f64();
        stats.writing_seconds += (finished.formatting + writing).as_secs_f64();
        lock(&workshop.blocks).extend(spare.into_iter().flatten());
        if invalid.is_empty() && self.told.elapsed() < REPORT_INTERVAL {
            return Ok(None);
        }
        self.told = Instant::now();
        Ok(Some(Written { origin, invalid, stats: stats.clone() }))
    }
}

impl Written {
    fn tell(self, total_bytes: Option<u64>, watch: &mut dyn FnMut(Event)) {
        for Bad { record, line, byte_offset, reason } in self.invalid {
            let (input, record, line) = (&*self.origin.name, record + 1, line + 1);
            watch(Event::Invalid { input, record, line, byte_offset, reason });
        }
        watch(Event::Progress { stats: &self.stats, total_bytes });
    }
}

/// Tells the time since it was last asked.
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
    mutex.lock().expect("nobody panics with the lock")
}
