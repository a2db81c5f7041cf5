//! Stage 4, rows: rows of the input, copied byte for byte.

use std::borrow::Cow;

use crate::file::record::{BatchView, Layout};

/// The header for [`Job::header`](crate::file::Job::header): that of the first input, if it is a table.
///
/// # Errors
/// When the format of the input has no lines.
pub fn header(first: Option<&Layout>) -> Result<Cow<'static, [u8]>, String> {
    if first.is_some_and(|layout| !layout.has_lines()) {
        return Err(
            "records are copied as lines, which this format does not have; convert it first".to_owned()
        );
    }
    Ok(first.and_then(Layout::header_line).map_or(Cow::Borrowed(b""), Cow::Owned))
}

/// The check for [`Job::accept_after`](crate::file::Job::accept_after).
///
/// # Errors
/// When the headers differ. `copying` tells what copies rows as they are.
pub fn accept_after(layout: &Layout, first: &Layout, first_name: &str, copying: &str) -> Result<(), String> {
    if layout.header() == first.header() {
        return Ok(());
    }
    Err(format!("its header is not that of '{first_name}', and {copying} rows as they are"))
}

/// Appends the lines of record `k`, including line ends. A last line without a line feed gets one, so that the next input
/// starts on a new line.
pub fn push_lines(batch: &BatchView, k: usize, text: &mut Vec<u8>) {
    text.extend_from_slice(batch.layout.record_lines(batch.text, batch.records.starts()[k] as usize));
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
}
