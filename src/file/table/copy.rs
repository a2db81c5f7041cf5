//! Stage 4, rows: rows of the input, copied byte for byte.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use crate::file::record::{BatchView, Layout};
use crate::file::write::row::push_quoted;

/// The bytes before the rows: the header of the first input, if it is a table.
///
/// # Errors
/// When the format of the input has no lines.
pub fn header(first: Option<&Layout>) -> Result<Cow<'static, [u8]>, String> {
    if first.is_some_and(|layout| !layout.has_lines()) {
        return Err("records are copied as lines, which this format does not have; choose the format of the output: npy, csv or \
                    jsonl"
            .to_owned());
    }
    Ok(first.and_then(Layout::header_line).map_or(Cow::Borrowed(b""), Cow::Owned))
}

/// Checks that rows of an input can follow those of the first one.
///
/// # Errors
/// When the headers differ.
pub fn accept_after(layout: &Layout, first: &Layout, first_name: &str) -> Result<(), String> {
    if layout.header() == first.header() {
        return Ok(());
    }
    Err(format!("its header is not that of '{first_name}', and text output copies rows as they are"))
}

/// Appends the lines of record `k`, including line ends. A last line without a line feed gets one, so that the next input
/// starts on a new line. An invalid record with a quote that is not closed becomes a field in quotes: among other lines, the
/// lines up to another such quote could be read as one row.
pub fn push_lines(batch: &BatchView, k: usize, text: &mut Vec<u8>) {
    let lines = batch.layout.record_lines(batch.text, batch.records.starts()[k] as usize);
    if !batch.records.is_puzzle(k) && has_open_quote(lines) && !batch.layout.is_jsonl() {
        push_quoted(text, lines.trim_ascii_end());
    } else {
        text.extend_from_slice(lines);
    }
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
}

/// Whether this is a line with an odd number of quotes.
fn has_open_quote(lines: &[u8]) -> bool {
    let line = lines.strip_suffix(b"\n").unwrap_or(lines);
    memchr_iter(b'"', line).count() % 2 == 1 && memchr(b'\n', line).is_none()
}
