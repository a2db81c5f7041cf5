//! Work on the threads of the current rayon pool.

/// Calls `work` on `threads` threads at once, 0 for all of the pool, but not on more than there are `chunks` of work.
/// `work` takes chunks until there are none left.
#[cfg(feature = "parallel")]
pub fn on_threads(threads: usize, chunks: usize, work: impl Fn() + Sync) {
    if threads == 1 || chunks <= 1 {
        return work();
    }
    let available = rayon::current_num_threads();
    let tasks = if threads == 0 { available } else { threads.min(available) };
    rayon::scope(|scope| {
        for _ in 0..tasks.min(chunks) {
            scope.spawn(|_| work());
        }
    });
}

/// Calls `work` on the calling thread: without the feature `parallel` there are no others.
#[cfg(not(feature = "parallel"))]
pub fn on_threads(_threads: usize, _chunks: usize, work: impl Fn() + Sync) {
    work();
}
