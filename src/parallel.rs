//! Work on the threads of the current rayon pool.

#[cfg(feature = "parallel")]
use std::sync::Mutex;

/// The number of threads on which [`for_each`] works at most.
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

/// Calls `work` for each of `n` items, on `threads` threads at once, 0 for all of the pool. Each thread has a value of `make` for
/// its calls. The items are taken in order.
///
/// # Errors
/// The first error of a call. No items are taken after it.
#[cfg(feature = "parallel")]
pub fn for_each<T, W, E: Send>(
    threads: usize,
    n: usize,
    items: impl Iterator<Item = T> + Send,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, T) -> Result<(), E> + Sync,
) -> Result<(), E> {
    if threads == 1 || n <= 1 {
        return work_alone(items, make(), work);
    }
    let state = Mutex::new((items, Ok(())));
    let lock = || state.lock().expect("no thread panics with the lock");
    let next = || {
        let (items, result) = &mut *lock();
        if result.is_ok() { items.next() } else { None }
    };
    rayon::scope(|scope| {
        for _ in 0..count_threads(threads).min(n) {
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

/// Calls `work` on the calling thread: without the feature `parallel` there are no others.
#[cfg(not(feature = "parallel"))]
pub fn for_each<T, W, E>(
    _threads: usize,
    _n: usize,
    items: impl Iterator<Item = T>,
    make: impl Fn() -> W,
    work: impl Fn(&mut W, T) -> Result<(), E>,
) -> Result<(), E> {
    work_alone(items, make(), work)
}

fn work_alone<T, W, E>(
    mut items: impl Iterator<Item = T>,
    mut own: W,
    work: impl Fn(&mut W, T) -> Result<(), E>,
) -> Result<(), E> {
    items.try_for_each(|item| work(&mut own, item))
}
