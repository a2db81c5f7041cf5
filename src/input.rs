//! Stage 1, bytes: mapped files and streams.
//!
//! A regular file is mapped, so that workers read the page cache in place. Everything else (standard
//! input, pipes, and every file where mapping is not wanted or fails) is a stream of `read` calls.
//! The batch stage makes the same lines of both.
//!
//! A mapped file that another process truncates during the run kills this one (SIGBUS), as with every
//! program that maps files; the streaming path reads such a file to its new end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::error::Error;

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
    Mapped(Mmap),
    Stream(Box<dyn Read + Send>),
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

    /// Bytes to come, where that is known beforehand: of regular files only.
    ///
    /// # Errors
    /// When there is no such file, or it is a directory. A run checks all of its inputs in this way before
    /// it starts on the first.
    pub fn size(&self) -> Result<Option<u64>, Error> {
        let Input::File(path) = self else { return Ok(None) };
        let metadata = fs::metadata(path).map_err(|cause| self.cannot_open(cause))?;
        if metadata.is_dir() {
            return Err(self.cannot_open(io::ErrorKind::IsADirectory.into()));
        }
        Ok(metadata.is_file().then_some(metadata.len()))
    }

    pub(crate) fn open(&self, may_map: bool) -> Result<Bytes, Error> {
        let Input::File(path) = self else { return Ok(Bytes::Stream(Box::new(io::stdin()))) };
        let file = File::open(path).map_err(|cause| self.cannot_open(cause))?;
        let mapped = if may_map { map(&file) } else { None };
        Ok(mapped.map_or_else(|| Bytes::Stream(Box::new(file)), Bytes::Mapped))
    }

    pub(crate) fn cannot_read(&self, cause: io::Error) -> Error {
        Error::Read { name: self.name(), cause }
    }

    fn cannot_open(&self, cause: io::Error) -> Error {
        Error::Open { name: self.name(), cause }
    }
}

/// Maps a regular file that has a length; `None` asks for a stream.
fn map(file: &File) -> Option<Mmap> {
    // Files in /proc and the like claim to be regular and empty, and yet have bytes to read.
    if !file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
        return None;
    }
    // SAFETY: The mapping is read-only and private to us, and nothing but `&[u8]` is ever taken from it.
    // Another process may still change the file under us, which no program can prevent: every byte is
    // read as plain data whose value no memory access depends on unchecked, so the worst that comes of
    // it is a garbled record, or the signal of the module's documentation.
    #[allow(unsafe_code)]
    let mapped = unsafe { Mmap::map(file) }.ok()?;
    // Advice may be refused without harm.
    #[cfg(unix)]
    let _ = mapped.advise(memmap2::Advice::Sequential);
    Some(mapped)
}
