//! Stage 2, records: splits a stream at record boundaries. The rules for long lines are those of `batch.rs`.

use std::io::{self, Cursor, Read};
use std::mem;

use memchr::memchr;

use super::Layout;
use super::elements::{Conversion, Converter};
use super::ends::longer;
use super::format::Format;
use crate::file::read::Decompressor;
use crate::file::record;

/// The number of bytes that are examined at once after the end of an array.
const REST: u64 = 64 << 10;

/// A stream while it is read.
pub(super) struct Stream {
    /// The bytes that were read to detect the layout.
    head: Cursor<Vec<u8>>,
    pub source: Source,
    /// The start of a record whose end has not been read yet.
    carry: Vec<u8>,
    ended: bool,
    /// Turns other text into lines.
    converter: Option<Converter>,
}

/// What a stream reads from.
pub(super) enum Source {
    Plain(Box<dyn Read + Send>),
    Compressed(Decompressor),
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Plain(source) => source.read(into),
            Source::Compressed(decompressor) => decompressor.read(into),
        }
    }
}

impl Stream {
    /// A stream that continues at the position of `head`, followed by `source`.
    pub fn new(head: Cursor<Vec<u8>>, source: Source) -> Stream {
        Stream { head, source, carry: Vec::new(), ended: false, converter: None }
    }

    /// The same, of text that becomes lines.
    pub fn converted(head: Cursor<Vec<u8>>, source: Source, conversion: Conversion) -> Stream {
        Stream { converter: Some(Converter::new(conversion)), ..Stream::new(head, source) }
    }

    /// Replaces the content of `buffer` by the next records, about `size` bytes. Lines that are longer are kept completely
    /// with `keeps_whole` only. Returns the number of bytes that the records have in the stream, 0 at the end. After a
    /// failure, `buffer` has the complete records before it.
    pub fn next(
        &mut self,
        layout: &Layout,
        size: usize,
        keeps_whole: bool,
        buffer: &mut Vec<u8>,
    ) -> io::Result<u64> {
        mem::swap(buffer, &mut self.carry);
        let read = self.read(layout.format(), size, keeps_whole, buffer);
        if read.is_err() {
            buffer.truncate(layout.format().last_boundary(buffer).unwrap_or(0));
        }
        read
    }

    /// Appends the records to the start of a record in `buffer`. Returns the number of bytes, including those that are
    /// skipped.
    fn read(
        &mut self,
        format: &dyn Format,
        mut size: usize,
        keeps_whole: bool,
        buffer: &mut Vec<u8>,
    ) -> io::Result<u64> {
        self.fill(buffer, size)?;
        let mut cut = format.last_boundary(buffer);
        while keeps_whole && cut.is_none() && !self.ended {
            size = longer(size)?;
            self.fill(buffer, size)?;
            cut = format.last_boundary(buffer);
        }
        self.carry.clear();
        let mut consumed = buffer.len() as u64;
        if self.ended {
            return Ok(consumed);
        }
        if let Some(cut) = cut {
            self.carry.extend_from_slice(&buffer[cut..]);
            buffer.truncate(cut);
            consumed = cut as u64;
        } else {
            consumed += self.skip_line(buffer, size)?;
        }
        Ok(consumed)
    }

    /// Reads until `buffer` holds `size` bytes or the source has ended.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> io::Result<()> {
        // Reading a terminal again after its end of file would wait for more input.
        if !self.ended {
            let room = size.saturating_sub(buffer.len());
            let source = self.head.by_ref().chain(&mut self.source);
            let before = buffer.len();
            let read = source.take(room as u64).read_to_end(buffer);
            // Also the bytes before a failure.
            let rest = match &mut self.converter {
                Some(converter) => {
                    let length = converter.convert(&mut buffer[before..]);
                    buffer.split_off(before + length)
                }
                None => Vec::new(),
            };
            self.ended = read? < room;
            self.end_array(rest)?;
        }
        Ok(())
    }

    /// If an array of JSON has ended, reads the rest of the input, which starts with `bytes`: a checksum may be at its end.
    ///
    /// # Errors
    /// When the rest has puzzles, and when the input ends within the array.
    fn end_array(&mut self, mut bytes: Vec<u8>) -> io::Result<()> {
        let Some(converter) = &mut self.converter else { return Ok(()) };
        if converter.has_ended() {
            let mut rest = self.head.by_ref().chain(&mut self.source);
            loop {
                converter.check_rest(&bytes)?;
                bytes.clear();
                if rest.by_ref().take(REST).read_to_end(&mut bytes)? == 0 {
                    break;
                }
            }
            self.ended = true;
        } else if self.ended && !converter.may_end() {
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the array of JSON has no end"));
        }
        Ok(())
    }

    /// Skips the rest of a line that starts with `head`, keeps in `head` what determines the record (see the module's
    /// documentation), and keeps what follows the line. Returns the number of bytes skipped.
    fn skip_line(&mut self, head: &mut Vec<u8>, size: usize) -> io::Result<u64> {
        let mut is_blank = head.iter().all(|&byte| record::is_whitespace(byte));
        let mut skipped = 0;
        let mut chunk = mem::take(&mut self.carry);
        loop {
            chunk.clear();
            self.fill(&mut chunk, size / 2)?;
            let end = memchr(b'\n', &chunk);
            let line = &chunk[..end.unwrap_or(chunk.len())];
            skipped += line.len() as u64;
            if is_blank && let Some(&byte) = line.iter().find(|&&byte| !record::is_whitespace(byte)) {
                head.push(byte);
                is_blank = false;
            }
            if let Some(end) = end {
                head.push(b'\n');
                chunk.drain(..=end);
                self.carry = chunk;
                return Ok(skipped + 1);
            }
            if self.ended {
                return Ok(skipped);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Returns its bytes in short reads, as a pipe may.
    struct Drip(Vec<u8>, usize);

    impl Read for Drip {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = into.len().min(7).min(self.0.len() - self.1);
            into[..n].copy_from_slice(&self.0[self.1..self.1 + n]);
            self.1 += n;
            Ok(n)
        }
    }

    /// Splits `bytes` as a stream. Returns the puzzles, the number of lines and the number of bytes consumed.
    fn stream(bytes: &[u8], size: usize) -> (Vec<crate::grid::Puzzle>, u64, u64) {
        let source = Source::Plain(Box::new(Drip(bytes.to_vec(), 0)));
        let mut rest = Stream::new(Cursor::new(Vec::new()), source);
        let (mut text, mut records) = (Vec::new(), record::Records::default());
        let (mut puzzles, mut lines, mut consumed) = (Vec::new(), 0, 0);
        loop {
            let bytes = rest.next(Layout::lines(), size, false, &mut text).unwrap();
            if bytes == 0 {
                return (puzzles, lines, consumed);
            }
            records.read(&text);
            puzzles.append(&mut records.puzzles);
            lines += records.lines;
            consumed += bytes;
            text.clear();
        }
    }

    /// Short and long lines, blank and not, with all kinds of line ends.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\r".to_vec()),
            Just(b"#".to_vec()),
            Just(b",".to_vec()),
            (0..400usize).prop_map(|n| vec![b' '; n]),
            (0..400usize).prop_map(|n| vec![b'.'; n]),
            Just(vec![b'1'; 81]),
            Just(vec![b'.'; 81]),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn a_stream_has_the_records_of_the_whole_text(text in text(), size in 2 * record::HEAD..700) {
            let mut whole = record::Records::default();
            whole.read(&text);
            let (puzzles, lines, consumed) = stream(&text, size);
            prop_assert_eq!(consumed, text.len() as u64);
            prop_assert_eq!(lines, whole.lines);
            prop_assert_eq!(puzzles, whole.puzzles);
        }
    }
}
