//! Stage 2, batches: cuts the inputs between records into numbered pieces.
//!
//! Where the cuts fall depends on the size asked for, and on nothing that a record means: the records of
//! all batches, in the order of their numbers, are those of the inputs.
//!
//! A line may be of any length. In a mapped file it costs nothing. Of a stream, a line that exceeds the
//! buffer is passed over while it is read, and what remains of it in the batch means the same to
//! [`record`]: its beginning and, if that is white, the first byte that is not.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;
use std::{mem, vec};

use memchr::memchr;

use super::{InputFormat, Layout, Recognised, recognise};
use crate::file::error::Error;
use crate::file::read::{self, Bytes, Input, Mapped, Mapping, Packing, Unpacked};
use crate::file::record;

/// An input as it is read: its name, what it holds, and what comes before its first record. A file in a zip
/// archive is an input of its own.
#[derive(Debug)]
pub struct Origin {
    /// Counts all of a run from 0.
    pub index: usize,
    pub name: String,
    pub layout: Layout,
    /// Bytes and lines before the first batch.
    pub skipped_bytes: u64,
    pub skipped_lines: u64,
}

/// So many bytes before they are read, a mapped file is asked for: what a fast disk gives within a few milliseconds.
const AHEAD: usize = 32 << 20;
/// At the start it is asked for faster than it is read, so that nobody has to ask for all of that at once.
const LEAP: usize = 4;
/// Parts of it, of this size, are let go of one by one: at the end it would take one thread a twentieth of the
/// time of all, and until then all of the file would count as the memory of this process.
const PART: usize = 8 << 20;

/// A run of whole records of one input. Meant to be kept and reused, with the buffer in it.
#[derive(Default)]
pub struct Batch {
    /// Counts all batches of a run from 0.
    pub number: u64,
    /// Where it is from; always there once there is a batch.
    pub origin: Option<Arc<Origin>>,
    /// Whether it is the first of that input.
    pub is_first: bool,
    /// Bytes of the input that it stands for.
    pub consumed: u64,
    /// In place of `buffer`: a part of a mapped file.
    mapped: Option<(Arc<Mapped>, Range<usize>)>,
    buffer: Vec<u8>,
}

impl Batch {
    /// The lines.
    pub fn text(&self) -> &[u8] {
        match &self.mapped {
            Some((file, range)) => &file.bytes()[range.clone()],
            None => &self.buffer,
        }
    }

    /// Asks for its share of what comes later in a mapped file.
    pub fn prefetch(&self) {
        let Some((file, range)) = &self.mapped else { return };
        file.prefetch(ahead_of(range, file.bytes().len()));
    }

    /// Lets go of the part of a mapped file before the one that ends within this batch. Nobody should be there any more,
    /// and who is loses nothing but time.
    pub fn release(&self) {
        let Some((file, range)) = &self.mapped else { return };
        let [first, last] = [range.start, range.end].map(|at| (at / PART).saturating_sub(1) * PART);
        if first < last {
            file.release(first..last);
        }
    }

    /// Where it is from.
    pub fn origin(&self) -> &Arc<Origin> {
        self.origin.as_ref().expect("there is a batch")
    }
}

/// How inputs are to be read.
pub struct ReadOptions {
    /// Whether regular files are mapped.
    pub mapping: Mapping,
    /// Bytes after which a batch ends with its record.
    pub size: usize,
    /// Filter lines of streams whole, however long they are.
    pub whole_lines: bool,
    /// What is known of their layout.
    pub format: InputFormat,
}

/// Hands out the batches of several inputs, one after the other.
pub struct BatchReader {
    inputs: vec::IntoIter<Input>,
    options: ReadOptions,
    number: u64,
    opened: usize,
    current: Option<Current>,
    /// An archive that may have another file.
    archive: Option<(Input, Unpacked)>,
}

/// The input being read and what is left of it.
struct Current {
    input: Input,
    origin: Arc<Origin>,
    is_first: bool,
    rest: Rest,
}

enum Rest {
    Mapped { file: Arc<Mapped>, at: usize },
    Stream(Stream),
}

struct Stream {
    /// What has been looked at to find the layout.
    head: Cursor<Vec<u8>>,
    feed: Feed,
    /// The start of a record whose end has not been read.
    carry: Vec<u8>,
    ended: bool,
}

enum Feed {
    Plain(Box<dyn Read + Send>),
    Packed(Unpacked),
}

impl Read for Feed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Feed::Plain(source) => source.read(into),
            Feed::Packed(unpacked) => unpacked.read(into),
        }
    }
}

impl BatchReader {
    /// The batches of `inputs`.
    pub fn new(inputs: Vec<Input>, options: ReadOptions) -> BatchReader {
        // Smaller than the head of a line makes no sense, and records must start below 4 GiB.
        let size = options.size.clamp(2 * record::HEAD, 1 << 30);
        let options = ReadOptions { size, ..options };
        BatchReader {
            inputs: inputs.into_iter(),
            options,
            number: 0,
            opened: 0,
            current: None,
            archive: None,
        }
    }

    /// Puts the next batch in the place of the last; `false` when there is none.
    ///
    /// # Errors
    /// When an input cannot be opened, made out or read. There are no batches after an error.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        let result = self.try_next(batch);
        if result.is_err() {
            (self.inputs, self.current, self.archive) = (Vec::new().into_iter(), None, None);
        }
        result
    }

    fn try_next(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        loop {
            if self.current.is_none() {
                self.current = self.open_next()?;
            }
            let Some(current) = &mut self.current else { return Ok(false) };
            if current.next(&self.options, batch)? {
                batch.number = self.number;
                self.number += 1;
                return Ok(true);
            }
            match self.current.take() {
                Some(Current { input, rest: Rest::Mapped { file, .. }, .. }) => {
                    file.check_length().map_err(|cause| input.cannot_read(cause))?;
                }
                Some(Current {
                    input,
                    rest: Rest::Stream(Stream { feed: Feed::Packed(unpacked), .. }),
                    ..
                }) => {
                    self.archive = Some((input, unpacked));
                }
                _ => {}
            }
        }
    }

    /// Opens the next file of the archive, or else the next input.
    fn open_next(&mut self) -> Result<Option<Current>, Error> {
        loop {
            if let Some((input, mut unpacked)) = self.archive.take()
                && let Some(entry) = unpacked.next_entry().map_err(|cause| input.cannot_read(cause))?
            {
                let name = format!("{}/{entry}", input.name());
                return self.start_stream(input, name, Feed::Packed(unpacked)).map(Some);
            }
            let Some(input) = self.inputs.next() else { return Ok(None) };
            let name = input.name();
            let current = match input.open(&self.options.mapping)? {
                Bytes::Mapped(file) => self.start_mapped(input, name, file)?,
                Bytes::Stream(source) => self.start_stream(input, name, Feed::Plain(source))?,
                Bytes::Packed(Packing::Zip, unpacked) => {
                    self.archive = Some((input, unpacked));
                    continue;
                }
                Bytes::Packed(_, unpacked) => self.start_stream(input, name, Feed::Packed(unpacked))?,
            };
            return Ok(Some(current));
        }
    }

    fn start_mapped(&mut self, input: Input, name: String, file: Mapped) -> Result<Current, Error> {
        let all = file.bytes();
        let head = &all[..all.len().min(record::SAMPLE)];
        let origin = self.origin(name, head, head.len() == all.len())?;
        let at = origin.skipped_bytes as usize;
        let rest = Rest::Mapped { file: Arc::new(file), at };
        Ok(Current { input, origin: Arc::new(origin), is_first: true, rest })
    }

    fn start_stream(&mut self, input: Input, name: String, mut feed: Feed) -> Result<Current, Error> {
        let head = read::head(&mut feed, record::SAMPLE).map_err(|cause| input.cannot_read(cause))?;
        if let (Feed::Packed(_), Some(packing)) = (&feed, Packing::of(&head)) {
            let seen = format!("it is packed twice, inside with {}; unpack it once before", packing.name());
            return Err(Error::Format { name, reason: seen });
        }
        let is_all = head.len() < record::SAMPLE;
        let origin = self.origin(name, &head, is_all)?;
        let mut head = Cursor::new(head);
        head.set_position(origin.skipped_bytes);
        let stream = Stream { head, feed, carry: Vec::new(), ended: false };
        Ok(Current { input, origin: Arc::new(origin), is_first: true, rest: Rest::Stream(stream) })
    }

    /// Makes out what an input that starts with `head` holds.
    fn origin(&mut self, name: String, head: &[u8], is_all: bool) -> Result<Origin, Error> {
        let recognised = recognise(head, is_all, &self.options.format);
        let Recognised { layout, skipped_bytes, skipped_lines } =
            recognised.map_err(|seen| Error::Format { name: name.clone(), reason: seen })?;
        let index = self.opened;
        self.opened += 1;
        Ok(Origin { index, name, layout, skipped_bytes: skipped_bytes as u64, skipped_lines })
    }
}

impl Current {
    fn next(&mut self, options: &ReadOptions, batch: &mut Batch) -> Result<bool, Error> {
        let layout = &self.origin.layout;
        let more = self.rest.next(options, layout, batch).map_err(|cause| self.input.cannot_read(cause))?;
        batch.is_first = mem::take(&mut self.is_first);
        // A table of nothing but a header still has columns to tell of.
        let more = more || (batch.is_first && matches!(layout, Layout::Rows(_)));
        if batch.is_first {
            batch.consumed += self.origin.skipped_bytes;
        }
        batch.origin = Some(Arc::clone(&self.origin));
        Ok(more)
    }
}

impl Rest {
    fn next(&mut self, options: &ReadOptions, layout: &Layout, batch: &mut Batch) -> io::Result<bool> {
        match self {
            Rest::Mapped { file, at } => {
                let text = file.bytes();
                let end = match layout {
                    Layout::Lines | Layout::Rows(_) => line_end(text, at.saturating_add(options.size)),
                    Layout::Grids(_) => *at + grids_end(&text[*at..], options.size, layout),
                };
                let range = *at..end;
                batch.consumed = range.len() as u64;
                *at = range.end;
                batch.mapped = Some((Arc::clone(file), range));
                Ok(batch.consumed > 0)
            }
            Rest::Stream(stream) => {
                batch.mapped = None;
                stream.next(options, layout, batch)
            }
        }
    }
}

/// The share of a batch in what is asked for of a mapped file: those of all batches are all of it.
fn ahead_of(batch: &Range<usize>, length: usize) -> Range<usize> {
    let ahead = |at: usize| at.saturating_mul(LEAP).min(at + AHEAD).min(length);
    ahead(batch.start)..ahead(batch.end)
}

/// The end of the line that holds the byte before `at`.
fn line_end(text: &[u8], at: usize) -> usize {
    let tail = text.get(at - 1..).unwrap_or_default();
    memchr(b'\n', tail).map_or(text.len(), |length| at + length)
}

/// The end of the last record within the first `size` bytes, or within more of them if need be.
fn grids_end(text: &[u8], mut size: usize, layout: &Layout) -> usize {
    while size < text.len() {
        if let Some(end) = layout.last_cut(&text[..size]) {
            return end;
        }
        size *= 2;
    }
    text.len()
}

/// A record of a stream may be longer than a batch, but not longer than this.
const LONGEST: usize = 256 << 20;

impl Stream {
    fn next(&mut self, options: &ReadOptions, layout: &Layout, batch: &mut Batch) -> io::Result<bool> {
        let (buffer, mut size) = (&mut batch.buffer, options.size);
        mem::swap(buffer, &mut self.carry);
        self.fill(buffer, size)?;
        let whole = options.whole_lines || *layout != Layout::Lines;
        let mut cut = layout.last_cut(buffer);
        while whole && cut.is_none() && !self.ended {
            if size > LONGEST {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "a record of more than 256 MiB"));
            }
            size *= 2;
            self.fill(buffer, size)?;
            cut = layout.last_cut(buffer);
        }
        self.carry.clear();
        batch.consumed = buffer.len() as u64;
        if self.ended {
            return Ok(!buffer.is_empty());
        }
        if let Some(cut) = cut {
            self.carry.extend_from_slice(&buffer[cut..]);
            buffer.truncate(cut);
            batch.consumed = buffer.len() as u64;
        } else {
            batch.consumed += self.pass_over_line(buffer, size)?;
        }
        Ok(true)
    }

    /// Reads until `buffer` holds `size` bytes or the source has ended.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> io::Result<()> {
        // A terminal that has ended would ask for more.
        if !self.ended {
            let room = size.saturating_sub(buffer.len());
            let source = self.head.by_ref().chain(&mut self.feed);
            self.ended = source.take(room as u64).read_to_end(buffer)? < room;
        }
        Ok(())
    }

    /// Completes the line whose beginning is `head` as the module's documentation tells, and keeps what
    /// follows it. Returns the number of bytes passed over.
    fn pass_over_line(&mut self, head: &mut Vec<u8>, size: usize) -> io::Result<u64> {
        let mut all_white = head.iter().all(|&byte| record::is_white(byte));
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
        let feed = Feed::Plain(Box::new(Drip(bytes.to_vec(), 0)));
        let mut rest = Stream { head: Cursor::new(Vec::new()), feed, carry: Vec::new(), ended: false };
        let options =
            ReadOptions { mapping: Mapping::NEVER, size, whole_lines: false, format: InputFormat::default() };
        let (mut batch, mut records) = (Batch::default(), record::Records::default());
        let (mut puzzles, mut lines, mut consumed) = (Vec::new(), 0, 0);
        while rest.next(&options, &Layout::Lines, &mut batch).unwrap() {
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

    #[test]
    fn all_of_a_file_is_asked_for_once_and_before_it_is_read() {
        for length in [1, 512 << 10, AHEAD, 3 * AHEAD + 1] {
            let mut asked = 0;
            for start in (0..length).step_by(500_000) {
                let batch = start..length.min(start + 500_000);
                let ahead = ahead_of(&batch, length);
                assert!(ahead.start == asked && ahead.end >= batch.end && ahead.end <= batch.end + AHEAD);
                assert!(ahead.len() <= LEAP * 500_000);
                asked = ahead.end;
            }
            assert_eq!(asked, length);
        }
    }

    #[test]
    fn a_batch_ends_with_the_line_that_holds_its_last_byte() {
        let text = b"ab\ncd\nef";
        assert_eq!([1, 2, 3, 4, 6, 7, 8, 99].map(|at| line_end(text, at)), [3, 3, 3, 6, 6, 8, 8, 8]);
    }
}
