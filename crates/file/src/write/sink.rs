//! Files and streams that are synchronised and closed explicitly, because dropping a [`File`] ignores errors of
//! close(2).

use std::fs::File;
use std::io::{self, Seek, Write};

use crate::pipe::Waiting;

/// A destination of bytes.
pub(super) trait Sink: Write + Send {
    /// Writes what is buffered and closes the destination, after its content has been written to disk if `sync` is set.
    fn close(self: Box<Self>, sync: bool) -> io::Result<()>;

    /// Sets the number of threads that compress. Must be called before the first byte is written.
    fn set_threads(&mut self, _: usize) -> io::Result<()> {
        Ok(())
    }

    /// Replaces the first bytes. Nothing is written after that.
    fn rewrite_start(&mut self, _: &[u8]) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// A file whose blocks are allocated before they are written: ext4 would otherwise allocate them page by page. `solve`
/// takes 5 % less time with it.
pub(super) struct PreallocatedFile {
    file: Waiting,
    /// Whether the file system gains from it. On others, network ones for example, a request per write may be slow.
    is_on_ext4: bool,
}

/// Allocating for smaller writes gains nothing; for writes of twice this size it does.
const MIN_WRITE: usize = 64 << 10;

impl PreallocatedFile {
    pub fn new(file: File) -> PreallocatedFile {
        let is_on_ext4 = is_on_ext4(&file);
        PreallocatedFile { file: Waiting::new(file), is_on_ext4 }
    }
}

impl Write for PreallocatedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() >= MIN_WRITE && self.is_on_ext4 {
            // Allocates the blocks of this write, without a change of the length. If another process writes first, its
            // data uses them. The position of a file that is opened for appending is known after the first write.
            #[cfg(target_os = "linux")]
            if let Ok(start) = self.file.stream_position() {
                use rustix::fs::{FallocateFlags, fallocate};
                // A failure, on a disk that is nearly full for example, is harmless: the write allocates them itself.
                let _ = fallocate(&self.file.file, FallocateFlags::KEEP_SIZE, start, bytes.len() as u64);
            }
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Sink for PreallocatedFile {
    fn close(self: Box<Self>, sync: bool) -> io::Result<()> {
        close(self.file.file, sync)
    }

    fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.rewind()?;
        self.file.write_all(bytes)
    }
}

/// Standard output.
#[cfg(target_os = "linux")]
pub(super) fn stdout() -> Box<dyn Sink> {
    use std::os::fd::AsFd;
    // A duplicate can be closed, which reports errors, while messages may still be written to standard output.
    let Ok(descriptor) = io::stdout().as_fd().try_clone_to_owned() else { return Box::new(io::stdout()) };
    Box::new(PreallocatedFile::new(descriptor.into()))
}

/// Standard output.
#[cfg(not(target_os = "linux"))]
pub(super) fn stdout() -> Box<dyn Sink> {
    Box::new(io::stdout())
}

/// Whether it is a regular file on ext4. The integer type of `f_type` differs between platforms.
#[cfg(target_os = "linux")]
fn is_on_ext4(file: &File) -> bool {
    const EXT4_SUPER_MAGIC: u64 = 0xEF53;
    file.metadata().is_ok_and(|metadata| metadata.is_file())
        && rustix::fs::fstatfs(file).is_ok_and(|system| system.f_type as u64 == EXT4_SUPER_MAGIC)
}

#[cfg(not(target_os = "linux"))]
fn is_on_ext4(_: &File) -> bool {
    false
}

/// Standard output where it has no [`File`].
impl Sink for io::Stdout {
    fn close(mut self: Box<Self>, _: bool) -> io::Result<()> {
        self.flush()
    }
}

/// Nothing.
impl Sink for io::Sink {
    fn close(self: Box<Self>, _: bool) -> io::Result<()> {
        Ok(())
    }
}

/// Closes a file, after its content has been written to disk if `sync` is set.
pub(super) fn close(file: File, sync: bool) -> io::Result<()> {
    if sync {
        synchronise(&file)?;
    }
    close_descriptor(file)
}

/// Waits until the content of a file or directory is on the disk. Some file systems do not support that, which is no
/// error.
pub(super) fn synchronise(file: &File) -> io::Result<()> {
    match file.sync_all() {
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

/// Network file systems may report a failed write only when the file is closed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn close_descriptor(file: File) -> io::Result<()> {
    use rustix::io::{Errno, try_close};
    use std::os::fd::IntoRawFd;
    // SAFETY: `into_raw_fd` gives up the ownership of the descriptor, so nothing else uses or closes it.
    match unsafe { try_close(file.into_raw_fd()) } {
        // Linux closes the descriptor before it waits, so nothing remains to be done after an interruption.
        Err(Errno::INTR) => Ok(()),
        result => Ok(result?),
    }
}

#[cfg(not(target_os = "linux"))]
fn close_descriptor(_: File) -> io::Result<()> {
    Ok(())
}
