//! Stage 1, bytes: mapped files and streams.
//!
//! A regular file is mapped, so that workers read the page cache in place. Everything else (standard
//! input, pipes, and every file where mapping is not wanted or fails) is a stream of `read` calls. Packed
//! files are unpacked as a stream, see `unpack.rs`.
//! The batch stage makes the same lines of both.

mod map;
mod unpack;
#[cfg(feature = "zip")]
mod unzip;

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use super::error::Error;
use super::pipe;
pub(super) use map::Mapped;
pub use map::{MapObserver, Mapping};
use unpack::MAGIC;
pub(super) use unpack::{Packing, Unpacked};

/// Where records come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// An input that is being read.
pub(super) enum Bytes {
    Mapped(Mapped),
    Stream(Box<dyn Read + Send>),
    /// Unpacked on the way. Of a zip, one entry after the other.
    Packed(Packing, Unpacked),
}

impl<P: AsRef<Path> + ?Sized> From<&P> for Input {
    /// The file with this path.
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
    /// The input that an operand of the command line names: `-` is standard input.
    pub fn from_operand(operand: &Path) -> Input {
        if operand == Path::new("-") { Input::Stdin } else { Input::File(operand.to_owned()) }
    }

    /// As it is called in messages.
    pub fn name(&self) -> String {
        match self {
            Input::Stdin => "<stdin>".to_owned(),
            Input::File(path) => path.display().to_string(),
        }
    }

    /// Bytes to come, where that is known beforehand: of regular files that are not packed.
    ///
    /// # Errors
    /// When the file cannot be opened, or is a directory. A run checks all of its inputs in this way before
    /// it starts on the first.
    pub fn size(&self) -> Result<Option<u64>, Error> {
        let Input::File(path) = self else { return Ok(None) };
        let metadata = fs::metadata(path).map_err(|cause| self.cannot_open(cause))?;
        if metadata.is_dir() {
            return Err(self.cannot_open(io::ErrorKind::IsADirectory.into()));
        }
        // To open a pipe may take its first bytes from who reads it later.
        if !metadata.is_file() {
            return Ok(None);
        }
        let mut file = File::open(path).map_err(|cause| self.cannot_open(cause))?;
        let is_packed = head(&mut file, MAGIC).is_ok_and(|head| Packing::of(&head).is_some());
        Ok((!is_packed).then_some(metadata.len()))
    }

    pub(super) fn open(&self, mapping: &Mapping) -> Result<Bytes, Error> {
        let (file, mapping) = match self {
            Input::File(path) => (File::open(path), mapping),
            Input::Stdin => (stdin(), &Mapping::NEVER),
        };
        let file = file.map_err(|cause| self.cannot_open(cause))?;
        prepare(file, &self.name(), mapping).map_err(|cause| self.cannot_read(cause))
    }

    pub(super) fn cannot_read(&self, cause: io::Error) -> Error {
        Error::Read { name: self.name(), source: cause }
    }

    fn cannot_open(&self, cause: io::Error) -> Error {
        Error::Open { name: self.name(), source: cause }
    }
}

/// Standard input as a file: what was redirected to it may be one.
#[cfg(not(windows))]
fn stdin() -> io::Result<File> {
    use std::os::fd::AsFd;
    Ok(io::stdin().as_fd().try_clone_to_owned()?.into())
}

/// Standard input as a file: what was redirected to it may be one.
#[cfg(windows)]
fn stdin() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    Ok(io::stdin().as_handle().try_clone_to_owned()?.into())
}

/// Looks at the first bytes and decides how the rest is to be read.
fn prepare(mut file: File, name: &str, mapping: &Mapping) -> io::Result<Bytes> {
    let is_regular = is_regular(&file) && file.stream_position().is_ok_and(|at| at == 0);
    let head = head(&mut file, MAGIC)?;
    if is_regular {
        file.rewind()?;
    } else {
        pipe::widen(&file);
    }
    let packing = Packing::of(&head);
    if is_regular {
        return match packing {
            Some(packing) => Ok(Bytes::Packed(packing, Unpacked::from_file(packing, file)?)),
            None if mapping.is_on() => Ok(match Mapped::new(file, name, mapping) {
                Ok(mapped) => Bytes::Mapped(mapped),
                Err(file) => Bytes::Stream(Box::new(file)),
            }),
            None => Ok(Bytes::Stream(Box::new(file))),
        };
    }
    let stream = Cursor::new(head).chain(file);
    match packing {
        Some(packing) => Ok(Bytes::Packed(packing, Unpacked::from_stream(packing, stream)?)),
        None => Ok(Bytes::Stream(Box::new(stream))),
    }
}

/// The first `n` bytes, or all if there are fewer.
pub(super) fn head(source: &mut impl Read, n: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.take(n as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Files in /proc and the like claim to be regular and empty, and yet have bytes to read.
fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}
