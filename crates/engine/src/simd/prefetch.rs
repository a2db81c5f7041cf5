//! Software prefetch.

/// Requests the cache line of `slice[at]` without waiting for it. The element need not exist.
///
/// The hardware prefetcher follows sequential reads, but stops at page boundaries.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(slice: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the x86-64 baseline includes SSE, so the compilation target guarantees the instruction. It accepts
        // any address and has no observable effect.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(slice.as_ptr().wrapping_add(at).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}
