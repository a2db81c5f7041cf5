//! Stage 1, bytes: the only file of a zip archive.

use std::io::{self, BufReader};

use zip::ZipArchive;
use zip::result::ZipError;

use super::chunks::{CHUNK, Sink};
use crate::escape::escape;
use crate::pipe::Waiting;
use crate::refusal::{EXCEL, INPUT, Refusal, quote};

/// Decompresses an archive with exactly one file.
pub(super) fn unzip(file: Waiting, sink: &Sink) -> io::Result<()> {
    let mut archive = ZipArchive::new(BufReader::with_capacity(CHUNK, file)).map_err(readable)?;
    let mut files = Vec::new();
    for index in 0..archive.len() {
        let file = archive.by_index_raw(index).map_err(readable)?;
        if file.is_file() {
            files.push((file.size(), index, file.name().map(String::from).map_err(readable)?));
        }
    }
    match &files[..] {
        [(_, index, _)] => sink.copy(&mut archive.by_index(*index).map_err(readable)?),
        _ => Err(io::Error::other(several(&files))),
    }
}

/// The refusal of an archive with these files. The largest one probably has the puzzles.
fn several(files: &[(u64, usize, String)]) -> Refusal {
    let Some((.., largest)) = files.iter().max() else { return Refusal::new("a zip archive without files") };
    if files.iter().any(|(.., name)| name == "xl/workbook.xml") {
        return Refusal::new("an Excel workbook").with_command(EXCEL);
    }
    let names: Vec<_> = files.iter().take(9).map(|(.., name)| escape(name)).collect();
    let more = if files.len() > names.len() { ", ..." } else { "" };
    Refusal::new(format!("a zip archive with {} files: {}{more}", files.len(), names.join(", ")))
        .with_filter(&format!("unzip -p {INPUT} {}", quote(largest)), "")
}

/// The underlying system error if there is one, or a readable message.
fn readable(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(cause) => cause,
        ZipError::UnsupportedArchive(reason) => io::Error::other(Refusal::new(format!("zip: {reason}"))),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
