//! Allocation of disk blocks ahead of writes: one large allocation is cheaper than one per written block.

use std::fs::File;
use std::io::{self, IoSlice, Write};

/// A new file whose blocks are allocated ahead of its writes.
pub(crate) struct PreallocatedFile {
    file: File,
    written: u64,
    /// The end of the allocated range.
    allocated: u64,
}

/// Files are preallocated from this size on.
const MIN_SIZE: u64 = 1 << 20;
/// The maximal size of one allocation.
const MAX_ALLOCATION: u64 = 64 << 20;

impl PreallocatedFile {
    pub fn new(file: File) -> PreallocatedFile {
        PreallocatedFile { file, written: 0, allocated: 0 }
    }

    /// Before a write of `bytes`: allocates as much again as has been written, within limits.
    fn preallocate(&mut self, bytes: usize) {
        if self.written < MIN_SIZE || self.written + bytes as u64 <= self.allocated {
            return;
        }
        let more = self.written.min(MAX_ALLOCATION);
        let start = self.allocated.max(self.written);
        // If the allocation fails (disk nearly full, or not supported), the write goes on without it.
        let succeeded = !is_in_memory(&self.file) && reserve(&self.file, start, more).is_ok();
        self.allocated = if succeeded { start + more } else { u64::MAX };
    }
}

impl Write for PreallocatedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, parts: &[IoSlice]) -> io::Result<usize> {
        self.preallocate(length(parts));
        let n = self.file.write_vectored(parts)?;
        self.written += n as u64;
        Ok(n)
    }

    /// Also releases allocated blocks that were not written.
    fn flush(&mut self) -> io::Result<()> {
        if self.allocated > self.written {
            // A failure is harmless: the length is already right unless the platform extends files on allocation.
            let _ = self.file.set_len(self.written);
            self.allocated = 0;
        }
        self.file.flush()
    }
}

/// Standard output, if it is a file on a file system that supports allocation.
pub(crate) fn redirected() -> Option<Box<dyn Write + Send>> {
    #[cfg(target_os = "linux")]
    if let Some(file) = Redirected::stdout() {
        return Some(Box::new(file));
    }
    None
}

/// Standard output redirected to a file. Other processes may write to the same file, so unused blocks could not be
/// released: only the range of the next write is allocated.
#[cfg(target_os = "linux")]
struct Redirected {
    file: File,
    is_appended: bool,
}

/// Allocating for smaller writes gains nothing; for writes of twice this size it does.
#[cfg(target_os = "linux")]
const MIN_WRITE: usize = 64 << 10;

#[cfg(target_os = "linux")]
impl Redirected {
    fn stdout() -> Option<Redirected> {
        use std::os::fd::AsFd;
        Self::new(File::from(io::stdout().as_fd().try_clone_to_owned().ok()?))
    }

    fn new(file: File) -> Option<Redirected> {
        use rustix::fs::{OFlags, fcntl_getfl};
        let is_appended = fcntl_getfl(&file).ok()?.contains(OFlags::APPEND);
        // On other file systems, network ones for example, a request per write may be slow.
        let is_on_ext = file_system(&file).ok()? == EXT4_SUPER_MAGIC;
        (is_on_ext && file.metadata().ok()?.is_file()).then_some(Redirected { file, is_appended })
    }

    /// Allocates blocks for the next write of `bytes`. If another process writes first, its data uses them.
    fn preallocate(&mut self, bytes: usize) -> io::Result<()> {
        if bytes < MIN_WRITE {
            return Ok(());
        }
        let start = if self.is_appended {
            self.file.metadata()?.len()
        } else {
            io::Seek::stream_position(&mut self.file)?
        };
        reserve(&self.file, start, bytes as u64)
    }
}

#[cfg(target_os = "linux")]
impl Write for Redirected {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, parts: &[IoSlice]) -> io::Result<usize> {
        // A failure is harmless: the write allocates blocks itself.
        let _ = self.preallocate(length(parts));
        self.file.write_vectored(parts)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn length(parts: &[IoSlice]) -> usize {
    parts.iter().map(|part| part.len()).sum()
}

/// Allocates blocks for a range of a file without changing its length.
#[cfg(target_os = "linux")]
fn reserve(file: &File, start: u64, length: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    Ok(fallocate(file, FallocateFlags::KEEP_SIZE, start, length)?)
}

/// Whether a file is on tmpfs, where allocation only costs time.
#[cfg(target_os = "linux")]
fn is_in_memory(file: &File) -> bool {
    file_system(file).is_ok_and(|kind| kind == TMPFS_MAGIC)
}

/// Values of `f_type` of statfs, see statfs(2).
#[cfg(target_os = "linux")]
const EXT4_SUPER_MAGIC: u64 = 0xEF53;
#[cfg(target_os = "linux")]
const TMPFS_MAGIC: u64 = 0x0102_1994;

/// The type of the file system that holds a file. The integer type differs between platforms.
#[cfg(target_os = "linux")]
fn file_system(file: &File) -> io::Result<u64> {
    Ok(rustix::fs::fstatfs(file)?.f_type as u64)
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &File) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn reserve(_: &File, _: u64, _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::MetadataExt;

    use super::*;

    #[test]
    fn no_room_is_left_behind_what_was_written() {
        let mut file = PreallocatedFile::new(tempfile::tempfile().unwrap());
        let piece: Vec<u8> = (0..300_001).map(|i| i as u8).collect();
        for n in 1..=20 {
            file.write_all(&piece).unwrap();
            assert!(file.written >= MIN_SIZE || file.allocated == 0, "{n}");
        }
        file.flush().unwrap();
        let metadata = file.file.metadata().unwrap();
        assert_eq!(metadata.len(), 20 * 300_001);
        assert!(metadata.blocks() * 512 <= metadata.len() + (128 << 10), "{} blocks", metadata.blocks());
        let mut content = Vec::new();
        io::Seek::rewind(&mut file.file).unwrap();
        io::Read::read_to_end(&mut file.file, &mut content).unwrap();
        assert!(content == piece.repeat(20));
    }

    /// The file may have content before, and another writer may append to it meanwhile.
    #[cfg(target_os = "linux")]
    #[test]
    fn writers_of_a_redirected_output_share_one_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rows");
        let piece: Vec<u8> = (0..300_001).map(|i| i as u8).collect();
        for is_appended in [false, true] {
            std::fs::write(&path, b"older\n").unwrap();
            let mut options = File::options();
            let mut other = options.append(is_appended).write(true).open(&path).unwrap();
            if !is_appended {
                other.set_len(0).unwrap();
            }
            other.write_all(b"first\n").unwrap();
            let mut output = Redirected { file: other.try_clone().unwrap(), is_appended };
            if let Some(seen) = Redirected::new(other.try_clone().unwrap()) {
                assert_eq!(seen.is_appended, is_appended);
            }
            output.write_all(&piece).unwrap();
            output.write_all(b"few").unwrap();
            other.write_all(b"others").unwrap();
            output.write_all(&piece).unwrap();
            output.flush().unwrap();
            let older = if is_appended { &b"older\nfirst\n"[..] } else { b"first\n" };
            assert!(std::fs::read(&path).unwrap() == [older, &piece, b"few", b"others", &piece].concat());
            let metadata = other.metadata().unwrap();
            assert!(metadata.blocks() * 512 <= metadata.len() + (128 << 10), "{} blocks", metadata.blocks());
        }
        let null = File::options().write(true).open("/dev/null").unwrap();
        assert!(Redirected::new(null).is_none(), "no file");
    }
}
