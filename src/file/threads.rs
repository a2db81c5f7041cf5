//! How many threads there are, and where they come from.

use std::thread;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::file::error::Error;

/// The number of threads that `asked` stands for: 0 for as many as the machine has.
pub fn count(asked: usize) -> usize {
    match asked {
        0 => thread::available_parallelism().map_or(1, |n| n.get()),
        n => n,
    }
}

/// Starts so many threads.
///
/// They stay where the system puts them. Two may share a processor for some milliseconds while another rests; but one
/// thread kept on each was 1 to 3 % faster at most, in runs of less than a tenth of a second, and whatever such a thread
/// starts (to unpack, or to pack) would have to share its processor. Put there and let go: no faster.
pub fn pool(threads: usize) -> Result<ThreadPool, Error> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| Error::Threads { threads, source: error })
}
