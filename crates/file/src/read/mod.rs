//! Stage 1, bytes: memory-mapped files, streams and decompression.
//!
//! A regular file is mapped if the caller allows it, so that workers read the page cache in place. Everything else is
//! read as a stream: standard input, pipes, and files that cannot be mapped. Compressed files are decompressed into a
//! stream, see `decompress.rs`. The batch stage treats mapped files and streams alike.

#[cfg_attr(
    not(all(feature = "gzip", feature = "zip", feature = "zstd")),
    allow(dead_code, unused_imports, unused_variables, reason = "used by some of the formats only")
)]
mod decompress;
mod map;
mod opened;
#[cfg(feature = "zip")]
mod unzip;

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::error::Error;
use super::pipe::{self, Waiting};
use super::refusal::Refusal;
pub(super) use decompress::decompress_start;
use decompress::{Compression, MAGIC_LENGTH, decompress, decompress_file};
pub(super) use map::Mapped;
pub use map::{MapObserver, Mapping};
pub use opened::OpenFile;

/// A source of records: standard input or a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
    /// An open regular file.
    Open(OpenFile),
    /// A text in memory, for example a puzzle from a command line.
    Text(String),
}

/// A file that a thread decompresses.
pub(super) struct CompressedFile {
    file: File,
    decompressed: Arc<AtomicU64>,
    /// The number of decompressed bytes that have been read, and the estimate of those of the file.
    read: u64,
    stored: u64,
}

impl CompressedFile {
    /// The number of bytes of the file that give the next decompressed bytes, by what has been decompressed so far.
    pub fn advance(&mut self, bytes: u64) -> u64 {
        self.read += bytes;
        let decompressed = self.decompressed.load(Ordering::Relaxed).max(self.read).max(1);
        let position = self.file.stream_position().unwrap_or_default();
        let stored = (u128::from(position) * u128::from(self.read) / u128::from(decompressed)) as u64;
        let more = stored.saturating_sub(self.stored);
        self.stored += more;
        more
    }
}

/// An open input.
pub(super) enum Bytes {
    Mapped(Mapped),
    /// A stream, its size if it is a file, and the file if it is decompressed on the fly.
    Stream(Box<dyn Read + Send>, Option<u64>, Option<CompressedFile>),
}

/// An open input that can be read anywhere.
pub(super) trait Divisible: Read + Seek + Send {}

impl<T: Read + Seek + Send> Divisible for T {}

impl<P: AsRef<Path> + ?Sized> From<&P> for Input {
    /// The file at this path.
    fn from(path: &P) -> Input {
        Input::File(path.as_ref().to_owned())
    }
}

impl From<PathBuf> for Input {
    fn from(path: PathBuf) -> Input {
        Input::File(path)
    }
}

impl Input {
    /// Interprets a command line operand: `-` is standard input, everything else is a path.
    pub fn from_operand(operand: &Path) -> Input {
        if operand == Path::new("-") { Input::Stdin } else { Input::File(operand.to_owned()) }
    }

    /// The name in messages: the path, or `<stdin>`.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "<stdin>".to_owned(),
            Input::File(path) => path.display().to_string(),
            Input::Open(file) => file.name().to_owned(),
            Input::Text(_) => "<argument>".to_owned(),
        }
    }

    /// The number of bytes, or `None` if it is unknown: for streams and compressed files.
    ///
    /// A run calls this for all inputs before it reads the first one, so that a wrong path fails early.
    ///
    /// # Errors
    /// When the file cannot be opened or is a directory.
    pub fn size(&self) -> Result<Option<u64>, Error> {
        Ok(self.stored_size()?.and_then(|(bytes, is_compressed)| (!is_compressed).then_some(bytes)))
    }

    /// The number of bytes of a file, and whether it is compressed.
    pub(super) fn stored_size(&self) -> Result<Option<(u64, bool)>, Error> {
        match self {
            Input::Stdin => return Ok(None),
            Input::Text(text) => return Ok(Some((text.len() as u64, false))),
            // Opening a named pipe could take its first bytes away from the run.
            Input::File(path) if !self.is_file(path)? => return Ok(None),
            _ => {}
        }
        let mut file = self.file()?;
        let bytes = file.metadata().map_err(|cause| self.cannot_open(cause))?.len();
        let is_compressed = head(&mut file, MAGIC_LENGTH).is_ok_and(|head| Compression::detect(&head).is_some());
        Ok(Some((bytes, is_compressed)))
    }

    /// Whether there is a regular file at a path, which is not a folder.
    fn is_file(&self, path: &Path) -> Result<bool, Error> {
        let metadata = fs::metadata(path).map_err(|cause| self.cannot_open(cause))?;
        if metadata.is_dir() {
            return Err(self.cannot_open(io::ErrorKind::IsADirectory.into()));
        }
        Ok(metadata.is_file())
    }

    /// The open file. A text has none.
    fn file(&self) -> Result<File, Error> {
        let file = match self {
            Input::File(path) => File::open(path),
            Input::Open(file) => file.rewound(),
            Input::Stdin => stdin(),
            Input::Text(_) => Err(io::ErrorKind::Unsupported.into()),
        };
        file.map_err(|cause| self.cannot_open(cause))
    }

    pub(super) fn open(&self, mapping: &Mapping) -> Result<Bytes, Error> {
        let mapping = match self {
            Input::Text(text) => {
                return Ok(Bytes::Stream(Box::new(Cursor::new(text.clone().into_bytes())), None, None));
            }
            Input::Stdin => &Mapping::NEVER,
            _ => mapping,
        };
        prepare(self.file()?, &self.name(), mapping).map_err(|cause| self.cannot_read(cause))
    }

    /// Opens an input whose size is known, to read a part of it.
    pub(super) fn open_divisible(&self) -> Result<Box<dyn Divisible>, Error> {
        Ok(match self {
            Input::Text(text) => Box::new(Cursor::new(text.clone().into_bytes())),
            _ => Box::new(Waiting::new(self.file()?)),
        })
    }

    pub(super) fn cannot_read(&self, cause: io::Error) -> Error {
        match cause.downcast::<Refusal>() {
            Ok(refusal) => Error::refused(self.name(), &refusal),
            Err(source) => Error::Read { name: self.name(), source },
        }
    }

    fn cannot_open(&self, cause: io::Error) -> Error {
        Error::Open { name: self.name(), source: cause }
    }
}

/// Standard input as a [`File`], because it may be redirected from a regular file.
#[cfg(not(windows))]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Standard input as a [`File`], because it may be redirected from a regular file.
#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

/// Detects the compression from the first bytes and chooses how to read the rest.
fn prepare(mut file: File, name: &str, mapping: &Mapping) -> io::Result<Bytes> {
    let is_regular = is_regular(&mut file);
    let mut stream = Waiting::new(file);
    let head = head(&mut stream, MAGIC_LENGTH)?;
    let compression = Compression::detect(&head);
    if is_regular {
        stream.rewind()?;
        return match compression {
            Some(compression) => {
                let file = stream.file.try_clone()?;
                let (source, decompressed) = decompress_file(compression, stream)?;
                let file = CompressedFile { file, decompressed, read: 0, stored: 0 };
                Ok(Bytes::Stream(source, None, Some(file)))
            }
            None => Ok(match Mapped::new(stream.file, name, mapping) {
                Ok(mapped) => Bytes::Mapped(mapped),
                Err(file) => {
                    let size = file.metadata().ok().map(|metadata| metadata.len());
                    Bytes::Stream(Box::new(Waiting::new(file)), size, None)
                }
            }),
        };
    }
    pipe::enlarge(&stream.file);
    let stream: Box<dyn Read + Send> = Box::new(Cursor::new(head).chain(stream));
    let stream = match compression {
        Some(compression) => decompress(compression, stream)?.0,
        None => stream,
    };
    Ok(Bytes::Stream(stream, None, None))
}

/// A reader of the chunks that a function returns, up to an empty one or a failure.
pub(super) struct Chunks<F> {
    next: F,
    chunk: Cursor<Vec<u8>>,
    has_ended: bool,
}

impl<F: FnMut() -> io::Result<Vec<u8>>> Chunks<F> {
    pub fn new(next: F) -> Chunks<F> {
        Chunks { next, chunk: Cursor::default(), has_ended: false }
    }
}

impl<F: FnMut() -> io::Result<Vec<u8>>> Read for Chunks<F> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.chunk.read(into)?;
            if read > 0 || into.is_empty() || self.has_ended {
                return Ok(read);
            }
            self.chunk = Cursor::new((self.next)().inspect_err(|_| self.has_ended = true)?);
            self.has_ended = self.chunk.get_ref().is_empty();
        }
    }
}

/// Appends `n` bytes of a source, or all of them if there are fewer. Returns their number.
pub(super) fn read_up_to(source: &mut dyn Read, n: usize, into: &mut Vec<u8>) -> io::Result<usize> {
    source.take(n as u64).read_to_end(into)
}

/// The first `n` bytes of a source, or all of them if there are fewer.
pub(super) fn head(source: &mut dyn Read, n: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    read_up_to(source, n, &mut head)?;
    Ok(head)
}

/// Whether a file is regular, not empty, and at its start. Files in `/proc` claim to be regular and empty, but have
/// content.
fn is_regular(file: &mut File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
        && file.stream_position().is_ok_and(|at| at == 0)
}
