//! Threads that work on chunks of rows.
//!
//! Each call starts threads of its own and ends them. A pool that outlives the call would hang in a forked process, where
//! its threads do not exist. The calling thread only waits, so that it can look for signals: Ctrl-C takes effect whatever
//! the threads do, and does not depend on the size of a chunk.

use std::iter;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rapidoku::canon::Canonical;
use rapidoku::dedup::DedupError;
use rapidoku::{CancelToken, Cancelled, Outcomes};

use crate::input::Rows;
use crate::memory::{self, CHUNK, Fill, OutOfMemory};

/// Rows that the calling thread handles itself if the work on each of them is bounded: to start a thread would take longer.
const FEW: usize = 256;

/// The time between two looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// The buffers of a thread.
#[derive(Default)]
pub struct Scratch {
    pub rows: Rows,
    /// Those of a second column.
    pub others: Rows,
    pub outcomes: Outcomes,
    pub forms: Vec<Option<Canonical>>,
}

/// The work on the rows of a call.
#[derive(Clone, Copy)]
pub struct Plan {
    pub rows: usize,
    pub threads: usize,
    /// Whether each row takes a few milliseconds at most.
    pub is_bounded: bool,
}

/// The reason why the work on a chunk ended early.
pub enum Stop {
    Cancelled,
    OutOfMemory,
}

impl From<Cancelled> for Stop {
    fn from(_: Cancelled) -> Stop {
        Stop::Cancelled
    }
}

impl From<OutOfMemory> for Stop {
    fn from(_: OutOfMemory) -> Stop {
        Stop::OutOfMemory
    }
}

impl From<DedupError> for Stop {
    fn from(error: DedupError) -> Stop {
        match error {
            DedupError::Cancelled => Stop::Cancelled,
            _ => Stop::OutOfMemory,
        }
    }
}

/// The chunks of `rows` rows.
pub fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(CHUNK).map(move |start| start..rows.min(start + CHUNK))
}

/// Fills columns chunk by chunk, without the GIL.
///
/// # Errors
/// Those of [`run`].
pub fn fill<'c, C: Fill>(
    py: Python,
    plan: Plan,
    columns: &'c mut C,
    work: impl Fn(&mut Scratch, Range<usize>, C::Chunk<'c>, &CancelToken) -> Result<(), Stop> + Sync,
) -> PyResult<()> {
    let items = chunks(plan.rows).zip(columns.chunks());
    run(py, plan, items, |scratch, (rows, columns), cancel| work(scratch, rows, columns, cancel))
}

/// Does some work on another thread, without the GIL.
///
/// # Errors
/// Those of [`run`].
pub fn once<T: Send>(py: Python, work: impl FnOnce(&CancelToken) -> Result<T, Stop> + Send) -> PyResult<T> {
    let mut result = None;
    let plan = Plan { rows: 1, threads: 1, is_bounded: false };
    run(py, plan, iter::once((work, &mut result)), |_, (work, result), cancel| {
        *result = Some(work(cancel)?);
        Ok(())
    })?;
    Ok(result.expect("the work is done"))
}

/// Does `work` for each item, without the GIL.
///
/// # Errors
/// The exception of a signal handler, `MemoryError`, or `RuntimeError` if a thread cannot be started; after the threads have
/// ended.
pub fn run<T: Send>(
    py: Python,
    plan: Plan,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut Scratch, T, &CancelToken) -> Result<(), Stop> + Sync,
) -> PyResult<()> {
    let cancel = CancelToken::new();
    if plan.is_bounded && plan.rows <= FEW {
        memory::check_this_thread()?;
        let mut items = items;
        let result = py.detach(|| {
            let mut scratch = Scratch::default();
            items.try_for_each(|item| work(&mut scratch, item, &cancel))
        });
        // Nobody cancels.
        return result.map_err(|_| OutOfMemory.into());
    }
    let threads = plan.threads.min(plan.rows.div_ceil(CHUNK)).max(1);
    memory::check_threads(threads)?;
    let items = Mutex::new(items);
    let next = || items.lock().expect("no thread panics with the lock").next();
    let work_off = || {
        let mut scratch = Scratch::default();
        while let Some(item) = next() {
            // Few kinds of work look at the token within a chunk, and not in a chunk of easy puzzles.
            if cancel.is_cancelled() {
                return Err(Stop::Cancelled);
            }
            work(&mut scratch, item, &cancel)?;
        }
        Ok(())
    };
    py.detach(|| {
        thread::scope(|scope| {
            let wait = || {
                // The channel closes when the last thread has dropped its end.
                let (end, all_ends) = mpsc::channel();
                for _ in 0..threads {
                    let end = end.clone();
                    let thread = thread::Builder::new().spawn_scoped(scope, || {
                        let end = end;
                        if let Err(Stop::OutOfMemory) = work_off() {
                            // The receiver may have gone because of another error.
                            let _ = end.send(OutOfMemory);
                        }
                    });
                    thread.map_err(|error| PyRuntimeError::new_err(format!("cannot start a thread: {error}")))?;
                }
                drop(end);
                loop {
                    match all_ends.recv_timeout(POLL) {
                        Ok(error) => return Err(error.into()),
                        Err(RecvTimeoutError::Timeout) => Python::attach(|py| py.check_signals())?,
                        Err(RecvTimeoutError::Disconnected) => return Ok(()),
                    }
                }
            };
            // The scope waits for the threads.
            wait().inspect_err(|_| cancel.cancel())
        })
    })
}
