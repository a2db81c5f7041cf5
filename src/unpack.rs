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

use flate2::read::MultiGzDecoder;
use memchr::memmem;
use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

/// Bytes that are handed over at a time.
const CHUNK: usize = 256 << 10;
/// Chunks that may wait to be read.
const AHEAD: usize = 4;
/// So many first bytes tell what a file is packed with.
pub(crate) const MAGIC: usize = 4;

/// How an input is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
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
enum Part {
    /// A file of a zip begins.
    Entry(String),
    Data(Vec<u8>),
    /// All is well and nothing follows. Without it the thread has died.
    End,
}

/// The reading end: [`Read`] gives the data of one entry, [`Unpacked::next_entry`] goes to the next.
pub(crate) struct Unpacked {
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
            Packing::Zip => Self::spawn(packing, |sink| unzip_file(file, sink)),
            _ => Self::from_stream(packing, file),
        }
    }

    /// Unpacks what can be read once, from front to back.
    pub fn from_stream(packing: Packing, source: impl Read + Send + 'static) -> io::Result<Unpacked> {
        Self::spawn(packing, move |sink| match packing {
            Packing::Gzip => sink.copy(MultiGzDecoder::new(BufReader::with_capacity(CHUNK, source))),
            Packing::Zstd => sink.copy(zstd::Decoder::new(source)?),
            Packing::Zip => unzip_stream(BufReader::with_capacity(CHUNK, source), sink),
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
struct Sink(SyncSender<io::Result<Part>>);

impl Sink {
    fn send(&self, part: Part) -> io::Result<()> {
        self.0.send(Ok(part)).map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    fn copy(&self, source: impl Read) -> io::Result<()> {
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

    /// Hands over a file of a zip, unless it is none to be read.
    fn entry<R: Read>(&self, mut file: ZipFile<R>) -> Result<bool, ZipError> {
        let name = file.name()?.into_owned();
        let own = name.rsplit('/').next().unwrap_or_default();
        if file.is_dir() || own.is_empty() || own.starts_with('.') || name.starts_with("__MACOSX/") {
            return Ok(false);
        }
        self.send(Part::Entry(name))?;
        self.copy(&mut file)?;
        Ok(true)
    }
}

fn unzip_file(file: File, sink: &Sink) -> io::Result<()> {
    let mut archive = ZipArchive::new(BufReader::with_capacity(CHUNK, file)).map_err(plain)?;
    let mut any = false;
    for index in 0..archive.len() {
        any |= archive.by_index(index).and_then(|file| sink.entry(file)).map_err(plain)?;
    }
    if any { Ok(()) } else { Err(without_files()) }
}

fn unzip_stream(mut source: impl Read, sink: &Sink) -> io::Result<()> {
    let mut any = false;
    while let Some(file) = read_zipfile_from_stream(&mut source).map_err(plain)? {
        any |= sink.entry(file).map_err(plain)?;
    }
    if !any {
        return Err(without_files());
    }
    // What follows is the directory of the archive, which is whole if its end record is there.
    const END: usize = 22;
    let mut tail = Vec::new();
    loop {
        let read = source.by_ref().take(CHUNK as u64).read_to_end(&mut tail)?;
        if read == 0 {
            break;
        }
        // The end record is followed by a comment of less than 64 KiB.
        tail.drain(..tail.len().saturating_sub(END + (64 << 10)));
    }
    match memmem::rfind(&tail, b"PK\x05\x06") {
        Some(at) if tail.len() - at >= END => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

fn without_files() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "there is no file in the zip archive")
}

/// The system's error if there is one below.
fn plain(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(cause) => cause,
        ZipError::UnsupportedArchive(why) if why.contains("length is not available") => io::Error::new(
            io::ErrorKind::Unsupported,
            "this zip archive can be read from a file, but not from a pipe: it does not tell beforehand how \
             long its files are",
        ),
        ZipError::UnsupportedArchive(why) => {
            io::Error::new(io::ErrorKind::Unsupported, format!("zip: {why}"))
        }
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
