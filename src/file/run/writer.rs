//! Stages 5 and 6: writes the results of the batches in order, and updates the statistics of the run.

use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::finished::{Failure, Invalid, Part, Report};
use super::job::{Job, LastRows};
use super::{Clock, Event, InvalidRecord, PROGRESS_INTERVAL, RunState, lock};
use crate::cancel::CancelToken;
use crate::file::error::Error;
use crate::file::stats::Stats;
use crate::file::write::{Block, Output, npy};
use crate::grid::CELLS;

/// The output and the statistics of what has been written to it.
pub(super) struct OrderedWriter {
    output: Output,
    /// The outputs of the parts after the first, see [`run_parts`](super::run_parts).
    others: Vec<Output>,
    /// Whether the header of the job is written.
    writes_header: bool,
    stats: Stats,
    /// The number of invalid records reported.
    reported: u64,
    last_progress: Instant,
    /// The numbers since the last row, if rows are generated.
    fruitless: u64,
    /// The index of the input of the last result, and its lines and bytes so far.
    input: Option<usize>,
    lines: u64,
    bytes: u64,
}

impl OrderedWriter {
    pub fn new(
        output: Output,
        others: Vec<Output>,
        writes_header: bool,
        stats: Stats,
        start: Instant,
    ) -> OrderedWriter {
        OrderedWriter {
            output,
            others,
            writes_header,
            stats,
            reported: 0,
            last_progress: start,
            fruitless: 0,
            input: None,
            lines: 0,
            bytes: 0,
        }
    }

    /// Writes the header of a job, or that of an array.
    fn write_header(&mut self, job: &impl Job, header: &[u8]) -> Result<(), Error> {
        let array = npy::header(0);
        let header = if job.writes_array() { &array } else { header };
        for output in std::iter::once(&mut self.output).chain(&mut self.others) {
            output.write(header)?;
            self.stats.output_bytes += header.len() as u64;
        }
        Ok(())
    }

    /// Writes the next part in order. Returns a report if the calling thread should get one.
    ///
    /// # Errors
    /// The failure that the part is, or that of the output.
    pub fn write<J: Job>(&mut self, state: &RunState<J>, part: Part) -> Result<Option<Report>, Failure> {
        let finished = part?;
        let origin = finished.origin;
        if self.input != Some(origin.index) {
            if self.input.is_none() && (self.writes_header || state.job.writes_array()) {
                let header = state.job.header(Some(&origin.layout));
                let header = header.map_err(|reason| Error::Format { name: origin.name.clone(), reason })?;
                self.write_header(state.job, &header)?;
            }
            (self.input, self.lines, self.bytes) = (Some(origin.index), origin.skipped_lines, origin.offset);
        }
        let OrderedWriter { output, others, stats, .. } = self;
        let mut invalid = finished.invalid;
        invalid.truncate(usize::try_from(state.config.reported - self.reported).unwrap_or(usize::MAX));
        self.reported += invalid.len() as u64;
        for record in &mut invalid {
            record.record += stats.records;
            record.line += self.lines;
            // The size of the first batch includes the header, but its offsets start after the header.
            record.byte_offset += self.bytes.max(origin.skipped_bytes);
        }
        self.bytes += finished.consumed;
        self.lines += finished.lines;

        let (mut block, mut counts) = (finished.block, finished.counts);
        let room = state.max_rows - stats.records;
        if counts.records() >= room {
            // Only generated rows are limited. They have the same status.
            let rows = room as usize;
            block.text.truncate(match state.job.writes_array() {
                true => rows.saturating_mul(CELLS),
                false => {
                    memchr::memchr_iter(b'\n', block.bytes()).nth(rows - 1).map_or(usize::MAX, |at| at + 1)
                }
            });
            counts = counts.up_to(room);
            state.order.stop();
        }
        self.fruitless = if counts.records() == 0 { self.fruitless + finished.numbers } else { 0 };
        if self.fruitless >= state.job.max_fruitless() {
            state.order.stop();
        }
        let mut clock = Clock::start();
        let bytes = block.len() as u64;
        for (output, rows) in others.iter_mut().zip(&block.others) {
            output.write(rows)?;
        }
        let spare = output.write_block(block)?;
        let writing = clock.lap();

        stats.add(counts, finished.guesses, finished.consumed);
        stats.output_bytes += bytes;
        stats.not_utf8 += finished.not_utf8;
        stats.reading_seconds += finished.reading.as_secs_f64();
        stats.solving_seconds += finished.solving.as_secs_f64();
        stats.writing_seconds += (finished.formatting + writing).as_secs_f64();
        // A part without rows has a new block without memory. Workers would take these instead of used ones, whose number
        // would grow.
        lock(&state.blocks).extend(spare.into_iter().flatten().filter(Block::has_memory));
        if invalid.is_empty() && self.last_progress.elapsed() < PROGRESS_INTERVAL {
            return Ok(None);
        }
        self.last_progress = Instant::now();
        Ok(Some(Report { origin, invalid, stats: stats.clone() }))
    }

    /// Writes the header if there was no input, and the last rows of the job, and completes the outputs unless `check`
    /// fails.
    pub fn finish(
        mut self,
        job: &impl Job,
        check: impl FnOnce(&Stats) -> Result<(), Error>,
        cancel: &CancelToken,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<Stats, Error> {
        if self.input.is_none()
            && (self.writes_header || job.writes_array())
            && let Ok(header) = job.header(None)
        {
            self.write_header(job, &header)?;
        }
        let mut clock = Clock::start();
        let mut rows = LastRows {
            output: &mut self.output,
            bytes: 0,
            total_bytes: None,
            not_utf8: 0,
            cancel,
            stats: &self.stats,
            last_event: None,
            on_event,
        };
        job.finish(&mut rows)?;
        let LastRows { bytes, not_utf8, .. } = rows;
        self.stats.output_bytes += bytes;
        self.stats.not_utf8 += not_utf8;
        self.stats.writing_seconds += clock.lap().as_secs_f64();
        self.output.write(job.footer())?;
        self.stats.output_bytes += job.footer().len() as u64;
        if job.writes_array() {
            self.output.rewrite_start(&npy::header(npy::rows(self.stats.output_bytes)))?;
        }
        check(&self.stats)?;
        for output in std::iter::once(self.output).chain(self.others) {
            output.finish()?;
        }
        Ok(self.stats)
    }
}

impl<J: Job> RunState<'_, J> {
    /// Writes the parts that are ready, unless another thread is writing. Returns `false` after a failure.
    pub fn write_ready(&self, reports: &SyncSender<Report>) -> bool {
        self.order.drain(&self.writer, |writer, part| {
            match writer.write(self, part) {
                // Sending fails if the event handler has panicked. The queue is stopped then.
                Ok(report) => {
                    if let Some(report) = report {
                        let _ = reports.send(report);
                    }
                    true
                }
                Err(failure) => {
                    self.fail(failure);
                    false
                }
            }
        })
    }
}

impl Report {
    /// Calls the event handler.
    pub fn send_events(self, total_bytes: Option<u64>, on_event: &mut dyn FnMut(Event)) {
        for Invalid { record, line, byte_offset, reason } in self.invalid {
            let input = &*self.origin.name;
            on_event(Event::Invalid(InvalidRecord {
                input,
                record: record + 1,
                line: line + 1,
                byte_offset,
                reason,
            }));
        }
        on_event(Event::Progress { stats: &self.stats, total_bytes });
    }
}
