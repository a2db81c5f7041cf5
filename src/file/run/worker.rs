//! A worker: takes batches from the inputs, parses, solves and formats them, and puts the results into the queue.

use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Duration;

use super::finished::{Finished, Invalid, Report, Totals};
use super::job::{InputStart, Job};
use super::{Clock, RunState, lock};
use crate::cancel::{CancelToken, Cancelled};
use crate::file::error::Error;
use crate::file::record::batch::{Batch, BatchReader, Origin};
use crate::file::record::{BatchView, Layout, PART, Records};
use crate::file::stats::{Counts, Notes};
use crate::file::write::{Block, RowSink};
use crate::outcome::{Outcomes, Status};

/// The source of the batches.
pub(super) struct Source {
    reader: BatchReader,
    /// There are no batches after an error, such as an input that the job refuses.
    has_failed: bool,
    before: Before,
    /// The first input that has records or a header.
    first: Option<Arc<Origin>>,
}

/// What precedes a batch.
#[derive(Clone, Copy, Default)]
struct Before {
    /// The number of records, 0 unless the job needs numbers.
    records: u64,
    /// The number of lines of the input, 0 unless the job needs numbers.
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
}

/// The position in a batch with many records, which is processed in parts.
struct Position {
    /// The number of bytes before the next part.
    at: usize,
    /// The number of bytes of the input, including those that are not in the batch, that have not been counted yet.
    uncounted: u64,
    before: Before,
}

/// Why a worker ends in the middle of a batch.
enum Ended {
    /// The run has ended or is cancelled.
    Run,
    /// The job failed.
    Job(Error),
}

/// The maximal number of invalid records in a part. It bounds the memory of the queue: a batch of 512 KiB may have 262,144
/// invalid records, which take 10 MB as a list.
const INVALID_PART: usize = 4096;

impl Source {
    pub fn new(reader: BatchReader) -> Source {
        Source { reader, has_failed: false, before: Before::default(), first: None }
    }

    /// The layout of the first input that has records or a header.
    pub fn first_layout(&self) -> Option<&Layout> {
        self.first.as_deref().map(|first| &first.layout)
    }

    /// Reads the next batch, or returns the failure after which there are no more.
    fn next(&mut self, state: &RunState, scratch: &mut Scratch) -> Option<Result<Before, Error>> {
        if self.has_failed {
            return None;
        }
        let next = self.try_next(state, scratch).transpose()?;
        self.has_failed = next.is_err();
        Some(next)
    }

    /// Reads the next batch. If the job needs numbers, its records are parsed here, under the lock.
    fn try_next(&mut self, state: &RunState, scratch: &mut Scratch) -> Result<Option<Before>, Error> {
        let Scratch { batch, first, records, is_parsed, .. } = scratch;
        if !self.reader.next(batch)? {
            return Ok(None);
        }
        let origin = batch.origin();
        if batch.is_first {
            self.before.lines = origin.skipped_lines;
            self.accept(state, batch)?;
        }
        *first = Some(Arc::clone(self.first.get_or_insert_with(|| Arc::clone(origin))));
        let before = self.before;
        *is_parsed = false;
        if state.needs.numbers {
            let mut rest = batch.text();
            loop {
                rest = &rest[records.read(&origin.layout, rest, state.level, PART)..];
                self.before.add(records);
                if rest.is_empty() {
                    break;
                }
            }
            *is_parsed = self.before.records - before.records == records.len() as u64;
        }
        Ok(Some(before))
    }

    /// Asks the job whether it supports an input, of which this is the first batch. The first input gives the header.
    fn accept(&self, state: &RunState, batch: &Batch) -> Result<(), Error> {
        let origin = batch.origin();
        let first = self.first.as_deref().map(|first| (&*first.name, &first.layout));
        let start = InputStart { name: &origin.name, layout: &origin.layout, first };
        let header = start.accept(state.job, &state.needs)?;
        state.header.get_or_init(|| header);
        Ok(())
    }
}

/// Processes batches until there are no more or the run ends. With `reports`, the worker also writes batches that are
/// ready.
pub(super) fn work(state: &RunState, reports: Option<SyncSender<Report>>) {
    let producer = state.order.producer();
    let mut scratch = Scratch::default();
    let is_written =
        |is_put: bool| is_put && reports.as_ref().is_none_or(|reports| state.write_ready(reports));
    loop {
        let next = producer.take(&state.source, |source| {
            // The clock starts when the lock has been acquired.
            let clock = Clock::start();
            source.next(state, &mut scratch).map(|next| (clock, next))
        });
        let Some((turn, (mut clock, next))) = next else { return };
        let before = match next {
            Ok(before) => before,
            Err(error) => {
                is_written(turn.finish(Err(error)));
                return;
            }
        };
        scratch.batch.prefetch();
        let origin = Arc::clone(scratch.batch.origin());
        let spare_block = || lock(&state.blocks).pop().unwrap_or_default();
        let put = |block, invalid, totals| {
            is_written(turn.put(Ok(Finished { block, origin: Arc::clone(&origin), invalid, totals })))
        };
        let mut put_block = |block| put(block, Vec::new(), Totals::default()).then(spare_block);
        let mut put_invalid = |invalid| put(Block::default(), invalid, Totals::default());
        let mut position = Position { at: 0, uncounted: scratch.batch.consumed, before };
        let last = loop {
            let mut rows = RowSink::new(spare_block(), &mut put_block);
            let finished = scratch.finish_part(state, &mut position, &mut rows, clock, &mut put_invalid);
            let block = rows.into_block();
            let is_last = position.at == scratch.batch.text().len();
            if is_last {
                scratch.batch.release();
            }
            match finished {
                Ok((invalid, totals)) if is_last => {
                    break Ok(Finished { block, origin: Arc::clone(&origin), invalid, totals });
                }
                Ok((invalid, totals)) => {
                    if !put(block, invalid, totals) {
                        return;
                    }
                }
                // The rest of the run does not wait for earlier batches, which may take long.
                Err(Ended::Run) if state.cancel.is_cancelled() => {
                    return state.fail(Error::Cancelled);
                }
                Err(Ended::Run) => break Err(Error::Cancelled),
                Err(Ended::Job(error)) => {
                    if !put(block, Vec::new(), Totals::default()) {
                        return;
                    }
                    break Err(error);
                }
            }
            clock = Clock::start();
        };
        if !is_written(turn.finish(last)) {
            return;
        }
    }
}

impl Scratch {
    /// Reads the records of the next part of a batch, unless they are known. Returns the text of the part, what precedes it, and the
    /// number of bytes of the input that it covers.
    fn read_part(&mut self, state: &RunState, position: &mut Position) -> (Range<usize>, Before, u64) {
        let Scratch { batch, records, is_parsed, .. } = self;
        let text = &batch.text()[position.at..];
        let layout = &batch.origin().layout;
        let read = if *is_parsed { text.len() } else { records.read(layout, text, state.level, PART) };
        let consumed = if read == text.len() {
            position.uncounted
        } else {
            // Bytes that are not in the batch, such as a header, precede it.
            read as u64 + position.uncounted.saturating_sub(text.len() as u64)
        };
        let (range, before) = (position.at..position.at + read, position.before);
        position.at += read;
        position.uncounted -= consumed;
        position.before.add(records);
        (range, before, consumed)
    }

    /// Solves the next part of a batch and formats its rows. After a failure of the job, the rows before it are there.
    fn finish_part(
        &mut self,
        state: &RunState,
        position: &mut Position,
        rows: &mut RowSink,
        mut clock: Clock,
        put_invalid: &mut dyn FnMut(Vec<Invalid>) -> bool,
    ) -> Result<(Vec<Invalid>, Totals), Ended> {
        let RunState { reported, cancel, job, needs, .. } = state;
        let (range, before, consumed) = self.read_part(state, position);
        let reading = clock.lap();
        if cancel.is_cancelled() {
            return Err(Ended::Run);
        }
        let Scratch { batch, first, records, outcomes, .. } = self;
        let origin = batch.origin();
        if !records.pencilmarks.is_empty() {
            job.accept_candidates().map_err(|reason| {
                let reason = format!("unsupported pencilmarks: {reason}");
                Ended::Job(Error::Format { name: origin.name.clone(), reason })
            })?;
        }
        solve(*job, records, outcomes, cancel).map_err(|Cancelled| Ended::Run)?;
        let solving = clock.lap();
        let view = BatchView {
            text: &batch.text()[range],
            records,
            layout: &origin.layout,
            first_layout: first.as_ref().map_or(&origin.layout, |first| &first.layout),
            input_index: origin.index,
            input: &origin.name,
            records_before: if needs.numbers { before.records } else { 0 },
            lines_before: if needs.numbers { before.lines } else { 0 },
            cancel,
        };
        let failure = match job.write(&view, outcomes, rows) {
            ControlFlow::Break(()) => Some(rows.take_failure().ok_or(Ended::Run)?),
            ControlFlow::Continue(()) => None,
        };
        // Parts that were passed on in the meantime waited for the queue, or were written by this thread.
        let writing = clock.lap().saturating_sub(rows.passing());
        let (solving, formatting) =
            if needs.solves_in_write { (solving + writing, Duration::ZERO) } else { (solving, writing) };
        let reported = usize::try_from(*reported).unwrap_or(usize::MAX);
        let end = failure.as_ref().map_or(u64::MAX, |(record, _)| *record as u64);
        let counts = Counts::of(outcomes.statuses());
        let mut invalid = Vec::new();
        if counts.invalid > 0 {
            let before_failure = invalid_records(&view, outcomes).take_while(|invalid| invalid.record < end);
            for record in before_failure.take(reported) {
                if invalid.len() == INVALID_PART && !put_invalid(std::mem::take(&mut invalid)) {
                    return Err(Ended::Run);
                }
                invalid.push(record);
            }
        }
        if let Some((_, error)) = failure {
            put_invalid(invalid);
            return Err(Ended::Job(error));
        }
        let totals = Totals {
            counts,
            guesses: outcomes.guesses().iter().sum(),
            consumed,
            lines: records.lines,
            notes: Notes { complete_grids: records.complete_grids, commented_puzzles: records.commented },
            reading,
            solving,
            formatting: formatting + clock.lap(),
        };
        Ok((invalid, totals))
    }
}

/// Solves the records of a batch, if the job has a solver.
fn solve(
    job: &dyn Job,
    records: &Records,
    outcomes: &mut Outcomes,
    cancel: &CancelToken,
) -> Result<(), Cancelled> {
    if let Some(solver) = job.solver() {
        return solver.solve_batch(records.puzzle_slice(), outcomes, cancel);
    }
    outcomes.reset(records.len());
    records.mark_invalid(outcomes);
    Ok(())
}

/// The invalid records of a batch.
fn invalid_records<'a>(batch: &'a BatchView, outcomes: &'a Outcomes) -> impl Iterator<Item = Invalid> + 'a {
    let numbered = (0..).zip(outcomes.statuses().iter().zip(&batch.records.starts));
    let (mut lines, mut counted) = (0, 0);
    let invalid = numbered.filter(|(_, (status, _))| **status == Status::Invalid);
    invalid.filter_map(move |(record, (_, &start))| {
        let (at, reason) = batch.layout.diagnose(batch.record(record as usize))?;
        let at = start as usize + at;
        lines += batch.layout.count_lines(&batch.text[counted..at]);
        counted = at;
        Some(Invalid { record, line: lines, byte_offset: at as u64, reason })
    })
}
