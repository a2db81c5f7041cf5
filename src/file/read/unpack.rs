//! Stage 1, bytes: gzip, zstd and zip, unpacked as a stream by a thread of its own.
//!
//! What a file is packed with is told by its first bytes, never by its name. The unpacking thread runs
//! ahead by [`AHEAD`] chunks of [`CHUNK`] bytes at most, so memory does not grow with the archive, and
//! stops when nobody wants more.
//!
//! Each file in a zip is an input of its own, in the order of the archive: with its own layout and
//! line numbers, called `archive.zip/file.csv` in messages. Folders, hidden files and what macOS adds
//! (`__MACOSX/`) are passed over. A zip that comes through a pipe is read front to back; one that leaves
//! the sizes of its files to be found at their ends (as written by programs that stream) needs a seekable file.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;

#[cfg(feature = "gzip")]
use flate2::read::MultiGzDecoder;

/// Bytes that are handed over at a time.
pub(super) const CHUNK: usize = 256 << 10;
/// Chunks that may wait to be read.
const AHEAD: usize = 4;
/// So many first bytes tell what a file is packed with.
pub(in crate::file) const MAGIC: usize = 4;

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::file) enum Packing {
    Gzip,
    Zstd,
    Zip,
}

impl Packing {
    /// What the first [`MAGIC`] bytes of an input tell.
    pub fn of(head: &[u8]) -> Option<Packing> {
        match head {
            [0x1F, 0x8B, 8, ..] => Some(Packing::Gzip),
            // A frame, or one that is to be skipped.
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Packing::Zstd),
            // A file, or the end of an archive without any.
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Packing::Zip),
            _ => None,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Packing::Gzip => "gzip",
            Packing::Zstd => "zstd",
            Packing::Zip => "zip",
        }
    }

    /// A reason that a person can act upon.
    fn trouble(self, cause: io::Error) -> io::Error {
        let name = self.name();
        let words = match cause.kind() {
            _ if cause.raw_os_error().is_some() => return cause,
            io::ErrorKind::UnexpectedEof => format!("the {name} data is cut short"),
            io::ErrorKind::Unsupported => cause.to_string(),
            _ => format!("damaged {name} data: {cause}"),
        };
        io::Error::new(io::ErrorKind::InvalidData, words)
    }
}

/// What the unpacking thread hands over.
pub(super) enum Part {
    /// A file of a zip begins.
    Entry(String),
    Data(Vec<u8>),
    /// All is well and nothing follows. Without it the thread has died.
    End,
}

/// The reading end: [`Read`] gives the data of one entry, [`Unpacked::next_entry`] goes to the next.
pub(in crate::file) struct Unpacked {
    parts: Receiver<io::Result<Part>>,
    chunk: Vec<u8>,
    at: usize,
    /// What comes after the data of this entry, once that is known.
    next: Option<Part>,
}

impl Unpacked {
    /// Unpacks a file that can be read in any order.
    pub fn from_file(packing: Packing, file: File) -> io::Result<Unpacked> {
        match packing {
            #[cfg(feature = "zip")]
            Packing::Zip => Self::spawn(packing, |sink| super::unzip::unzip_file(file, sink)),
            _ => Self::from_stream(packing, file),
        }
    }

    /// Unpacks what can be read once, from front to back.
    pub fn from_stream(packing: Packing, source: impl Read + Send + 'static) -> io::Result<Unpacked> {
        Self::spawn(packing, move |sink| match packing {
            #[cfg(feature = "gzip")]
            Packing::Gzip => sink.copy(MultiGzDecoder::new(BufReader::with_capacity(CHUNK, source))),
            #[cfg(feature = "zstd")]
            Packing::Zstd => sink.copy(zstd::Decoder::new(source)?),
            #[cfg(feature = "zip")]
            Packing::Zip => super::unzip::unzip_stream(BufReader::with_capacity(CHUNK, source), sink),
            #[allow(unreachable_patterns, reason = "with all features")]
            _ => {
                let reason = format!("compiled without support for {}", packing.name());
                Err(io::Error::new(io::ErrorKind::Unsupported, reason))
            }
        })
    }

    fn spawn(
        packing: Packing,
        unpack: impl FnOnce(&Sink) -> io::Result<()> + Send + 'static,
    ) -> io::Result<Unpacked> {
        let (sender, parts) = mpsc::sync_channel(AHEAD);
        thread::Builder::new().name("unpack".to_owned()).spawn(move || {
            let last = match unpack(&Sink(sender.clone())) {
                Ok(()) => Ok(Part::End),
                Err(cause) => Err(packing.trouble(cause)),
            };
            // Nobody may be there to hear it.
            let _ = sender.send(last);
        })?;
        Ok(Unpacked { parts, chunk: Vec::new(), at: 0, next: None })
    }

    /// The name of the next file of a zip, once the data of the one before has been read.
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

    /// Waits for the next part: data in `chunk`, or something else in `next`.
    fn receive(&mut self) -> io::Result<()> {
        (self.chunk, self.at) = (Vec::new(), 0);
        match self.parts.recv() {
            Ok(Ok(Part::Data(chunk))) => self.chunk = chunk,
            Ok(Ok(part)) => self.next = Some(part),
            Ok(Err(cause)) => return Err(cause),
            Err(_) => return Err(io::Error::other("the thread that unpacks it died")),
        }
        Ok(())
    }
}

impl Read for Unpacked {
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

/// The writing end. Its errors mean that nobody reads any more.
pub(super) struct Sink(SyncSender<io::Result<Part>>);

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
