//! Thread pools.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// The maximal number of worker threads. Idle threads of a pool look for work at all others, so the time to start and
/// end a run grows with the square of their number.
pub const MAX_THREADS: usize = 512;

/// Resolves a requested number of threads: 0 means one per core. The result is at most [`MAX_THREADS`].
pub fn count(requested: usize) -> usize {
    match requested {
        0 => thread::available_parallelism().map_or(1, |n| n.get()),
        n => n,
    }
    .min(MAX_THREADS)
}

/// Starts a pool of threads.
///
/// Threads are not pinned: pinning gained at most 1 to 3 % on runs below a tenth of a second, and threads started by a
/// pinned thread (for compression and decompression) would share its core.
///
/// # Errors
/// When the system cannot start the threads.
pub fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { threads, source: error })
}
