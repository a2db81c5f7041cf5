//! Memory of results.

/// A vector of `n` zeros. The kernel is asked for huge pages, because fresh memory of results is touched only once or twice
/// and page faults are a large part of its cost.
#[cfg_attr(target_os = "linux", allow(unsafe_code, reason = "advice to the kernel"))]
pub fn zeros<T: Copy + Default>(n: usize) -> Vec<T> {
    let zeros = vec![T::default(); n];
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};

        const HUGE: usize = 2 << 20;
        let addresses = zeros.as_ptr() as usize..zeros.as_ptr() as usize + size_of_val(&zeros[..]);
        let (start, end) = (addresses.start.next_multiple_of(HUGE), addresses.end / HUGE * HUGE);
        if start < end {
            // SAFETY: the range lies within the vector, and the advice does not change the content of memory. A kernel
            // without huge pages returns an error, which does not matter.
            let _ = unsafe { madvise(start as *mut _, end - start, Advice::LinuxHugepage) };
        }
    }
    zeros
}
