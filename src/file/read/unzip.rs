//! Stage 1, bytes: the only file of a zip archive.

use std::io::{self, BufReader};

use zip::ZipArchive;
use zip::result::ZipError;

use super::chunks::{CHUNK, Sink};
use super::decompress::unsupported;
use crate::file::pipe::Waiting;

/// Decompresses an archive with exactly one file. `refuse` makes the reason why one with other numbers is refused.
pub(super) fn unzip(file: Waiting, sink: &Sink) -> io::Result<()> {
    let mut archive = ZipArchive::new(BufReader::with_capacity(CHUNK, file)).map_err(readable)?;
    let names: Vec<String> = archive
        .file_names()
        .map(|name| name.map(String::from))
        .collect::<Result<_, _>>()
        .map_err(readable)?;
    let files: Vec<usize> = (0..names.len()).filter(|index| !names[*index].ends_with('/')).collect();
    match files[..] {
        [index] => sink.copy(&mut archive.by_index(index).map_err(readable)?),
        _ => {
            let names: Vec<&str> = files.iter().map(|index| &*names[*index]).collect();
            Err(unsupported(&several(&names)))
        }
    }
}

/// The reason why an archive with these files is refused.
fn several(names: &[&str]) -> String {
    let Some(first) = names.first() else { return "a zip archive without files".to_owned() };
    let listed = names[..names.len().min(9)].join(", ");
    let more = if names.len() > 9 { ", ..." } else { "" };
    format!(
        "a zip archive with {} files: {listed}{more}\n  unzip -p FILE '{first}' | rapidoku ... -",
        names.len()
    )
}

/// The underlying system error if there is one, or a readable message.
fn readable(error: ZipError) -> io::Error {
    match error {
        ZipError::Io(cause) => cause,
        ZipError::UnsupportedArchive(reason) => unsupported(&format!("zip: {reason}")),
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
