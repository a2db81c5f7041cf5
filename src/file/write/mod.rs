//! Stage 6, ordered output: writes files that appear when they are complete.
//!
//! Solving overlaps writing, but one thread at a time does all the writing: several that wrote to the same file
//! at known offsets were no faster (ext4, warm and cold: they queue for the lock of the inode), and several that wrote
//! to a mapping of it took twice the time of their cores. A file is given its place on the disk ahead of what is
//! written: block by block that is a third of the time of writing. And it is written from one multiple of 256 KiB
//! to another: a write that starts and ends anywhere is kept by the system in a dozen parts of all sizes, one by one,
//! which is a fifth of the time.

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
use preallocate::Growing;

use super::error::Error;
use super::pipe;
use crate::outcome::ROW;

/// The output of a batch, or of a part of one. Meant to be kept and reused.
#[derive(Default)]
pub(super) struct Block {
    /// The output itself, if `is_rows`: an engine's rows are lines of text already.
    pub rows: Vec<[u8; ROW]>,
    pub is_rows: bool,
    pub text: Vec<u8>,
}

impl Block {
    /// Forgets the output and keeps the memory.
    pub fn clear(&mut self) {
        self.text.clear();
        self.is_rows = false;
    }

    pub fn bytes(&self) -> &[u8] {
        if self.is_rows { self.rows.as_flattened() } else { &self.text }
    }
}

/// Where an output goes.
///
/// A regular file is written under another name in the same folder, and given its own by
/// [`Output::finish`]: until then whoever looks sees the old file or none. If the output is dropped
/// before, it is as if it had never been. Pipes and devices are written as they are.
pub struct Output {
    name: String,
    writer: Encoder,
    /// How far a file has been written that is written in pieces. Not one that others may see unfinished: it would end
    /// within a row.
    position: Option<u64>,
    /// What comes next in it, from this byte of the block.
    held: Option<(Block, usize)>,
    unfinished: Option<(Unfinished, PathBuf, PathBuf)>,
}

/// Blocks go to a new file in pieces of this size; what is left of the last one waits for more.
const PIECE: u64 = 256 << 10;

/// The files that are to disappear if the process ends before its time.
#[derive(Clone, Default)]
pub struct Unfinished(Arc<Mutex<Vec<TempPath>>>);

impl Unfinished {
    /// Removes the unfinished files. None is created or finished while the guard lives, which gives
    /// the process the time to end.
    pub fn discard(&self) -> impl Drop + '_ {
        let mut files = self.files();
        files.clear();
        files
    }

    /// A temporary file of such content, for other programs to read.
    pub fn temp_file(&self, content: &[u8]) -> io::Result<TempFile> {
        let mut files = self.files();
        let mut file = tempfile::Builder::new().prefix("rapidoku-").suffix(".txt").tempfile()?;
        file.write_all(content)?;
        let temporary = file.into_temp_path();
        let place = temporary.to_path_buf();
        files.push(temporary);
        Ok(TempFile(self.clone(), place))
    }

    fn files(&self) -> MutexGuard<'_, Vec<TempPath>> {
        self.0.lock().expect("nobody panics with the lock")
    }

    fn remove(&self, place: &Path) {
        self.files().retain(|file| **file != *place);
    }
}

/// A temporary file that disappears with this value.
pub struct TempFile(Unfinished, PathBuf);

impl TempFile {
    /// Its path.
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
    /// Standard output.
    pub fn stdout() -> Output {
        pipe::widen(io::stdout());
        let writer = preallocate::redirected().unwrap_or_else(|| Box::new(io::stdout()));
        Output {
            name: "<stdout>".to_owned(),
            writer: Encoder::Plain(writer),
            position: None,
            held: None,
            unfinished: None,
        }
    }

    /// A file, and a note in `unfinished` if it is a regular one. Packed with gzip or zstd if its name ends in
    /// `.gz` or `.zst`.
    ///
    /// # Errors
    /// When the file may not be written, or not be replaced by another.
    pub fn create(path: &Path, unfinished: &Unfinished) -> Result<Output, Error> {
        let name = path.display().to_string();
        let result = match fs::metadata(path) {
            Ok(metadata) if !metadata.is_file() => Self::create_in_place(&name, path),
            Ok(metadata) => Self::create_beside(&name, path, Some(metadata.permissions()), unfinished),
            Err(cause) if cause.kind() == io::ErrorKind::NotFound => {
                Self::create_beside(&name, path, None, unfinished)
            }
            // Windows tells nothing of a device such as NUL; any other trouble is met again here.
            Err(_) => Self::create_in_place(&name, path),
        };
        result.map_err(|cause| Error::Create { name, source: cause })
    }

    fn create_in_place(name: &str, path: &Path) -> io::Result<Output> {
        let file = OpenOptions::new().write(true).open(path)?;
        pipe::widen(&file);
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
            // To replace a file takes no right to write it, but who has none means it to stay.
            OpenOptions::new().write(true).open(&target)?;
        }
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let mut files = unfinished.files();
        let (file, temporary) = temporary_file(folder.unwrap_or(Path::new(".")))?.into_parts();
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        let place = temporary.to_path_buf();
        files.push(temporary);
        let unfinished = Some((unfinished.clone(), place, target));
        let writer = Encoder::for_name(path, Growing::new(file))?;
        let position = matches!(writer, Encoder::Plain(_)).then_some(0);
        Ok(Output { name: name.to_owned(), writer, position, held: None, unfinished })
    }

    /// Has so many threads pack, if it is packed. To be called before the first byte is written.
    ///
    /// # Errors
    /// When there is no memory for that.
    pub(super) fn set_threads(&mut self, threads: usize) -> Result<(), Error> {
        self.writer.set_threads(threads).map_err(|cause| self.error(cause))
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// When the system says so.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let held = self.held.take();
        self.write_both(rest_of(held.as_ref()), bytes)
    }

    /// Writes a block, but for what may wait for the next one. Returns those that are no longer needed.
    ///
    /// # Errors
    /// When the system says so.
    pub(super) fn write_block(&mut self, block: Block) -> Result<[Option<Block>; 2], Error> {
        let held = self.held.take();
        let (before, bytes) = (rest_of(held.as_ref()), block.bytes());
        let end = |position| position + (before.len() + bytes.len()) as u64;
        let later = self.position.map_or(0, |position| (end(position) % PIECE) as usize);
        // If no piece ends in the block, nothing of it waits.
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

    /// Flushes, and gives the file its name.
    ///
    /// # Errors
    /// When the system says so. The file is removed then.
    pub fn finish(mut self) -> Result<(), Error> {
        if self.held.is_some() {
            self.write(&[])?;
        }
        let writer = mem::replace(&mut self.writer, Encoder::Plain(Box::new(io::sink())));
        writer.finish().map_err(|cause| self.error(cause))?;
        let Some((unfinished, place, target)) = self.unfinished.take() else { return Ok(()) };
        let mut files = unfinished.files();
        let index = files.iter().position(|file| **file == *place).expect("it is noted until finished");
        files.swap_remove(index).persist(target).map_err(|error| self.error(error.error))
    }

    fn error(&self, cause: io::Error) -> Error {
        Error::Write { name: self.name.clone(), source: cause }
    }
}

impl Drop for Output {
    fn drop(&mut self) {
        if let Some((unfinished, place, _)) = &self.unfinished {
            unfinished.remove(place);
        }
    }
}

fn rest_of(held: Option<&(Block, usize)>) -> &[u8] {
    held.map_or(&[], |(block, from)| &block.bytes()[*from..])
}

/// A new file with a hidden name in `folder`, with the permissions that a plain new file has.
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

/// The file that `path` leads to over symbolic links, whether it exists or not.
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

    /// A file that takes no more than so many bytes at once, and notes where each write ended.
    struct Recorder {
        most: usize,
        /// Whether the next write is to be interrupted first.
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

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn blocks_are_written_in_pieces_and_all_of_them(
            sizes in prop::collection::vec(prop_oneof![0..3000usize, 0..900_000usize, Just(PIECE as usize)], 1..20),
            most in prop_oneof![4 => Just(usize::MAX), 1 => 1000..500_000usize],
            in_pieces: bool,
        ) {
            let written = Arc::<Mutex<(Vec<u8>, Vec<usize>)>>::default();
            let recorder = Recorder { most, interrupts: false, written: Arc::clone(&written) };
            let mut output = Output {
                name: String::new(),
                writer: Encoder::Plain(Box::new(recorder)),
                position: in_pieces.then_some(0),
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
                prop_assert!(blocks <= 1, "no more than one is kept");
                let (content, ends) = &*written.lock().unwrap();
                prop_assert!(expected.starts_with(content));
                let missing = expected.len() - content.len();
                let most_held = if in_pieces { PIECE as usize } else { 1 };
                prop_assert!(missing < most_held);
                let ends_a_piece = missing > 0 || in_pieces && size >= PIECE as usize;
                if ends_a_piece && most == usize::MAX {
                    prop_assert_eq!(ends.last().unwrap() % PIECE as usize, 0, "as much as can be, and no part of a piece");
                }
            }
            output.finish().unwrap();
            prop_assert!(written.lock().unwrap().0 == expected);
        }
    }
}
