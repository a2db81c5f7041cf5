//! Stage 2, records: where the batches of an input end.

use std::io;

use super::Layout;

/// The maximal size of a record, without the last line feed. Memory must not grow with a record.
pub(super) const MAX_RECORD: usize = 1 << 20;

/// The length of a batch at the start of a text: up to the end of the last record within the first `size` bytes, or of
/// the first record if that is longer.
///
/// # Errors
/// When there is no end within [`MAX_RECORD`].
pub(super) fn batch_length(layout: &Layout, text: &[u8], mut size: usize) -> io::Result<usize> {
    while size <= text.len() {
        let end = layout.format().last_boundary(&text[..size]);
        match longer(layout, size, end)? {
            Some(longer) if end.is_none() => size = longer,
            Some(longer) if size < text.len() => size = longer.min(text.len()),
            _ => return Ok(end.unwrap_or(0)),
        }
    }
    Ok(text.len())
}

/// The number of bytes in which to look for the end of a record next, if `end` is the last one in the first `size`.
/// `None` if it will do.
///
/// Whether a row of a table ends may depend on a megabyte after it. If only a few do in that much, twice as much shows
/// the ends of the others; row by row, they would take quadratic time.
pub(super) fn longer(layout: &Layout, size: usize, end: Option<usize>) -> io::Result<Option<usize>> {
    match end {
        None if size > MAX_RECORD => Err(too_long()),
        None => Ok(Some((2 * size).min(MAX_RECORD + 1))),
        Some(end) if end < size / 2 && (MAX_RECORD..=MAX_RECORD + 1).contains(&size) && layout.is_table() => {
            Ok(Some(2 * MAX_RECORD))
        }
        Some(_) => Ok(None),
    }
}

pub(super) fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "record longer than 1 MiB")
}
