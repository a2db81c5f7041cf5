//! The rows of a batch, on their way from a job to the writer.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Block;
use crate::error::Error;
use crate::outcome::ROW;

/// The destination of the rows of a batch.
pub struct RowSink<'a> {
    pub(crate) block: Block,
    /// The time spent passing parts on.
    pub(crate) passing: Duration,
    /// The record of the failure, and the error.
    pub(crate) failure: Option<(usize, Error)>,
    /// Passes a part of the rows on and returns an empty block, or `None` if the run has ended.
    pass_on: &'a mut dyn FnMut(Block) -> Option<Block>,
}

/// Long output is passed on in parts of at least this many bytes.
const PART_BYTES: usize = 256 << 10;

impl<'a> RowSink<'a> {
    pub(crate) fn new(block: Block, pass_on: &'a mut dyn FnMut(Block) -> Option<Block>) -> RowSink<'a> {
        RowSink { block, passing: Duration::ZERO, failure: None, pass_on }
    }

    /// The buffer to which rows are appended.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.block.text
    }

    /// Moves the end of [`RowSink::text`], from offset `start`, to the rows of another of the
    /// [outputs](crate::Run::outputs). Part 0 is the first output, that of `text`.
    ///
    /// ```
    /// use std::ops::ControlFlow;
    ///
    /// use rapidoku::Outcomes;
    /// use rapidoku::file::{BatchView, Job, Needs, Output, RowSink, Run};
    ///
    /// /// Writes each record to one of two files in turn.
    /// struct Deal;
    ///
    /// impl Job for Deal {
    ///     fn needs(&self) -> Needs<'_> {
    ///         Needs { numbers: true, ..Needs::default() }
    ///     }
    ///
    ///     fn write(&self, batch: &BatchView, _: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()> {
    ///         for (k, puzzle) in batch.records.puzzles().iter().enumerate() {
    ///             let start = rows.text().len();
    ///             rows.text().extend_from_slice(format!("{puzzle}\n").as_bytes());
    ///             rows.move_to_part(start, (batch.records_before as usize + k) % 2);
    ///             rows.flush_if_large()?;
    ///         }
    ///         ControlFlow::Continue(())
    ///     }
    /// }
    ///
    /// let folder = tempfile::tempdir()?;
    /// let [input, even, odd] = ["in", "even", "odd"].map(|name| folder.path().join(name));
    /// let puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
    /// std::fs::write(&input, puzzle.repeat(5))?;
    /// let run = Run::default().input(&input);
    /// let run = run.output(Output::create(&even)?).output(Output::create(&odd)?);
    /// run.start(&Deal, &mut |_| {})?;
    /// assert_eq!(std::fs::read_to_string(&even)?, puzzle.repeat(3));
    /// assert_eq!(std::fs::read_to_string(&odd)?, puzzle.repeat(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn move_to_part(&mut self, start: usize, part: usize) {
        if part == 0 {
            return;
        }
        let Block { text, others, .. } = &mut self.block;
        if others.len() < part {
            others.resize(part, Vec::new());
        }
        others[part - 1].extend_from_slice(&text[start..]);
        text.truncate(start);
    }

    /// Ends the run with an error at this record of the batch, for which there is no row. The rows before it are
    /// written. Return the result from [`Job::write`](crate::Job::write).
    pub fn fail(&mut self, record: usize, error: Error) -> ControlFlow<()> {
        self.failure = Some((record, error));
        ControlFlow::Break(())
    }

    /// Passes the rows on if there are many, so that only a part of them is in memory. Call it between rows if the rows
    /// of a batch may be much longer than its records.
    ///
    /// Returns [`ControlFlow::Break`] if the run has ended.
    #[inline]
    pub fn flush_if_large(&mut self) -> ControlFlow<()> {
        if self.block.len() < PART_BYTES { ControlFlow::Continue(()) } else { self.flush() }
    }

    #[cold]
    fn flush(&mut self) -> ControlFlow<()> {
        let start = Instant::now();
        let passed = (self.pass_on)(std::mem::take(&mut self.block));
        self.passing += start.elapsed();
        let Some(block) = passed else { return ControlFlow::Break(()) };
        self.block = block;
        ControlFlow::Continue(())
    }

    /// Swaps the rows of the outcomes with a reusable buffer: they are the complete output of the batch, without a
    /// copy.
    pub(crate) fn swap_rows(&mut self, rows: &mut Vec<[u8; ROW]>) {
        std::mem::swap(&mut self.block.rows, rows);
        self.block.is_rows = true;
    }
}
