//! Stage 4, rows: rows of the input, copied byte for byte.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter};

use super::line::{may_be_start, push_not_puzzle};
use crate::file::record::{BatchView, Layout};
use crate::file::write::row::push_quoted;
use crate::grid::PuzzleError;

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
/// starts on a new line. An empty line ends a grid.
///
/// What an invalid record is must not depend on the lines around it. With a quote that is not closed, the lines up to another such
/// quote could be one row, and a row that starts with `#` could be a comment: they become a field in quotes. After three or six rows of
/// a grid only a title ends it, and a complete grid that was called a solution needs such a title.
pub fn push_lines(batch: &BatchView, k: usize, text: &mut Vec<u8>) {
    let BatchView { layout, text: input, records, .. } = *batch;
    let (start, is_puzzle) = (records.starts()[k] as usize, records.is_puzzle(k));
    let lines = layout.record_lines(input, start);
    let is_unsafe = !is_puzzle && !layout.is_jsonl() && (has_open_quote(lines) || lines.starts_with(b"#"));
    let is_solution = || matches!(layout.diagnose(input, start), Some((_, PuzzleError::CompleteGrid)));
    if layout.is_grids() && !is_puzzle && is_solution() {
        text.extend_from_slice(b"Solution\n");
    }
    match is_unsafe {
        true => push_quoted(text, lines.trim_ascii_end()),
        false => text.extend_from_slice(lines),
    }
    if text.last() != Some(&b'\n') {
        text.push(b'\n');
    }
    if layout.is_grids() {
        text.extend_from_slice(if is_puzzle { b"\n" } else { b"[Puzzle]\n" });
    }
}

/// Escapes the first of copied rows that have no header, if it is invalid and could be read as a header, a count or the start of a
/// document.
pub fn escape_first(layout: &Layout, rows: &mut Vec<u8>) {
    let has_start = layout.header().is_some() || layout.is_grids() || layout.is_jsonl();
    let row = layout.record_lines(rows, 0);
    let (length, row) = (row.len(), row.trim_ascii_end());
    if !has_start && layout.cells(rows, 0).is_none() && may_be_start(row) {
        let mut escaped = Vec::new();
        push_not_puzzle(&mut escaped, row, true);
        rows.splice(..length, escaped);
    }
}

/// Whether this is a line with an odd number of quotes.
fn has_open_quote(lines: &[u8]) -> bool {
    let line = lines.strip_suffix(b"\n").unwrap_or(lines);
    memchr_iter(b'"', line).count() % 2 == 1 && memchr(b'\n', line).is_none()
}
