//! Stages 5 and 6: writes the results of the batches in order, and updates the statistics of the run.

use std::sync::mpsc::SyncSender;
use std::time::Instant;

use super::finished::{Finished, Part, Report};
use super::job::{Job, LastRows, Needs};
use super::{Clock, Event, InvalidRecord, PROGRESS_INTERVAL, RunState, header, is_array};
use crate::cancel::CancelToken;
use crate::error::Error;
use crate::record::Layout;
use crate::stats::Stats;
use crate::sync::lock;
use crate::write::Output;

/// The outputs and the statistics of what has been written to them.
pub(super) struct OrderedWriter {
    /// The outputs of the parts, see [`RowSink::move_to_part`](crate::RowSink::move_to_part).
    pub outputs: Vec<Output>,
    /// Whether the header of the job is written.
    pub writes_header: bool,
    /// The number of records before the first one.
    pub first_record: u64,
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
    fn write_header(&mut self, job: &dyn Job, header: &[u8]) -> Result<(), Error> {
        if !self.writes_header && !is_array(job) {
            return Ok(());
        }
        for output in &mut self.outputs {
            output.write(header)?;
            self.stats.output_bytes += header.len() as u64;
        }
        Ok(())
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
                self.write_header(state.job, header)?;
            }
            (self.input, self.lines, self.bytes) = (Some(origin.index), origin.skipped_lines, origin.offset);
        }
        let OrderedWriter { outputs, stats, .. } = self;
        invalid.truncate(usize::try_from(state.reported - self.reported).unwrap_or(usize::MAX));
        self.reported += invalid.len() as u64;
        for record in &mut invalid {
            record.record += self.first_record + stats.records + 1;
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

    /// Writes the header if there was no input, and the last rows of the job, and completes the outputs.
    pub fn finish(
        mut self,
        job: &dyn Job,
        needs: &Needs,
        first: Option<&Layout>,
        cancel: &CancelToken,
        on_event: &mut dyn FnMut(Event),
    ) -> Result<Stats, Error> {
        if self.input.is_none() {
            header(job, needs, None).map_or(Ok(()), |header| self.write_header(job, &header))?;
        }
        let mut clock = Clock::start();
        let mut rows = LastRows::new(&mut self.outputs[0], cancel, &self.stats, on_event);
        job.finish(&mut rows)?;
        rows.flush()?;
        self.stats.output_bytes += rows.bytes;
        self.stats.writing_seconds += clock.lap().as_secs_f64();
        if is_array(job) {
            let grids = job.table().map_or(1, |table| table.grid_count(first));
            self.outputs.iter_mut().try_for_each(|output| output.finish_array(grids))?;
        }
        self.outputs.into_iter().try_for_each(Output::finish)?;
        Ok(self.stats)
    }
}

impl RunState<'_> {
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
