//! Files and streams that are synchronised and closed explicitly, because dropping a [`File`] ignores errors of
//! close(2).

use std::fs::File;
use std::io::{self, Write};

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
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
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
