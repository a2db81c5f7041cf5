//! Stage 2, records: splits the inputs at record boundaries into batches.
//!
//! Where the boundaries fall depends on the batch size only: the batches, concatenated, contain the records of the
//! inputs in order. A record has at most 1 MiB. A longer one is an error, because memory would have to grow with it.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::{mem, vec};

use super::detect::{self, Detected, KNOWN};
use super::elements::elements;
use super::format::Division;
use super::shard::Part;
use super::stream::{Exactly, MAX_RECORD, Stream, batch_length};
use super::{InputOptions, Layout, remedy};
use crate::error::Error;
use crate::read::{Bytes, CompressedFile, Input, Mapped, Mapping, decompress_start, head};

/// An input while it is read: its name, its layout and the size of its header.
#[derive(Debug)]
pub struct Origin {
    /// The number of inputs of the run before this one.
    pub index: usize,
    /// The name in messages.
    pub name: String,
    /// The layout.
    pub layout: Layout,
    /// The number of bytes before the first batch that belong to other shards.
    pub offset: u64,
    /// The number of bytes before the first batch that have been read, such as a header.
    pub skipped_bytes: u64,
    /// The number of lines before the first batch that have been read.
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
    /// The input. `Some` once the batch has been filled.
    pub origin: Option<Arc<Origin>>,
    /// Whether it is the first batch of its input.
    pub is_first: bool,
    /// The number of bytes of the input that it covers.
    pub consumed: u64,
    /// The same in bytes of the file, which may be compressed.
    pub stored: u64,
    /// A range of a mapped file, used instead of `buffer`.
    mapped: Option<MappedRange>,
    buffer: Vec<u8>,
}

/// A range of the part of a mapped file that the run reads.
struct MappedRange {
    file: Arc<Mapped>,
    part: Range<usize>,
    range: Range<usize>,
}

impl Batch {
    /// The bytes of the records.
    pub fn text(&self) -> &[u8] {
        match &self.mapped {
            Some(MappedRange { file, range, .. }) => &file.bytes()[range.clone()],
            None => &self.buffer,
        }
    }

    /// Prefetches a range further ahead in a mapped file. The ranges of all batches cover the part that is read.
    pub fn prefetch(&self) {
        let Some(MappedRange { file, part, range }) = &self.mapped else { return };
        let ahead = |at: usize| {
            let at = at - part.start;
            part.start + at.saturating_mul(PREFETCH_RAMP).min(at + PREFETCH_DISTANCE).min(part.len())
        };
        file.prefetch(ahead(range.start)..ahead(range.end));
    }

    /// Unmaps the parts of a mapped file before the one in which this batch ends. Other workers are normally done with
    /// them; if not, their accesses map them again.
    pub fn release(&self) {
        let Some(MappedRange { file, range, .. }) = &self.mapped else { return };
        let [first, last] = [range.start, range.end].map(|at| (at / RELEASE_SIZE).saturating_sub(1) * RELEASE_SIZE);
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
    /// A batch has about this number of bytes, at most 1 MiB.
    pub size: usize,
    /// What the user says about the format.
    pub input: InputOptions,
}

/// Reads the batches of several inputs, one input after the other.
pub struct BatchReader {
    inputs: vec::IntoIter<Input>,
    /// The part of each input, if only a shard is read.
    parts: Option<vec::IntoIter<Part>>,
    /// Whether an input had records or a header.
    has_first: bool,
    options: ReadOptions,
    opened: usize,
    current: Option<Current>,
}

/// The current input and the position in it.
struct Current {
    input: Input,
    origin: Arc<Origin>,
    is_first: bool,
    /// Whether there is a first batch even if it has no records. A table without rows still has a header, which the
    /// output may need, and a shard needs the layout of the first input.
    has_first_batch: bool,
    rest: Rest,
    /// A compressed file.
    compressed: Option<CompressedFile>,
    /// The failure after the last batch.
    failure: Option<io::Error>,
}

enum Rest {
    Mapped { file: Arc<Mapped>, part: Range<usize>, at: usize },
    Stream(Stream),
}

impl BatchReader {
    /// A reader of the batches of `inputs`.
    pub fn new(inputs: Vec<Input>, options: ReadOptions) -> BatchReader {
        let options = ReadOptions { size: options.size.clamp(1, MAX_RECORD), ..options };
        let inputs = inputs.into_iter();
        BatchReader { inputs, parts: None, has_first: false, options, opened: 0, current: None }
    }

    /// Reads a part of each input only. The first input with records or a header has a first batch in any case.
    pub(crate) fn parts(self, parts: Vec<Part>) -> BatchReader {
        BatchReader { parts: Some(parts.into_iter()), ..self }
    }

    /// Reads the next batch into `batch`. Returns `false` at the end.
    ///
    /// # Errors
    /// When an input cannot be opened or read, or is refused. Do not call it again after an error.
    pub fn next(&mut self, batch: &mut Batch) -> Result<bool, Error> {
        loop {
            if self.current.is_none() {
                self.current = self.open_next()?;
            }
            let Some(current) = &mut self.current else { return Ok(false) };
            if current.next(self.options.size, batch)? {
                return Ok(true);
            }
            if let Some(Current { input, rest: Rest::Mapped { file, .. }, .. }) = self.current.take() {
                file.check_length().map_err(|cause| input.cannot_read(cause))?;
            }
        }
    }

    /// Opens the next input.
    fn open_next(&mut self) -> Result<Option<Current>, Error> {
        while let Some(input) = self.inputs.next() {
            let part = self.parts.as_mut().map(|parts| parts.next().expect("there is a part for each input"));
            match part {
                None => return self.start(input, &self.options.mapping.clone()).map(Some),
                Some(part) if self.has_first && part.range.is_empty() => {}
                Some(part) => return self.start_part(input, part).map(Some),
            }
        }
        Ok(None)
    }

    /// Opens a whole input.
    fn start(&mut self, input: Input, mapping: &Mapping) -> Result<Current, Error> {
        let (mut source, size, compressed) = match input.open(mapping)? {
            Bytes::Stream(source, size, compressed) => (source, size, compressed),
            Bytes::Mapped(file) => {
                let detected = detect(&input, file.bytes(), &self.options.input)?;
                if detected.is_document {
                    return self.start(input, &Mapping::NEVER);
                }
                let (at, size) = (detected.skipped_bytes, file.bytes().len());
                let rest = Rest::Mapped { file: Arc::new(file), part: 0..size, at };
                return self.current(input, detected, rest, Some(size as u64), 0);
            }
        };
        let head = head(&mut source, KNOWN).map_err(|cause| input.cannot_read(cause))?;
        let detected = detect(&input, &head, &self.options.input)?;
        let mut head = Cursor::new(head);
        head.set_position(detected.skipped_bytes as u64);
        let source: Box<dyn Read + Send> = Box::new(head.chain(source));
        let stream: Box<dyn Read + Send> = match detected.layout.format().expected() {
            Some(left) => Box::new(Exactly { source, left }),
            None if detected.is_document => Box::new(elements(source)),
            None => source,
        };
        let current = self.current(input, detected, Rest::Stream(Stream::new(stream)), size, 0)?;
        Ok(Current { compressed, ..current })
    }

    /// Opens the part of an input that belongs to a shard.
    fn start_part(&mut self, input: Input, part: Part) -> Result<Current, Error> {
        let cannot_read = |cause| input.cannot_read(cause);
        let mut source = input.open_divisible()?;
        let head = head(&mut source, KNOWN).map_err(cannot_read)?;
        // Files in `/proc` claim to be empty.
        let size = source.seek(SeekFrom::End(0)).map_err(cannot_read)?.max(head.len() as u64);
        let mut detected = detect(&input, &head, &self.options.input)?;
        if size != part.size {
            return Err(cannot_read(io::Error::other("its size has changed, or is not that of its content")));
        }
        if let Division::Never(what) = detected.layout.format().division() {
            let reason = format!("{what} cannot be divided into shards");
            return Err(Error::Format { name: input.name(), reason });
        }
        let first = detected.skipped_bytes as u64;
        let records = part.records(&detected.layout, first, &mut *source).map_err(cannot_read)?;
        // A table without rows has a header, which may be the header of the output.
        let has_content = detected.layout.is_table() || first < size;
        let has_first_batch = detected.layout.is_table() || (has_content && !self.has_first);
        self.has_first |= has_content;
        let rest = match input.open(&self.options.mapping)? {
            Bytes::Mapped(file) if file.bytes().len() as u64 == size => {
                let part = records.start as usize..records.end as usize;
                Rest::Mapped { file: Arc::new(file), at: part.start, part }
            }
            _ => {
                source.seek(SeekFrom::Start(records.start)).map_err(cannot_read)?;
                Rest::Stream(Stream::new(Box::new(source.take(records.end - records.start))))
            }
        };
        let has_header = part.range.start == 0 && part.range.end > 0;
        if !has_header {
            (detected.skipped_bytes, detected.skipped_lines) = (0, 0);
        }
        let offset = if has_header { 0 } else { records.start };
        let current = self.current(input, detected, rest, None, offset)?;
        Ok(Current { has_first_batch, ..current })
    }

    /// The input with its format. `size` is that of a file, and unknown for streams. `offset` is that of the records.
    fn current(
        &mut self,
        input: Input,
        detected: Detected,
        rest: Rest,
        size: Option<u64>,
        offset: u64,
    ) -> Result<Current, Error> {
        let Detected { layout, skipped_bytes, skipped_lines, .. } = detected;
        let (name, skipped_bytes) = (input.name(), skipped_bytes as u64);
        if let (Some(expected), Some(size)) = (layout.format().expected(), size)
            && size.checked_sub(skipped_bytes) != Some(expected)
        {
            let reason = "longer or shorter than its header says; a part of it may be missing".to_owned();
            return Err(Error::Format { name, reason });
        }
        let has_first_batch = layout.is_table();
        let index = self.opened;
        self.opened += 1;
        let origin = Arc::new(Origin { index, name, layout, offset, skipped_bytes, skipped_lines });
        Ok(Current { input, origin, is_first: true, has_first_batch, rest, compressed: None, failure: None })
    }
}

impl Current {
    fn next(&mut self, size: usize, batch: &mut Batch) -> Result<bool, Error> {
        if let Some(cause) = self.failure.take() {
            return Err(self.input.cannot_read(cause));
        }
        let layout = &self.origin.layout;
        // The records before a failure are a batch. So they do not depend on the size of batches.
        let failure = self.rest.next(size, layout, batch).err();
        batch.consumed = batch.text().len() as u64;
        let has_more = batch.consumed > 0;
        match failure {
            Some(cause) if !has_more => return Err(self.input.cannot_read(cause)),
            failure => self.failure = failure,
        }
        batch.is_first = mem::take(&mut self.is_first);
        if batch.is_first {
            batch.consumed += self.origin.skipped_bytes;
        }
        let consumed = batch.consumed;
        batch.stored = self.compressed.as_mut().map_or(consumed, |file| file.advance(consumed));
        batch.origin = Some(Arc::clone(&self.origin));
        Ok(has_more || (batch.is_first && self.has_first_batch))
    }
}

impl Rest {
    /// Reads the next batch, an empty one at the end. After a failure, the batch has the complete records before it.
    fn next(&mut self, size: usize, layout: &Layout, batch: &mut Batch) -> io::Result<()> {
        batch.mapped = None;
        batch.buffer.clear();
        match self {
            Rest::Mapped { file, part, at } => {
                let range = *at..*at + batch_length(layout, &file.bytes()[*at..part.end], size)?;
                *at = range.end;
                batch.mapped = Some(MappedRange { file: Arc::clone(file), part: part.clone(), range });
                Ok(())
            }
            Rest::Stream(stream) => stream.next(layout, size, &mut batch.buffer),
        }
    }
}

/// The format of an input that starts with `bytes`.
fn detect(input: &Input, bytes: &[u8], options: &InputOptions) -> Result<Detected, Error> {
    let (head, is_all) = bytes.get(..KNOWN).map_or((bytes, true), |head| (head, false));
    let found = match input {
        Input::Text(_) => detect::detect(head, is_all, &detect::of_argument(head, options)),
        _ => detect::detect(head, is_all, options),
    };
    found.map_err(|refusal| Error::refused(input.name(), &remedy::complete(refusal, head)))
}

/// Checks that a stream with this start has a format that can be read, so that a stream that cannot is not copied.
///
/// # Errors
/// If it has not.
pub(crate) fn check_start(input: &Input, start: &[u8], options: &InputOptions) -> Result<(), Error> {
    let start = decompress_start(start).map_err(|cause| input.cannot_read(cause))?;
    detect(input, &start, options).map(drop)
}
