//! Failed allocations: the program ends with a message and without unfinished files.
//!
//! Without this, the standard library would abort the process. A library that allocates with `malloc` itself, such as
//! zstd, reports a failure as an error.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::{io, mem};

use rapidoku::file::Unfinished;

/// The files to remove after a failed allocation.
static UNFINISHED: OnceLock<Unfinished> = OnceLock::new();

/// The thread that ends the process, or 0.
static ENDING: AtomicUsize = AtomicUsize::new(0);

/// Whether the command has the option `--memory`.
pub static HAS_OPTION: AtomicBool = AtomicBool::new(false);

/// Removes these files after a failed allocation, also if the C library aborts the process because of one.
///
/// # Errors
/// When the system rejects the handler of SIGABRT.
#[allow(unsafe_code)]
pub fn clean_up_on_failure(unfinished: &Unfinished) -> io::Result<()> {
    let _ = UNFINISHED.set(unfinished.clone());
    // SAFETY: `abort` raises the signal in the thread that calls it, which is not within a function of the allocator
    // unless its data are corrupted. The action neither allocates nor frees memory.
    unsafe { signal_hook::low_level::register(signal_hook::consts::SIGABRT, remove_files) }.map(drop)
}

/// Removes unfinished files. If another thread is ending the process, waits for that instead.
#[allow(unsafe_code)]
fn remove_files() {
    // SAFETY: `pthread_self` has no preconditions.
    let thread = unsafe { libc::pthread_self() } as usize;
    match ENDING.compare_exchange(0, thread, Ordering::SeqCst, Ordering::SeqCst) {
        // This thread may hold the lock of the files, in which case none is removed.
        Ok(_) => mem::forget(UNFINISHED.get().and_then(Unfinished::try_discard)),
        // Removing the files took memory too.
        Err(other) if other == thread => {}
        Err(_) => loop {
            // SAFETY: `pause` has no preconditions.
            unsafe { libc::pause() };
        },
    }
}

/// The allocator of the system, except that a failure ends the process.
pub struct Allocator;

// SAFETY: All calls are passed on to `System`, which fulfils the contract. The process ends instead of a null pointer
// being returned.
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
    let message: &[u8] = if HAS_OPTION.load(Ordering::Relaxed) {
        b"rapidoku: out of memory; use less with --memory\n"
    } else {
        b"rapidoku: out of memory\n"
    };
    if ENDING.load(Ordering::SeqCst) == 0 {
        // SAFETY: The pointer and the length are those of `message`. A failure is ignored, as for all messages.
        unsafe { libc::write(libc::STDERR_FILENO, message.as_ptr().cast(), message.len()) };
    }
    remove_files();
    // SAFETY: `_exit` has no preconditions. Unlike `exit` it runs no code that may need memory or locks.
    unsafe { libc::_exit(crate::FAILURE.into()) }
}
