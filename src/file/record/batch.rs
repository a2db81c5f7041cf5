//! Stage 2, records: splits the inputs at record boundaries into numbered batches.
//!
//! Where the boundaries fall depends on the batch size only: the batches, concatenated by number, contain the records of
//! the inputs in order.
//!
//! If there is a puzzle at the start of each line, lines may have any length. In a mapped file a long line costs nothing.
//! In a stream, a line longer than the buffer is skipped while it is read; the part that stays in the batch gives the same
//! record: the start of the line and, if that is blank, the first byte that is not.
//!
//! Otherwise, and if the job needs complete lines, a record has at most [`MAX_RECORD`] bytes. A longer one is an error,
//! because memory would have to grow with it.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::sync::Arc;
use std::{mem, vec};

use memchr::memchr;

use super::ends::{MAX_RECORD, batch_end, check_last_line, longer};
use super::head::{Head, is_undecided};
use super::{InputFormat, Layout, Recognised, RejectionKind, has_possible_puzzle, recognise};
use crate::file::error::Error;
use crate::file::read::{Bytes, Compression, Decompressor, Input, Mapped, Mapping};
use crate::file::record;

/// An input while it is read: its name, its layout and the size of its header. An entry of a zip archive is an input of
/// its own.
#[derive(Debug)]
pub struct Origin {
    /// The number of inputs of the run before this one.
    pub index: usize,
    /// The name in messages.
    pub name: String,
    /// The layout.
    pub layout: Layout,
    /// The number of bytes before the first batch.
    pub skipped_bytes: u64,
    /// The number of lines before the first batch.
    pub skipped_lines: u64,
}

/// A mapped file is prefetched this many bytes ahead: a fast disk reads as much in a few milliseconds.
const PREFETCH_DISTANCE: usize = 32 << 20;
/// At the start of a file the prefetch distance grows this many times as fast as the position, so that no single batch
/// has to request all of it.
const PREFETCH_RAMP: usize = 4;
/// Processed parts of a mapped file are unmapped in ranges of this size. Unmapping everything at the end would take one
/// thread a twentieth of the run time, and until then the whole file would count as memory of this process.
const RELEASE_SIZE: usize = 8 << 20;

/// A sequence of complete records of one input. Reused to keep its buffer.
#[derive(Default)]
pub struct Batch {
    /// The number of batches of the run before this one.
    pub number: u64,
    /// The input. `Some` once the batch has been filled.
    pub origin: Option<Arc<Origin>>,
    /// Whether it is the first batch of its input.
    pub is_first: bool,
    /// The number of bytes of the input that it covers.
    pub consumed: u64,
    /// A range of a mapped file, used instead of `buffer`.
    mapped: Option<(Arc<Mapped>, Range<usize>)>,
    buffer: Vec<u8>,
}

impl Batch {
    /// The bytes of the records.
    pub fn text(&self) -> &[u8] {
        match &self.mapped {
            Some((file, range)) => &file.bytes()[range.clone()],
            None => &self.buffer,
        }
    }

    /// Prefetches a range further ahead in a mapped file. The ranges of all batches cover the file.
    pub fn prefetch(&self) {
        let Some((file, range)) = &self.mapped else { return };
        file.prefetch(prefetch_range(range, file.bytes().len()));
    }

    /// Unmaps the parts of a mapped file before the one in which this batch ends. Other workers are normally done with
    /// them; if not, their accesses map them again.
    pub fn release(&self) {
        let Some((file, range)) = &self.mapped else { return };
        let [first, last] =
            [range.start, range.end].map(|at| (at / RELEASE_SIZE).saturating_sub(1) * RELEASE_SIZE);
        if first < last {
            file.release(first..last);
        }
    }

    /// The input.
    pub fn origin(&self) -> &Arc<Origin> {
        self.origin.as_ref().expect("the batch has been filled")
    }
}

/// Options of a [`BatchReader`].
pub struct ReadOptions {
    /// Whether regular files are mapped.
    pub mapping: Mapping,
    /// A batch ends with the record in which it reaches this number of bytes. At most 1 MiB.
    pub size: usize,
    /// Whether long lines of streams are kept completely.
    pub whole_lines: bool,
    /// The format, as far as it is known.
    pub format: InputFormat,
}

impl ReadOptions {
    /// Whether records must be in a batch completely.
    fn keeps_whole(&self, layout: &Layout) -> bool {
        self.whole_lines || !layout.is_lines()
    }
}

/// Reads the batches of several inputs, one input after the other.
pub struct BatchReader {
    inputs: vec::IntoIter<Input>,
    options: ReadOptions,
    number: u64,
    opened: usize,
    current: Option<Current>,
    /// A zip archive that may have another entry.
    archive: Option<Archive>,
    /// The first files of archives that were skipped, because they have no puzzles.
    skipped: Vec<Skipped>,
}

/// A zip archive that is being read.
struct Archive {
    input: Input,
    decompressor: Decompressor,
    /// Whether an entry has been accepted.
    has_puzzles: bool,
    /// The reason why the first entry that was skipped has no puzzles.
    rejected: Option<String>,
}

/// A file of an archive without puzzles.
#[derive(Debug)]
pub struct Skipped {
    pub name: String,
    pub reason: String,
}

/// The maximal number of skipped files that are remembered. An archive may have millions.
const MAX_SKIPPED: usize = 10;

/// The current input and the position in it.
struct Current {
    input: Input,
    origin: Arc<Origin>,
    is_first: bool,
    /// The number of bytes that must follow, if the start of the input tells it.
    expected: Option<u64>,
    rest: Rest,
}

enum Rest {
    Mapped { file: Arc<Mapped>, at: usize },
    Stream(Stream),
}

struct Stream {
    /// The bytes that were read to detect the layout.
    head: Cursor<Vec<u8>>,
    source: Source,
    /// The start of a record whose end has not been read yet.
    carry: Vec<u8>,
    ended: bool,
}

enum Source {
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

impl BatchReader {
    /// A reader of the batches of `inputs`.
    pub fn new(inputs: Vec<Input>, options: ReadOptions) -> BatchReader {
        // A batch must hold the head of a line. It cannot contain a record that is too long, except at its end.
        let size = options.size.clamp(2 * record::HEAD, MAX_RECORD);
        let options = ReadOptions { size, ..options };
        BatchReader {
            inputs: inputs.into_iter(),
            options,
            number: 0,
            opened: 0,
            current: None,
            archive: None,
            skipped: Vec::new(),
        }
    }

    /// The first files of archives that were skipped so far.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// Reads the next batch into `batch`. Returns `false` at the end.
    ///
    /// # Errors
    /// When an input cannot be opened or read, or its format is not recognised. There are no batches after an error.
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
                    rest: Rest::Stream(Stream { source: Source::Compressed(decompressor), .. }),
                    ..
                }) => {
                    self.archive = Some(Archive { input, decompressor, has_puzzles: true, rejected: None });
                }
                _ => {}
            }
        }
    }

    /// Opens the next entry of the archive with puzzles, or else the next input.
    fn open_next(&mut self) -> Result<Option<Current>, Error> {
        loop {
            if let Some(archive) = self.archive.take() {
                if let Some(current) = self.open_next_entry(archive)? {
                    return Ok(Some(current));
                }
                continue;
            }
            let Some(input) = self.inputs.next() else { return Ok(None) };
            let name = input.name();
            let current = match input.open(&self.options.mapping)? {
                Bytes::Mapped(file) => self.start_mapped(input, name, file)?,
                Bytes::Stream(source) => self.start_stream(input, name, Source::Plain(source))?,
                Bytes::Compressed(Compression::Zip, decompressor) => {
                    self.archive = Some(Archive { input, decompressor, has_puzzles: false, rejected: None });
                    continue;
                }
                Bytes::Compressed(_, decompressor) => {
                    self.start_stream(input, name, Source::Compressed(decompressor))?
                }
            };
            return Ok(Some(current));
        }
    }

    /// Opens the next entry of an archive. If it has no puzzles, it is skipped, and the archive is kept. `None` without an
    /// archive means that there are no more entries.
    fn open_next_entry(&mut self, archive: Archive) -> Result<Option<Current>, Error> {
        let Archive { input, mut decompressor, has_puzzles, rejected } = archive;
        let Some(entry) = decompressor.next_entry().map_err(|cause| input.cannot_read(cause))? else {
            return match rejected.filter(|_| !has_puzzles) {
                None => Ok(None),
                Some(reason) => {
                    let reason = format!("no file in the archive has puzzles: {reason}");
                    Err(Error::Format { name: input.name(), reason })
                }
            };
        };
        let name = format!("{}/{entry}", input.name());
        let mut head = Head::read(&input, &name, &mut decompressor)?;
        let rejection = match head.recognise(&input, &mut decompressor, &self.options.format)? {
            Ok(recognised) => {
                let source = Source::Compressed(decompressor);
                return Ok(Some(self.start(input, name, recognised, head, source)));
            }
            Err(rejection) => rejection,
        };
        let is_skipped = match rejection.kind {
            RejectionKind::Unsupported => false,
            RejectionKind::Mismatch => !has_possible_puzzle(&head.bytes),
            RejectionKind::Document | RejectionKind::NoPuzzles => true,
        };
        if !is_skipped {
            return Err(Error::Format { name, reason: rejection.reason });
        }
        io::copy(&mut decompressor, &mut io::sink()).map_err(|cause| input.cannot_read(cause))?;
        let rejected = rejected.or_else(|| Some(format!("'{entry}': {}", rejection.reason)));
        if self.skipped.len() < MAX_SKIPPED {
            self.skipped.push(Skipped { name, reason: rejection.reason });
        }
        self.archive = Some(Archive { input, decompressor, has_puzzles, rejected });
        Ok(None)
    }

    fn start_mapped(&mut self, input: Input, name: String, file: Mapped) -> Result<Current, Error> {
        let all = file.bytes();
        let head = |size| &all[..all.len().min(size)];
        let format = &self.options.format;
        let mut recognised = recognise(head(record::SAMPLE), all.len() <= record::SAMPLE, format);
        if is_undecided(&recognised) && has_possible_puzzle(head(MAX_RECORD)) {
            recognised = Ok(Recognised::lines(all));
        }
        let recognised =
            recognised.map_err(|rejection| Error::Format { name: name.clone(), reason: rejection.reason })?;
        let at = recognised.skipped_bytes;
        let rest = Rest::Mapped { file: Arc::new(file), at };
        Ok(self.current(input, name, recognised, rest))
    }

    fn start_stream(&mut self, input: Input, name: String, mut source: Source) -> Result<Current, Error> {
        let mut head = Head::read(&input, &name, &mut source)?;
        match head.recognise(&input, &mut source, &self.options.format)? {
            Ok(recognised) => Ok(self.start(input, name, recognised, head, source)),
            Err(rejection) => Err(Error::Format { name, reason: rejection.reason }),
        }
    }

    fn start(
        &mut self,
        input: Input,
        name: String,
        recognised: Recognised,
        head: Head,
        source: Source,
    ) -> Current {
        let mut bytes = Cursor::new(head.bytes);
        bytes.set_position(recognised.skipped_bytes as u64);
        let stream = Stream { head: bytes, source, carry: Vec::new(), ended: false };
        self.current(input, name, recognised, Rest::Stream(stream))
    }

    fn current(&mut self, input: Input, name: String, recognised: Recognised, rest: Rest) -> Current {
        let Recognised { layout, skipped_bytes, skipped_lines } = recognised;
        let index = self.opened;
        self.opened += 1;
        let expected = layout.expected_bytes();
        let origin = Origin { index, name, layout, skipped_bytes: skipped_bytes as u64, skipped_lines };
        Current { input, origin: Arc::new(origin), is_first: true, expected, rest }
    }
}

impl Current {
    fn next(&mut self, options: &ReadOptions, batch: &mut Batch) -> Result<bool, Error> {
        let layout = &self.origin.layout;
        let more = self.rest.next(options, layout, batch).map_err(|cause| self.input.cannot_read(cause))?;
        if let Some(expected) = &mut self.expected {
            let bytes = more.then(|| batch.text().len());
            *expected = layout.check_size(*expected, bytes).map_err(|cause| self.input.cannot_read(cause))?;
        }
        batch.is_first = mem::take(&mut self.is_first);
        // A table without rows still has a header, which the output may need.
        let more = more || (batch.is_first && layout.is_table());
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
                let range = *at..batch_end(layout, text, *at, options.size)?;
                if options.keeps_whole(layout) {
                    check_last_line(&text[range.clone()])?;
                }
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

/// The range that the worker of a batch prefetches. The ranges of consecutive batches are adjacent.
fn prefetch_range(batch: &Range<usize>, length: usize) -> Range<usize> {
    let ahead = |at: usize| at.saturating_mul(PREFETCH_RAMP).min(at + PREFETCH_DISTANCE).min(length);
    ahead(batch.start)..ahead(batch.end)
}

impl Stream {
    fn next(&mut self, options: &ReadOptions, layout: &Layout, batch: &mut Batch) -> io::Result<bool> {
        let (buffer, mut size) = (&mut batch.buffer, options.size);
        mem::swap(buffer, &mut self.carry);
        self.fill(buffer, size)?;
        let mut cut = layout.last_boundary(buffer);
        while options.keeps_whole(layout) && cut.is_none() && !self.ended {
            size = longer(size)?;
            self.fill(buffer, size)?;
            cut = layout.last_boundary(buffer);
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
            batch.consumed += self.skip_line(buffer, size)?;
        }
        Ok(true)
    }

    /// Reads until `buffer` holds `size` bytes or the source has ended.
    fn fill(&mut self, buffer: &mut Vec<u8>, size: usize) -> io::Result<()> {
        // Reading a terminal again after its end of file would wait for more input.
        if !self.ended {
            let room = size.saturating_sub(buffer.len());
            let source = self.head.by_ref().chain(&mut self.source);
            self.ended = source.take(room as u64).read_to_end(buffer)? < room;
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
    use super::*;
    use proptest::prelude::*;

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
        let mut rest = Stream { head: Cursor::new(Vec::new()), source, carry: Vec::new(), ended: false };
        let options =
            ReadOptions { mapping: Mapping::NEVER, size, whole_lines: false, format: InputFormat::default() };
        let (mut batch, mut records) = (Batch::default(), record::Records::default());
        let (mut puzzles, mut lines, mut consumed) = (Vec::new(), 0, 0);
        while rest.next(&options, &Layout::LINES, &mut batch).unwrap() {
            records.read(batch.text());
            puzzles.append(&mut records.puzzles);
            lines += records.lines;
            consumed += batch.consumed;
        }
        (puzzles, lines, consumed)
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

    #[test]
    fn a_file_is_prefetched_once_and_before_it_is_read() {
        for length in [1, 512 << 10, PREFETCH_DISTANCE, 3 * PREFETCH_DISTANCE + 1] {
            let mut requested = 0;
            for start in (0..length).step_by(500_000) {
                let batch = start..length.min(start + 500_000);
                let ahead = prefetch_range(&batch, length);
                assert!(
                    ahead.start == requested
                        && ahead.end >= batch.end
                        && ahead.end <= batch.end + PREFETCH_DISTANCE
                );
                assert!(ahead.len() <= PREFETCH_RAMP * 500_000);
                requested = ahead.end;
            }
            assert_eq!(requested, length);
        }
    }
}
