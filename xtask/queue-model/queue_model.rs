//! The queue between the workers and the writer of `rapidoku::file` with the locks of loom: every interleaving of small
//! numbers of threads, up to a bound on preemptions. A lost wake-up or an item that never comes is a deadlock, which
//! loom reports.
//!
//! `.ci/run loom` runs these tests.

#[path = "../../crates/file/src/run/order.rs"]
mod order;

/// In place of `crates/file/src/sync.rs`.
mod sync {
    use std::ops::{Deref, DerefMut};

    use loom::sync::atomic::{AtomicBool, Ordering};
    pub use loom::sync::{Condvar, Mutex, MutexGuard};

    /// A mutex for [`TryMutex::try_lock`]. The release of a loom mutex is not a point at which loom switches threads,
    /// so loom would not explore a `try_lock` shortly before it. The operations of an atomic are such points.
    pub struct TryMutex<T> {
        is_locked: AtomicBool,
        value: Mutex<T>,
    }

    pub struct TryMutexGuard<'a, T> {
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
            self.is_locked.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).map_err(|_| ())?;
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

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use loom::sync::Arc;
use loom::sync::atomic::{AtomicBool, Ordering};
use loom::thread;

use crate::order::Order;
use crate::sync::{Mutex, TryMutex};

/// What happens to an item. The other items of the run have two parts.
#[derive(Clone, Copy, PartialEq)]
enum Event {
    /// Nothing.
    Written,
    /// The source refuses the input, and has no batches afterwards.
    Refused,
    /// The job fails after the first part.
    Failed,
    /// The run is cancelled: the worker stops the queue and leaves after the first part.
    Cancelled,
    /// The worker panics after the first part. Loom does not support panics, so it does what the drops in a panic do.
    Panicked,
    /// The output fails at the first part of the item.
    OutputFailed,
}

/// A part of an item, or the failure that takes its place.
type Part = Result<u64, ()>;

/// A few batches, one of which may have an event.
struct Batches {
    left: Range<u64>,
    event: (u64, Event),
}

impl Batches {
    fn next(&mut self) -> Option<(u64, Event)> {
        let number = self.left.next()?;
        let event = if number == self.event.0 { self.event.1 } else { Event::Written };
        if event == Event::Refused {
            self.left = 0..0;
        }
        Some((number, event))
    }
}

struct Run {
    order: Order<Part>,
    source: Mutex<Batches>,
    written: TryMutex<Vec<u64>>,
    has_failed: AtomicBool,
}

impl Run {
    fn new(window: u64, batches: u64, event: (u64, Event)) -> Arc<Run> {
        Arc::new(Run {
            order: Order::new(2, window),
            source: Mutex::new(Batches { left: 0..batches, event }),
            written: TryMutex::new(Vec::new()),
            has_failed: AtomicBool::new(false),
        })
    }

    /// Writes a part, as the writer does. Returns `false` after a failure.
    fn write(&self, output_fails_at: Option<u64>, written: &mut Vec<u64>, part: Part) -> bool {
        match part {
            Ok(part) if Some(part) != output_fails_at => written.push(part),
            _ => {
                self.has_failed.store(true, Ordering::SeqCst);
                self.order.stop();
                return false;
            }
        }
        true
    }

    fn output_fails_at(event: (u64, Event)) -> Option<u64> {
        (event.1 == Event::OutputFailed).then_some(2 * event.0)
    }

    /// A worker. With `writes`, it also writes what is ready.
    fn work(&self, event: (u64, Event), writes: bool) {
        let producer = self.order.producer();
        let written = |is_put: bool| {
            let write = |written: &mut Vec<u64>, part| self.write(Self::output_fails_at(event), written, part);
            is_put && (!writes || self.order.drain(&self.written, write))
        };
        while let Some((turn, (number, event))) = producer.take(&self.source, Batches::next) {
            if event == Event::Refused {
                written(turn.finish(Err(())));
                return;
            }
            if !written(turn.put(Ok(2 * number))) {
                return;
            }
            let last = match event {
                Event::Cancelled | Event::Panicked => {
                    self.order.stop();
                    return;
                }
                Event::Failed => Err(()),
                _ => Ok(2 * number + 1),
            };
            if !written(turn.finish(last)) {
                return;
            }
        }
    }
}

/// Runs two workers, and a writer unless they write themselves, to an event at this item. Whatever happens, the run
/// ends, with the parts before the event, or fewer if it is one that does not wait for earlier items.
fn check(window: u64, batches: u64, event: (u64, Event), workers_write: bool) {
    loom::model(move || {
        let run = Run::new(window, batches, event);
        let workers = [(); 2].map(|()| {
            let run = Arc::clone(&run);
            thread::spawn(move || run.work(event, workers_write))
        });
        if !workers_write {
            let consumer = run.order.consumer();
            while let Some(part) = consumer.take() {
                let mut written = run.written.lock().unwrap();
                if !run.write(Run::output_fails_at(event), &mut written, part) {
                    break;
                }
            }
        }
        for worker in workers {
            worker.join().unwrap();
        }
        let written = run.written.lock().unwrap();
        let expected: Vec<u64> = match event.1 {
            Event::Written => (0..2 * batches).collect(),
            Event::Refused | Event::OutputFailed => (0..2 * event.0).collect(),
            Event::Failed => (0..=2 * event.0).collect(),
            Event::Cancelled | Event::Panicked => {
                assert!(written.len() as u64 <= 2 * event.0 + 1);
                (0..written.len() as u64).collect()
            }
        };
        assert_eq!(*written, expected);
        let fails = matches!(event.1, Event::Refused | Event::OutputFailed | Event::Failed);
        assert_eq!(run.has_failed.load(Ordering::SeqCst), fails);
    });
}

/// Runs with the event at each of two items.
fn check_event(event: Event) {
    for (item, workers_write) in [(0, false), (0, true), (1, false), (1, true)] {
        check(1, 2, (item, event), workers_write);
    }
}

#[test]
fn everything_is_written_in_order() {
    for (window, workers_write) in [(1, false), (2, false), (1, true), (3, true)] {
        check(window, 3, (0, Event::Written), workers_write);
    }
}

#[test]
fn a_run_ends_when_an_input_is_refused() {
    check_event(Event::Refused);
}

#[test]
fn a_run_ends_when_the_job_fails() {
    check_event(Event::Failed);
}

#[test]
fn a_run_ends_when_it_is_cancelled() {
    check_event(Event::Cancelled);
}

#[test]
fn a_run_ends_when_a_worker_panics() {
    check_event(Event::Panicked);
}

#[test]
fn a_run_ends_when_the_output_fails() {
    check_event(Event::OutputFailed);
}

/// Without the panic, rows would be missing from an output that looks complete; without the stop, others would wait.
#[test]
fn a_turn_dropped_too_early_stops_the_queue_and_panics() {
    loom::model(|| {
        let (order, source) = (Order::new(2, 1), Mutex::new(0..2));
        let producer = order.producer();
        let (first, _) = producer.take(&source, Iterator::next).unwrap();
        assert!(first.put(0));
        assert!(catch_unwind(AssertUnwindSafe(|| drop(first))).is_err());
        let (second, _) = producer.take(&source, Iterator::next).unwrap();
        assert!(!second.put(1) && !second.finish(1));
        assert_eq!(order.consumer().take(), None);
    });
}
