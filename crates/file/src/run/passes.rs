//! Several passes over the same inputs, as one run: their statistics and their progress.

use std::time::Instant;

use super::job::Job;
use super::{Event, Run};
use crate::error::Error;
use crate::read::Input;
use crate::record::batch::check_start;
use crate::stats::{Counts, Notes, Stats};

/// Passes that collect something from the records, and a last one that writes the rows.
pub(crate) struct Passes<'a> {
    /// The inputs of the last pass, which can be read again, and the outputs.
    pub run: Run,
    /// The statistics of the passes so far.
    pub stats: Stats,
    on_event: &'a mut dyn FnMut(Event<'_>),
    /// The size of all inputs, each counted as often as it is read, without the last pass if its time does not matter.
    total_bytes: Option<u64>,
    shows_last: bool,
    start: Instant,
}

impl<'a> Passes<'a> {
    /// Makes the inputs of `run` repeatable: streams are copied to a temporary file. They are read twice, and `others`
    /// once. The progress has the last pass if `shows_last`; it must not if the others take much longer.
    ///
    /// # Errors
    /// When an input cannot be opened or copied, or is not recognised.
    pub fn new(
        mut run: Run,
        others: &[Input],
        shows_last: bool,
        on_event: &'a mut dyn FnMut(Event<'_>),
    ) -> Result<Passes<'a>, Error> {
        let start = Instant::now();
        // All wrong paths are found before the first stream is read.
        run.inputs.iter().chain(others).try_for_each(|input| input.size().map(drop))?;
        let repeatable = |input: &Input| {
            let accept = |start: &[u8]| check_start(input, start, &run.input_options);
            input.repeatable(&run.cancel, accept)
        };
        let inputs = run.inputs.iter().map(repeatable).collect::<Result<Vec<_>, _>>()?;
        let again = inputs.iter().filter(|_| shows_last);
        let sizes = inputs.iter().chain(others).chain(again).map(Input::stored_size);
        let sizes = sizes.collect::<Result<Vec<_>, _>>()?;
        let total_bytes = sizes.into_iter().map(|size| Some(size?.0)).sum::<Option<u64>>();
        run.inputs = inputs;
        Ok(Passes { run, stats: Stats::default(), on_event, total_bytes, shows_last, start })
    }

    /// A pass that writes no rows, over the inputs of the last pass or over `others`. Returns the number of records.
    ///
    /// # Errors
    /// Those of [`Run::start`].
    pub fn collect(&mut self, others: Option<&[Input]>, job: &dyn Job) -> Result<u64, Error> {
        let run = Run {
            inputs: others.unwrap_or(&self.run.inputs).to_vec(),
            outputs: Vec::new(),
            mapping: self.run.mapping.clone(),
            input_options: self.run.input_options.clone(),
            cancel: self.run.cancel.clone(),
            ..self.run
        };
        let (before, on_event, total_bytes) = (&self.stats, &mut *self.on_event, self.total_bytes);
        let mut forward = |event: Event| match event {
            Event::Progress { stats, .. } => {
                on_event(Event::Progress { stats: &sum(before, stats, false), total_bytes })
            }
            other => on_event(other),
        };
        let stats = run.start(job, &mut forward)?;
        self.stats = sum(&self.stats, &stats, false);
        self.stats.output_bytes = 0;
        Ok(stats.records)
    }

    /// The last pass, which reads the records of the run again and writes rows. Returns the statistics of all passes.
    ///
    /// # Errors
    /// Those of [`Run::start`].
    pub fn write(self, job: &dyn Job) -> Result<Stats, Error> {
        let Passes { mut run, stats: before, on_event, total_bytes, shows_last, start } = self;
        run.reported = 0;
        let mut forward = |event: Event| {
            // Everything else was sent in the first pass.
            if let Event::Progress { stats, .. } = event {
                let mut shown = sum(&before, stats, true);
                if shows_last {
                    shown.stored_bytes += stats.stored_bytes;
                }
                on_event(Event::Progress { stats: &shown, total_bytes });
            }
        };
        let stats = run.start(job, &mut forward)?;
        let mut stats = sum(&before, &stats, true);
        stats.finish(start.elapsed().as_secs_f64());
        Ok(stats)
    }

    /// The input to name if it is not known which one has changed.
    pub fn any_input(&self) -> String {
        match &self.run.inputs[..] {
            [input] => input.name(),
            _ => "one of the inputs".to_owned(),
        }
    }
}

/// The error of an input with other records than before.
pub(crate) fn changed(input: &str) -> Error {
    Error::Format { name: input.to_owned(), reason: "changed while it was read".to_owned() }
}

/// The statistics after another pass, which reads the same records `again` or others.
fn sum(before: &Stats, pass: &Stats, again: bool) -> Stats {
    let mut pass = pass.clone();
    if again {
        let (counts, notes) = (Counts::default(), Notes::default());
        pass = Stats { counts, guesses: 0, input_bytes: 0, stored_bytes: 0, notes, ..pass };
    }
    let mut sum = before.clone();
    sum.add(&pass);
    sum.threads = pass.threads;
    sum
}
