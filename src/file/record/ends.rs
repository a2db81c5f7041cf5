//! Stage 2, records: where the batches of an input end.

use std::io;

use super::Layout;

/// The maximal size of a record, without the last line feed. Memory must not grow with a record.
pub(super) const MAX_RECORD: usize = 1 << 20;

/// The length of a batch at the start of a text: up to the end of the last record within the first `size` bytes, or of the first
/// record if that is longer.
///
/// # Errors
/// When there is no end within [`MAX_RECORD`].
pub(super) fn batch_length(layout: &Layout, text: &[u8], mut size: usize) -> io::Result<usize> {
    while size <= text.len() {
        if let Some(end) = layout.format().last_boundary(&text[..size]) {
            return Ok(end);
        }
        size = longer(size)?;
    }
    Ok(text.len())
}

/// The number of bytes in which to look for the end of a record next, if it is not in the first `size`.
pub(super) fn longer(size: usize) -> io::Result<usize> {
    if size > MAX_RECORD { Err(too_long()) } else { Ok((2 * size).min(MAX_RECORD + 1)) }
}

pub(super) fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "record longer than 1 MiB")
}
