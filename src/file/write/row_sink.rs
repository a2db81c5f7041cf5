//! The rows of a batch, on their way from a job to the writer.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Block;
use crate::outcome::ROW;

/// The destination of the rows of a batch.
pub struct RowSink<'a> {
    block: Block,
    /// The number of rows in which bytes that are not UTF-8 were replaced.
    not_utf8: u64,
    /// The time spent passing parts on.
    passing: Duration,
    /// Passes a part of the rows on and returns an empty block, or `None` if the run has ended.
    pass_on: &'a mut dyn FnMut(Block) -> Option<Block>,
}

/// Long output is passed on in parts of at least this many bytes.
const PART_BYTES: usize = 256 << 10;

impl<'a> RowSink<'a> {
    pub(in crate::file) fn new(
        mut block: Block,
        pass_on: &'a mut dyn FnMut(Block) -> Option<Block>,
    ) -> RowSink<'a> {
        block.clear();
        RowSink { block, not_utf8: 0, passing: Duration::ZERO, pass_on }
    }

    pub(in crate::file) fn passing(&self) -> Duration {
        self.passing
    }

    pub(in crate::file) fn not_utf8(&self) -> u64 {
        self.not_utf8
    }

    /// Counts rows in which bytes that are not UTF-8 were replaced.
    #[inline(always)]
    pub(in crate::file) fn count_not_utf8(&mut self, rows: u64) {
        self.not_utf8 += rows;
    }

    pub(in crate::file) fn into_block(self) -> Block {
        self.block
    }

    /// The buffer to which rows are appended.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.block.text
    }

    /// Passes the rows on if there are many, so that only a part of them is in memory. Call it between rows if the rows of
    /// a batch may be much longer than its records.
    ///
    /// Returns [`ControlFlow::Break`] if the run has ended.
    pub fn flush_if_large(&mut self) -> ControlFlow<()> {
        if self.block.text.len() < PART_BYTES {
            return ControlFlow::Continue(());
        }
        let start = Instant::now();
        let passed = (self.pass_on)(std::mem::take(&mut self.block));
        self.passing += start.elapsed();
        match passed {
            None => ControlFlow::Break(()),
            Some(mut block) => {
                block.clear();
                self.block = block;
                ControlFlow::Continue(())
            }
        }
    }

    /// Swaps the rows of the outcomes with a reusable buffer: they are the complete output of the batch, without a copy.
    pub(in crate::file) fn swap_rows(&mut self, rows: &mut Vec<[u8; ROW]>) {
        std::mem::swap(&mut self.block.rows, rows);
        self.block.is_rows = true;
    }
}
