//! Stage 4, rows: records of the input, copied byte for byte.

use std::borrow::Cow;

use crate::record::{BYTE_ORDER_MARK, BatchView, Layout};

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
    let mut copy = Vec::new();
    first.and_then(Layout::header).into_iter().for_each(|header| push(header, &mut copy));
    Ok(Cow::Owned(copy))
}

/// Appends lines, after an empty line if they start with a byte order mark, which would be skipped at the start of a
/// file.
fn push(lines: &[u8], text: &mut Vec<u8>) {
    if lines.starts_with(BYTE_ORDER_MARK) {
        text.push(b'\n');
    }
    text.extend_from_slice(lines);
}

/// Appends the bytes of record `k`, including its line ends. A last line without a line feed gets one, so that the next
/// record starts on a new line. An empty line ends a grid.
pub fn push_record(batch: &BatchView, k: usize, text: &mut Vec<u8>) {
    push(batch.layout.record_bytes(batch.record(k)), text);
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    if batch.layout.is_grid() {
        text.push(b'\n');
    }
}
