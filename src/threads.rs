//! How many threads there are, and where they come from.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::error::Error;

/// The number of threads that `asked` stands for: 0 for as many as the machine has.
pub fn count(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, |n| n.get()),
        n => n,
    }
}

/// Starts so many threads.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { threads, cause: error.into() })
}
