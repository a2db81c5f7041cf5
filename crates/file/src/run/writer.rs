//! Stages 5 and 6: writes the results of the batches in order, and updates the statistics of the run.

use std::sync::Arc;
use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::job::LastRows;
use super::{Clock, Event, InvalidRecord, PROGRESS_INTERVAL, RunState, header, is_array};
use crate::error::Error;
use crate::record::batch::Origin;
use crate::stats::Stats;
use crate::sync::{into_inner, lock};
use crate::write::{Block, Output};

/// The result of a part of a batch.
pub(super) struct Finished {
    pub block: Block,
    pub origin: Arc<Origin>,
    /// Without the name of the input. Numbers are relative to the part and start at 0.
    pub invalid: Vec<InvalidRecord<'static>>,
    /// The number of lines.
    pub lines: u64,
    pub stats: Stats,
}

impl Finished {
    /// Some of the rows of a part, before its result.
    pub fn of_rows(block: Block, origin: &Arc<Origin>) -> Finished {
        let (invalid, stats) = (Vec::new(), Stats::default());
        Finished { block, origin: Arc::clone(origin), invalid, lines: 0, stats }
    }
}

/// What a worker puts into the queue. A failure takes the place of the rows that it prevents, so that the run ends with
/// the same rows and the same error for every number of threads.
pub(super) type Part = Result<Finished, Error>;

/// A report to the calling thread about a part that has been written.
pub(super) struct Report {
    pub origin: Arc<Origin>,
    /// Without the name of the input.
    pub invalid: Vec<InvalidRecord<'static>>,
    pub stats: Stats,
}

/// The outputs and the statistics of what has been written to them.
pub(super) struct OrderedWriter {
    /// The outputs of the parts, see [`RowSink::move_to_part`](crate::RowSink::move_to_part).
    pub outputs: Vec<Output>,
    pub stats: Stats,
    /// The number of invalid records reported.
    pub reported: u64,
    pub last_progress: Instant,
    /// The index of the input of the last result, and its lines and bytes so far.
    pub input: Option<usize>,
    pub lines: u64,
    pub bytes: u64,
}

impl OrderedWriter {
    /// Writes the header of a job.
    fn write_header(&mut self, header: &[u8]) -> Result<(), Error> {
        self.stats.output_bytes += (self.outputs.len() * header.len()) as u64;
        self.outputs.iter_mut().try_for_each(|output| output.write(header))
    }

    /// Writes the next part in order. Returns a report if the calling thread should get one.
    ///
    /// # Errors
    /// The failure that the part is, or that of the output.
    pub fn write(&mut self, state: &RunState, part: Part) -> Result<Option<Report>, Error> {
        let Finished { block, origin, mut invalid, lines, stats: of_part } = part?;
        if self.input != Some(origin.index) {
            if self.input.is_none() {
                let (_, header) = state.first.get().expect("an input was accepted before its first batch");
                self.write_header(if state.writes_header { header } else { b"" })?;
            }
            (self.input, self.lines, self.bytes) = (Some(origin.index), origin.skipped_lines, origin.offset);
        }
        let OrderedWriter { outputs, stats, .. } = self;
        invalid.truncate(usize::try_from(state.reported - self.reported).unwrap_or(usize::MAX));
        self.reported += invalid.len() as u64;
        for record in &mut invalid {
            record.record += state.records.start + stats.records + 1;
            record.line += self.lines + 1;
            // The size of the first batch includes the header, but its offsets start after the header.
            record.byte_offset += self.bytes.max(origin.skipped_bytes);
        }
        self.bytes += of_part.input_bytes;
        self.lines += lines;

        let mut clock = Clock::start();
        let bytes = block.len() as u64;
        let [output, others @ ..] = &mut outputs[..] else { unreachable!("there is an output") };
        for (output, rows) in others.iter_mut().zip(&block.others) {
            output.write(rows)?;
        }
        output.write(block.bytes())?;
        stats.add(&of_part);
        stats.output_bytes += bytes;
        stats.writing_seconds += clock.lap().as_secs_f64();
        lock(&state.blocks).push(block);
        if invalid.is_empty() && self.last_progress.elapsed() < PROGRESS_INTERVAL {
            return Ok(None);
        }
        self.last_progress = Instant::now();
        Ok(Some(Report { origin, invalid, stats: stats.clone() }))
    }
}

impl RunState<'_> {
    /// After all batches: writes the header if there was no input, and the last rows of the job, and completes the
    /// outputs.
    pub fn finish(self, on_event: &mut dyn FnMut(Event)) -> Result<Stats, Error> {
        let RunState { cancel, job, needs, first, .. } = self;
        if let Some(error) = into_inner(self.failure) {
            return Err(error);
        }
        let mut writer = into_inner(self.writer);
        if writer.input.is_none() && self.writes_header {
            header(job, &needs, None).map_or(Ok(()), |header| writer.write_header(&header))?;
        }
        let OrderedWriter { mut outputs, mut stats, .. } = writer;
        let mut clock = Clock::start();
        let mut rows = LastRows::new(&mut outputs[0], cancel, &stats, on_event);
        job.finish(&mut rows)?;
        rows.flush()?;
        stats.output_bytes += rows.bytes;
        stats.writing_seconds += clock.lap().as_secs_f64();
        if is_array(job) {
            let first = first.get().map(|(first, _)| &first.layout);
            let grids = job.table().map_or(1, |table| table.grid_count(first));
            outputs.iter_mut().try_for_each(|output| output.finish_array(grids))?;
        }
        outputs.into_iter().try_for_each(Output::finish)?;
        Ok(stats)
    }

    /// Writes the parts that are ready, unless another thread is writing. Returns `false` after a failure.
    pub fn write_ready(&self, reports: &SyncSender<Report>) -> bool {
        self.order.drain(&self.writer, |writer, part| {
            let result = writer.write(self, part);
            let is_written = result.is_ok();
            // Sending fails if the event handler has panicked. The queue is stopped then.
            match result {
                Ok(report) => _ = report.is_none_or(|report| reports.send(report).is_ok()),
                Err(failure) => self.fail(failure),
            }
            is_written
        })
    }
}

impl Report {
    /// Calls the event handler.
    pub fn send_events(self, total_bytes: Option<u64>, on_event: &mut dyn FnMut(Event)) {
        for record in self.invalid {
            on_event(Event::Invalid(InvalidRecord { input: &self.origin.name, ..record }));
        }
        on_event(Event::Progress { stats: &self.stats, total_bytes });
    }
}
