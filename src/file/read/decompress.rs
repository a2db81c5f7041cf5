//! Stage 1, bytes: decompression of gzip, zstd and zip on a separate thread.
//!
//! The format is detected from the first bytes, never from the file name. The decompression thread runs at most
//! [`QUEUED_CHUNKS`] chunks of [`CHUNK`] bytes ahead, so memory does not grow with the size of the input. It stops when
//! the reader is dropped.
//!
//! Each entry of a zip archive is an input of its own, with its own layout and line numbers and the name
//! `archive.zip/file.csv` in messages. Folders, hidden files and macOS metadata (`__MACOSX/`) are skipped. An archive from
//! a pipe is read front to back, which fails if it stores the sizes of its entries after their data, as archives from
//! streaming writers do; such archives need a seekable file.

#[cfg(feature = "gzip")]
use std::io::BufRead;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{self, Receiver};
use std::thread;

#[cfg(feature = "gzip")]
use flate2::bufread::GzDecoder;

use super::chunks::{CHUNK, Part, Sink};
use crate::file::pipe::Waiting;

/// The number of chunks that may wait for the reader.
const QUEUED_CHUNKS: usize = 4;
/// The number of bytes that [`Compression::detect`] needs.
pub(in crate::file) const MAGIC_LENGTH: usize = 4;

/// The compression of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum Compression {
    Gzip,
    Zstd,
    Zip,
}

impl Compression {
    /// Detects the compression from the first [`MAGIC_LENGTH`] bytes of an input.
    pub fn detect(head: &[u8]) -> Option<Compression> {
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Compression::Gzip),
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
            _ if cause.raw_os_error().is_some() => return cause,
            io::ErrorKind::UnexpectedEof => format!("truncated {name} data"),
            io::ErrorKind::Unsupported => cause.to_string(),
            _ => format!("damaged {name} data: {cause}"),
        };
        io::Error::new(io::ErrorKind::InvalidData, message)
    }
}

/// The reader of decompressed data. [`Read`] returns the data of the current entry; [`Decompressor::next_entry`] moves on
/// to the next one.
pub(in crate::file) struct Decompressor {
    parts: Receiver<io::Result<Part>>,
    chunk: Vec<u8>,
    at: usize,
    /// The first part after the data of the current entry, once it has been received.
    next: Option<Part>,
}

impl Decompressor {
    /// Decompresses a seekable file.
    pub fn from_file(compression: Compression, file: Waiting) -> io::Result<Decompressor> {
        match compression {
            #[cfg(feature = "zip")]
            Compression::Zip => Self::spawn(compression, |sink| super::unzip::unzip_file(file, sink)),
            _ => Self::from_stream(compression, file),
        }
    }

    /// Decompresses a stream.
    pub fn from_stream(
        compression: Compression,
        source: impl Read + Send + 'static,
    ) -> io::Result<Decompressor> {
        Self::spawn(compression, move |sink| match compression {
            #[cfg(feature = "gzip")]
            Compression::Gzip => gunzip(BufReader::with_capacity(CHUNK, source), sink),
            #[cfg(feature = "zstd")]
            Compression::Zstd => sink.copy(zstd::Decoder::new(source)?),
            #[cfg(feature = "zip")]
            Compression::Zip => super::unzip::unzip_stream(BufReader::with_capacity(CHUNK, source), sink),
            #[allow(unreachable_patterns, reason = "with all features")]
            _ => {
                let reason = format!("compiled without support for {}", compression.name());
                Err(io::Error::new(io::ErrorKind::Unsupported, reason))
            }
        })
    }

    fn spawn(
        compression: Compression,
        decompress: impl FnOnce(&Sink) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Decompressor> {
        let (sender, parts) = mpsc::sync_channel(QUEUED_CHUNKS);
        thread::Builder::new().name("decompress".to_owned()).spawn(move || {
            let last = match decompress(&Sink(sender.clone())) {
                Ok(()) => Ok(Part::End),
                Err(cause) => Err(compression.explain(cause)),
            };
            // Fails if the reader has been dropped, which is not an error.
            let _ = sender.send(last);
        })?;
        Ok(Decompressor { parts, chunk: Vec::new(), at: 0, next: None })
    }

    /// Returns the name of the next entry of a zip archive. Call it after the data of the current entry has been read.
    pub fn next_entry(&mut self) -> io::Result<Option<String>> {
        if self.next.is_none() {
            self.receive()?;
        }
        match self.next.take() {
            Some(Part::Entry(name)) => Ok(Some(name)),
            other => {
                self.next = other;
                Ok(None)
            }
        }
    }

    /// Receives the next part: data into `chunk`, anything else into `next`.
    fn receive(&mut self) -> io::Result<()> {
        (self.chunk, self.at) = (Vec::new(), 0);
        match self.parts.recv() {
            Ok(Ok(Part::Data(chunk))) => self.chunk = chunk,
            Ok(Ok(part)) => self.next = Some(part),
            Ok(Err(cause)) => return Err(cause),
            Err(_) => return Err(io::Error::other("the decompression thread panicked")),
        }
        Ok(())
    }
}

impl Read for Decompressor {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.at == self.chunk.len() {
            if self.next.is_some() {
                return Ok(0);
            }
            self.receive()?;
        }
        let n = into.len().min(self.chunk.len() - self.at);
        into[..n].copy_from_slice(&self.chunk[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// Decompresses the members of a gzip file. Zeros may follow the last one, as on tapes and in blocks of fixed size.
#[cfg(feature = "gzip")]
fn gunzip(mut source: impl BufRead, sink: &Sink) -> io::Result<()> {
    loop {
        sink.copy(GzDecoder::new(&mut source))?;
        match source.fill_buf()? {
            [] => return Ok(()),
            // The first byte of a member.
            [0x1F, ..] => {}
            _ => break,
        }
    }
    loop {
        let rest = source.fill_buf()?;
        let length = rest.len();
        if length == 0 {
            return Ok(());
        }
        if rest.iter().any(|&byte| byte != 0) {
            let message = "bytes after the end of the gzip data that are not gzip data";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        source.consume(length);
    }
}
