//! Stage 2, records: splits the inputs at record boundaries into batches.
//!
//! Where the boundaries fall depends on the batch size only: the batches, concatenated, contain the records of the inputs
//! in order.
//!
//! If there is a puzzle at the start of each line, lines may have any length. In a mapped file a long line costs nothing.
//! In a stream, a line longer than the buffer is skipped while it is read; the part that stays in the batch gives the same
//! record: the start of the line and, if that is blank, the first byte that is not.
//!
//! Otherwise, and if the job needs complete lines, a record has at most [`MAX_RECORD`] bytes. A longer one is an error,
//! because memory would have to grow with it.

use std::io::{self, Cursor, Read, Seek, SeekFrom};
use std::ops::Range;
use std::sync::Arc;
use std::{mem, vec};

use super::choose::{SOLUTIONS, names_results};
use super::elements::{Conversion, Converter};
use super::ends::{MAX_RECORD, batch_end, without_long_line};
use super::foreign::{Rejection, RejectionKind};
use super::format::Division;
use super::head::{Head, recognise_all};
use super::recognise::{Counted, Recognised};
use super::shard::Part;
use super::stream::{Source, Stream};
use super::{InputFormat, InputOptions, Layout, Records, has_possible_puzzle, is_zero_based};
use crate::file::error::Error;
use crate::file::read::{Bytes, Compression, Decompressor, Divisible, Entry, Input, Mapped, Mapping};
use crate::file::record;
use crate::grid::Puzzle;
use crate::simd::SimdLevel;

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
    /// The number of bytes before the first batch that belong to other shards.
    pub offset: u64,
    /// The number of bytes before the first batch that have been read, such as a header.
    pub skipped_bytes: u64,
    /// The number of lines before the first batch that have been read.
    pub skipped_lines: u64,
    /// What is counted in its records.
    pub counted: Counted,
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

    /// Removes what follows the first `length` bytes.
    fn truncate(&mut self, length: usize) {
        match &mut self.mapped {
            Some(MappedRange { range, .. }) => range.end = range.start + length,
            None => self.buffer.truncate(length),
        }
        self.consumed = length as u64;
    }

    /// Prefetches a range further ahead in a mapped file. The ranges of all batches cover the part that is read.
    pub fn prefetch(&self) {
        let Some(MappedRange { file, part, range }) = &self.mapped else { return };
        let ahead = prefetch_range(&(range.start - part.start..range.end - part.start), part.len());
        file.prefetch(part.start + ahead.start..part.start + ahead.end);
    }

    /// Unmaps the parts of a mapped file before the one in which this batch ends. Other workers are normally done with
    /// them; if not, their accesses map them again.
    pub fn release(&self) {
        let Some(MappedRange { file, range, .. }) = &self.mapped else { return };
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
    /// The first batch of an input has at least this number of bytes, or all of it. At most 1 MiB.
    pub first_size: usize,
    /// Whether long lines of streams are kept completely.
    pub whole_lines: bool,
    /// The format, as far as it is known.
    pub input: InputOptions,
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
    /// The part of each input, if only a shard is read.
    parts: Option<vec::IntoIter<Part>>,
    /// Whether an input had records or a header.
    has_first: bool,
    options: ReadOptions,
    opened: usize,
    current: Option<Current>,
    /// A zip archive that may have another entry.
    archive: Option<Archive>,
    /// The first files of archives that were skipped, because they have no puzzles.
    skipped: Vec<Skipped>,
    /// The number of all of them.
    skipped_count: u64,
}

/// A zip archive that is being read.
struct Archive {
    input: Input,
    decompressor: Decompressor,
    /// Whether an entry has been accepted.
    has_puzzles: bool,
    /// The reasons why entries were skipped: the first one, and the first one with solutions.
    rejected: Vec<String>,
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
    /// Whether there is a first batch even if it has no records. A table without rows still has a header, which the output may
    /// need, and a shard needs the layout of the first input.
    has_first_batch: bool,
    /// What must follow, see [`Format::expected`](super::format::Format::expected).
    expected: Option<u64>,
    rest: Rest,
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
        // A batch must hold the head of a line. It cannot contain a record that is too long, except at its end.
        let size = options.size.clamp(2 * record::HEAD, MAX_RECORD);
        let options = ReadOptions { size, first_size: options.first_size.min(MAX_RECORD), ..options };
        BatchReader {
            inputs: inputs.into_iter(),
            parts: None,
            has_first: false,
            options,
            opened: 0,
            current: None,
            archive: None,
            skipped: Vec::new(),
            skipped_count: 0,
        }
    }

    /// Reads a part of each input only. The first input with records or a header has a first batch in any case.
    pub(in crate::file) fn parts(self, parts: Vec<Part>) -> BatchReader {
        BatchReader { parts: Some(parts.into_iter()), ..self }
    }

    /// The first files of archives that were skipped so far, and the number of all of them.
    pub fn skipped(&self) -> (&[Skipped], u64) {
        (&self.skipped, self.skipped_count)
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
                    self.archive =
                        Some(Archive { input, decompressor, has_puzzles: true, rejected: Vec::new() });
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
            if let Some(parts) = &mut self.parts {
                let part = parts.next().expect("there is a part for each input");
                if self.has_first && part.range.is_empty() {
                    continue;
                }
                return self.start_part(input, name, part).map(Some);
            }
            let current = match input.open(&self.options.mapping)? {
                Bytes::Mapped(file) => self.start_mapped(input, name, file)?,
                Bytes::Stream(source) => self.start_stream(input, name, Source::Plain(source))?,
                Bytes::Compressed(Compression::Zip, decompressor) => {
                    self.archive =
                        Some(Archive { input, decompressor, has_puzzles: false, rejected: Vec::new() });
                    continue;
                }
                Bytes::Compressed(_, decompressor) => {
                    self.start_stream(input, name, Source::Compressed(decompressor))?
                }
            };
            return Ok(Some(current));
        }
    }

    /// Opens the next entry of an archive. If it has no puzzles, or only the solutions of another entry, it is skipped, and the
    /// archive is kept. `None` without an archive means that there are no more entries.
    fn open_next_entry(&mut self, archive: Archive) -> Result<Option<Current>, Error> {
        let Archive { input, mut decompressor, has_puzzles, mut rejected } = archive;
        let Some(entry) = decompressor.next_entry().map_err(|cause| input.cannot_read(cause))? else {
            if has_puzzles || rejected.is_empty() {
                return Ok(None);
            }
            let reason = format!("no file in the archive has puzzles: {}", rejected.join("; "));
            return Err(Error::Format { name: input.name(), reason });
        };
        let name = format!("{}/{}", input.name(), entry.name);
        let mut head = Head::read(&input, &name, &mut decompressor)?;
        let rejection = match self.recognise_entry(&input, &entry, &mut head, &mut decompressor)? {
            Ok(recognised) => {
                let source = Source::Compressed(decompressor);
                return Ok(Some(self.start(input, name, recognised, head, source)));
            }
            Err(rejection) => rejection,
        };
        let is_skipped = match rejection.kind {
            RejectionKind::Unsupported => false,
            RejectionKind::Mismatch | RejectionKind::Nested => !has_possible_puzzle(&head.bytes),
            RejectionKind::Solutions => !entry.is_only,
            RejectionKind::Document | RejectionKind::NoPuzzles => true,
        };
        if !is_skipped {
            return Err(rejection.of(&name));
        }
        io::copy(&mut decompressor, &mut io::sink()).map_err(|cause| input.cannot_read(cause))?;
        if rejected.is_empty() || (rejection.kind == RejectionKind::Solutions && rejected.len() == 1) {
            rejected.push(format!("'{}': {}", entry.name, rejection.reason));
        }
        self.skipped_count += 1;
        if self.skipped.len() < MAX_SKIPPED {
            self.skipped.push(Skipped { name, reason: rejection.reason });
        }
        self.archive = Some(Archive { input, decompressor, has_puzzles, rejected });
        Ok(None)
    }

    /// Recognises a file of an archive. Beside other files, solutions and descriptions are no puzzles.
    fn recognise_entry(
        &self,
        input: &Input,
        entry: &Entry,
        head: &mut Head,
        source: &mut Decompressor,
    ) -> Result<Result<Recognised, Rejection>, Error> {
        let reject = |kind, reason: &str| Ok(Err(Rejection { reason: reason.to_owned(), kind }));
        if !entry.is_only && stem(&entry.name) == "readme" {
            return reject(RejectionKind::Document, "a README; extract it to read it");
        }
        let recognised = head.recognise(input, source, &self.options.input)?;
        if entry.is_only {
            return Ok(recognised);
        }
        let are_solutions = match &recognised {
            Ok(recognised) => self.are_solutions(&entry.name, &head.bytes, recognised),
            // A column that the user named may be that of the puzzles alone.
            Err(Rejection { kind: RejectionKind::Mismatch, .. }) => is_named_like_solutions(&entry.name),
            Err(rejection) => rejection.kind == RejectionKind::Solutions,
        };
        if are_solutions {
            let reason = "solutions beside other files; extract it to read it";
            return reject(RejectionKind::Solutions, reason);
        }
        Ok(recognised)
    }

    /// Whether a file of an archive has the solutions of another one. The names of arrays need not tell which has: by default NumPy
    /// calls them `arr_0` and `arr_1`.
    fn are_solutions(&self, name: &str, head: &[u8], recognised: &Recognised) -> bool {
        let may_have_any_name =
            !recognised.layout.has_lines() && self.options.input.format == InputFormat::Auto;
        (may_have_any_name || is_named_like_solutions(name)) && has_complete_grids_only(head, recognised)
    }

    fn start_mapped(&mut self, input: Input, name: String, file: Mapped) -> Result<Current, Error> {
        let recognised = self.recognise_mapped(&name, file.bytes())?;
        if recognised.conversion.is_some()
            && let Bytes::Stream(source) = input.open(&Mapping::NEVER)?
        {
            return self.start_stream(input, name, Source::Plain(source));
        }
        let (at, part) = (recognised.skipped_bytes, 0..file.bytes().len());
        let rest = Rest::Mapped { file: Arc::new(file), part, at };
        Ok(self.current(input, name, recognised, rest))
    }

    fn recognise_mapped(&self, name: &str, all: &[u8]) -> Result<Recognised, Error> {
        recognise_all(all, &self.options.input).map_err(|rejection| rejection.of(name))
    }

    /// Opens the part of an input that belongs to a shard.
    fn start_part(&mut self, input: Input, name: String, part: Part) -> Result<Current, Error> {
        let cannot_read = |cause| input.cannot_read(cause);
        let mut source = input.open_divisible(&self.options.mapping)?;
        let mut size = source.size().map_err(cannot_read)?;
        let recognised = match &mut source {
            Divisible::Mapped(file) => self.recognise_mapped(&name, file.bytes())?,
            Divisible::Stream(file) => {
                let mut head = Head::read(&input, &name, file)?;
                // Files in `/proc` claim to be empty.
                size = size.max(head.bytes.len() as u64);
                let recognised = head.recognise(&input, file, &self.options.input)?;
                recognised.map_err(|rejection| rejection.of(&name))?
            }
        };
        if size != part.size {
            return Err(cannot_read(io::Error::other("its size has changed, or is not that of its content")));
        }
        let division = match recognised.conversion {
            Some(Conversion::Elements | Conversion::Values) => Division::Never("documents of JSON"),
            Some(Conversion::Separated(_)) => Division::Never("puzzles in one line"),
            None => recognised.layout.format().division(),
        };
        if let Division::Never(what) = division {
            let reason = format!("{what} cannot be divided into shards");
            return Err(Error::Format { name, reason });
        }
        let first = recognised.skipped_bytes as u64;
        let records = part.records(&recognised.layout, first, &mut source).map_err(cannot_read)?;
        // A table without rows has a header, which may be the header of the output.
        let has_content = recognised.layout.is_table() || first < size;
        let has_first_batch = recognised.layout.is_table() || (has_content && !self.has_first);
        self.has_first |= has_content;
        let rest = match source {
            Divisible::Mapped(file) => {
                let part = records.start as usize..records.end as usize;
                Rest::Mapped { file: Arc::new(file), at: part.start, part }
            }
            Divisible::Stream(mut file) => {
                file.seek(SeekFrom::Start(records.start)).map_err(cannot_read)?;
                let file = file.take(records.end - records.start);
                Rest::Stream(Stream::new(Cursor::default(), Source::Plain(Box::new(file))))
            }
        };
        let mut current = self.current(input, name, recognised, rest);
        current.has_first_batch = has_first_batch;
        if !part.has_header() {
            let kept = Arc::get_mut(&mut current.origin).expect("nobody else has it yet");
            (kept.offset, kept.skipped_bytes, kept.skipped_lines) = (records.start, 0, 0);
        }
        Ok(current)
    }

    fn start_stream(&mut self, input: Input, name: String, mut source: Source) -> Result<Current, Error> {
        let mut head = Head::read(&input, &name, &mut source)?;
        match head.recognise(&input, &mut source, &self.options.input)? {
            Ok(recognised) => Ok(self.start(input, name, recognised, head, source)),
            Err(rejection) => Err(rejection.of(&name)),
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
        let stream = match recognised.conversion {
            None => Stream::new(bytes, source),
            Some(conversion) => Stream::converted(bytes, source, conversion),
        };
        self.current(input, name, recognised, Rest::Stream(stream))
    }

    fn current(&mut self, input: Input, name: String, recognised: Recognised, rest: Rest) -> Current {
        let Recognised { layout, skipped_bytes, skipped_lines, counted, .. } = recognised;
        let index = self.opened;
        self.opened += 1;
        let expected = layout.format().expected();
        let has_first_batch = layout.is_table();
        let skipped_bytes = skipped_bytes as u64;
        let origin =
            Arc::new(Origin { index, name, layout, offset: 0, skipped_bytes, skipped_lines, counted });
        Current { input, origin, is_first: true, has_first_batch, expected, rest, failure: None }
    }
}

impl Current {
    fn next(&mut self, options: &ReadOptions, batch: &mut Batch) -> Result<bool, Error> {
        if let Some(cause) = self.failure.take() {
            return Err(self.input.cannot_read(cause));
        }
        let layout = &self.origin.layout;
        let size = if self.is_first { options.size.max(options.first_size) } else { options.size };
        let keeps_whole = options.keeps_whole(layout);
        let read = self.rest.next(size, keeps_whole, layout, batch).and_then(|more| {
            if let Some(expected) = &mut self.expected {
                let text = more.then(|| batch.text());
                *expected = layout.format().check_expected(*expected, text).inspect_err(|_| {
                    let text = batch.text();
                    let end = text.len().min(usize::try_from(*expected).unwrap_or(usize::MAX));
                    batch.truncate(layout.format().last_boundary(&text[..end]).unwrap_or(0));
                })?;
            }
            Ok(more)
        });
        // The records before a failure are a batch. So they do not depend on the size of batches.
        let more = read.or_else(|cause| match batch.text() {
            [] => Err(self.input.cannot_read(cause)),
            _ => {
                self.failure = Some(cause);
                Ok(true)
            }
        })?;
        batch.is_first = mem::take(&mut self.is_first);
        let more = more || (batch.is_first && self.has_first_batch);
        if batch.is_first {
            batch.consumed += self.origin.skipped_bytes;
        }
        batch.origin = Some(Arc::clone(&self.origin));
        Ok(more)
    }
}

impl Rest {
    /// Reads the next batch. Returns `false` at the end. After a failure, the batch has the complete records before it.
    fn next(
        &mut self,
        size: usize,
        keeps_whole: bool,
        layout: &Layout,
        batch: &mut Batch,
    ) -> io::Result<bool> {
        batch.mapped = None;
        batch.buffer.clear();
        match self {
            Rest::Mapped { file, part, at } => {
                let text = &file.bytes()[..part.end];
                let mut range = *at..batch_end(layout, text, *at, size)?;
                if keeps_whole && layout.has_lines() {
                    range.end = *at + without_long_line(&text[range.clone()])?;
                }
                batch.consumed = range.len() as u64;
                *at = range.end;
                batch.mapped = Some(MappedRange { file: Arc::clone(file), part: part.clone(), range });
                Ok(batch.consumed > 0)
            }
            Rest::Stream(stream) => {
                let read = stream.next(layout, size, keeps_whole, &mut batch.buffer);
                batch.consumed = *read.as_ref().unwrap_or(&(batch.buffer.len() as u64));
                read.map(|consumed| consumed > 0)
            }
        }
    }
}

/// The name of a file of an archive, without folders and extensions.
fn stem(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.split('.').next().unwrap_or_default().to_ascii_lowercase()
}

/// Whether the name of a file, of one of its folders or its extension is that of solutions.
fn is_named_like_solutions(name: &str) -> bool {
    let is_name = |part: &str| {
        let part = stem(part);
        names_results(&part) || SOLUTIONS.iter().any(|name| part.contains(name))
    };
    name.split(['/', '\\']).any(is_name)
        || [".ans", ".sol"].iter().any(|end| name.to_ascii_lowercase().ends_with(end))
}

/// Whether the puzzles at the start of a file are complete grids, of the digits 1 to 9 or 0 to 8.
fn has_complete_grids_only(head: &[u8], recognised: &Recognised) -> bool {
    let mut text = head.get(recognised.skipped_bytes..).unwrap_or_default().to_vec();
    if let Some(conversion) = recognised.conversion {
        let length = Converter::new(conversion).convert(&mut text);
        text.truncate(length);
    }
    let mut records = Records::default();
    records.read_as(&recognised.layout, &text, SimdLevel::detect());
    // Solutions in arrays have zeros for a puzzle without a solution.
    let empty = records.puzzles.iter().filter(|puzzle| **puzzle == Puzzle::EMPTY).count();
    let puzzles = records.len() - records.not_puzzles().count() - empty;
    let zero_based = || records.puzzles.iter().filter(|puzzle| is_zero_based(puzzle)).count();
    puzzles > 0 && (records.complete_grids == puzzles as u64 || zero_based() == puzzles)
}

/// The range that the worker of a batch prefetches. The ranges of consecutive batches are adjacent.
fn prefetch_range(batch: &Range<usize>, length: usize) -> Range<usize> {
    let ahead = |at: usize| at.saturating_mul(PREFETCH_RAMP).min(at + PREFETCH_DISTANCE).min(length);
    ahead(batch.start)..ahead(batch.end)
}

#[cfg(test)]
mod tests {
    use super::*;

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
