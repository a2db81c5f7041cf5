//! Stage 2, records: the start of a stream, from which its layout is recognised.

use std::io::{Cursor, Read};

use memchr::memchr;

use super::ends::MAX_RECORD;
use super::foreign::{Rejection, RejectionKind};
use super::input_options::SAMPLE;
use super::recognise::{Recognised, recognise, recognise_start};
use super::{InputOptions, has_possible_puzzle};
use crate::file::bytes::{BYTE_ORDER_MARK, is_record};
use crate::file::error::Error;
use crate::file::read::{self, Compression, Decompressor, Input};

/// The first bytes of a stream.
pub(super) struct Head {
    pub bytes: Vec<u8>,
}

impl Head {
    /// Reads the start of a stream.
    ///
    /// # Errors
    /// When it cannot be read, or is compressed: it has been decompressed once.
    pub fn read(input: &Input, name: &str, source: &mut impl Read) -> Result<Head, Error> {
        // One byte more than is examined tells whether these are all.
        let bytes = read::head(source, SAMPLE + 1).map_err(|cause| input.cannot_read(cause))?;
        if let Some(inner) = Compression::detect(&bytes) {
            let reason = format!("compressed twice, with {} inside; decompress it once first", inner.name());
            return Err(Error::Format { name: name.to_owned(), reason });
        }
        Ok(Head { bytes })
    }

    /// Recognises the layout, and reads more bytes if that is not possible with the first ones.
    pub fn recognise(
        &mut self,
        input: &Input,
        source: &mut impl Read,
        options: &InputOptions,
    ) -> Result<Result<Recognised, Rejection>, Error> {
        let recognised = recognise_start(&self.bytes, options);
        let has_preamble = preamble(&self.bytes).is_some();
        if has_preamble || is_undecided(&recognised, &self.bytes) {
            let more = read::head(source, MAX_RECORD - self.bytes.len());
            self.bytes.extend(more.map_err(|cause| input.cannot_read(cause))?);
        }
        Ok(match has_preamble {
            true => recognise_all(&self.bytes, options),
            false => or_lines(recognised, &self.bytes, options),
        })
    }
}

/// Recognises the layout of a text of which all bytes are in memory.
pub(super) fn recognise_all(text: &[u8], options: &InputOptions) -> Result<Recognised, Rejection> {
    let Some((skipped, lines)) = preamble(text) else {
        return or_lines(recognise_start(text, options), text, options);
    };
    let text = &text[skipped..];
    let mut recognised = or_lines(recognise_start(text, options), text, options)?;
    recognised.skipped_bytes += skipped;
    recognised.skipped_lines += lines;
    Ok(recognised)
}

/// The numbers of bytes and lines of the comments and blank lines before the first record, if they fill a good part of what is
/// examined otherwise. Comments that may be rows are none of these.
fn preamble(text: &[u8]) -> Option<(usize, u64)> {
    let (mut at, mut lines) = (0, 0);
    let text = &text[..text.len().min(MAX_RECORD - SAMPLE - 1)];
    while let Some(length) = memchr(b'\n', &text[at..]) {
        let line = &text[at..at + length];
        if is_record(line) || has_possible_puzzle(line) {
            break;
        }
        (at, lines) = (at + length + 1, lines + 1);
    }
    (at >= SAMPLE / 2).then_some((at, lines))
}

/// Checks that a stream with this start has a format that can be read, so that a stream that cannot is not copied.
///
/// # Errors
/// If it has not.
pub(in crate::file) fn check_start(name: &str, start: &[u8], options: &InputOptions) -> Result<(), Error> {
    let check = |text: &[u8]| match recognise_all(text, options) {
        Ok(_) => Ok(()),
        Err(rejection) => Err(rejection.of(name)),
    };
    let (compression, mut text) = match Compression::detect(start) {
        None => return check(start),
        // Its first file may be one without puzzles.
        Some(Compression::Zip) => return Ok(()),
        Some(compression) => (compression, Vec::new()),
    };
    let cannot_read = |source| Error::Read { name: name.to_owned(), source };
    let stream = Cursor::new(start.to_vec());
    let decompressed = Decompressor::from_stream(compression, stream).map_err(cannot_read)?;
    // An error is normal, because the start of the stream need not be the end of a block.
    let _ = decompressed.take(MAX_RECORD as u64).read_to_end(&mut text);
    if text.is_empty() { Ok(()) } else { check(&text) }
}

/// Whether puzzles may follow the part of an input that was examined.
fn is_undecided(recognised: &Result<Recognised, Rejection>, text: &[u8]) -> bool {
    recognised
        .as_ref()
        .is_err_and(|rejection| rejection.kind == RejectionKind::NoPuzzles || is_cut_json(text))
}

/// Whether a text is probably JSON, and longer than what is examined at first.
fn is_cut_json(text: &[u8]) -> bool {
    let start = text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).trim_ascii_start();
    text.len() > SAMPLE && matches!(start, [b'[' | b'{', ..])
}

/// JSON may have a long record at its start, or something else before the puzzles. Another text without a puzzle at its start has
/// lines, if one within the length of a record resembles a puzzle.
fn or_lines(
    recognised: Result<Recognised, Rejection>,
    text: &[u8],
    options: &InputOptions,
) -> Result<Recognised, Rejection> {
    let head = &text[..text.len().min(MAX_RECORD)];
    match is_undecided(&recognised, text) {
        true if is_cut_json(text) => recognise(head, text.len() < MAX_RECORD, options),
        true if has_possible_puzzle(head) => Ok(Recognised::lines(text, options.pads)),
        _ => recognised,
    }
}
