//! gzip compression on several threads.
//!
//! The output is cut into chunks of fixed size, so that the compressed bytes do not depend on the number of threads. As
//! in [pigz](https://zlib.net/pigz/), each chunk becomes a deflate stream that ends at a byte boundary without being
//! final, and the checksums are combined. The file has a single member, which every decompressor accepts.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use rayon::ThreadPool;

use super::sink::Sink;
use crate::threads;

/// Bytes of input per chunk.
const CHUNK: usize = 256 << 10;
/// The lowest level with dynamic Huffman codes: two thirds of the size of level 1 at one and a half times its time.
const LEVEL: u32 = 2;
/// Member header: no name, no time, fastest compression, unknown system.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 4, 255];

/// A gzip encoder.
pub(super) struct Gzip {
    file: Box<dyn Sink>,
    /// The header until it has been written, then empty.
    header: &'static [u8],
    threads: usize,
    /// Started with the first complete chunk.
    pool: Option<ThreadPool>,
    /// Input that does not fill a chunk yet.
    buffer: Vec<u8>,
    /// Chunks that are being compressed, in order.
    in_flight: VecDeque<Receiver<Compressed>>,
    /// Checksum of the chunks written.
    crc: Crc,
}

/// A compressed chunk and the checksum of its input.
type Compressed = (Vec<u8>, Crc);

impl Gzip {
    pub fn new(file: Box<dyn Sink>) -> Gzip {
        Gzip {
            file,
            header: &HEADER,
            threads: 1,
            pool: None,
            buffer: Vec::new(),
            in_flight: VecDeque::new(),
            crc: Crc::new(),
        }
    }

    /// Gives a chunk to the pool. Waits for the oldest chunk first if too many are in flight.
    fn send(&mut self) -> io::Result<()> {
        let pool = match &self.pool {
            Some(pool) => pool,
            None => self.pool.insert(threads::pool(self.threads).map_err(io::Error::other)?),
        };
        let chunk = mem::replace(&mut self.buffer, Vec::with_capacity(CHUNK));
        let (sender, compressed) = mpsc::channel();
        // Sending fails if the encoder has been dropped after an error.
        pool.spawn(move || drop(sender.send(compress(&chunk, FlushCompress::Sync))));
        self.in_flight.push_back(compressed);
        if self.in_flight.len() > 2 * self.threads { self.write_next() } else { Ok(()) }
    }

    fn write_next(&mut self) -> io::Result<()> {
        let Some(compressed) = self.in_flight.pop_front() else { return Ok(()) };
        let compressed = compressed.recv().map_err(io::Error::other)?;
        self.write_chunk(&compressed)
    }

    fn write_chunk(&mut self, (bytes, crc): &Compressed) -> io::Result<()> {
        self.crc.combine(crc);
        self.file.write_all(mem::take(&mut self.header))?;
        self.file.write_all(bytes)
    }
}

impl Sink for Gzip {
    fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        self.threads = threads;
        Ok(())
    }

    /// Compresses and writes the buffer before.
    fn close(mut self: Box<Self>, sync: bool) -> io::Result<()> {
        while !self.in_flight.is_empty() {
            self.write_next()?;
        }
        let last = compress(&self.buffer, FlushCompress::Finish);
        self.write_chunk(&last)?;
        self.file.write_all(&self.crc.sum().to_le_bytes())?;
        self.file.write_all(&self.crc.amount().to_le_bytes())?;
        self.file.close(sync)
    }
}

impl Write for Gzip {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // The last chunk may be full.
        if self.buffer.len() == CHUNK {
            self.send()?;
        }
        let n = bytes.len().min(CHUNK - self.buffer.len());
        self.buffer.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    /// Does nothing: the end of a chunk must not depend on it.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Compresses a chunk to a deflate stream that ends as `flush` says.
fn compress(chunk: &[u8], flush: FlushCompress) -> Compressed {
    let mut crc = Crc::new();
    crc.update(chunk);
    let mut bytes = Vec::with_capacity(chunk.len() / 2 + 64);
    let mut deflate = Compress::new(Compression::new(LEVEL), false);
    loop {
        let at = deflate.total_in() as usize;
        let status = deflate.compress_vec(&chunk[at..], &mut bytes, flush).expect("the settings are valid");
        // If there is room left, nothing is buffered in the compressor.
        if status == Status::StreamEnd
            || flush == FlushCompress::Sync
                && bytes.len() < bytes.capacity()
                && deflate.total_in() as usize == chunk.len()
        {
            return (bytes, crc);
        }
        bytes.reserve(chunk.len() / 4 + 64);
    }
}
