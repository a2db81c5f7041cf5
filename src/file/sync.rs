//! The locks of a run. With `--cfg loom` the tests replace them by those of loom, see `scripts/loom.sh`.

#[cfg(not(all(loom, test)))]
pub(super) use std::sync::{Condvar, Mutex, Mutex as TryMutex, MutexGuard};

#[cfg(all(loom, test))]
pub(super) use self::model::{Condvar, Mutex, MutexGuard, TryMutex};

#[cfg(all(loom, test))]
mod model {
    use std::ops::{Deref, DerefMut};

    use loom::sync::atomic::{AtomicBool, Ordering};
    pub(in crate::file) use loom::sync::{Condvar, Mutex, MutexGuard};

    /// A mutex for [`TryMutex::try_lock`]. The release of a loom mutex is not a point at which loom switches threads, so
    /// loom would not explore a `try_lock` shortly before it. The operations of an atomic are such points.
    pub(in crate::file) struct TryMutex<T> {
        is_locked: AtomicBool,
        value: Mutex<T>,
    }

    pub(in crate::file) struct TryMutexGuard<'a, T> {
        is_locked: &'a AtomicBool,
        /// `None` while the guard is dropped.
        value: Option<MutexGuard<'a, T>>,
    }

    impl<T> TryMutex<T> {
        pub fn new(value: T) -> TryMutex<T> {
            TryMutex { is_locked: AtomicBool::new(false), value: Mutex::new(value) }
        }

        pub fn try_lock(&self) -> Result<TryMutexGuard<'_, T>, ()> {
            // The orderings of the standard library.
            self.is_locked
                .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed)
                .map_err(|_| ())?;
            let value = Some(self.value.lock().expect("no thread panics with the lock"));
            Ok(TryMutexGuard { is_locked: &self.is_locked, value })
        }

        pub fn lock(&self) -> Result<TryMutexGuard<'_, T>, ()> {
            loop {
                match self.try_lock() {
                    Err(()) => loom::thread::yield_now(),
                    guard => return guard,
                }
            }
        }

        pub fn into_inner(self) -> std::sync::LockResult<T> {
            self.value.into_inner()
        }
    }

    impl<T> Deref for TryMutexGuard<'_, T> {
        type Target = T;

        fn deref(&self) -> &T {
            self.value.as_ref().expect("the guard is alive")
        }
    }

    impl<T> DerefMut for TryMutexGuard<'_, T> {
        fn deref_mut(&mut self) -> &mut T {
            self.value.as_mut().expect("the guard is alive")
        }
    }

    impl<T> Drop for TryMutexGuard<'_, T> {
        fn drop(&mut self) {
            self.value = None;
            self.is_locked.store(false, Ordering::Release);
        }
    }
}
