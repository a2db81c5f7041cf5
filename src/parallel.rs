//! Work on the threads of the current rayon pool.

/// The number of threads on which [`on_threads`] calls `work` at most.
#[cfg(feature = "parallel")]
pub fn count_threads(threads: usize) -> usize {
    match threads {
        1 => 1,
        0 => rayon::current_num_threads(),
        _ => threads.min(rayon::current_num_threads()),
    }
}

/// The same without the feature `parallel`.
#[cfg(not(feature = "parallel"))]
pub fn count_threads(_threads: usize) -> usize {
    1
}

/// Calls `work` on `threads` threads at once, 0 for all of the pool, but not on more than there are `chunks` of work.
/// `work` takes chunks until there are none left.
#[cfg(feature = "parallel")]
pub fn on_threads(threads: usize, chunks: usize, work: impl Fn() + Sync) {
    if threads == 1 || chunks <= 1 {
        return work();
    }
    rayon::scope(|scope| {
        for _ in 0..count_threads(threads).min(chunks) {
            scope.spawn(|_| work());
        }
    });
}

/// Calls `work` on the calling thread: without the feature `parallel` there are no others.
#[cfg(not(feature = "parallel"))]
pub fn on_threads(_threads: usize, _chunks: usize, work: impl Fn() + Sync) {
    work();
}
