//! The locks of a run. `xtask/queue-model` replaces them by those of loom.

pub(super) use std::sync::{Condvar, Mutex, Mutex as TryMutex, MutexGuard};
