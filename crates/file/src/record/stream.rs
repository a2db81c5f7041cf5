//! Stage 2, records: where the batches of an input end, in a text or a stream.

use std::io::{self, Read};
use std::mem;

use super::Layout;
use crate::read::read_up_to;

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
            Some(longer) if size < text.len() => size = longer.min(text.len()),
            // There is no more text in which to look for the end.
            Some(_) if end.is_none() && size > MAX_RECORD => return Err(too_long()),
            _ => return Ok(end.unwrap_or(size)),
        }
    }
    Ok(text.len())
}

/// The number of bytes in which to look for the end of a record next, if `end` is the last one in the first `size`.
/// `None` if it will do.
///
/// Whether a row of a table ends may depend on a megabyte after it, and on the line after that. If only a few do in
/// that much, twice as much shows the ends of the others; row by row, they would take quadratic time.
pub(super) fn longer(layout: &Layout, size: usize, end: Option<usize>) -> io::Result<Option<usize>> {
    let shows_few = end.is_none_or(|end| end < size / 2);
    match end {
        _ if shows_few && (MAX_RECORD..=MAX_RECORD + 1).contains(&size) && layout.is_table() => {
            Ok(Some(2 * MAX_RECORD))
        }
        None if size > MAX_RECORD => Err(too_long()),
        None => Ok(Some((2 * size).min(MAX_RECORD + 1))),
        Some(_) => Ok(None),
    }
}

pub(super) fn too_long() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "record longer than 1 MiB")
}

/// A stream while it is read.
pub(super) struct Stream {
    source: Box<dyn Read + Send>,
    /// The start of a record whose end has not been read yet.
    carry: Vec<u8>,
}

impl Stream {
    pub fn new(source: Box<dyn Read + Send>) -> Stream {
        Stream { source, carry: Vec::new() }
    }

    /// Replaces the content of `buffer` by the next records, about `size` bytes; none at the end. After a failure,
    /// `buffer` has the complete records before it.
    pub fn next(&mut self, layout: &Layout, mut size: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        mem::swap(buffer, &mut self.carry);
        self.carry.clear();
        loop {
            let room = size.saturating_sub(buffer.len());
            let read = read_up_to(&mut self.source, room, buffer);
            let has_ended = read.as_ref().is_ok_and(|read| *read < room);
            // More bytes may have a record that is too long.
            if has_ended && buffer.len() <= MAX_RECORD {
                return Ok(());
            }
            let cut = layout.format().last_boundary(buffer);
            let result = match read.and_then(|_| longer(layout, size, cut)) {
                Ok(Some(longer)) => {
                    size = longer;
                    continue;
                }
                result => result.map(drop),
            };
            self.carry.extend_from_slice(&buffer[cut.unwrap_or(0)..]);
            buffer.truncate(cut.unwrap_or(0));
            return result;
        }
    }
}

/// A source that has a known number of bytes.
pub(super) struct Exactly {
    pub source: Box<dyn Read + Send>,
    pub left: u64,
}

impl Read for Exactly {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.source.by_ref().take(self.left.max(1)).read(into)?;
        let reason = match (read, self.left) {
            (1.., 0) => "bytes follow the array",
            (0, 1..) if !into.is_empty() => "truncated NumPy array",
            _ => {
                self.left -= read as u64;
                return Ok(read);
            }
        };
        Err(io::Error::new(io::ErrorKind::InvalidData, reason))
    }
}
