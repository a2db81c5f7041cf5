//! Stage 2, records: where the batches of an input end.

use std::io;

use memchr::{memchr, memrchr};

use super::format::{Division, Format};
use super::{Layout, quotes};

/// The end of a batch that starts at `at` of a text and has about `size` bytes.
///
/// # Errors
/// When a record is too long.
pub(super) fn batch_end(layout: &Layout, text: &[u8], at: usize, size: usize) -> io::Result<usize> {
    let format = layout.format();
    Ok(match format.division() {
        Division::Lines => line_end(text, at.saturating_add(size)),
        Division::Rows(delimiter) => at + quotes::first_end(&text[at..], size, delimiter),
        Division::Never(_) => at + boundary_end(&text[at..], size, format)?,
    })
}

/// The end of the line that contains the byte before `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    let tail = text.get(at - 1..).unwrap_or_default();
    memchr(b'\n', tail).map_or(text.len(), |length| at + length)
}

/// The end of the last record within the first `size` bytes, or of the first record if that is longer.
///
/// # Errors
/// When there is no end within [`MAX_RECORD`].
fn boundary_end(text: &[u8], mut size: usize, format: &dyn Format) -> io::Result<usize> {
    while size <= text.len() {
        if let Some(end) = format.last_boundary(&text[..size]) {
            return Ok(end);
        }
        size = longer(size)?;
    }
    Ok(text.len())
}

/// The maximal size of a record that must be kept completely, without the last line feed.
pub(super) const MAX_RECORD: usize = 1 << 20;

/// The number of bytes in which to look for the end of a record next, if it is not in the first `size`.
pub(super) fn longer(size: usize) -> io::Result<usize> {
    if size > MAX_RECORD { Err(too_long()) } else { Ok((2 * size).min(MAX_RECORD + 1)) }
}

pub(super) fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "record longer than 1 MiB")
}

/// The length of a batch without its last line if that is too long, which leaves the failure to the next batch.
///
/// # Errors
/// When the batch is a line that is too long.
pub(super) fn without_long_line(text: &[u8]) -> io::Result<usize> {
    let lines = text.strip_suffix(b"\n").unwrap_or(text);
    let start = memrchr(b'\n', lines).map_or(0, |at| at + 1);
    match lines.len() - start {
        0..=MAX_RECORD => Ok(text.len()),
        _ if start > 0 => Ok(start),
        _ => Err(too_long()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_ends_with_the_line_that_holds_its_last_byte() {
        let text = b"ab\ncd\nef";
        assert_eq!([1, 2, 3, 4, 6, 7, 8, 99].map(|at| line_end(text, at)), [3, 3, 3, 6, 6, 8, 8, 8]);
    }
}
