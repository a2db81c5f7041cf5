//! What a run does with its batches: the trait that a command implements.

use std::borrow::Cow;
use std::ops::ControlFlow;

use crate::cancel::{CancelToken, Cancelled};
use crate::file::record::{Layout, Records};
use crate::file::write::Block;
use crate::outcome::{Outcomes, PuzzleSlice, ROW};
use crate::solver::Solver;

/// What is done with each batch of records. Methods are called from several threads at once.
///
/// For each batch a worker calls [`Job::solve`] and then [`Job::write`]. The methods are separate so that
/// [`Stats`](super::super::Stats) can tell their times apart.
pub trait Job: Sync {
    /// The bytes before the first row. `first` is the layout of the first input, `None` if there is no input.
    ///
    /// # Errors
    /// When the job needs something that the layout does not have, such as a column.
    fn header(&self, first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        let _ = first;
        Ok(Cow::Borrowed(b""))
    }

    /// Called with the layout of every input before its first batch.
    ///
    /// # Errors
    /// When the job cannot handle records of this layout.
    fn accept(&self, layout: &Layout) -> Result<(), String> {
        let _ = layout;
        Ok(())
    }

    /// Whether the job needs [`BatchView::records_before`] and [`BatchView::lines_before`]. Batches are then parsed one
    /// after the other, which limits a run to about ten million records per second.
    fn needs_numbers(&self) -> bool {
        false
    }

    /// Whether the rows of the job report invalid records, so that the caller of the run need not.
    fn reports_invalid(&self) -> bool {
        false
    }

    /// Whether lines of streams must stay whole even if they are longer than a batch. Otherwise the end of a line that
    /// cannot change the record may be missing from [`BatchView::text`].
    fn needs_whole_lines(&self) -> bool {
        false
    }

    /// The maximal size of a batch in bytes of input. A job whose rows are much longer than its records asks for small
    /// batches: the rows wait in memory until those of earlier batches are written.
    fn max_batch_bytes(&self) -> usize {
        usize::MAX
    }

    /// Solves the puzzles of a batch into `outcomes`, one entry per record.
    ///
    /// # Errors
    /// When `cancel` was set.
    fn solve(
        &self,
        records: &Records,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled>;

    /// Writes the rows of a batch. It may change `outcomes`, whose statuses and guesses are counted afterwards.
    ///
    /// # Errors
    /// Breaks when the sink does.
    fn write(&self, batch: &BatchView, outcomes: &mut Outcomes, rows: &mut RowSink) -> ControlFlow<()>;
}

/// Solves the puzzles of a batch: [`Solver`], or a solver of another crate.
pub trait BatchSolver: Sync {
    /// Solves `puzzles` into `outcomes`, one entry per puzzle.
    ///
    /// # Errors
    /// When `cancel` was set.
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled>;

    /// Whether it solves [`PuzzleSlice::Candidates`]. The run rejects inputs in pencilmarks otherwise.
    ///
    /// # Errors
    /// The reason why not.
    fn accept_candidates(&self) -> Result<(), String> {
        Ok(())
    }
}

/// Solves on the worker's own thread, whatever the number of threads of the solver.
impl BatchSolver for Solver {
    fn solve_batch(
        &self,
        puzzles: PuzzleSlice,
        outcomes: &mut Outcomes,
        cancel: &CancelToken,
    ) -> Result<(), Cancelled> {
        self.solve_on_this_thread(puzzles, outcomes, cancel).map(drop)
    }
}

/// A batch of records.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct BatchView<'a> {
    /// The bytes of the batch.
    pub text: &'a [u8],
    /// The records in them.
    pub records: &'a Records,
    /// The layout of the input.
    pub layout: &'a Layout,
    /// The name of the input.
    pub input: &'a str,
    /// The number of records before this batch, over all inputs. 0 unless the job [needs
    /// numbers](Job::needs_numbers).
    pub records_before: u64,
    /// The number of lines before this batch in its input. 0 unless the job needs numbers.
    pub lines_before: u64,
}

/// Takes the rows of a batch.
pub struct RowSink<'a> {
    block: Block,
    /// Hands over a part of the rows and returns an empty block, or `None` if the run has ended.
    hand_over: &'a mut dyn FnMut(Block) -> Option<Block>,
}

/// Long output is handed over in parts of at least this many bytes.
const PART: usize = 256 << 10;

impl<'a> RowSink<'a> {
    pub(super) fn new(mut block: Block, hand_over: &'a mut dyn FnMut(Block) -> Option<Block>) -> RowSink<'a> {
        block.clear();
        RowSink { block, hand_over }
    }

    pub(super) fn into_block(self) -> Block {
        self.block
    }

    /// The buffer to append rows to.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.block.text
    }

    /// Hands long output over, so that only a part of it is in memory. Call it between rows when the rows of a batch may
    /// be much longer than its records.
    ///
    /// # Errors
    /// Breaks when the run has ended.
    pub fn flush_if_large(&mut self) -> ControlFlow<()> {
        if self.block.text.len() < PART {
            return ControlFlow::Continue(());
        }
        match (self.hand_over)(std::mem::take(&mut self.block)) {
            None => ControlFlow::Break(()),
            Some(mut block) => {
                block.clear();
                self.block = block;
                ControlFlow::Continue(())
            }
        }
    }

    /// Swaps the rows of outcomes for reusable memory: they are the complete output of the batch, and need not be copied.
    pub(in crate::file) fn swap_rows(&mut self, rows: &mut Vec<[u8; ROW]>) {
        std::mem::swap(&mut self.block.rows, rows);
        self.block.is_rows = true;
    }
}
