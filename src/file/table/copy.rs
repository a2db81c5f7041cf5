//! Stage 4, rows: records of the input, copied byte for byte.

use std::borrow::Cow;

use crate::file::record::{BatchView, Layout};

/// The bytes before the rows: the header of the first input, if it is a table.
///
/// # Errors
/// When the input is not text.
pub fn header(first: Option<&Layout>) -> Result<Cow<'static, [u8]>, String> {
    if first.is_some_and(|layout| !layout.is_text()) {
        return Err("records are copied as lines, which a NumPy array does not have; choose the format of the output: npy, csv or \
                    jsonl"
            .to_owned());
    }
    Ok(first.and_then(Layout::header).map_or(Cow::Borrowed(b""), |header| Cow::Owned(header.to_vec())))
}

/// Appends the bytes of record `k`, including its line ends. A last line without a line feed gets one, so that the next record
/// starts on a new line. An empty line ends a grid.
pub fn push_record(batch: &BatchView, k: usize, text: &mut Vec<u8>) {
    text.extend_from_slice(batch.layout.record_bytes(batch.record(k)));
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    if batch.layout.is_grid() {
        text.push(b'\n');
    }
}
