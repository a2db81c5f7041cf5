//! Between stages 4 and 6: what a command makes of a batch, from outcomes to the bytes to be written.
//!
//! The [`pipeline`](crate::pipeline) reads records, has the engine search them if the job asks for it, and gives
//! the job the text, the records and the outcomes. The job writes its bytes, and leaves a status for every
//! record in the outcomes: that is what is counted.

mod check;
mod enumerate;
mod explain;
mod grids;
mod rate;
mod row;
mod solve;
mod verify;

use std::borrow::Cow;
use std::ops::ControlFlow;

pub use check::{Check, Count, Keep};
pub use enumerate::Enumerate;
pub use explain::Explain;
pub use grids::Grids;
pub use rate::Rate;
pub use row::Format;
pub use solve::{Column, Solve};
pub use verify::{Fault, Verify};

use crate::engine::{Outcomes, ROW, Search};
use crate::output::Block;
use crate::record::{Layout, Records};

/// What is done with each batch.
pub trait Job: Sync {
    /// What comes before the first record, which has this layout. `None` where there are no inputs to read.
    ///
    /// # Errors
    /// When what is wanted is not in such a layout.
    fn header(&self, _first: Option<&Layout>) -> Result<Cow<'_, [u8]>, String> {
        Ok(Cow::Borrowed(b""))
    }

    /// Whether it needs [`Lot::records_before`] and [`Lot::lines_before`]. All batches are then parsed one after
    /// the other, at some ten million records per second.
    fn numbered(&self) -> bool {
        false
    }

    /// Whether what it writes tells of invalid records, so that nobody else needs to.
    fn reports(&self) -> bool {
        false
    }

    /// Whether lines of streams must stay whole even where they are longer than a batch.
    fn whole_lines(&self) -> bool {
        false
    }

    /// How many bytes of input make a batch, at most. What is written of them may be much more, and has to wait in
    /// memory for what comes before it, or else the threads wait for one another.
    fn batch_bytes(&self) -> usize {
        usize::MAX
    }

    /// What the engine is to search for when the command line `asked` for this.
    fn search(&self, asked: Search) -> Option<Search> {
        Some(asked)
    }

    /// Writes the output of a batch, and leaves one entry per record in `outcomes`.
    ///
    /// `outcomes` are those of [`Job::search`], or blank without it. Breaks when the sheet does.
    fn write(&self, lot: &Lot, outcomes: &mut Outcomes, sheet: &mut Sheet) -> ControlFlow<()>;
}

/// A batch, read.
#[derive(Clone, Copy)]
pub struct Lot<'a> {
    /// Its lines.
    pub text: &'a [u8],
    /// The records in them.
    pub records: &'a Records,
    /// Where in the text they stand.
    pub layout: &'a Layout,
    /// Name of the input that they are from.
    pub input: &'a str,
    /// Records of all inputs before these, for a job that is [`numbered`](Job::numbered).
    pub records_before: u64,
    /// Lines of this input before these, likewise.
    pub lines_before: u64,
}

/// Where a job writes.
pub struct Sheet<'a> {
    block: Block,
    /// Takes a part of the output away and gives an empty block for more, or none when the run is over.
    hand_over: &'a mut dyn FnMut(Block) -> Option<Block>,
}

/// Output that is long goes on its way in parts of at least so many bytes.
const PART: usize = 256 << 10;

impl<'a> Sheet<'a> {
    pub(crate) fn new(mut block: Block, hand_over: &'a mut dyn FnMut(Block) -> Option<Block>) -> Sheet<'a> {
        block.text.clear();
        block.is_rows = false;
        Sheet { block, hand_over }
    }

    pub(crate) fn into_block(self) -> Block {
        self.block
    }

    /// What is written.
    pub fn text(&mut self) -> &mut Vec<u8> {
        &mut self.block.text
    }

    /// To be called between records and within long ones: sends long text on its way, so that no more than
    /// a part of it is in memory. Breaks when nobody wants more.
    pub fn turn(&mut self) -> ControlFlow<()> {
        if self.block.text.len() < PART {
            return ControlFlow::Continue(());
        }
        match (self.hand_over)(std::mem::take(&mut self.block)) {
            None => ControlFlow::Break(()),
            Some(mut block) => {
                block.text.clear();
                block.is_rows = false;
                self.block = block;
                ControlFlow::Continue(())
            }
        }
    }

    /// Trades old rows for `rows`, which are all of the output.
    fn trade_rows(&mut self, rows: &mut Vec<[u8; ROW]>) {
        std::mem::swap(&mut self.block.rows, rows);
        self.block.is_rows = true;
    }
}

/// Writes a number in decimal.
pub(crate) fn push_number(text: &mut Vec<u8>, number: u64) {
    match number {
        0..10 => text.push(b'0' + number as u8),
        _ => text.extend_from_slice(number.to_string().as_bytes()),
    }
}
