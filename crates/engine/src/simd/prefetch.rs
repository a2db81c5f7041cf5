//! Software prefetch.

/// Requests the cache line of `slice[at]`, if that element exists, without waiting for it.
///
/// The hardware prefetcher follows sequential reads, but stops at page boundaries.
#[inline(always)]
#[allow(unsafe_code)]
pub fn prefetch<T>(slice: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(item) = slice.get(at) {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: the x86-64 baseline includes SSE, so the compilation target guarantees the instruction. It accepts
        // any address and has no observable effect; `get` guarantees that this one is inside the slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(item).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (slice, at);
}
