//! The locks of a run. With `--cfg loom` the tests replace them by those of loom, see `scripts/loom.sh`.

#[cfg(not(all(loom, test)))]
pub(super) use std::sync::{Condvar, Mutex, MutexGuard};

#[cfg(all(loom, test))]
pub(super) use loom::sync::{Condvar, Mutex, MutexGuard};
