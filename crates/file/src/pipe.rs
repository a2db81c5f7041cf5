//! Pipes and terminals between this process and others: their capacity, and waiting for those that do not block.

use std::fs::File;
use std::io::{self, Read, Write};
#[cfg(target_os = "linux")]
use std::os::fd::AsFd;

/// A file, pipe or terminal. If it is in non-blocking mode, reads and writes wait until it is ready.
///
/// The mode belongs to the open file description, which other processes share: a shell or a parent process may set it
/// on standard input and output, and changing it here would affect them. Interrupted calls are repeated. After its end,
/// it is not read again: a terminal would wait for more input.
pub(crate) struct Waiting {
    pub file: File,
    has_ended: bool,
}

/// A file that is ready this many times in a row, but neither read nor written, has failed.
const MAX_ATTEMPTS: usize = 1000;

impl Waiting {
    pub fn new(file: File) -> Waiting {
        Waiting { file, has_ended: false }
    }

    fn retry(&mut self, writes: bool, call: &mut dyn FnMut(&mut File) -> io::Result<usize>) -> io::Result<usize> {
        let mut attempts = 0;
        loop {
            match call(&mut self.file) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock && attempts < MAX_ATTEMPTS => {
                    attempts += 1;
                    wait(&self.file, writes)?;
                }
                result => return result,
            }
        }
    }
}

impl Read for Waiting {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.has_ended {
            return Ok(0);
        }
        let read = self.retry(false, &mut |file| file.read(into))?;
        self.has_ended = read == 0 && !into.is_empty();
        Ok(read)
    }
}

impl Write for Waiting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.retry(true, &mut |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl io::Seek for Waiting {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.has_ended = false;
        self.file.seek(to)
    }
}

/// Waits until a call can make progress.
#[cfg(target_os = "linux")]
fn wait(file: &File, writes: bool) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    let flags = if writes { PollFlags::OUT } else { PollFlags::IN };
    match poll(&mut [PollFd::new(file, flags)], None) {
        Ok(_) | Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Other systems have no dependency that provides `poll`.
#[cfg(not(target_os = "linux"))]
fn wait(_: &File, _: bool) -> io::Result<()> {
    Err(io::ErrorKind::WouldBlock.into())
}

/// The default capacity on Linux is 64 KiB, at which reader and writer keep waiting for each other. With four times as
/// much, throughput doubles; more gains nothing. The total per user is limited.
#[cfg(target_os = "linux")]
const CAPACITY: usize = 256 << 10;

/// Enlarges the pipe behind `end`, if it is one. A failure is harmless and ignored.
#[cfg(target_os = "linux")]
pub(crate) fn enlarge(end: impl AsFd) {
    use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};
    if fcntl_getpipe_size(&end).is_ok_and(|capacity| capacity < CAPACITY) {
        let _ = fcntl_setpipe_size(&end, CAPACITY);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn enlarge<T>(_: T) {}
