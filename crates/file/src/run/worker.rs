//! A worker: takes batches from the inputs, parses, solves and formats them, and puts the results into the queue.

use std::mem;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;
use std::sync::mpsc::SyncSender;

use super::job::InputStart;
use super::writer::{Finished, Part, Report};
use super::{Clock, InvalidRecord, RunState, header};
use crate::error::Error;
use crate::outcome::{Outcomes, Status};
use crate::record::batch::{Batch, BatchReader, Origin};
use crate::record::{BatchView, PART, Records};
use crate::stats::{Counts, Notes, Stats};
use crate::write::{Block, RowSink};

/// The source of the batches.
pub(super) struct Source {
    /// `None` after the last batch and after an error, such as an input that the job refuses.
    reader: Option<BatchReader>,
    before: Before,
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
    /// The records of a part of the batch.
    records: Records,
    outcomes: Outcomes,
    /// Whether `records` are those of the whole batch.
    is_parsed: bool,
}

/// The position in a batch with many records, which is processed in parts.
struct Position {
    /// The bytes of the next parts.
    left: Range<usize>,
    before: Before,
    /// The bytes that the next part counts besides its own: those before the batch, such as a header, and all of the
    /// file, which may be compressed.
    input_bytes: u64,
    stored_bytes: u64,
}

impl Source {
    pub fn new(reader: BatchReader) -> Source {
        Source { reader: Some(reader), before: Before::default() }
    }

    /// Reads the next batch, of which the records of a range are processed. If the job needs numbers, its records are
    /// parsed here, under the lock.
    fn next(&mut self, state: &RunState, scratch: &mut Scratch) -> Result<Option<(Before, Range<usize>)>, Error> {
        let Scratch { batch, records, is_parsed, .. } = scratch;
        // It is put back when there may be another batch.
        let reader = self.reader.take().filter(|_| self.before.records < state.records.end);
        let Some(mut reader) = reader else { return Ok(None) };
        if !reader.next(batch)? {
            return Ok(None);
        }
        let origin = batch.origin();
        if batch.is_first {
            self.before.lines = if state.needs.numbers { origin.skipped_lines } else { 0 };
            accept(state, origin)?;
        }
        let mut before = self.before;
        let all = 0..batch.text().len();
        let mut range = all.clone();
        *is_parsed = false;
        if state.needs.numbers {
            let mut at = 0;
            loop {
                let read = records.read(&origin.layout, &batch.text()[at..], state.level, PART);
                let start_of = |number: u64| {
                    let k = usize::try_from(number.checked_sub(self.before.records)?).ok()?;
                    Some(at + *records.starts().get(k)? as usize)
                };
                let Range { start, end } = &state.records;
                range.start = start_of(*start).filter(|_| *start > 0).unwrap_or(range.start);
                range.end = start_of(*end).unwrap_or(range.end);
                self.before.add(records);
                at += read;
                if at == all.end {
                    break;
                }
            }
            if state.records.start > 0 && self.before.records <= state.records.start {
                range.start = all.end;
            }
            *is_parsed = range == all && self.before.records - before.records == records.len() as u64;
            before.records = before.records.max(state.records.start);
        }
        self.reader = Some(reader);
        Ok(Some((before, range)))
    }
}

/// Asks the job whether it supports an input, before its first batch. The first input gives the header.
fn accept(state: &RunState, origin: &Arc<Origin>) -> Result<(), Error> {
    let first = state.first.get().map(|(first, _)| (&*first.name, &first.layout));
    let (job, input) = (state.job, InputStart { name: &origin.name, layout: &origin.layout, first });
    job.accept(&input)?;
    if let (Some(table), Some((name, layout))) = (job.table(), first) {
        table.accept_after(input.layout, layout, name).map_err(|reason| input.reject(reason))?;
    }
    let header = header(job, &state.needs, Some(input.layout)).map_err(|reason| input.reject(reason))?;
    state.first.get_or_init(|| (Arc::clone(origin), header));
    Ok(())
}

/// Processes batches until there are no more or the run ends. With `reports`, the worker also writes batches that are
/// ready.
pub(super) fn work(state: &RunState, reports: Option<SyncSender<Report>>) {
    let producer = state.order.producer();
    let mut scratch = Scratch::default();
    let is_written = |is_put: bool| is_put && reports.as_ref().is_none_or(|reports| state.write_ready(reports));
    loop {
        let next = producer.take(&state.source, |source| {
            // The clock starts when the lock has been acquired.
            let clock = Clock::start();
            source.next(state, &mut scratch).transpose().map(|next| (clock, next))
        });
        let Some((turn, (clock, next))) = next else { return };
        let put = |part| is_written(turn.put(Ok(part)));
        let last = match next {
            Ok((before, range)) => scratch.finish_batch(state, before, range, clock, &put),
            Err(error) => Some(Err(error)),
        };
        // The rest of the run does not wait for earlier batches, which may take long.
        if last.is_none() && state.cancel.is_cancelled() {
            return state.fail(Error::Cancelled);
        }
        if !is_written(turn.finish(last.unwrap_or(Err(Error::Cancelled)))) {
            return;
        }
    }
}

impl Scratch {
    /// Solves the records, if the job has a solver. Returns `None` if the run was cancelled.
    fn solve(&mut self, state: &RunState) -> Option<Result<(), Error>> {
        let Scratch { batch, records, outcomes, .. } = self;
        if !records.pencilmarks.is_empty()
            && let Err(reason) = state.job.accept_candidates()
        {
            let reason = format!("unsupported pencilmarks: {reason}");
            return Some(Err(Error::Format { name: batch.origin().name.clone(), reason }));
        }
        if let Some(solver) = state.job.solver() {
            return solver.solve_batch(records.puzzle_slice(), outcomes, state.cancel).ok().map(Ok);
        }
        outcomes.reset(records.len());
        records.mark_invalid(outcomes);
        Some(Ok(()))
    }

    /// Processes a batch in parts and passes all but the last to `put`. Returns the last one, or `None` if the run has
    /// ended.
    fn finish_batch(
        &mut self,
        state: &RunState,
        mut before: Before,
        range: Range<usize>,
        mut clock: Clock,
        put: &dyn Fn(Finished) -> bool,
    ) -> Option<Part> {
        self.batch.prefetch();
        let origin = Arc::clone(self.batch.origin());
        let mut put_rows = |block| put(Finished::of_rows(block, &origin)).then(|| state.spare_block());
        let mut input_bytes = self.batch.consumed - self.batch.text().len() as u64;
        if range.start > 0 {
            let lines = origin.layout.count_lines(&self.batch.text()[..range.start]);
            before.lines += lines;
            let mut left_out = Finished { lines, ..Finished::of_rows(Block::default(), &origin) };
            left_out.stats.input_bytes = mem::take(&mut input_bytes) + range.start as u64;
            if !put(left_out) {
                return None;
            }
        }
        let mut position = Position { left: range, before, input_bytes, stored_bytes: self.batch.stored };
        loop {
            let (part, failure) = self.finish_part(state, &mut position, clock, &mut put_rows)?;
            if let Some(error) = failure {
                return put(part).then_some(Err(error));
            }
            if position.left.is_empty() {
                self.batch.release();
                return Some(Ok(part));
            }
            if !put(part) {
                return None;
            }
            clock = Clock::start();
        }
    }

    /// Reads and solves the next part of a batch and formats its rows. If the job fails, they are the rows before its
    /// error. Returns `None` if the run has ended.
    fn finish_part(
        &mut self,
        state: &RunState,
        position: &mut Position,
        mut clock: Clock,
        put_rows: &mut dyn FnMut(Block) -> Option<Block>,
    ) -> Option<(Finished, Option<Error>)> {
        let &RunState { reported, cancel, job, needs, .. } = state;
        let Scratch { batch, records, .. } = self;
        let (Range { start, mut end }, before) = (position.left.clone(), position.before);
        if !self.is_parsed {
            end = start + records.read(&batch.origin().layout, &batch.text()[start..end], state.level, PART);
        }
        position.left.start = end;
        if needs.numbers {
            position.before.add(records);
        }
        let reading = clock.lap();
        if cancel.is_cancelled() {
            return None;
        }
        if let Err(error) = self.solve(state)? {
            return Some((Finished::of_rows(Block::default(), self.batch.origin()), Some(error)));
        }
        let mut solving = clock.lap();
        let Scratch { batch, records, outcomes, .. } = self;
        let origin = batch.origin();
        let input_bytes = (end - start) as u64 + mem::take(&mut position.input_bytes);
        let view = BatchView {
            text: &batch.text()[start..end],
            records,
            layout: &origin.layout,
            first_layout: &state.first.get().expect("an input was accepted").0.layout,
            input_index: origin.index,
            input: &origin.name,
            records_before: before.records,
            lines_before: before.lines,
            cancel,
        };
        let mut rows = RowSink::new(state.spare_block(), put_rows);
        let failure = match job.write(&view, outcomes, &mut rows) {
            ControlFlow::Break(()) => Some(rows.failure.take()?),
            ControlFlow::Continue(()) => None,
        };
        // Rows that were passed on in the meantime waited for the queue, or were written by this thread.
        let mut formatting = clock.lap().saturating_sub(rows.passing);
        if needs.solves_in_write {
            solving += mem::take(&mut formatting);
        }
        let counts = Counts::of(outcomes.statuses());
        let count = failure.as_ref().map_or(records.len(), |(record, _)| *record);
        let invalid = invalid_records(&view, outcomes, count).take(counts.invalid.min(reported) as usize).collect();
        let stats = Stats {
            counts,
            guesses: outcomes.guesses().iter().sum(),
            input_bytes,
            stored_bytes: mem::take(&mut position.stored_bytes),
            notes: Notes { complete_grids: records.complete_grids, commented_puzzles: records.commented },
            reading_seconds: reading.as_secs_f64(),
            solving_seconds: solving.as_secs_f64(),
            writing_seconds: (formatting + clock.lap()).as_secs_f64(),
            ..Stats::default()
        };
        let part = Finished { block: rows.block, origin: Arc::clone(origin), invalid, lines: records.lines, stats };
        Some((part, failure.map(|(_, error)| error)))
    }
}

/// The invalid records among the first `count` of a batch.
fn invalid_records<'a>(
    batch: &'a BatchView,
    outcomes: &'a Outcomes,
    count: usize,
) -> impl Iterator<Item = InvalidRecord<'static>> + 'a {
    let numbered = (0..count).zip(outcomes.statuses().iter().zip(&batch.records.starts));
    let (mut lines, mut counted) = (0, 0);
    let invalid = numbered.filter(|(_, (status, _))| **status == Status::Invalid);
    invalid.filter_map(move |(record, (_, &start))| {
        let (at, reason) = batch.layout.diagnose(batch.record(record))?;
        let at = start as usize + at;
        lines += batch.layout.count_lines(&batch.text[counted..at]);
        counted = at;
        Some(InvalidRecord { input: "", record: record as u64, line: lines, byte_offset: at as u64, reason })
    })
}
