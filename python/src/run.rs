//! Threads that work on chunks of rows.
//!
//! Each call starts threads of its own and ends them. A pool that outlives the call would hang in a forked process, where
//! its threads do not exist. The calling thread only waits, so that it can look for signals: Ctrl-C takes effect whatever
//! the threads do, and does not depend on the size of a chunk.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use rapidoku::canon::Canonical;
use rapidoku::{CancelToken, Cancelled, Outcomes, Puzzle};

/// Rows that a thread handles at a time: 360 KB of puzzles and outcomes, which stay in its cache.
pub const CHUNK: usize = 4096;

/// Rows that the calling thread handles itself if the work on each of them is bounded: to start a thread would take longer.
const FEW: usize = 256;

/// The time between two looks for signals.
const POLL: Duration = Duration::from_millis(50);

/// The buffers of a thread.
#[derive(Default)]
pub struct Scratch {
    pub puzzles: Vec<Puzzle>,
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

/// The chunks of so many rows.
pub fn chunks(rows: usize) -> impl Iterator<Item = Range<usize>> {
    (0..rows).step_by(CHUNK).map(move |start| start..rows.min(start + CHUNK))
}

/// Does `work` for each item, without the GIL. Returns the exception of a signal handler if there is one, after the
/// threads have ended.
pub fn run<T: Send>(
    py: Python,
    plan: Plan,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(&mut Scratch, T, &CancelToken) -> Result<(), Cancelled> + Sync,
) -> PyResult<()> {
    let cancel = CancelToken::new();
    if plan.is_bounded && plan.rows <= FEW {
        let mut items = items;
        return py.detach(|| {
            let mut scratch = Scratch::default();
            items.try_for_each(|item| work(&mut scratch, item, &cancel)).expect("nobody cancels");
            Ok(())
        });
    }
    let items = Mutex::new(items);
    let next = || items.lock().expect("no thread panics with the lock").next();
    let work_off = || {
        let mut scratch = Scratch::default();
        while let Some(item) = next() {
            // Few kinds of work look at the token within a chunk, and not in a chunk of easy puzzles.
            if cancel.is_cancelled() || work(&mut scratch, item, &cancel).is_err() {
                return;
            }
        }
    };
    py.detach(|| {
        thread::scope(|scope| {
            // Nothing is ever sent: the channel closes when the last thread has dropped its end.
            let (end, all_ends) = mpsc::channel::<Infallible>();
            for _ in 0..plan.threads.min(plan.rows.div_ceil(CHUNK)).max(1) {
                let end = end.clone();
                let thread = thread::Builder::new().spawn_scoped(scope, || {
                    let _end = end;
                    work_off();
                });
                thread.inspect_err(|_| cancel.cancel())?;
            }
            drop(end);
            while all_ends.recv_timeout(POLL) == Err(RecvTimeoutError::Timeout) {
                Python::attach(|py| py.check_signals()).inspect_err(|_| cancel.cancel())?;
            }
            Ok(())
        })
    })
}
