//! Failed allocations: the program ends with a message and without unfinished files.
//!
//! Without this, the standard library would abort the process. A library that allocates with `malloc` itself, such as
//! zstd, reports a failure as an error.

use std::alloc::{GlobalAlloc, Layout, System};
use std::mem;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use rapidoku::file::Unfinished;

/// The files to remove after a failed allocation.
pub(crate) static UNFINISHED: OnceLock<Unfinished> = OnceLock::new();

/// The allocator of the system, except that a failure ends the process.
pub struct Allocator;

// SAFETY: All calls are passed on to `System`, which fulfils the contract. The process ends instead of a null pointer being
// returned.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: The caller guarantees a valid layout.
        or_end(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: The caller guarantees a valid layout.
        or_end(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: The caller guarantees a block of this allocator with this layout, and a valid size.
        or_end(unsafe { System.realloc(pointer, layout, size) })
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: The caller guarantees a block of this allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[inline]
fn or_end(pointer: *mut u8) -> *mut u8 {
    if pointer.is_null() {
        end();
    }
    pointer
}

/// Removes unfinished files and ends the process with exit code 2. No memory is allocated, except for very long paths.
#[cold]
#[inline(never)]
#[allow(unsafe_code)]
fn end() -> ! {
    const MESSAGE: &[u8] = b"rapidoku: out of memory\n";
    /// The thread that ends the process, or 0.
    static ENDING: AtomicUsize = AtomicUsize::new(0);
    // SAFETY: `pthread_self` has no preconditions.
    let thread = unsafe { libc::pthread_self() } as usize;
    match ENDING.compare_exchange(0, thread, Ordering::SeqCst, Ordering::SeqCst) {
        Ok(_) => {
            // SAFETY: The pointer and the length are those of `MESSAGE`. A failure is ignored, as for all messages.
            unsafe { libc::write(libc::STDERR_FILENO, MESSAGE.as_ptr().cast(), MESSAGE.len()) };
            // This thread may hold the lock of the files, in which case none is removed.
            mem::forget(UNFINISHED.get().and_then(Unfinished::try_discard));
        }
        // Removing the files took memory too.
        Err(other) if other == thread => {}
        Err(_) => loop {
            // SAFETY: `pause` has no preconditions.
            unsafe { libc::pause() };
        },
    }
    // SAFETY: `_exit` has no preconditions. Unlike `exit` it runs no code that may need memory or locks.
    unsafe { libc::_exit(2) }
}
