//! Stage 5, ordered output: destinations, and files that appear only when they are complete.
//!
//! Solving overlaps with writing, but only one thread writes at a time. Alternatives that were no faster (ext4, cold and
//! warm): several threads with `pwrite` at known offsets, which queue for the inode lock, and several threads that write
//! to a mapping, which takes twice the CPU time.
//!
//! Disk blocks are allocated ahead of the writes (see `preallocate.rs`); block-by-block allocation is a third of the time
//! of writing. Writes to a new file end at multiples of 256 KiB: with arbitrary boundaries, the page cache keeps the data
//! in a dozen folios of different sizes, which costs a fifth of the time.

mod compress;
#[cfg(feature = "gzip")]
mod gzip;
mod preallocate;
pub mod row;

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf, is_separator};
use std::sync::{Arc, Mutex, MutexGuard};

use tempfile::{NamedTempFile, TempPath};

use compress::Encoder;
use preallocate::PreallocatedFile;

use super::error::Error;
use super::pipe;
use crate::outcome::ROW;

/// The output of a batch, or of a part of it. Reused to keep its memory.
#[derive(Default)]
pub(super) struct Block {
    /// The output if `is_rows` is set: the rows of an engine are lines of text already.
    pub rows: Vec<[u8; ROW]>,
    pub is_rows: bool,
    pub text: Vec<u8>,
}

impl Block {
    /// Removes the output and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.is_rows = false;
    }

    pub fn bytes(&self) -> &[u8] {
        if self.is_rows { self.rows.as_flattened() } else { &self.text }
    }
}

/// A destination of rows: standard output or a file.
///
/// A regular file is written under a temporary name in the same folder and renamed by [`Output::finish`]; until then
/// readers see the old file or none. Dropping the output before that removes the temporary file. Pipes and devices are
/// written in path.
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
}

/// A temporary file and its final path.
struct UnfinishedFile {
    registry: Unfinished,
    temporary: PathBuf,
    target: PathBuf,
}

/// Writes to a new file end at multiples of this number of bytes; the remainder waits for the next write.
const ALIGNMENT: u64 = 256 << 10;

/// A registry of temporary files, which a program removes if it ends early, for example on Ctrl-C.
///
/// Clones share the same registry.
#[derive(Clone, Debug, Default)]
pub struct Unfinished(Arc<Mutex<Vec<TempPath>>>);

impl Unfinished {
    /// Removes all unfinished files; their outputs then fail to [finish](Output::finish).
    ///
    /// While the returned guard lives, no output is created or finished on this registry. Keep it until the process ends.
    pub fn discard(&self) -> impl Drop + '_ {
        let mut files = self.files();
        files.clear();
        files
    }

    /// Creates a temporary file with this content, for other programs to read.
    ///
    /// # Errors
    /// When the file cannot be created or written.
    #[doc(hidden)]
    pub fn temp_file(&self, content: &[u8]) -> io::Result<TempFile> {
        let mut files = self.files();
        let mut file = tempfile::Builder::new().prefix("rapidoku-").suffix(".txt").tempfile()?;
        file.write_all(content)?;
        let temporary = file.into_temp_path();
        let path = temporary.to_path_buf();
        files.push(temporary);
        Ok(TempFile(self.clone(), path))
    }

    fn files(&self) -> MutexGuard<'_, Vec<TempPath>> {
        self.0.lock().expect("no thread panics with the lock")
    }

    fn remove(&self, path: &Path) {
        self.files().retain(|file| **file != *path);
    }
}

/// A temporary file that is removed when this value is dropped.
pub struct TempFile(Unfinished, PathBuf);

impl TempFile {
    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.1
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        self.0.remove(&self.1);
    }
}

impl Output {
    /// Standard output. Rows appear there as they are written.
    pub fn stdout() -> Output {
        pipe::enlarge(io::stdout());
        let writer = preallocate::redirected().unwrap_or_else(|| Box::new(io::stdout()));
        Output {
            name: "<stdout>".to_owned(),
            writer: Encoder::Plain(writer),
            position: None,
            held: None,
            unfinished: None,
        }
    }

    /// Creates a file, registered in `unfinished` until it is complete. The output is compressed with gzip or zstd if the
    /// file name ends with `.gz` or `.zst`.
    ///
    /// # Errors
    /// [`Error::Create`] when the file cannot be created or replaced, or the crate lacks the feature for its compression.
    pub fn create(path: &Path, unfinished: &Unfinished) -> Result<Output, Error> {
        let name = path.display().to_string();
        let result = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => Self::create_in_place(&name, path),
            Ok(metadata) => Self::create_beside(&name, path, Some(metadata.permissions()), unfinished),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                Self::create_beside(&name, path, None, unfinished)
            }
            // Windows reports no metadata for devices such as NUL. Any other error recurs when the file is opened.
            Err(_) => Self::create_in_place(&name, path),
        };
        result.map_err(|cause| Error::Create { name, source: cause })
    }

    fn create_in_place(name: &str, path: &Path) -> io::Result<Output> {
        let file = OpenOptions::new().write(true).open(path)?;
        pipe::enlarge(&file);
        let writer = Encoder::for_name(path, file)?;
        Ok(Output { name: name.to_owned(), writer, position: None, held: None, unfinished: None })
    }

    fn create_beside(
        name: &str,
        path: &Path,
        permissions: Option<fs::Permissions>,
        unfinished: &Unfinished,
    ) -> io::Result<Output> {
        let target = follow_links(path)?;
        let last = target.as_os_str().as_encoded_bytes().last();
        if target.file_name().is_none() || last.is_some_and(|&byte| is_separator(byte.into())) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if permissions.is_some() {
            // Replacing a file needs no permission to write it, but a read-only file should stay.
            OpenOptions::new().write(true).open(&target)?;
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut files = unfinished.files();
        let (file, temporary) = temporary_file(folder.unwrap_or(Path::new(".")))?.into_parts();
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        let writer = Encoder::for_name(path, PreallocatedFile::new(file))?;
        let position = matches!(writer, Encoder::Plain(_)).then_some(0);
        let unfinished =
            UnfinishedFile { registry: unfinished.clone(), temporary: temporary.to_path_buf(), target };
        files.push(temporary);
        Ok(Output { name: name.to_owned(), writer, position, held: None, unfinished: Some(unfinished) })
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

    /// Writes what is buffered, flushes, and renames a temporary file to its final name.
    ///
    /// # Errors
    /// [`Error::Write`] when the system reports an error or the file was [discarded](Unfinished::discard). A temporary
    /// file is removed then.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.held.is_some() {
            self.write(&[])?;
        }
        let writer = mem::replace(&mut self.writer, Encoder::Plain(Box::new(io::sink())));
        writer.finish().map_err(|cause| self.error(cause))?;
        let Some(UnfinishedFile { registry, temporary, target }) = self.unfinished.take() else {
            return Ok(());
        };
        let mut files = registry.files();
        let Some(index) = files.iter().position(|file| **file == *temporary) else {
            return Err(self.error(io::Error::other("the unfinished file was discarded")));
        };
        files.swap_remove(index).persist(target).map_err(|error| self.error(error.error))
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::Write { name: self.name.clone(), source: cause }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some(UnfinishedFile { registry, temporary, .. }) = &self.unfinished {
            registry.remove(temporary);
        }
    }
}

fn rest_of(held: Option<&(Block, usize)>) -> &[u8] {
    held.map_or(&[], |(block, from)| &block.bytes()[*from..])
}

/// Creates a hidden temporary file in `folder` with the permissions of an ordinary new file.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".rapidoku-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// Follows symbolic links from `path` to a file, which need not exist.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..40 {
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().unwrap_or(Path::new("")).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::ErrorKind::InvalidInput.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::IoSlice;

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

    #[test]
    fn a_discarded_output_fails_to_finish() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let unfinished = Unfinished::default();
        let mut output = Output::create(&path, &unfinished).unwrap();
        drop(unfinished.discard());
        output.write(b"row").unwrap();
        let message = output.finish().unwrap_err().message().to_string();
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
            let mut output = Output {
                name: String::new(),
                writer: Encoder::Plain(Box::new(recorder)),
                position: is_aligned.then_some(0),
                held: None,
                unfinished: None,
            };
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
