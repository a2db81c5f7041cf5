//! Stage 1, bytes: the only file of a zip archive.

use std::io::{self, BufReader, Read};

use flate2::bufread::DeflateDecoder;
use rawzip::{CompressionMethod, ErrorKind, MAX_CENTRAL_DIRECTORY_RECORD_SIZE, ZipArchive};

use crate::escape::escape;
use crate::pipe::Waiting;
use crate::refusal::{EXCEL, Refusal, quote};

/// Decompresses an archive with exactly one file, read in chunks of this size.
pub(super) fn unzip(file: Waiting, chunk: usize, copy: &dyn Fn(&mut dyn Read) -> io::Result<()>) -> io::Result<()> {
    let mut buffer = vec![0; MAX_CENTRAL_DIRECTORY_RECORD_SIZE];
    let archive = ZipArchive::from_seekable(file, &mut buffer).map_err(readable)?;
    let (mut files, mut only, mut listed) = (Vec::new(), None, 0);
    let mut entries = archive.entries(&mut buffer);
    while let Some(entry) = entries.next_entry().map_err(readable)? {
        listed += 1;
        if !entry.is_dir() && !entry.mode().is_symlink() {
            let name = String::from_utf8_lossy(entry.file_path().as_ref()).into_owned();
            files.push((entry.uncompressed_size_hint(), name));
            only = Some((entry.wayfinder(), entry.compression_method(), entry.flags().is_encrypted()));
        }
    }
    if listed != archive.entries_hint() {
        return Err(io::Error::other("its list of files is incomplete"));
    }
    let Some((place, method, is_encrypted)) = only.filter(|_| files.len() == 1) else {
        return Err(io::Error::other(several(&files)));
    };
    let entry = archive.get_entry(place).map_err(readable)?;
    let data = BufReader::with_capacity(chunk, entry.reader());
    let refuse = |what: &str| {
        let refusal = Refusal::new(format!("a zip archive that is {what}"));
        Err(io::Error::other(refusal.with_command("unzip -p {} | rapidoku ... -")))
    };
    let data: Box<dyn Read> = match method {
        _ if is_encrypted => return refuse("encrypted"),
        CompressionMethod::STORE => Box::new(data),
        CompressionMethod::DEFLATE => Box::new(DeflateDecoder::new(data)),
        _ => return refuse("not compressed by deflate"),
    };
    copy(&mut entry.verifying_reader(data))
}

/// The refusal of an archive with these files. The largest one probably has the puzzles.
fn several(files: &[(u64, String)]) -> Refusal {
    let Some((_, largest)) = files.iter().max() else { return Refusal::new("a zip archive without files") };
    if files.iter().any(|(_, name)| name == "xl/workbook.xml") {
        return Refusal::new("an Excel workbook").with_command(EXCEL);
    }
    let names: Vec<_> = files.iter().take(9).map(|(_, name)| escape(name)).collect();
    let more = if files.len() > names.len() { ", ..." } else { "" };
    Refusal::new(format!("a zip archive with {} files: {}{more}", files.len(), names.join(", ")))
        .with_command(&format!("unzip -p {{}} {} | rapidoku ... -", quote(largest)))
}

/// The underlying system error if there is one, or a readable message.
fn readable(error: rawzip::Error) -> io::Error {
    match error.into_kind() {
        ErrorKind::IO(cause) => cause,
        other => io::Error::new(io::ErrorKind::InvalidData, other.to_string()),
    }
}
