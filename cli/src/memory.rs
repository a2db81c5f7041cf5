//! Failed allocations: the program ends with a message and without unfinished files.
//!
//! The standard library prints the size of the allocation and aborts the process. A library that allocates with
//! `malloc` itself, such as zstd, reports a failure as an error.

use std::sync::OnceLock;
use std::{io, mem};

use rapidoku::file::Unfinished;

/// The files to remove after a failed allocation.
static UNFINISHED: OnceLock<Unfinished> = OnceLock::new();

/// Removes these files if the standard library or the C library aborts the process because of a failed allocation.
///
/// # Errors
/// When the system rejects the handler of SIGABRT.
#[allow(unsafe_code)]
pub(crate) fn clean_up_on_failure(unfinished: &Unfinished) -> io::Result<()> {
    let _ = UNFINISHED.set(unfinished.clone());
    // SAFETY: `abort` raises the signal in the thread that calls it, which is not within a function of the allocator
    // unless its data are corrupted. The action neither allocates nor frees memory, except for very long paths.
    unsafe { signal_hook::low_level::register(signal_hook::consts::SIGABRT, end) }.map(drop)
}

/// Removes unfinished files and ends the process with exit code 2. No memory is allocated, except for very long paths.
#[allow(unsafe_code)]
fn end() {
    const MESSAGE: &[u8] = b"rapidoku: out of memory; if there is --memory, use less\n";
    // SAFETY: The pointer and the length are those of `MESSAGE`. A failure is ignored, as for all messages.
    unsafe { libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len()) };
    // This thread may hold the lock of the files, in which case none is removed. Another thread that gets here waits
    // for the lock until the process ends.
    mem::forget(UNFINISHED.get().and_then(Unfinished::try_discard));
    // SAFETY: `_exit` has no preconditions. Unlike `exit` it runs no code that may need memory or locks.
    unsafe { libc::_exit(crate::exit::FAILURE.into()) }
}
