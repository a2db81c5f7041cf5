//! The files of a zip archive, one after the other.

use std::fs::File;
use std::io::{self, BufReader, Read};

use memchr::memmem;
use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

use super::unpack::{CHUNK, Part, Sink};

impl Sink {
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

pub(super) fn unzip_file(file: File, sink: &Sink) -> io::Result<()> {
    let mut archive = ZipArchive::new(BufReader::with_capacity(CHUNK, file)).map_err(plain)?;
    let mut any = false;
    for index in 0..archive.len() {
        any |= archive.by_index(index).and_then(|file| sink.entry(file)).map_err(plain)?;
    }
    if any { Ok(()) } else { Err(without_files()) }
}

pub(super) fn unzip_stream(mut source: impl Read, sink: &Sink) -> io::Result<()> {
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
