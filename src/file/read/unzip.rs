//! Stage 1, bytes: the entries of a zip archive, in order.

use std::borrow::Cow;
use std::io::{self, BufReader, Read};

use memchr::memmem;
use zip::ZipArchive;
use zip::read::{ZipFile, read_zipfile_from_stream};
use zip::result::ZipError;

use super::chunks::{CHUNK, Entry, Part, Sink};
use crate::file::pipe::Waiting;

impl Sink {
    /// Sends an entry unless it is a folder, a hidden file or macOS metadata. Returns whether it was sent.
    fn entry<R: Read>(&self, mut file: ZipFile<R>, is_only: bool) -> Result<bool, ZipError> {
        let name = file.name()?.into_owned();
        if OFFICE_PARTS.contains(&&*name) {
            return Err(office());
        }
        if file.is_dir() || is_hidden(&name) {
            return Ok(false);
        }
        self.send(Part::Entry(Entry { name, is_only }))?;
        self.copy(&mut file)?;
        Ok(true)
    }
}

/// Whether an entry with this name is a folder, a hidden file or macOS metadata.
fn is_hidden(name: &str) -> bool {
    let base_name = name.rsplit('/').next().unwrap_or_default();
    let is_of_windows = matches!(base_name, "Thumbs.db" | "desktop.ini");
    base_name.is_empty() || base_name.starts_with('.') || is_of_windows || name.starts_with("__MACOSX/")
}

pub(super) fn unzip_file(file: Waiting, sink: &Sink) -> io::Result<()> {
    let mut archive = ZipArchive::new(BufReader::with_capacity(CHUNK, file)).map_err(readable)?;
    if OFFICE_PARTS.iter().any(|name| archive.index_for_name(name).is_some()) {
        return Err(readable(office()));
    }
    // The library lists only one of them.
    if archive.has_duplicate_names() {
        return Err(unsupported(
            "several files of the zip archive have the same name; a pipe reads all of them",
        ));
    }
    // It begins like an archive.
    if archive.offset() > 0 {
        return Err(unsupported(SEVERAL));
    }
    let is_listed = |name: &Result<Cow<str>, ZipError>| name.as_deref().is_ok_and(|name| !is_hidden(name));
    let is_only = archive.file_names().filter(is_listed).nth(1).is_none();
    let mut any = false;
    for index in 0..archive.len() {
        any |= archive.by_index(index).and_then(|file| sink.entry(file, is_only)).map_err(readable)?;
    }
    if any { Ok(()) } else { Err(no_files()) }
}

/// The start and the size of the end record of an archive without a comment.
const END_MAGIC: &[u8] = b"PK\x05\x06";
const END: usize = 22;

pub(super) fn unzip_stream(mut source: impl Read, sink: &Sink) -> io::Result<()> {
    let mut any = false;
    while let Some(file) = read_zipfile_from_stream(&mut source).map_err(readable)? {
        any |= sink.entry(file, false).map_err(readable)?;
    }
    if !any {
        return Err(no_files());
    }
    // The rest is the central directory. The archive is complete if the end record is there.
    let mut tail = Vec::new();
    loop {
        let read = source.by_ref().take(CHUNK as u64).read_to_end(&mut tail)?;
        if read == 0 {
            break;
        }
        let follows_end = |at: usize| at >= END && tail[at - END..].starts_with(END_MAGIC);
        if memmem::find_iter(&tail, b"PK\x03\x04").any(follows_end) {
            return Err(unsupported(SEVERAL));
        }
        // A comment of less than 64 KiB follows the end record.
        tail.drain(..tail.len().saturating_sub(END + (64 << 10)));
    }
    match memmem::rfind(&tail, END_MAGIC) {
        Some(at) if tail.len() - at >= END => Ok(()),
        _ => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// Files that every document of Office Open XML or OpenDocument contains.
const OFFICE_PARTS: [&str; 2] = ["[Content_Types].xml", "META-INF/manifest.xml"];

fn office() -> ZipError {
    ZipError::Io(unsupported("unsupported format: spreadsheet or other Office document; save it as CSV"))
}

fn no_files() -> io::Error {
    unsupported("the zip archive contains no files")
}

const SEVERAL: &str = "several zip archives one after the other; read each of them alone";

fn unsupported(message: &str) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message)
}

/// The underlying system error if there is one, or a readable message.
fn readable(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(cause) => cause,
        ZipError::UnsupportedArchive(why) if why.contains("length is not available") => unsupported(
            "this zip archive stores entry sizes after the data; it can be read from a file, but not from a pipe",
        ),
        ZipError::UnsupportedArchive(reason) => unsupported(&format!("zip: {reason}")),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
