//! Stage 1, bytes: decompression of gzip, zstd and zip on a separate thread.
//!
//! The format is detected from the first bytes, never from the file name. Several members of gzip and several frames of
//! zstd may follow each other; other bytes after them are an error. A zip archive must have exactly one file. The
//! decompression thread runs at most [`QUEUED_CHUNKS`] chunks of [`CHUNK`] bytes ahead, so memory does not grow with
//! the size of the input. It stops when the reader is dropped.

#[cfg(feature = "gzip")]
use std::io::BufReader;
use std::io::{self, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread;

#[cfg(feature = "gzip")]
use flate2::bufread::MultiGzDecoder;

use super::{Chunks, read_up_to};
use crate::pipe::Waiting;
use crate::refusal::Refusal;

/// Bytes per chunk.
const CHUNK: usize = 256 << 10;
/// The number of chunks that may wait for the reader.
const QUEUED_CHUNKS: usize = 4;
/// The number of bytes that [`Compression::detect`] needs.
pub(super) const MAGIC_LENGTH: usize = 4;

/// The compression of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Gzip,
    Zstd,
    Zip,
}

impl Compression {
    /// Detects the compression from the first [`MAGIC_LENGTH`] bytes of an input.
    pub fn detect(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1F, 0x8B, ..] => Some(Compression::Gzip),
            // A frame or a skippable frame.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Compression::Zstd),
            // A local file header, or the end record of an empty archive.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Compression::Zip),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Compression::Gzip => "gzip",
            Compression::Zstd => "zstd",
            Compression::Zip => "zip",
        }
    }

    /// Turns the error of a decoder into a readable one.
    fn explain(self, cause: io::Error) -> io::Error {
        let name = self.name();
        let message = match cause.kind() {
            _ if cause.raw_os_error().is_some() || cause.get_ref().is_some_and(|inner| inner.is::<Refusal>()) => {
                return cause;
            }
            io::ErrorKind::UnexpectedEof => format!("truncated {name} data"),
            _ => format!("damaged {name} data: {cause}"),
        };
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

/// Sends the data of a source to the reader, in chunks. Fails if the reader has been dropped.
type Copy<'a> = dyn Fn(&mut dyn Read) -> io::Result<()> + 'a;

/// A reader of decompressed data, and the number of bytes that have been decompressed.
pub(super) type Decompressed = (Box<dyn Read + Send>, Arc<AtomicU64>);

/// Decompresses a file from its start.
pub(super) fn decompress_file(compression: Compression, file: Waiting) -> io::Result<Decompressed> {
    match compression {
        #[cfg(feature = "zip")]
        Compression::Zip => spawn(compression, |copy| super::unzip::unzip(file, CHUNK, copy)),
        _ => decompress(compression, Box::new(file)),
    }
}

/// Decompresses a stream.
pub(super) fn decompress(compression: Compression, source: Box<dyn Read + Send>) -> io::Result<Decompressed> {
    spawn(compression, move |copy| match compression {
        #[cfg(feature = "gzip")]
        Compression::Gzip => copy(&mut MultiGzDecoder::new(BufReader::with_capacity(CHUNK, source))),
        #[cfg(feature = "zstd")]
        Compression::Zstd => copy(&mut zstd::Decoder::new(source)?),
        // Its list of files is at its end.
        Compression::Zip if cfg!(feature = "zip") => Err(io::Error::other(
            Refusal::new("a zip archive in a stream, not in a file").with_command("funzip < {} | rapidoku ... -"),
        )),
        #[allow(unreachable_patterns, reason = "with all features")]
        _ => {
            let name = compression.name();
            let refusal = Refusal::new(format!("compiled without support for {name}"));
            Err(io::Error::other(refusal.with_command(&format!("{name} -dc {{}} | rapidoku ... -"))))
        }
    })
}

/// What can be decompressed of the start of a stream, up to 4 MiB.
pub(in super::super) fn decompress_start(start: &[u8]) -> io::Result<Vec<u8>> {
    let Some(compression) = Compression::detect(start) else { return Ok(start.to_vec()) };
    let mut text = Vec::new();
    let (mut source, _) = decompress(compression, Box::new(Cursor::new(start.to_vec())))?;
    match read_up_to(&mut source, 4 << 20, &mut text) {
        // An error is normal, because the start of the stream need not be the end of a block.
        Err(error) if text.is_empty() => Err(error),
        _ => Ok(text),
    }
}

fn spawn(
    compression: Compression,
    decompress: impl FnOnce(&Copy) -> io::Result<()> + Send + 'static,
) -> io::Result<Decompressed> {
    let (sender, chunks) = mpsc::sync_channel(QUEUED_CHUNKS);
    let sent = Arc::new(AtomicU64::new(0));
    let count = Arc::clone(&sent);
    thread::Builder::new().name("decompress".to_owned()).spawn(move || {
        let result = decompress(&|source| {
            loop {
                let mut chunk = Vec::with_capacity(CHUNK);
                if read_up_to(source, CHUNK, &mut chunk)? == 0 {
                    return Ok(());
                }
                count.fetch_add(chunk.len() as u64, Ordering::Relaxed);
                sender.send(Ok(chunk)).map_err(|_| io::Error::from(io::ErrorKind::BrokenPipe))?;
            }
        });
        let last = result.map(|()| Vec::new()).map_err(|cause| compression.explain(cause));
        // Fails if the reader has been dropped, which is not an error.
        let _ = sender.send(last);
    })?;
    // An empty chunk is the end of the data. If it is missing, the thread has panicked.
    let next = move || chunks.recv().map_err(|_| io::Error::other("the decompression thread panicked")).flatten();
    Ok((Box::new(Chunks::new(next)), sent))
}
