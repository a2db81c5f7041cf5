//! A worker: takes batches from the inputs, parses, solves and formats them, and puts the results into the queue.

use std::ops::Range;
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::job::Job;
use super::writer::Report;
use super::{Clock, RunState, lock};
use crate::cancel::Cancelled;
use crate::file::error::Error;
use crate::file::record::batch::{Batch, BatchReader, Origin, Skipped};
use crate::file::record::{BatchView, Layout, Records};
use crate::file::stats::Counts;
use crate::file::write::{Block, RowSink};
use crate::grid::PuzzleError;
use crate::outcome::{Outcomes, Status};
use crate::simd::SimdLevel;

/// The source of the batches.
pub(super) struct Source {
    kind: Kind,
    before: Before,
    /// The first input that has records or a header.
    first: Option<Arc<Origin>>,
}

enum Kind {
    Inputs(Box<BatchReader>),
    /// Batches without text of consecutive [numbers](BatchView::numbers).
    Numbers {
        origin: Arc<Origin>,
        left: Range<u64>,
        per_batch: u64,
        batches: u64,
    },
}

/// The number of records before a batch, and of lines before it in its input. 0 unless the job needs numbers.
#[derive(Clone, Copy, Default)]
struct Before {
    records: u64,
    lines: u64,
}

impl Before {
    fn add(&mut self, records: &Records) {
        self.records += records.len() as u64;
        self.lines += records.lines;
    }
}

/// The buffers of a worker.
#[derive(Default)]
struct Scratch {
    batch: Batch,
    /// The first input of the run.
    first: Option<Arc<Origin>>,
    /// The records of a part of the batch.
    records: Records,
    outcomes: Outcomes,
    /// Whether `records` are those of the whole batch.
    is_parsed: bool,
    /// The numbers of the batch, if it has no text.
    numbers: Range<u64>,
}

/// The position in a batch with many records, which is processed in parts.
struct Position {
    /// The number of bytes before the next part.
    at: usize,
    /// The number of bytes of the input, including those that are not in the batch, that have not been counted yet.
    uncounted: u64,
    before: Before,
}

/// The result of a part of a batch, or a part of that result. Only the last one of these has counts and times.
pub(super) struct Finished {
    pub block: Block,
    pub counts: Counts,
    pub guesses: u64,
    pub origin: Arc<Origin>,
    pub consumed: u64,
    pub lines: u64,
    /// The length of the batch, if it has no text.
    pub numbers: u64,
    pub invalid: Vec<Invalid>,
    /// The number of rows in which bytes that are not UTF-8 were replaced.
    pub not_utf8: u64,
    pub reading: Duration,
    pub solving: Duration,
    pub formatting: Duration,
}

/// An invalid record. Numbers are relative to its batch and start at 0.
pub(super) struct Invalid {
    pub record: u64,
    pub line: u64,
    pub byte_offset: u64,
    pub reason: PuzzleError,
}

/// The maximal number of invalid records in a part. It bounds the memory of the queue: a batch of 512 KiB may have 262,144
/// invalid records, which take 10 MB as a list.
const INVALID_PART: usize = 4096;

impl Finished {
    /// A part without content.
    fn empty(origin: &Arc<Origin>) -> Finished {
        Finished {
            block: Block::default(),
            counts: Counts::default(),
            guesses: 0,
            origin: Arc::clone(origin),
            consumed: 0,
            lines: 0,
            numbers: 0,
            invalid: Vec::new(),
            not_utf8: 0,
            reading: Duration::ZERO,
            solving: Duration::ZERO,
            formatting: Duration::ZERO,
        }
    }
}

impl Source {
    pub fn new(reader: BatchReader) -> Source {
        Source { kind: Kind::Inputs(Box::new(reader)), before: Before::default(), first: None }
    }

    /// A source of batches without text.
    pub fn numbers(numbers: Range<u64>, per_batch: u64) -> Source {
        let origin = Arc::new(Origin {
            index: 0,
            name: String::new(),
            layout: Layout::LINES,
            offset: 0,
            skipped_bytes: 0,
            skipped_lines: 0,
        });
        let kind = Kind::Numbers { origin, left: numbers, per_batch, batches: 0 };
        Source { kind, before: Before::default(), first: None }
    }

    /// The first files of archives that were skipped, and the number of all of them.
    pub fn skipped(&self) -> (&[Skipped], u64) {
        match &self.kind {
            Kind::Inputs(reader) => reader.skipped(),
            Kind::Numbers { .. } => (&[], 0),
        }
    }

    /// Reads the next batch. If the job needs numbers, its records are parsed here, under the lock.
    fn next(
        &mut self,
        job: &impl Job,
        level: SimdLevel,
        scratch: &mut Scratch,
    ) -> Result<Option<Before>, Error> {
        let Scratch { batch, first, records, is_parsed, numbers, .. } = scratch;
        match &mut self.kind {
            Kind::Inputs(reader) => {
                if !reader.next(batch)? {
                    return Ok(None);
                }
            }
            Kind::Numbers { origin, left, per_batch, batches } => {
                let end = left.end.min(left.start.saturating_add(*per_batch));
                *numbers = left.start..end;
                left.start = end;
                batch.origin = Some(Arc::clone(origin));
                batch.number = *batches;
                *batches += 1;
                return Ok((!numbers.is_empty()).then(Before::default));
            }
        }
        let origin = batch.origin();
        if batch.is_first {
            self.before.lines = origin.skipped_lines;
            let accepted = match &self.first {
                None => job.accept(&origin.layout),
                Some(first) => job
                    .accept(&origin.layout)
                    .and_then(|()| job.accept_after(&origin.layout, &first.layout, &first.name)),
            };
            let accepted = accepted.and_then(|()| job.accept_start(&origin.layout, batch.text()));
            accepted.map_err(|reason| Error::Format { name: origin.name.clone(), reason })?;
        }
        *first = Some(Arc::clone(self.first.get_or_insert_with(|| Arc::clone(origin))));
        let before = self.before;
        *is_parsed = false;
        if job.needs_numbers() {
            let mut rest = batch.text();
            loop {
                rest = &rest[records.read_part(&origin.layout, rest, level)..];
                self.before.add(records);
                if rest.is_empty() {
                    break;
                }
            }
            *is_parsed = self.before.records - before.records == records.len() as u64;
        }
        Ok(Some(before))
    }
}

/// Processes batches until there are no more or the run ends. With `reports`, the worker also writes batches that are
/// ready.
pub(super) fn work<J: Job>(state: &RunState<J>, reports: Option<SyncSender<Report>>) {
    let producer = state.order.producer();
    let mut scratch = Scratch::default();
    loop {
        let (clock, next) = {
            let mut source = lock(&state.source);
            // The clock starts when the lock has been acquired.
            (Clock::start(), source.next(state.job, state.config.level, &mut scratch))
        };
        let before = match next {
            Ok(Some(before)) => before,
            Ok(None) => return,
            Err(error) => {
                // The batches before the failure are still written.
                lock(&state.failure).get_or_insert(error);
                return;
            }
        };
        scratch.batch.prefetch();
        let (number, origin) = (scratch.batch.number, Arc::clone(scratch.batch.origin()));
        let spare_block = || lock(&state.blocks).pop().unwrap_or_default();
        let put = |part, is_last| {
            producer.put(number, part, is_last)
                && reports.as_ref().is_none_or(|reports| state.write_ready(reports))
        };
        let mut put_block = |block| {
            let part = Finished { block, ..Finished::empty(&origin) };
            put(part, false).then(spare_block)
        };
        let mut put_invalid = |invalid| put(Finished { invalid, ..Finished::empty(&origin) }, false);
        let mut position = Position { at: 0, uncounted: scratch.batch.consumed, before };
        let mut clock = clock;
        loop {
            let mut rows = RowSink::new(spare_block(), &mut put_block);
            let finished = scratch.finish_part(state, &mut position, &mut rows, clock, &mut put_invalid);
            let block = rows.into_block();
            let is_last = position.at == scratch.batch.text().len();
            if is_last {
                scratch.batch.release();
            }
            match finished {
                Ok(Some(finished)) => {
                    if !put(Finished { block, ..finished }, is_last) {
                        return;
                    }
                }
                Ok(None) => return,
                Err(Cancelled) => return state.fail(Error::Cancelled),
            }
            if is_last {
                break;
            }
            clock = Clock::start();
        }
    }
}

impl Scratch {
    /// Solves the next part of a batch and formats its rows. Returns `None` if the run has ended.
    fn finish_part<J: Job>(
        &mut self,
        state: &RunState<J>,
        position: &mut Position,
        rows: &mut RowSink,
        mut clock: Clock,
        put_invalid: &mut dyn FnMut(Vec<Invalid>) -> bool,
    ) -> Result<Option<Finished>, Cancelled> {
        let Scratch { batch, first, records, outcomes, is_parsed, numbers } = self;
        let RunState { config, job, .. } = state;
        let (text, origin) = (&batch.text()[position.at..], batch.origin());
        let read =
            if *is_parsed { text.len() } else { records.read_part(&origin.layout, text, config.level) };
        let consumed = if read == text.len() {
            position.uncounted
        } else {
            // Bytes that are not in the batch, such as a header, precede it.
            read as u64 + position.uncounted.saturating_sub(text.len() as u64)
        };
        let (text, before) = (&text[..read], position.before);
        position.at += read;
        position.uncounted -= consumed;
        position.before.add(records);
        let reading = clock.lap();
        if config.cancel.is_cancelled() {
            return Err(Cancelled);
        }
        job.solve(records, outcomes, &config.cancel)?;
        let solving = clock.lap();
        let view = BatchView {
            text,
            records,
            layout: &origin.layout,
            first_layout: first.as_ref().map_or(&origin.layout, |first| &first.layout),
            input_index: origin.index,
            input: &origin.name,
            numbers,
            records_before: if job.needs_numbers() { before.records } else { 0 },
            lines_before: if job.needs_numbers() { before.lines } else { 0 },
        };
        if job.write(&view, outcomes, rows).is_break() {
            if let Some(error) = rows.take_failure() {
                state.fail(error);
            }
            return if config.cancel.is_cancelled() { Err(Cancelled) } else { Ok(None) };
        }
        // Parts that were passed on in the meantime waited for the queue, or were written by this thread.
        let writing = clock.lap().saturating_sub(rows.passing());
        let (solving, formatting) = if job.solves_in_write() || !numbers.is_empty() {
            (solving + writing, Duration::ZERO)
        } else {
            (solving, writing)
        };
        let counts = Counts::of(outcomes.statuses());
        let mut invalid = Vec::new();
        if counts.invalid > 0 {
            let reported = usize::try_from(config.reported).unwrap_or(usize::MAX);
            for record in invalid_records(&view, outcomes).take(reported) {
                if invalid.len() == INVALID_PART && !put_invalid(std::mem::take(&mut invalid)) {
                    return Ok(None);
                }
                invalid.push(record);
            }
        }
        Ok(Some(Finished {
            counts,
            guesses: outcomes.guesses().iter().sum(),
            consumed,
            lines: records.lines,
            numbers: numbers.end - numbers.start,
            invalid,
            not_utf8: rows.not_utf8(),
            reading,
            solving,
            formatting: formatting + clock.lap(),
            ..Finished::empty(origin)
        }))
    }
}

/// The invalid records of a batch.
fn invalid_records<'a>(batch: &'a BatchView, outcomes: &'a Outcomes) -> impl Iterator<Item = Invalid> + 'a {
    let numbered = (0..).zip(outcomes.statuses().iter().zip(&batch.records.starts));
    let (mut lines, mut counted) = (0, 0);
    let invalid = numbered.filter(|(_, (status, _))| **status == Status::Invalid);
    invalid.filter_map(move |(record, (_, &start))| {
        let (at, reason) = batch.layout.diagnose(batch.text, start as usize)?;
        lines += batch.layout.count_lines(&batch.text[counted..at]);
        counted = at;
        Some(Invalid { record, line: lines, byte_offset: at as u64, reason })
    })
}
