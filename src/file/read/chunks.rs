//! The chunks that the decompression thread sends.

use std::io::{self, Read};
use std::sync::mpsc::SyncSender;

/// Bytes per chunk.
pub(super) const CHUNK: usize = 256 << 10;

/// A message from the decompression thread.
pub(super) enum Part {
    /// Start of an entry of a zip archive.
    Entry(String),
    Data(Vec<u8>),
    /// The end of the input. If it is missing, the thread has panicked.
    End,
}

/// The sending end. Its methods fail if the reader has been dropped.
pub(super) struct Sink(pub SyncSender<io::Result<Part>>);

impl Sink {
    pub fn send(&self, part: Part) -> io::Result<()> {
        self.0.send(Ok(part)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    pub fn copy(&self, source: impl Read) -> io::Result<()> {
        let mut source = source;
        loop {
            let mut chunk = Vec::with_capacity(CHUNK);
            source.by_ref().take(CHUNK as u64).read_to_end(&mut chunk)?;
            if chunk.is_empty() {
                return Ok(());
            }
            self.send(Part::Data(chunk))?;
        }
    }
}
