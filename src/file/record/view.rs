//! A batch of records, as jobs see it.

use std::ops::Range;

use super::{Layout, Records};

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
    /// The layout of the first input that has records or a header, for which [`Job::header`](crate::file::Job::header) was written.
    pub first_layout: &'a Layout,
    /// The number of inputs before this one.
    pub input_index: usize,
    /// The name of the input.
    pub input: &'a str,
    /// The numbers of this batch in a run of [`run_numbers`](crate::file::run_numbers), which has no text; otherwise empty.
    pub numbers: &'a Range<u64>,
    /// The number of records before this batch, over all inputs. 0 unless the job [needs
    /// numbers](crate::file::Job::needs_numbers).
    pub records_before: u64,
    /// The number of lines before this batch in its input. 0 unless the job needs numbers.
    pub lines_before: u64,
}
