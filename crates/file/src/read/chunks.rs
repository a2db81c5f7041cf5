//! The chunks that the decompression thread sends.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::SyncSender;

/// Bytes per chunk.
pub(super) const CHUNK: usize = 256 << 10;

/// The sending end. An empty chunk is the end of the data; if it is missing, the thread has panicked.
pub(super) struct Sink {
    pub sender: SyncSender<io::Result<Vec<u8>>>,
    /// The number of bytes sent.
    pub sent: Arc<AtomicU64>,
}

impl Sink {
    /// Sends the data of a source in chunks. Fails if the reader has been dropped.
    pub fn copy(&self, source: &mut dyn Read) -> io::Result<()> {
        loop {
            let mut chunk = Vec::with_capacity(CHUNK);
            if read_up_to(source, CHUNK, &mut chunk)? == 0 {
                return Ok(());
            }
            self.sent.fetch_add(chunk.len() as u64, Ordering::Relaxed);
            self.sender.send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
        }
    }
}

/// Appends `n` bytes of a source, or all of them if there are fewer. Returns their number.
pub(in super::super) fn read_up_to(source: &mut dyn Read, n: usize, into: &mut Vec<u8>) -> io::Result<usize> {
    source.take(n as u64).read_to_end(into)
}
