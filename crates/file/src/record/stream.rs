//! Stage 2, records: splits a stream at record boundaries.

use std::io::{self, Read};
use std::mem;

use super::Layout;
use super::ends::{MAX_RECORD, longer};
use crate::read::read_up_to;

/// A stream while it is read.
pub(super) struct Stream {
    source: Box<dyn Read + Send>,
    /// The start of a record whose end has not been read yet.
    carry: Vec<u8>,
    has_ended: bool,
}

impl Stream {
    pub fn new(source: Box<dyn Read + Send>) -> Stream {
        Stream { source, carry: Vec::new(), has_ended: false }
    }

    /// Replaces the content of `buffer` by the next records, about `size` bytes; none at the end. After a failure,
    /// `buffer` has the complete records before it.
    pub fn next(&mut self, layout: &Layout, mut size: usize, buffer: &mut Vec<u8>) -> io::Result<()> {
        mem::swap(buffer, &mut self.carry);
        self.carry.clear();
        loop {
            let filled = self.fill(buffer, size);
            // More bytes may have a record that is too long.
            if self.has_ended && buffer.len() <= MAX_RECORD {
                return Ok(());
            }
            let cut = layout.format().last_boundary(buffer);
            let result = match filled.and_then(|()| longer(layout, size, cut)) {
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

    /// Reads until `buffer` holds `size` bytes or the source has ended.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> io::Result<()> {
        // Reading a terminal again after its end of file would wait for more input.
        if !self.has_ended {
            let room = size.saturating_sub(buffer.len());
            self.has_ended = read_up_to(&mut self.source, room, buffer)? < room;
        }
        Ok(())
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
