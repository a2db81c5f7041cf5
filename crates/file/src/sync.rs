//! The locks of a run. `xtask/queue-model` replaces them by those of loom.

pub(super) use std::sync::{Condvar, Mutex, Mutex as TryMutex, MutexGuard};

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().expect("no thread panics with the lock")
}

pub(super) fn into_inner<T>(mutex: Mutex<T>) -> T {
    mutex.into_inner().expect("no thread panics with the lock")
}
