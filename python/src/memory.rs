//! Memory of results.
//!
//! The kernel is asked for huge pages, because fresh memory of results is touched only once or twice and page faults are a
//! large part of its cost.

/// A vector of `n` zeros.
pub fn zeros<T: Copy + Default>(n: usize) -> Vec<T> {
    let zeros = vec![T::default(); n];
    advise(&zeros);
    zeros
}

/// An empty vector with room for `n` values.
pub fn with_capacity<T>(n: usize) -> Vec<T> {
    let empty = Vec::with_capacity(n);
    advise(&empty);
    empty
}

/// Asks for huge pages for the memory of a vector.
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "advice to the kernel")]
fn advise<T>(vector: &Vec<T>) {
    use rustix::mm::{Advice, madvise};

    const HUGE: usize = 2 << 20;
    let address = vector.as_ptr() as usize;
    let start = address.next_multiple_of(HUGE);
    let end = (address + vector.capacity() * size_of::<T>()) / HUGE * HUGE;
    if start < end {
        // SAFETY: the range lies within the memory of the vector, and the advice does not change its content. A kernel
        // without huge pages returns an error, which does not matter.
        let _ = unsafe { madvise(start as *mut _, end - start, Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &Vec<T>) {}
