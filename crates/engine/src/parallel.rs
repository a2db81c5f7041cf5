//! Work on the threads of the current rayon pool.

#[cfg(feature = "parallel")]
use std::sync::Mutex;

/// The number of threads on which [`for_each`] works at most. It is 1 without the feature `parallel`.
pub fn count_threads(threads: usize) -> usize {
    match threads {
        #[cfg(feature = "parallel")]
        0 => rayon::current_num_threads(),
        #[cfg(feature = "parallel")]
        2.. => threads.min(rayon::current_num_threads()),
        _ => 1,
    }
}

/// Calls `work` for each of `n` items, on `threads` threads at once, 0 for all of the pool, or on the calling thread
/// without the feature `parallel`. The items are taken in order.
///
/// # Errors
/// The first error of a call. No items are taken after it.
pub fn for_each<T, E: Send>(
    threads: usize,
    n: usize,
    mut items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    #[cfg(feature = "parallel")]
    if threads != 1 && n > 1 {
        return in_parallel(count_threads(threads).min(n), items, work);
    }
    let _ = (threads, n);
    items.try_for_each(work)
}

#[cfg(feature = "parallel")]
fn in_parallel<T, E: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    let state = Mutex::new((items, Ok(())));
    let lock = || state.lock().expect("no thread panics with the lock");
    let next = || {
        let (items, result) = &mut *lock();
        if result.is_ok() { items.next() } else { None }
    };
    rayon::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|_| {
                while let Some(item) = next() {
                    if let Err(error) = work(item) {
                        let result = &mut lock().1;
                        if result.is_ok() {
                            *result = Err(error);
                        }
                    }
                }
            });
        }
    });
    state.into_inner().expect("no thread panics with the lock").1
}
