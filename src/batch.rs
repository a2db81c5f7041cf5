//! Stage 2, batches: cuts the inputs at line feeds into numbered pieces.
//!
//! Where the cuts fall depends on the size asked for, and on nothing that a record means: the records of
//! all batches, in the order of their numbers, are those of the inputs.
//!
//! A line may be of any length. In a mapped file it costs nothing. Of a stream, a line that exceeds the
//! buffer is passed over while it is read, and what remains of it in the batch means the same to
//! [`record`]: its beginning and, if that is white, the first byte that is not.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::{mem, vec};

use memchr::{memchr, memrchr};
use memmap2::Mmap;

use crate::error::Error;
use crate::input::{Bytes, Input};
use crate::record;

/// A run of whole lines of one input. Meant to be kept and reused, with the buffer in it.
#[derive(Default)]
pub(crate) struct Batch {
    /// Counts all batches of a run from 0.
    pub number: u64,
    /// Index of the input that it is from.
    pub input: usize,
    /// Whether it starts with the first byte of that input.
    pub is_first: bool,
    /// Bytes of the input that it stands for.
    pub consumed: u64,
    /// In place of `buffer`: a part of a mapped file.
    mapped: Option<(Arc<Mmap>, Range<usize>)>,
    buffer: Vec<u8>,
}

impl Batch {
    /// The lines.
    pub fn text(&self) -> &[u8] {
        let bytes = match &self.mapped {
            Some((map, range)) => &map[range.clone()],
            None => &self.buffer,
        };
        if self.is_first { record::skip_byte_order_mark(bytes) } else { bytes }
    }
}

/// Hands out the batches of several inputs, one after the other.
pub(crate) struct Cutter {
    inputs: vec::IntoIter<Input>,
    may_map: bool,
    /// Bytes after which a batch ends with its line.
    size: usize,
    /// Keep lines of streams whole, however long they are.
    whole_lines: bool,
    number: u64,
    /// The input being read, its index and what is left of it.
    current: Option<(Input, usize, Rest)>,
    opened: usize,
}

enum Rest {
    Mapped { map: Arc<Mmap>, at: usize },
    Stream(Stream),
}

struct Stream {
    source: Box<dyn Read + Send>,
    /// The start of a line whose end has not been read.
    carry: Vec<u8>,
    at_start: bool,
    ended: bool,
}

impl Cutter {
    /// Batches of about `size` bytes, of mapped files where `may_map`. With `whole_lines` no line of a stream
    /// is shortened, at the price of memory for the longest.
    pub fn new(inputs: Vec<Input>, may_map: bool, size: usize, whole_lines: bool) -> Cutter {
        // Smaller than the head of a line makes no sense, and records must start below 4 GiB.
        let size = size.clamp(2 * record::HEAD, 1 << 30);
        Cutter { inputs: inputs.into_iter(), may_map, size, whole_lines, number: 0, current: None, opened: 0 }
    }

    /// Puts the next batch in the place of the last; `false` when there is none.
    ///
    /// # Errors
    /// When an input cannot be opened or read. There are no batches after an error.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        let result = self.try_next(batch);
        if result.is_err() {
            (self.inputs, self.current) = (Vec::new().into_iter(), None);
        }
        result
    }

    fn try_next(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        loop {
            let Some((input, index, rest)) = &mut self.current else {
                let Some(input) = self.inputs.next() else { return Ok(false) };
                let rest = Rest::new(input.open(self.may_map)?);
                self.current = Some((input, self.opened, rest));
                self.opened += 1;
                continue;
            };
            if rest.next(self.size, self.whole_lines, batch).map_err(|cause| input.cannot_read(cause))? {
                (batch.number, batch.input) = (self.number, *index);
                self.number += 1;
                return Ok(true);
            }
            self.current = None;
        }
    }
}

impl Rest {
    fn new(bytes: Bytes) -> Rest {
        match bytes {
            Bytes::Mapped(map) => Rest::Mapped { map: Arc::new(map), at: 0 },
            Bytes::Stream(source) => {
                Rest::Stream(Stream { source, carry: Vec::new(), at_start: true, ended: false })
            }
        }
    }

    fn next(&mut self, size: usize, whole_lines: bool, batch: &mut Batch) -> io::Result<bool> {
        match self {
            Rest::Mapped { map, at } => {
                let range = *at..line_end(map, at.saturating_add(size));
                batch.is_first = *at == 0;
                batch.consumed = range.len() as u64;
                *at = range.end;
                batch.mapped = Some((Arc::clone(map), range));
                Ok(batch.consumed > 0)
            }
            Rest::Stream(stream) => {
                batch.mapped = None;
                stream.next(size, whole_lines, batch)
            }
        }
    }
}

/// The end of the line that holds the byte before `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    let tail = text.get(at - 1..).unwrap_or_default();
    memchr(b'\n', tail).map_or(text.len(), |length| at + length)
}

impl Stream {
    fn next(&mut self, size: usize, whole_lines: bool, batch: &mut Batch) -> io::Result<bool> {
        let buffer = &mut batch.buffer;
        mem::swap(buffer, &mut self.carry);
        batch.is_first = mem::take(&mut self.at_start);
        let mut size = size;
        self.fill(buffer, size)?;
        while whole_lines && !self.ended && memchr(b'\n', buffer).is_none() {
            size *= 2;
            self.fill(buffer, size)?;
        }
        self.carry.clear();
        batch.consumed = buffer.len() as u64;
        if self.ended {
            return Ok(!buffer.is_empty());
        }
        if let Some(last) = memrchr(b'\n', buffer) {
            self.carry.extend_from_slice(&buffer[last + 1..]);
            buffer.truncate(last + 1);
            batch.consumed = buffer.len() as u64;
        } else {
            batch.consumed += self.pass_over_line(buffer, size, batch.is_first)?;
        }
        Ok(true)
    }

    /// Reads until `buffer` holds `size` bytes or the source has ended.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> io::Result<()> {
        // A terminal that has ended would ask for more.
        if !self.ended {
            let room = size.saturating_sub(buffer.len());
            self.ended = self.source.by_ref().take(room as u64).read_to_end(buffer)? < room;
        }
        Ok(())
    }

    /// Completes the line whose beginning is `head` as the module's documentation tells, and keeps what
    /// follows it. Returns the number of bytes passed over.
    fn pass_over_line(&mut self, head: &mut Vec<u8>, size: usize, is_first: bool) -> io::Result<u64> {
        let text = if is_first { record::skip_byte_order_mark(head) } else { &head[..] };
        let mut all_white = text.iter().all(|&byte| record::is_white(byte));
        let mut passed = 0;
        let mut chunk = mem::take(&mut self.carry);
        loop {
            chunk.clear();
            self.fill(&mut chunk, size / 2)?;
            let end = memchr(b'\n', &chunk);
            let line = &chunk[..end.unwrap_or(chunk.len())];
            passed += line.len() as u64;
            if all_white && let Some(&byte) = line.iter().find(|&&byte| !record::is_white(byte)) {
                head.push(byte);
                all_white = false;
            }
            if let Some(end) = end {
                head.push(b'\n');
                chunk.drain(..=end);
                self.carry = chunk;
                return Ok(passed + 1);
            }
            if self.ended {
                return Ok(passed);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Gives its bytes in short reads, as a pipe may.
    struct Drip(Vec<u8>, usize);

    impl Read for Drip {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let n = into.len().min(7).min(self.0.len() - self.1);
            into[..n].copy_from_slice(&self.0[self.1..self.1 + n]);
            self.1 += n;
            Ok(n)
        }
    }

    /// Cuts `bytes` as a stream; returns the puzzles, the lines, and the bytes consumed.
    fn stream(bytes: &[u8], size: usize) -> (Vec<crate::grid::Puzzle>, u64, u64) {
        let mut rest = Rest::new(Bytes::Stream(Box::new(Drip(bytes.to_vec(), 0))));
        let (mut batch, mut records) = (Batch::default(), record::Records::default());
        let (mut puzzles, mut lines, mut consumed) = (Vec::new(), 0, 0);
        while rest.next(size, false, &mut batch).unwrap() {
            records.read(batch.text());
            puzzles.append(&mut records.puzzles);
            lines += records.lines;
            consumed += batch.consumed;
        }
        (puzzles, lines, consumed)
    }

    /// Pieces that make short and long, white and dark lines, with ends of all kinds.
    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(b"\n".to_vec()),
            Just(b"\r\n".to_vec()),
            Just(b"\r".to_vec()),
            Just(b"#".to_vec()),
            Just(b",".to_vec()),
            Just(b"\xEF\xBB\xBF".to_vec()),
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
            whole.read(record::skip_byte_order_mark(&text));
            let (puzzles, lines, consumed) = stream(&text, size);
            prop_assert_eq!(consumed, text.len() as u64);
            prop_assert_eq!(lines, whole.lines);
            prop_assert_eq!(puzzles, whole.puzzles);
        }
    }

    #[test]
    fn a_batch_ends_with_the_line_that_holds_its_last_byte() {
        let text = b"ab\ncd\nef";
        assert_eq!([1, 2, 3, 4, 6, 7, 8, 99].map(|at| line_end(text, at)), [3, 3, 3, 6, 6, 8, 8, 8]);
    }
}
