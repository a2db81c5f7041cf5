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
    others: Vec<Input>,
    on_event: &'a mut dyn FnMut(Event<'_>),
    /// The size of all inputs, each counted as often as it is read, without the last pass if its time does not matter.
    total_bytes: Option<u64>,
    /// The bytes of finished passes over inputs that had been read before.
    read_again: u64,
    shows_last: bool,
    begin: Instant,
}

impl<'a> Passes<'a> {
    /// Makes the inputs of `run` and `others` repeatable: streams are copied to a temporary file. The progress has the
    /// last pass if `shows_last`; it must not if the others take much longer.
    ///
    /// # Errors
    /// When an input cannot be opened or copied, or is not recognised.
    pub fn new(
        mut run: Run,
        others: &[Input],
        shows_last: bool,
        on_event: &'a mut dyn FnMut(Event<'_>),
    ) -> Result<Passes<'a>, Error> {
        let begin = Instant::now();
        // All wrong paths are found before the first stream is read.
        run.inputs.iter().chain(others).try_for_each(|input| input.size().map(drop))?;
        let repeatable = |input: &Input| {
            let accept = |start: &[u8]| check_start(input, start, &run.input_options);
            input.repeatable(&run.cancel, accept)
        };
        run.inputs = run.inputs.iter().map(repeatable).collect::<Result<_, _>>()?;
        let others = others.iter().map(repeatable).collect::<Result<Vec<_>, _>>()?;
        let again = run.inputs.iter().filter(|_| shows_last);
        let total_bytes = size(run.inputs.iter().chain(&others).chain(again))?;
        let stats = Stats::default();
        Ok(Passes { run, stats, others, on_event, total_bytes, read_again: 0, shows_last, begin })
    }

    /// A pass that writes no rows, over the inputs of the last pass or over the others, which may have been read
    /// before. Returns the number of records.
    ///
    /// # Errors
    /// Those of [`Run::start`].
    pub fn collect(&mut self, others: bool, again: bool, job: &dyn Job) -> Result<u64, Error> {
        let run = Run {
            inputs: if others { &self.others } else { &self.run.inputs }.clone(),
            outputs: Vec::new(),
            mapping: self.run.mapping.clone(),
            input_options: self.run.input_options.clone(),
            cancel: self.run.cancel.clone(),
            ..self.run
        };
        if again {
            self.total_bytes = self.total_bytes.zip(size(&run.inputs)?).map(|(total, size)| total + size);
        }
        let stats = self.start(run, again, again, job)?;
        self.stats = sum(&self.stats, &stats, again);
        self.stats.output_bytes = 0;
        Ok(stats.records)
    }

    /// The last pass, which reads the records of the run again and writes rows. Returns the statistics of all passes.
    ///
    /// # Errors
    /// Those of [`Run::start`].
    pub fn write(mut self, job: &dyn Job) -> Result<Stats, Error> {
        let run = std::mem::take(&mut self.run);
        let stats = self.start(run, true, self.shows_last, job)?;
        let mut stats = sum(&self.stats, &stats, true);
        stats.finish(self.begin.elapsed().as_secs_f64());
        Ok(stats)
    }

    /// Starts a pass over inputs that have been read before if `again` is set.
    fn start(&mut self, mut run: Run, again: bool, is_shown: bool, job: &dyn Job) -> Result<Stats, Error> {
        if again {
            run.reported = 0;
        }
        let Passes { stats: before, on_event, total_bytes, read_again, .. } = self;
        let mut forward = |event: Event| match event {
            Event::Progress { stats, .. } => {
                let mut shown = sum(before, stats, again);
                shown.stored_bytes += *read_again + if again && is_shown { stats.stored_bytes } else { 0 };
                on_event(Event::Progress { stats: &shown, total_bytes: *total_bytes });
            }
            // Everything else was sent in the first pass.
            other if !again => on_event(other),
            _ => {}
        };
        let stats = run.start(job, &mut forward)?;
        if again {
            *read_again += stats.stored_bytes;
        }
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

/// The size of these inputs, as far as it is known.
fn size<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> Result<Option<u64>, Error> {
    let sizes = inputs.into_iter().map(Input::stored_size).collect::<Result<Vec<_>, _>>()?;
    Ok(sizes.into_iter().map(|size| Some(size?.0)).sum())
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
