//! Capacity of the pipes between this process and others.

#[cfg(target_os = "linux")]
use std::os::fd::AsFd;

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

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};

    use super::*;

    #[test]
    fn a_pipe_is_enlarged_and_never_shrunk() {
        let (reader, writer) = std::io::pipe().unwrap();
        enlarge(&reader);
        assert_eq!(fcntl_getpipe_size(&writer).unwrap(), CAPACITY);
        fcntl_setpipe_size(&writer, 2 * CAPACITY).unwrap();
        enlarge(&writer);
        assert_eq!(fcntl_getpipe_size(&reader).unwrap(), 2 * CAPACITY);
        enlarge(tempfile::tempfile().unwrap());
    }
}
