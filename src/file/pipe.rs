//! Room in the pipes between this program and others.

#[cfg(target_os = "linux")]
use std::os::fd::AsFd;

/// Linux gives a pipe room for 64 KiB, so that both sides keep waiting for each other. With four times as much, lines come
/// and go twice as fast, and more gains nothing. What the pipes of a user may have together is limited.
#[cfg(target_os = "linux")]
const ROOM: usize = 256 << 10;

/// If `end` is that of a pipe, gives it more room. Where it may not have more, it works as it is.
#[cfg(target_os = "linux")]
pub(crate) fn widen(end: impl AsFd) {
    use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};
    if fcntl_getpipe_size(&end).is_ok_and(|room| room < ROOM) {
        let _ = fcntl_setpipe_size(&end, ROOM);
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn widen<T>(_: T) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use rustix::pipe::{fcntl_getpipe_size, fcntl_setpipe_size};

    use super::*;

    #[test]
    fn a_pipe_gets_more_room_and_never_less() {
        let (reader, writer) = std::io::pipe().unwrap();
        widen(&reader);
        assert_eq!(fcntl_getpipe_size(&writer).unwrap(), ROOM);
        fcntl_setpipe_size(&writer, 2 * ROOM).unwrap();
        widen(&writer);
        assert_eq!(fcntl_getpipe_size(&reader).unwrap(), 2 * ROOM);
        widen(tempfile::tempfile().unwrap());
    }
}
