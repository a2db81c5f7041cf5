//! A batch of records, as jobs see it.

use super::{Layout, Records};
use crate::cancel::CancelToken;

/// A batch of records.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct BatchView<'a> {
    /// The bytes of the batch: complete records in input order, and what is between them.
    pub text: &'a [u8],
    /// The records of the batch.
    pub records: &'a Records,
    /// The layout of the input.
    pub layout: &'a Layout,
    /// The layout of the first input that has records or a header, whose header was written.
    pub first_layout: &'a Layout,
    /// The number of inputs before this one.
    pub input_index: usize,
    /// The name of the input.
    pub input: &'a str,
    /// The number of records before this batch, over all inputs. 0 unless the job [needs
    /// numbers](crate::Needs::numbers).
    pub records_before: u64,
    /// The number of lines before this batch in its input. 0 unless the job needs numbers.
    pub lines_before: u64,
    /// The token that cancels the run.
    pub cancel: &'a CancelToken,
}

impl<'a> BatchView<'a> {
    /// The bytes of record `k` and of what is between it and the next record, for the methods of [`Layout`].
    ///
    /// # Panics
    /// When there is no such record.
    pub fn record(&self, k: usize) -> &'a [u8] {
        let starts = self.records.starts();
        let end = starts.get(k + 1).map_or(self.text.len(), |&end| end as usize);
        &self.text[starts[k] as usize..end]
    }

    /// The 81 cells or 729 pencilmarks of record `k` as in the input; `None` if it is not a puzzle.
    ///
    /// # Panics
    /// When there is no such record.
    pub fn cells(&self, k: usize) -> Option<std::borrow::Cow<'a, [u8]>> {
        self.records.is_puzzle(k).then(|| self.layout.format().cells_of_puzzle(self.record(k))).flatten()
    }
}
