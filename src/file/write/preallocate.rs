//! Room on the disk for files that are being written: the system finds it sooner for much at once than for each
//! of its blocks, when these are written.

use std::fs::File;
use std::io::{self, IoSlice, Write};

/// A new file that is given room ahead of what is written.
pub(crate) struct Growing {
    file: File,
    written: u64,
    /// The end of that room.
    room: u64,
}

/// Room is given to files of at least this size, and so much of it at most.
const LARGE: u64 = 1 << 20;
const MOST_ROOM: u64 = 64 << 20;

impl Growing {
    pub fn new(file: File) -> Growing {
        Growing { file, written: 0, room: 0 }
    }

    /// Before `bytes` are written: for as much again as is written, up to a point.
    fn make_room(&mut self, bytes: usize) {
        if self.written < LARGE || self.written + bytes as u64 <= self.room {
            return;
        }
        let more = self.written.min(MOST_ROOM);
        let start = self.room.max(self.written);
        // Without room (where the disk is nearly full, or there is none) it is written all the same.
        let has_room = !is_in_memory(&self.file) && reserve(&self.file, start, more).is_ok();
        self.room = if has_room { start + more } else { u64::MAX };
    }
}

impl Write for Growing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_vectored(&[IoSlice::new(bytes)])
    }

    fn write_vectored(&mut self, parts: &[IoSlice]) -> io::Result<usize> {
        self.make_room(length(parts));
        let n = self.file.write_vectored(parts)?;
        self.written += n as u64;
        Ok(n)
    }

    /// Also gives back the room that was not needed.
    fn flush(&mut self) -> io::Result<()> {
        if self.room > self.written {
            // The file is whole, also where the system knows no more of this than of making room.
            let _ = self.file.set_len(self.written);
            self.room = 0;
        }
        self.file.flush()
    }
}

/// Standard output, if it is a file for which room can be made.
pub(crate) fn redirected() -> Option<Box<dyn Write + Send>> {
    #[cfg(target_os = "linux")]
    if let Some(file) = Redirected::stdout() {
        return Some(Box::new(file));
    }
    None
}

/// A file that others may write to as well, so that room could not be given back: it is given no more than it takes
/// at once.
#[cfg(target_os = "linux")]
struct Redirected {
    file: File,
    is_appended: bool,
}

/// Room for as little as this gains nothing, that for twice as much does.
#[cfg(target_os = "linux")]
const MUCH: usize = 64 << 10;

#[cfg(target_os = "linux")]
impl Redirected {
    fn stdout() -> Option<Redirected> {
        use std::os::fd::AsFd;
        Self::new(File::from(io::stdout().as_fd().try_clone_to_owned().ok()?))
    }

    fn new(file: File) -> Option<Redirected> {
        use rustix::fs::{OFlags, fcntl_getfl};
        let is_appended = fcntl_getfl(&file).ok()?.contains(OFlags::APPEND);
        // To others, over a network say, it may take longer to be asked so often.
        let is_on_ext = file_system(&file).ok()? == EXT4_SUPER_MAGIC;
        (is_on_ext && file.metadata().ok()?.is_file()).then_some(Redirected { file, is_appended })
    }

    /// Before `bytes` are written: for these. If others write meanwhile, it will be of use to them.
    fn make_room(&mut self, bytes: usize) -> io::Result<()> {
        if bytes < MUCH {
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
        // Without room it is written all the same.
        let _ = self.make_room(length(parts));
        self.file.write_vectored(parts)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

fn length(parts: &[IoSlice]) -> usize {
    parts.iter().map(|part| part.len()).sum()
}

/// Finds a place on the disk for a part of a file, whose length stays what it is.
#[cfg(target_os = "linux")]
fn reserve(file: &File, start: u64, length: u64) -> io::Result<()> {
    use rustix::fs::{FallocateFlags, fallocate};
    Ok(fallocate(file, FallocateFlags::KEEP_SIZE, start, length)?)
}

/// A file in memory has no blocks to be found, and takes longer where room is made for it.
#[cfg(target_os = "linux")]
fn is_in_memory(file: &File) -> bool {
    file_system(file).is_ok_and(|kind| kind == TMPFS_MAGIC)
}

/// `f_type` of statfs, see the manual page statfs(2).
#[cfg(target_os = "linux")]
const EXT4_SUPER_MAGIC: u64 = 0xEF53;
#[cfg(target_os = "linux")]
const TMPFS_MAGIC: u64 = 0x0102_1994;

/// The kind of file system that a file is on. (The numbers are of another type on every platform.)
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
        let mut growing = Growing::new(tempfile::tempfile().unwrap());
        let piece: Vec<u8> = (0..300_001).map(|i| i as u8).collect();
        for n in 1..=20 {
            growing.write_all(&piece).unwrap();
            assert!(growing.written >= LARGE || growing.room == 0, "{n}");
        }
        growing.flush().unwrap();
        let metadata = growing.file.metadata().unwrap();
        assert_eq!(metadata.len(), 20 * 300_001);
        assert!(metadata.blocks() * 512 <= metadata.len() + (128 << 10), "{} blocks", metadata.blocks());
        let mut content = Vec::new();
        io::Seek::rewind(&mut growing.file).unwrap();
        io::Read::read_to_end(&mut growing.file, &mut content).unwrap();
        assert!(content == piece.repeat(20));
    }

    /// Whoever wrote to it before, or writes to its end meanwhile, and whether it is appended to or not.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_redirected_output_is_one_file_for_all_that_write_to_it() {
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
