//! Stage 1, bytes: mapped files and streams.
//!
//! A regular file is mapped, so that workers read the page cache in place. Everything else (standard
//! input, pipes, and every file where mapping is not wanted or fails) is a stream of `read` calls. Packed
//! files are unpacked as a stream, see `unpack.rs`.
//! The batch stage makes the same lines of both.

use std::fs::{self, File};
use std::io::{self, Cursor, Read, Seek};
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::mapped::Mapped;
#[cfg(unix)]
pub use crate::mapped::{is_ignored, shrunk, tell_of_shrinking};
use crate::pipe;
use crate::unpack::{MAGIC, Packing, Unpacked};

/// Where records come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Standard input.
    Stdin,
    /// A file.
    File(PathBuf),
}

/// An input that is being read.
pub(crate) enum Bytes {
    Mapped(Mapped),
    Stream(Box<dyn Read + Send>),
    /// Unpacked on the way. Of a zip, one entry after the other.
    Packed(Packing, Unpacked),
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

    pub(crate) fn open(&self, may_map: bool) -> Result<Bytes, Error> {
        let (file, may_map) = match self {
            Input::File(path) => (File::open(path), may_map),
            Input::Stdin => (stdin(), false),
        };
        let file = file.map_err(|cause| self.cannot_open(cause))?;
        prepare(file, &self.name(), may_map).map_err(|cause| self.cannot_read(cause))
    }

    pub(crate) fn cannot_read(&self, cause: io::Error) -> Error {
        Error::Read { name: self.name(), cause }
    }

    fn cannot_open(&self, cause: io::Error) -> Error {
        Error::Open { name: self.name(), cause }
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
fn prepare(mut file: File, name: &str, may_map: bool) -> io::Result<Bytes> {
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
            None if may_map => Ok(match Mapped::new(file, name) {
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
pub(crate) fn head(source: &mut impl Read, n: usize) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    source.take(n as u64).read_to_end(&mut head)?;
    Ok(head)
}

/// Files in /proc and the like claim to be regular and empty, and yet have bytes to read.
fn is_regular(file: &File) -> bool {
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0)
}
