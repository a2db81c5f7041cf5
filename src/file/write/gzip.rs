//! gzip compression by several threads.
//!
//! The output is cut into chunks of one size, so that the bytes do not depend on the number of threads. Each chunk
//! becomes a deflate stream that ends at a byte boundary but is not the last one, and the checksums are combined, as
//! [pigz](https://zlib.net/pigz/) does. So a file has a single member, which every program decompresses.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::mem;
use std::sync::mpsc::{self, Receiver};

use flate2::{Compress, Compression, Crc, FlushCompress, Status};
use rayon::ThreadPool;

use crate::file::threads;

/// Bytes that are packed as one.
const CHUNK: usize = 256 << 10;
/// The first level that makes codes for what it packs: two thirds of the size of the level below, for half as long again.
const LEVEL: u32 = 2;
/// A member without name or time, packed fast, on an unknown system.
const HEADER: [u8; 10] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 4, 255];

/// Packs with gzip.
pub(super) struct Gzip<W> {
    file: W,
    /// What has to come before the first chunk, until it has been written.
    header: &'static [u8],
    pub threads: usize,
    /// Made when there is a chunk for them.
    pool: Option<ThreadPool>,
    /// What is not a chunk yet.
    rest: Vec<u8>,
    /// Chunks that are being packed, in order.
    under_way: VecDeque<Receiver<Packed>>,
    /// Of what has been written.
    sum: Crc,
}

/// A chunk.
struct Packed {
    bytes: Vec<u8>,
    sum: Crc,
}

impl<W: Write> Gzip<W> {
    pub fn new(file: W) -> Gzip<W> {
        Gzip {
            file,
            header: &HEADER,
            threads: 1,
            pool: None,
            rest: Vec::new(),
            under_way: VecDeque::new(),
            sum: Crc::new(),
        }
    }

    pub fn write_all(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while self.rest.len() + bytes.len() > CHUNK {
            let (now, later) = bytes.split_at(CHUNK - self.rest.len());
            self.rest.extend_from_slice(now);
            bytes = later;
            self.send()?;
        }
        self.rest.extend_from_slice(bytes);
        Ok(())
    }

    /// Gives a chunk to a thread, when the first one has been waited for if there are many.
    fn send(&mut self) -> io::Result<()> {
        let pool = match &self.pool {
            Some(pool) => pool,
            None => self.pool.insert(threads::pool(self.threads).map_err(io::Error::other)?),
        };
        let chunk = mem::replace(&mut self.rest, Vec::with_capacity(CHUNK));
        let (sender, packed) = mpsc::channel();
        // Who does not want it any more has failed and told why.
        pool.spawn(move || drop(sender.send(pack(&chunk, FlushCompress::Sync))));
        self.under_way.push_back(packed);
        if self.under_way.len() > 2 * self.threads { self.write_next() } else { Ok(()) }
    }

    fn write_next(&mut self) -> io::Result<()> {
        let Some(packed) = self.under_way.pop_front() else { return Ok(()) };
        let packed = packed.recv().map_err(io::Error::other)?;
        self.write(&packed)
    }

    fn write(&mut self, packed: &Packed) -> io::Result<()> {
        self.sum.combine(&packed.sum);
        self.file.write_all(mem::take(&mut self.header))?;
        self.file.write_all(&packed.bytes)
    }

    /// Writes all that is held back, and the end.
    pub fn finish(mut self) -> io::Result<W> {
        while !self.under_way.is_empty() {
            self.write_next()?;
        }
        let last = pack(&self.rest, FlushCompress::Finish);
        self.write(&last)?;
        self.file.write_all(&self.sum.sum().to_le_bytes())?;
        self.file.write_all(&self.sum.amount().to_le_bytes())?;
        Ok(self.file)
    }
}

/// Packs a chunk as a deflate stream, to the end that `flush` says.
fn pack(chunk: &[u8], flush: FlushCompress) -> Packed {
    let mut sum = Crc::new();
    sum.update(chunk);
    let mut bytes = Vec::with_capacity(chunk.len() / 2 + 64);
    let mut deflate = Compress::new(Compression::new(LEVEL), false);
    loop {
        let at = deflate.total_in() as usize;
        let status = deflate.compress_vec(&chunk[at..], &mut bytes, flush).expect("it only takes memory");
        // Nothing is held back where there was room for more.
        if status == Status::StreamEnd
            || flush == FlushCompress::Sync
                && bytes.len() < bytes.capacity()
                && deflate.total_in() as usize == chunk.len()
        {
            return Packed { bytes, sum };
        }
        bytes.reserve(chunk.len() / 4 + 64);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::GzDecoder;

    use super::*;

    /// Bytes that can hardly be packed (`noise`), or to half.
    fn text(length: usize, noise: bool) -> Vec<u8> {
        let mut seed = 1u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 24) as u8
        };
        (0..length).map(|_| if noise { next() } else { b'1' + next() % 9 }).collect()
    }

    fn gzip(text: &[u8], threads: usize, pieces: usize) -> Vec<u8> {
        let mut gzip = Gzip::new(Vec::new());
        gzip.threads = threads;
        text.chunks(pieces).for_each(|piece| gzip.write_all(piece).unwrap());
        gzip.finish().unwrap()
    }

    #[test]
    fn one_member_with_the_same_bytes_for_all_threads_and_pieces() {
        for length in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 20 * CHUNK + 7] {
            for noise in [false, true] {
                let text = text(length, noise);
                let packed = gzip(&text, 1, CHUNK);
                let mut unpacked = Vec::new();
                // Unlike that of the input stage, it reads one member, and wants its sum to be right.
                let mut decoder = GzDecoder::new(&*packed);
                decoder.read_to_end(&mut unpacked).unwrap();
                assert!(decoder.into_inner().is_empty() && unpacked == text, "{length} {noise}");
                for (threads, pieces) in [(1, 1000), (2, 7 * CHUNK), (5, 100_003)] {
                    assert!(gzip(&text, threads, pieces) == packed, "{length} {noise} {threads} {pieces}");
                }
            }
        }
    }

    #[test]
    fn a_writer_that_fails_is_heard_of() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                if bytes.len() == HEADER.len() {
                    Ok(bytes.len())
                } else {
                    Err(io::ErrorKind::StorageFull.into())
                }
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut gzip = Gzip::new(Full);
        let error = gzip.write_all(&text(9 * CHUNK, false)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert_eq!(gzip.finish().err().unwrap().kind(), io::ErrorKind::StorageFull);
    }
}
