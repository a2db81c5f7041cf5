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
/// without the feature `parallel`. Each thread has a value of `make` for its calls. The items are taken in order.
///
/// # Errors
/// The first error of a call. No items are taken after it.
pub fn for_each<T, W, E: Send>(
    threads: usize,
    n: usize,
    mut items: impl Iterator<Item = T> + Send,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    #[cfg(feature = "parallel")]
    if threads != 1 && n > 1 {
        return in_parallel(count_threads(threads).min(n), items, make, work);
    }
    let _ = (threads, n);
    let mut own = make();
    items.try_for_each(|item| work(&mut own, item))
}

#[cfg(feature = "parallel")]
fn in_parallel<T, W, E: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T) -> Result<(), E> + Sync,
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
                let mut own = make();
                while let Some(item) = next() {
                    if let Err(error) = work(&mut own, item) {
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
