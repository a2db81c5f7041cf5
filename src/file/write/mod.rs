//! Stage 5, ordered output: destinations, and files that appear only when they are complete.
//!
//! Solving overlaps with writing, but only one thread writes at a time. Alternatives that were no faster (ext4, cold and
//! warm): several threads with `pwrite` at known offsets, which queue for the inode lock, and several threads that write
//! to a mapping, which takes twice the CPU time.
//!
//! Disk blocks are allocated before the writes, see `preallocate.rs`. Writes to a new file end at multiples of 256 KiB: with arbitrary boundaries, the page cache keeps the data
//! in a dozen folios of different sizes, which costs a fifth of the time.

mod compress;
#[cfg(feature = "gzip")]
mod gzip;
pub(super) mod npy;
mod preallocate;
pub mod row;
mod row_sink;
mod sink;
mod unfinished;

use std::fs::{self, OpenOptions};
use std::io;
use std::mem;
use std::path::Path;

use compress::Encoder;
use preallocate::PreallocatedFile;
pub use row_sink::RowSink;
use unfinished::UnfinishedFile;
pub use unfinished::{TempFile, Unfinished};

use super::error::Error;
use super::pipe::{self, Waiting};
use crate::outcome::ROW;

/// The output of a batch, or of a part of it. Reused to keep its memory.
#[derive(Default)]
pub(super) struct Block {
    /// The output if `is_rows` is set: the rows of an engine are lines of text already.
    pub rows: Vec<[u8; ROW]>,
    pub is_rows: bool,
    pub text: Vec<u8>,
    /// The output of the parts after the first, see [`RowSink::move_to_part`].
    pub others: Vec<Vec<u8>>,
}

impl Block {
    /// Removes the output and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.others.iter_mut().for_each(Vec::clear);
        self.is_rows = false;
    }

    /// The number of bytes of all parts.
    pub fn len(&self) -> usize {
        self.bytes().len() + self.others.iter().map(Vec::len).sum::<usize>()
    }

    pub fn bytes(&self) -> &[u8] {
        if self.is_rows { self.rows.as_flattened() } else { &self.text }
    }
}

/// A destination of rows: standard output or a file.
///
/// A regular file is written under a temporary name in the same folder and renamed by [`Output::finish`]; until then
/// readers see the old file or none. Dropping the output before that removes the temporary file. A file that replaces
/// another gets its owner, group and permissions, as far as this process may set them, but not the set-user-ID and
/// set-group-ID bits. Pipes and devices are written directly.
///
/// ```
/// use rapidoku::file::{Output, Unfinished};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("solutions.txt");
/// let mut output = Output::create(&path, &Unfinished::default())?;
/// output.write(b"partial")?;
/// assert!(!path.exists());
/// output.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"partial");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Output {
    name: String,
    writer: Encoder,
    /// The number of bytes written, if writes are aligned to [`ALIGNMENT`]. `None` for outputs that others can see before
    /// they are complete, because an aligned write may end within a row.
    position: Option<u64>,
    /// The next bytes to write: the block from this offset on.
    held: Option<(Block, usize)>,
    unfinished: Option<UnfinishedFile>,
    /// Whether a file is synchronised before and after it is renamed.
    sync: bool,
}

/// Writes to a new file end at multiples of this number of bytes; the remainder waits for the next write.
const ALIGNMENT: u64 = 256 << 10;

impl Output {
    /// Standard output. Rows appear there as they are written.
    pub fn stdout() -> Output {
        pipe::enlarge(io::stdout());
        Output::new("<stdout>", Encoder::Plain(preallocate::stdout()))
    }

    /// An output that discards what is written.
    pub(in crate::file) fn discarding() -> Output {
        Output::new("", Encoder::Plain(Box::new(io::sink())))
    }

    /// An output that others can see before it is complete.
    fn new(name: &str, writer: Encoder) -> Output {
        Output { name: name.to_owned(), writer, position: None, held: None, unfinished: None, sync: false }
    }

    /// Creates a file, registered in `unfinished` until it is complete. The output is compressed with gzip or zstd if the
    /// file name ends with `.gz` or `.zst`.
    ///
    /// # Errors
    /// [`Error::Create`] when the file cannot be created or replaced, another output in `unfinished` has the same final
    /// path, or the crate lacks the feature for its compression.
    pub fn create(path: &Path, unfinished: &Unfinished) -> Result<Output, Error> {
        let name = path.display().to_string();
        let result = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => Self::create_in_place(&name, path),
            Ok(metadata) => Self::create_beside(&name, path, Some(&metadata), unfinished),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                Self::create_beside(&name, path, None, unfinished)
            }
            // Windows reports no metadata for devices such as NUL.
            Err(_) if cfg!(windows) => Self::create_in_place(&name, path),
            Err(cause) => Err(cause),
        };
        result.map_err(|cause| Error::Create { name, source: cause })
    }

    fn create_in_place(name: &str, path: &Path) -> io::Result<Output> {
        let file = OpenOptions::new().write(true).open(path)?;
        pipe::enlarge(&file);
        Ok(Output::new(name, Encoder::for_name(path, Waiting(file))?))
    }

    fn create_beside(
        name: &str,
        path: &Path,
        old: Option<&fs::Metadata>,
        unfinished: &Unfinished,
    ) -> io::Result<Output> {
        let (file, unfinished) = UnfinishedFile::create(path, old, unfinished)?;
        let writer = Encoder::for_name(path, PreallocatedFile::new(file, false))?;
        let position = matches!(writer, Encoder::Plain(_)).then_some(0);
        Ok(Output { position, unfinished: Some(unfinished), sync: true, ..Output::new(name, writer) })
    }

    /// Whether [`Output::finish`] waits until a file and its name are on the disk, so that they survive a crash of the
    /// system. On by default. Pipes, devices and standard output are never synchronised.
    pub fn sync(mut self, is_on: bool) -> Output {
        self.sync = is_on;
        self
    }

    /// Sets the number of threads that compress. Call it before the first write.
    ///
    /// # Errors
    /// When the compressor cannot allocate memory.
    pub(super) fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        self.writer.set_threads(threads).map_err(|cause| self.error(cause))
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let held = self.held.take();
        self.write_both(rest_of(held.as_ref()), bytes)
    }

    /// Writes a block, except for the part after the last alignment boundary, which waits for the next write. Returns the
    /// blocks that can be reused.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error.
    pub(super) fn write_block(&mut self, block: Block) -> Result<[Option<Block>; 2], Error> {
        let held = self.held.take();
        let (before, bytes) = (rest_of(held.as_ref()), block.bytes());
        let end = |position| position + (before.len() + bytes.len()) as u64;
        let later = self.position.map_or(0, |position| (end(position) % ALIGNMENT) as usize);
        // If the block contains no boundary, it is written completely.
        let now = if later < bytes.len() { bytes.len() - later } else { bytes.len() };
        self.write_both(before, &bytes[..now])?;
        let block = if now < bytes.len() {
            self.held = Some((block, now));
            None
        } else {
            Some(block)
        };
        Ok([held.map(|(block, _)| block), block])
    }

    fn write_both(&mut self, first: &[u8], second: &[u8]) -> Result<(), Error> {
        self.writer.write_both(first, second).map_err(|cause| self.error(cause))?;
        self.position = self.position.map(|position| position + (first.len() + second.len()) as u64);
        Ok(())
    }

    /// Whether [`Output::finish_array`] is possible: for a new file that is not compressed.
    pub(super) fn can_rewrite_start(&self) -> bool {
        self.unfinished.is_some() && matches!(self.writer, Encoder::Plain(_))
    }

    /// Completes an array of NumPy after everything has been written: puts the number of rows, of which each has this number of
    /// grids, into the header. Rows that are discarded have none.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error.
    pub(super) fn finish_array(&mut self, grids: usize) -> Result<(), Error> {
        if self.held.is_some() {
            self.write(&[])?;
        }
        match self.position {
            Some(bytes) => {
                let header = npy::header(npy::rows(bytes, grids), grids);
                self.writer.rewrite_start(&header).map_err(|cause| self.error(cause))
            }
            None => Ok(()),
        }
    }

    /// Writes what is buffered, flushes, closes, and renames a temporary file to its final name.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error or the file was [discarded](Unfinished::discard). A temporary
    /// file is removed then. If only the [last synchronisation](Output::sync) fails, the complete file has its final name
    /// already.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.held.is_some() {
            self.write(&[])?;
        }
        let writer = mem::replace(&mut self.writer, Encoder::Plain(Box::new(io::sink())));
        let sync = self.sync && self.unfinished.is_some();
        writer.finish(sync).map_err(|cause| self.error(cause))?;
        let unfinished = self.unfinished.take();
        unfinished.map_or(Ok(()), |file| file.finish(sync)).map_err(|cause| self.error(cause))
    }

    pub(super) fn error(&self, cause: io::Error) -> Error {
        Error::Write { name: self.name.clone(), source: cause }
    }
}

fn rest_of(held: Option<&(Block, usize)>) -> &[u8] {
    held.map_or(&[], |(block, from)| &block.bytes()[*from..])
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::{IoSlice, Write};
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;

    use super::*;

    /// A file that accepts a limited number of bytes per write and records the end of each write.
    struct Recorder {
        most: usize,
        /// Whether the next write is interrupted first.
        interrupts: bool,
        written: Arc<Mutex<(Vec<u8>, Vec<usize>)>>,
    }

    impl Write for Recorder {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.write_vectored(&[IoSlice::new(bytes)])
        }

        fn write_vectored(&mut self, parts: &[IoSlice]) -> io::Result<usize> {
            self.interrupts = !self.interrupts;
            if !self.interrupts {
                return Err(io::ErrorKind::Interrupted.into());
            }
            let bytes: Vec<u8> = parts.iter().flat_map(|part| part.iter().copied()).collect();
            let n = bytes.len().min(self.most);
            let (content, ends) = &mut *self.written.lock().unwrap();
            content.extend(&bytes[..n]);
            ends.push(content.len());
            Ok(n)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl sink::Sink for Recorder {
        fn close(self: Box<Self>, _: bool) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_discarded_output_fails_to_finish() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let unfinished = Unfinished::default();
        let mut output = Output::create(&path, &unfinished).unwrap();
        drop(unfinished.discard());
        output.write(b"row").unwrap();
        let message = output.finish().unwrap_err().message();
        assert_eq!(message, format!("cannot write '{}': the unfinished file was discarded", path.display()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn blocks_are_written_completely_and_aligned(
            sizes in prop::collection::vec(prop_oneof![0..3000usize, 0..900_000usize, Just(ALIGNMENT as usize)], 1..20),
            most in prop_oneof![4 => Just(usize::MAX), 1 => 1000..500_000usize],
            is_aligned: bool,
        ) {
            let written = Arc::<Mutex<(Vec<u8>, Vec<usize>)>>::default();
            let recorder = Recorder { most, interrupts: false, written: Arc::clone(&written) };
            let mut output = Output::new("", Encoder::Plain(Box::new(recorder)));
            output.position = is_aligned.then_some(0);
            let mut expected = Vec::new();
            let mut blocks = 0;
            for (n, size) in sizes.into_iter().enumerate() {
                let text: Vec<u8> = (0..size).map(|i| (i * 31 + n) as u8).collect();
                expected.extend(&text);
                if n % 7 == 6 {
                    output.write(&text).unwrap();
                    blocks = 0;
                    continue;
                }
                blocks += 1;
                let spare = output.write_block(Block { text, ..Block::default() }).unwrap();
                blocks -= spare.iter().flatten().count();
                prop_assert!(blocks <= 1, "at most one block is held back");
                let (content, ends) = &*written.lock().unwrap();
                prop_assert!(expected.starts_with(content));
                let missing = expected.len() - content.len();
                let max_held = if is_aligned { ALIGNMENT as usize } else { 1 };
                prop_assert!(missing < max_held);
                let has_boundary = missing > 0 || is_aligned && size >= ALIGNMENT as usize;
                if has_boundary && most == usize::MAX {
                    prop_assert_eq!(ends.last().unwrap() % ALIGNMENT as usize, 0, "aligned");
                }
            }
            output.finish().unwrap();
            prop_assert!(written.lock().unwrap().0 == expected);
        }
    }
}
