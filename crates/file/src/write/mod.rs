//! Stage 5, ordered output: destinations, and files that appear only when they are complete.
//!
//! Solving overlaps with writing, but only one thread writes at a time. Alternatives that were no faster (ext4, cold
//! and warm): several threads with `pwrite` at known offsets, which queue for the inode lock, and several threads that
//! write to a mapping, which takes twice the CPU time.
//!
//! Disk blocks are allocated before the writes, see `sink.rs`.

mod compress;
#[cfg(feature = "gzip")]
mod gzip;
pub mod row;
mod row_sink;
mod sink;
mod unfinished;

use std::fs::{self, OpenOptions};
use std::io;
use std::mem;
use std::path::Path;

use compress::encoder;
pub use row_sink::RowSink;
use sink::{PreallocatedFile, Sink};
pub use unfinished::{TempFile, Unfinished};

use super::error::Error;
use super::pipe;
use crate::grid::CELLS;
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
    #[inline]
    pub fn len(&self) -> usize {
        self.bytes().len() + self.others.iter().map(Vec::len).sum::<usize>()
    }

    #[inline]
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
/// let mut output = Output::create(&path)?;
/// output.write(b"partial")?;
/// assert!(!path.exists());
/// output.finish()?;
/// assert_eq!(std::fs::read(&path)?, b"partial");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Output {
    name: String,
    writer: Box<dyn Sink>,
    /// The number of bytes before compression.
    bytes: u64,
    is_compressed: bool,
    unfinished: Option<TempFile>,
    /// Whether a file is synchronised before and after it is renamed.
    sync: bool,
    outlives_reader: bool,
}

impl Output {
    /// Standard output. Rows appear there as they are written.
    pub fn stdout() -> Output {
        pipe::enlarge(io::stdout());
        Output::new("<stdout>", sink::stdout())
    }

    /// An output that discards what is written.
    pub(crate) fn discarding() -> Output {
        Output::new("", Box::new(io::sink()))
    }

    /// An output that others can see before it is complete.
    fn new(name: impl ToString, writer: Box<dyn Sink>) -> Output {
        let name = name.to_string();
        Output { name, writer, bytes: 0, is_compressed: false, unfinished: None, sync: false, outlives_reader: false }
    }

    /// Creates a file. The output is compressed with gzip or zstd if the file name ends with `.gz` or `.zst`.
    ///
    /// # Errors
    /// [`Error::Create`] when the file cannot be created or replaced, or the crate lacks the feature for its
    /// compression.
    pub fn create(path: impl AsRef<Path>) -> Result<Output, Error> {
        Output::create_registered(path.as_ref(), &Unfinished::default())
    }

    /// The same, registered in `unfinished` until it is complete, for programs that remove temporary files when a
    /// signal ends them.
    ///
    /// # Errors
    /// As [`Output::create`]. Also when another output in `unfinished` has the same final path.
    pub fn create_registered(path: &Path, unfinished: &Unfinished) -> Result<Output, Error> {
        let result = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => Self::create_in_place(path),
            Ok(metadata) => Self::create_beside(path, Some(&metadata), unfinished),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => Self::create_beside(path, None, unfinished),
            // Windows reports no metadata for devices such as NUL.
            Err(_) if cfg!(windows) => Self::create_in_place(path),
            Err(cause) => Err(cause),
        };
        result.map_err(|source| Error::Create { name: path.display().to_string(), source })
    }

    fn create_in_place(path: &Path) -> io::Result<Output> {
        let file = OpenOptions::new().write(true).open(path)?;
        pipe::enlarge(&file);
        Ok(Output::new(path.display(), encoder(path, Box::new(PreallocatedFile::new(file)))?.0))
    }

    fn create_beside(path: &Path, old: Option<&fs::Metadata>, unfinished: &Unfinished) -> io::Result<Output> {
        let (file, unfinished) = unfinished.create(path, old)?;
        let (writer, is_compressed) = encoder(path, Box::new(PreallocatedFile::new(file)))?;
        Ok(Output { is_compressed, unfinished: Some(unfinished), sync: true, ..Output::new(path.display(), writer) })
    }

    /// Whether [`Output::finish`] waits until a file and its name are on the disk, so that they survive a crash of the
    /// system. On by default. Pipes, devices and standard output are never synchronised.
    pub fn sync(mut self, is_on: bool) -> Output {
        self.sync = is_on;
        self
    }

    /// Whether the rest of the output is discarded, instead of an error, if its reader closes the pipe. Off by default.
    pub fn outlives_reader(mut self, is_on: bool) -> Output {
        self.outlives_reader = is_on;
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
        let result = self.writer.write_all(bytes);
        self.check(result)?;
        self.bytes += bytes.len() as u64;
        Ok(())
    }

    /// Whether [`Output::finish_array`] is possible: for a new file that is not compressed.
    pub(super) fn can_rewrite_start(&self) -> bool {
        self.unfinished.is_some() && !self.is_compressed
    }

    /// Completes an array of NumPy after everything has been written: puts the number of rows, of which each has this
    /// number of grids, into the header. Rows that are discarded have none.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error.
    pub(super) fn finish_array(&mut self, grids: usize) -> Result<(), Error> {
        if !self.can_rewrite_start() {
            return Ok(());
        }
        let rows = self.bytes.saturating_sub(row::NPY_HEADER as u64) / (grids * CELLS) as u64;
        let header = row::npy_header(rows, grids);
        self.writer.rewrite_start(&header).map_err(|cause| self.error(cause))
    }

    /// Writes what is buffered, flushes, closes, and renames a temporary file to its final name.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error or the file was [discarded](Unfinished::discard). A temporary
    /// file is removed then. If only the [last synchronisation](Output::sync) fails, the complete file has its final
    /// name already.
    pub fn finish(mut self) -> Result<(), Error> {
        let writer = mem::replace(&mut self.writer, Box::new(io::sink()));
        let sync = self.sync && self.unfinished.is_some();
        self.check(writer.close(sync))?;
        let unfinished = self.unfinished.take();
        unfinished.map_or(Ok(()), |file| file.finish(sync)).map_err(|cause| self.error(cause))
    }

    fn check(&self, result: io::Result<()>) -> Result<(), Error> {
        match result {
            Err(cause) if self.outlives_reader && cause.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            result => result.map_err(|cause| self.error(cause)),
        }
    }

    pub(super) fn error(&self, cause: io::Error) -> Error {
        Error::Write { name: self.name.clone(), source: cause }
    }
}
