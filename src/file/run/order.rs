//! Stage 5, ordered output: a bounded queue that restores the input order of batches finished out of order.

use std::collections::VecDeque;
use std::thread;

use crate::file::sync::{Condvar, Mutex, MutexGuard, TryMutex};

/// A queue of numbered items: producers put them in any order, and they are taken in the order of their numbers.
///
/// A producer that is too far ahead waits, so that items do not pile up behind a slow one. An item may consist of parts,
/// which are taken in the order in which they are put; up to [`PARTS`] parts of an item may wait besides the last one.
pub(super) struct Order<T> {
    state: Mutex<State<T>>,
    /// Signalled when the consumer may have something to take.
    arrived: Condvar,
    /// Signalled when producers may have room.
    advanced: Condvar,
    /// Producers wait while the number of their item is this much, or more, ahead of the next item to be taken.
    window: u64,
}

/// With fewer parts, the producers of items with many parts wait for one another and end up taking turns; more cost
/// memory.
const PARTS: usize = if cfg!(loom) { 1 } else { 8 };

struct State<T> {
    /// Number of the next item to be taken, which is the first one of `waiting`.
    next: u64,
    waiting: VecDeque<Item<T>>,
    producers: usize,
    stopped: bool,
}

struct Item<T> {
    parts: VecDeque<T>,
    is_complete: bool,
}

/// The consumer. Dropping it stops the producers.
pub(super) struct Consumer<'a, T>(&'a Order<T>);

/// An active producer. The queue ends when the last one is dropped, and stops when one is dropped in a panic.
pub(super) struct Producer<'a, T>(&'a Order<T>);

impl<T> Order<T> {
    /// A queue for this number of producers, each of which must call [`Order::producer`] once.
    pub fn new(producers: usize, window: u64) -> Order<T> {
        let state = State { next: 0, waiting: VecDeque::new(), producers, stopped: false };
        Order { state: Mutex::new(state), arrived: Condvar::new(), advanced: Condvar::new(), window }
    }

    pub fn producer(&self) -> Producer<'_, T> {
        Producer(self)
    }

    pub fn consumer(&self) -> Consumer<'_, T> {
        Consumer(self)
    }

    /// Takes all parts that are ready and passes them to `consume`, unless another thread is doing so with the same
    /// `consumer`. Stops and returns `false` when `consume` does.
    ///
    /// If every producer calls this after each [`Producer::put`], nothing is left behind: a producer that finds the lock
    /// held leaves its part to the holder, which looks at the queue again after it has released the lock. (The failed
    /// `try_lock` precedes the release, so the part is in the queue by then.)
    pub fn drain<C>(&self, consumer: &TryMutex<C>, mut consume: impl FnMut(&mut C, T) -> bool) -> bool {
        while self.is_ready() {
            let Ok(mut consumer) = consumer.try_lock() else { return true };
            while let Some(part) = self.try_take() {
                if !consume(&mut consumer, part) {
                    return false;
                }
            }
        }
        true
    }

    /// Ends the queue early: producers and consumer return at once.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.arrived.notify_all();
        self.advanced.notify_all();
    }

    /// Whether the next part in order has arrived.
    fn is_ready(&self) -> bool {
        self.lock().is_ready()
    }

    /// Takes the next part in order if it has arrived and the queue has not been stopped.
    fn try_take(&self) -> Option<T> {
        let part = self.lock().pop()?;
        self.advanced.notify_all();
        Some(part)
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.state.lock().expect("no thread panics with the lock")
    }
}

impl<T> State<T> {
    fn is_ready(&self) -> bool {
        !self.stopped && self.waiting.front().is_some_and(|item| !item.parts.is_empty())
    }

    fn pop(&mut self) -> Option<T> {
        if self.stopped {
            return None;
        }
        let item = self.waiting.front_mut()?;
        let part = item.parts.pop_front()?;
        if item.is_complete && item.parts.is_empty() {
            self.waiting.pop_front();
            self.next += 1;
        }
        Some(part)
    }

    fn has_room(&self, number: u64, window: u64) -> bool {
        let ahead = number - self.next;
        ahead < window && self.waiting.get(ahead as usize).is_none_or(|item| item.parts.len() <= PARTS)
    }
}

impl<T> Consumer<'_, T> {
    /// Waits for the next part in order. Returns `None` at the end of the queue or after a stop.
    pub fn take(&self) -> Option<T> {
        let order = self.0;
        let mut state = order.lock();
        loop {
            if let Some(part) = state.pop() {
                order.advanced.notify_all();
                return Some(part);
            }
            if state.stopped || state.producers == 0 {
                return None;
            }
            state = order.arrived.wait(state).expect("no thread panics with the lock");
        }
    }
}

impl<T> Drop for Consumer<'_, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

impl<T> Producer<'_, T> {
    /// Puts a part of item `number` as soon as there is room; `is_last` completes the item. Returns `false` if the queue
    /// has been stopped.
    pub fn put(&self, number: u64, part: T, is_last: bool) -> bool {
        let order = self.0;
        let mut state = order.lock();
        while !state.stopped && !state.has_room(number, order.window) {
            state = order.advanced.wait(state).expect("no thread panics with the lock");
        }
        if state.stopped {
            return false;
        }
        let place = (number - state.next) as usize;
        if state.waiting.len() <= place {
            state.waiting.resize_with(place + 1, || Item { parts: VecDeque::new(), is_complete: false });
        }
        let item = &mut state.waiting[place];
        item.parts.push_back(part);
        item.is_complete = is_last;
        if place == 0 {
            order.arrived.notify_one();
        }
        true
    }
}

impl<T> Drop for Producer<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
        self.0.lock().producers -= 1;
        self.0.arrived.notify_one();
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicU64, Ordering};

    #[test]
    fn items_are_taken_in_order_and_none_is_far_ahead() {
        let (order, number, taken) = (Order::new(3, 4), AtomicU64::new(0), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let producer = order.producer();
                    loop {
                        let mine = number.fetch_add(1, Ordering::SeqCst);
                        if mine >= 1000 {
                            return;
                        }
                        // One item in a hundred is slow, so that the others have to wait for it.
                        if mine % 100 == 0 {
                            (0..1000).for_each(|_| thread::yield_now());
                        }
                        assert!(producer.put(mine, mine, true));
                        // `taken` may lag behind by the item that the consumer has just taken.
                        assert!(mine <= taken.load(Ordering::SeqCst) + 4);
                    }
                });
            }
            let consumer = order.consumer();
            for expected in 0..1000 {
                assert_eq!(consumer.take(), Some(expected));
                taken.fetch_add(1, Ordering::SeqCst);
            }
            assert_eq!(consumer.take(), None);
        });
    }

    #[test]
    fn parts_are_taken_in_order_before_their_items_are_complete() {
        let (order, number) = (Order::new(3, 4), AtomicU64::new(0));
        thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    let producer = order.producer();
                    loop {
                        let mine = number.fetch_add(1, Ordering::SeqCst);
                        if mine >= 50 {
                            return;
                        }
                        for part in 0..mine {
                            assert!(producer.put(mine, (mine, part), part + 1 == mine));
                        }
                        if mine == 0 {
                            assert!(producer.put(0, (0, 0), true));
                        }
                    }
                });
            }
            let consumer = order.consumer();
            for item in 0..50 {
                for part in 0..item.max(1) {
                    assert_eq!(consumer.take(), Some((item, part)));
                    assert!(order.lock().waiting.iter().all(|item| item.parts.len() <= PARTS + 1));
                }
            }
            assert_eq!(consumer.take(), None);
        });
    }

    #[test]
    fn a_panic_of_a_producer_ends_the_consumer() {
        let order = Order::<()>::new(2, 1);
        let panicked = catch_unwind(AssertUnwindSafe(|| {
            let _producer = order.producer();
            panic!("on purpose");
        }));
        assert!(panicked.is_err());
        assert_eq!(order.consumer().take(), None);
    }
}

/// Every interleaving of small numbers of threads, up to a bound on preemptions. A lost wake-up is a deadlock, which loom
/// reports.
#[cfg(all(test, loom))]
mod loom_tests {
    use loom::sync::Arc;
    use loom::thread;

    use super::*;

    /// Starts a producer of `items`, each of which has two parts with the values `2 * number` and `2 * number + 1`.
    /// Returns the number of parts accepted.
    fn produce(
        order: &Arc<Order<u64>>,
        items: &'static [u64],
        after_put: impl Fn(&Order<u64>) -> bool + 'static,
    ) -> thread::JoinHandle<usize> {
        let order = Arc::clone(order);
        thread::spawn(move || {
            let producer = order.producer();
            let parts = items.iter().flat_map(|&item| [(item, false), (item, true)]);
            parts
                .take_while(|&(item, is_last)| {
                    producer.put(item, 2 * item + u64::from(is_last), is_last) && after_put(&order)
                })
                .count()
        })
    }

    #[test]
    fn loom_the_consumer_takes_everything_in_order() {
        for window in [1, 2] {
            loom::model(move || {
                let order = Arc::new(Order::new(2, window));
                let producers = [produce(&order, &[0, 2], |_| true), produce(&order, &[1], |_| true)];
                let consumer = order.consumer();
                for expected in 0..6 {
                    assert_eq!(consumer.take(), Some(expected));
                }
                assert_eq!(consumer.take(), None);
                assert_eq!(producers.map(|producer| producer.join().unwrap()), [4, 2]);
            });
        }
    }

    #[test]
    fn loom_waiting_producers_return_when_the_consumer_is_dropped() {
        loom::model(|| {
            let order = Arc::new(Order::new(2, 1));
            let producers = [produce(&order, &[0, 2], |_| true), produce(&order, &[1], |_| true)];
            let consumer = order.consumer();
            assert_eq!(consumer.take(), Some(0));
            drop(consumer);
            let accepted = producers.map(|producer| producer.join().unwrap());
            assert!(accepted[0] < 4 && accepted[1] == 0, "{accepted:?}");
        });
    }

    #[test]
    fn loom_producers_drain_everything_in_order() {
        for window in [1, 3] {
            loom::model(move || {
                let order = Arc::new(Order::new(2, window));
                let written = Arc::new(TryMutex::new(Vec::new()));
                let drain = |written: &Arc<TryMutex<Vec<u64>>>| {
                    let written = Arc::clone(written);
                    move |order: &Order<u64>| {
                        order.drain(&written, |written, part| {
                            written.push(part);
                            true
                        })
                    }
                };
                let producers =
                    [produce(&order, &[0, 2], drain(&written)), produce(&order, &[1], drain(&written))];
                assert_eq!(producers.map(|producer| producer.join().unwrap()), [4, 2]);
                assert_eq!(*written.lock().unwrap(), [0, 1, 2, 3, 4, 5]);
            });
        }
    }

    #[test]
    fn loom_a_failure_of_the_writer_ends_all_producers() {
        loom::model(|| {
            let order = Arc::new(Order::new(2, 1));
            let written = Arc::new(TryMutex::new(Vec::new()));
            let drain = |written: &Arc<TryMutex<Vec<u64>>>| {
                let written = Arc::clone(written);
                move |order: &Order<u64>| {
                    order.drain(&written, |written, part| {
                        if part == 1 {
                            order.stop();
                            return false;
                        }
                        written.push(part);
                        true
                    })
                }
            };
            let producers =
                [produce(&order, &[0, 2], drain(&written)), produce(&order, &[1], drain(&written))];
            let accepted = producers.map(|producer| producer.join().unwrap());
            // Item 2 needs the room that item 1 takes and never leaves.
            assert!(accepted[0] <= 2, "{accepted:?}");
            assert_eq!(*written.lock().unwrap(), [0]);
        });
    }
}
